/** Previews a registry change against recorded requests: each is decided with and without it. */

import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { Policy } from '../../policy/decide.ts';
import type { DecideInput, PolicyDecision } from '../../policy/decision.ts';
import type { ServiceRegistry } from '../../policy/registry.ts';
import { dayMs } from '../durations.ts';
import { trafficOf } from '../simulation/audit-traffic.ts';
import type { EventStore, StoredEvent } from '../stores/events.ts';

const pageMax = 1_000;
const eventsMax = 20_000;
const examplesMax = 10;

const verdicts = z.object({ allow: z.int(), warn: z.int(), block: z.int() });
/** The response of `POST /admin/services/impact`. */
export const impactAnswer = z.object({
  days: z.int(),
  requests: z.int().describe('Requests to the services on these days.'),
  subjects: z.int().describe('Number of users who sent them.'),
  changed: z.object({ requests: z.int(), subjects: z.int() }).describe('Those whose decision would change.'),
  by_action: z.object({ before: verdicts, after: verdicts }),
  examples: z.array(
    z.object({ host: z.string(), subject: z.string(), requests: z.int(), before: z.string(), after: z.string() }),
  ),
  sampled: z.boolean().describe('There are more events; only the newest were evaluated.'),
});
export type Impact = z.infer<typeof impactAnswer>;

type ImpactOptions = {
  readonly events: Pick<EventStore, 'query'>;
  readonly policy: Policy;
  readonly registry: ServiceRegistry;
  readonly changed: ServiceRegistry;
  /** The services that change; undefined when one is added. */
  readonly ids: readonly number[] | undefined;
  readonly days: number;
};

/**
 * Counts recent requests whose service is one of `ids`, before or after the change; for an added service, those that it
 * would match. Equal requests are decided once.
 */
export async function impactOf(options: ImpactOptions): Promise<Impact> {
  const { events, ids, days, policy } = options;
  const policyAfter = policy.withRegistry(options.changed);
  const from = Date.now() - days * dayMs;
  const groups = new Map<string, { event: StoredEvent; requests: number }>();
  let looked = 0;
  let next: string | undefined;
  do {
    const page = await events.query({ from, limit: pageMax, after: next });
    for (const event of page.events) {
      const { host, method, clientAddress, kind, groups: members } = event.fields;
      const key = [event.subject, host, method, clientAddress, kind, String(members)].join('\n');
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { event, requests: 1 });
      else group.requests++;
    }
    looked += page.events.length;
    next = page.next;
    await setImmediate();
  } while (next !== undefined && looked < eventsMax);

  const isMeant = ids === undefined ? undefined : new Set(ids);
  const by_action = { before: { ...noVerdicts }, after: { ...noVerdicts } };
  const subjects = new Set<string>();
  const changedSubjects = new Set<string>();
  const changes: Impact['examples'] = [];
  let requests = 0;
  for (const { event, requests: count } of groups.values()) {
    const input = inputOf(event);
    if (input === undefined) continue;
    const [old, next] = [options.registry, options.changed].map((all) => all.match(input.host, input.path)?.service.id);
    const concerns =
      isMeant === undefined
        ? old !== next
        : (old !== undefined && isMeant.has(old)) || (next !== undefined && isMeant.has(next));
    if (!concerns) continue;
    const before = policy.decide(input);
    const after = policyAfter.decide(input);
    requests += count;
    subjects.add(event.subject);
    by_action.before[before.action] += count;
    by_action.after[after.action] += count;
    const [said, saidAfter] = [verdictOf(before), verdictOf(after)];
    if (said === saidAfter) continue;
    changedSubjects.add(event.subject);
    changes.push({ host: input.host, subject: event.subject, requests: count, before: said, after: saidAfter });
  }
  changes.sort((a, b) => b.requests - a.requests);
  return {
    days,
    requests,
    subjects: subjects.size,
    changed: { requests: changes.reduce((sum, { requests }) => sum + requests, 0), subjects: changedSubjects.size },
    by_action,
    examples: changes.slice(0, examplesMax),
    sampled: next !== undefined,
  };
}

/** `block`, or the action with the inspection: `allow (mask)`. */
function verdictOf({ action, inspect }: PolicyDecision): string {
  return action === 'block' ? action : `${action} (${inspect})`;
}

const noVerdicts = { allow: 0, warn: 0, block: 0 };

/** The decision input of a recorded request. Its path is not recorded, so it stands for the whole host. */
function inputOf({ at, fields }: StoredEvent): DecideInput | undefined {
  const traffic = trafficOf({ ts: new Date(at).toISOString(), ...fields });
  if (traffic === undefined) return undefined;
  return { ...traffic, now: traffic.at, path: traffic.method === undefined ? undefined : '/' };
}
