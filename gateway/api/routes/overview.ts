/** GET /admin/overview: the state of this process and its dependencies. */

import { z } from 'zod';
import type { Endpoints } from '../endpoint.ts';
import type { ApiParts } from '../parts.ts';
import { policiesOf } from './policy.ts';

const proposed = z.object({ proposed: z.int() });
const answer = z.object({
  uptime_s: z.int(),
  version: z.string(),
  store: z.object({ kind: z.string(), ready: z.boolean() }),
  ca: z.object({ not_after: z.iso.datetime(), fingerprint256: z.string() }),
  license: z.looseObject({ status: z.enum(['valid', 'expired']), plan: z.string(), expires_at: z.iso.datetime() }),
  replicas: z.int().describe('Live processes that share the store, including this one.'),
  discovery: proposed,
  pins: proposed,
  feeds: z.object({ pending: z.int() }),
  exceptions: z.object({ open: z.int() }),
  config: z.object({
    loaded_at: z.iso.datetime(),
    warnings: z.array(z.string()).describe('Warnings about settings that are probably not intended.'),
    problems: z.array(z.string()).describe('Why the last configuration read was rejected.'),
  }),
});
export type Overview = z.infer<typeof answer>;

export function overviewRoutes(endpoints: Endpoints, parts: ApiParts): void {
  const { stores, license, overview, version } = parts;
  // An unavailable source is not counted; the overview reports the store's state separately.
  const count = async (source: (() => number | Promise<number>) | undefined, otherwise: number) => {
    try {
      return (await source?.()) ?? otherwise;
    } catch {
      return otherwise;
    }
  };
  endpoints.add({
    method: 'GET',
    path: '/admin/overview',
    group: 'admin',
    access: 'admin',
    summary: 'The state of the gateway at a glance.',
    answer,
    async handle() {
      const [replicas, discovery, pins, pending, open] = await Promise.all([
        count(async () => (await parts.replicas.list()).filter(({ state }) => state === 'live').length, 1),
        count(overview.discoveryProposed, 0),
        count(overview.pinsProposed, 0),
        count(() => parts.feeds?.list().filter(({ state }) => state === 'pending').length ?? 0, 0),
        count(async () => (await policiesOf(parts).store.exceptions.list({ state: 'open' })).length, 0),
      ]);
      const { notAfter, fingerprint256 } = overview.ca();
      const { loadedAt, warnings, problems } = overview.config();
      return {
        uptime_s: Math.round(process.uptime()),
        version,
        store: { kind: stores.kind, ready: stores.isReady() },
        ca: { not_after: notAfter.toISOString(), fingerprint256 },
        license: license.view(),
        replicas,
        discovery: { proposed: discovery },
        pins: { proposed: pins },
        feeds: { pending },
        exceptions: { open },
        config: { loaded_at: loadedAt.toISOString(), warnings, problems },
      };
    },
  });
}
