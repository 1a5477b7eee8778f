/** The names of services, types and the like, loaded once. */
import type { Outcome, Problem } from '../shared/http.ts';

/** By code. */
export type Names = Readonly<Record<string, string>>;
type Known = { readonly services: Names; readonly kinds: Names; readonly types: Names; readonly reasons: Names };

/** The part of the API that is needed here. */
type Api = { get<T>(path: string, options: { readonly isBackground: true }): Promise<Outcome<T>> };

export const nothing: Known = { services: {}, kinds: {}, types: {}, reasons: {} };
/** By language. */
const asked = new WeakMap<Api, Map<string, Promise<Known>>>();

/** The names, from the gateway when they are first needed; none when it does not answer. */
export function namesFor(api: Api, language: string): Promise<Known> {
  const known = asked.get(api) ?? new Map<string, Promise<Known>>();
  asked.set(api, known);
  const before = known.get(language);
  if (before !== undefined) return before;
  const answer = api.get<Known>(`/admin/labels?lang=${language}`, { isBackground: true }).then((outcome) => {
    if (outcome.ok) return outcome.body;
    known.delete(language);
    return { ...nothing };
  });
  known.set(language, answer);
  return answer;
}

/** The problem with the name of the service that it is about in place of the service's key. */
export async function withServiceName(problem: Problem, api: Api): Promise<Problem> {
  const { service } = (problem.details ?? {}) as { readonly service?: unknown };
  if (typeof service !== 'string') return problem;
  const { services } = await namesFor(api, document.documentElement.lang);
  const name = Object.hasOwn(services, service) ? services[service] : undefined;
  const { message } = problem;
  // A value before it may be the same text.
  const at = Math.max(message.lastIndexOf(`"${service}"`), message.lastIndexOf(`「${service}」`)) + 1;
  if (name === undefined || at === 0) return problem;
  return { ...problem, message: `${message.slice(0, at)}${name}${message.slice(at + service.length)}` };
}
