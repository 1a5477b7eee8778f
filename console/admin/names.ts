/** Names of services, types and other codes, loaded once. */
import type { Outcome, Problem } from '../shared/http.ts';

/** By code. */
export type Names = Readonly<Record<string, string>>;
type Known = { readonly services: Names; readonly kinds: Names; readonly types: Names; readonly reasons: Names };

/** The required part of the API. */
type Api = { get<T>(path: string, options: { readonly isBackground: true }): Promise<Outcome<T>> };

export const nothing: Known = { services: {}, kinds: {}, types: {}, reasons: {} };
/** By language. */
const requested = new WeakMap<Api, Map<string, Promise<Known>>>();

/** The names, loaded from the gateway on first use; none if it does not respond. */
export function namesFor(api: Api, language: string): Promise<Known> {
  const known = requested.get(api) ?? new Map<string, Promise<Known>>();
  requested.set(api, known);
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

/** The problem, with the service's key replaced by its name. */
export async function withServiceName(problem: Problem, api: Api): Promise<Problem> {
  const { service } = (problem.details ?? {}) as { readonly service?: unknown };
  if (typeof service !== 'string') return problem;
  const { services } = await namesFor(api, document.documentElement.lang);
  const name = Object.hasOwn(services, service) ? services[service] : undefined;
  const { message } = problem;
  // An earlier value may be the same text.
  const at = Math.max(message.lastIndexOf(`"${service}"`), message.lastIndexOf(`「${service}」`)) + 1;
  if (name === undefined || at === 0) return problem;
  return { ...problem, message: `${message.slice(0, at)}${name}${message.slice(at + service.length)}` };
}
