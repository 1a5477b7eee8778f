/** Liveness (`/health`) and readiness (`/ready`), both without a key; the license status. */

import { z } from 'zod';
import { licensePlans } from '../../../policy/license.ts';
import type { Endpoints } from '../endpoint.ts';
import type { ApiParts } from '../parts.ts';

/** The license as shown to administrators. */
const license = z.object({
  status: z.enum(['valid', 'expired']),
  mode: z
    .enum(['jwt', 'file', 'evaluation'])
    .describe('jwt: PROXY_LICENSE_KEY; file: PROXY_LICENSE_FILE; evaluation: issued at the first start.'),
  plan: z.enum(licensePlans),
  evaluation: z.boolean(),
  customer: z.string(),
  expires_at: z.iso.datetime(),
});
export type License = z.infer<typeof license>;
const health = z
  .object({
    status: z.literal('ok'),
    version: z.string(),
    uptime: z.int().describe('Seconds.'),
    timestamp: z.iso.datetime(),
    store: z.string(),
    license: license.omit({ customer: true }),
    plan: z.enum(licensePlans).describe('The plan of the license.'),
    api_calls_this_month: z.int().describe('Calls of all accounts in this month (UTC).'),
  })
  .meta({ id: 'Health' });

const readyQuery = z.object({
  store: z
    .enum(['required', 'optional'])
    .default('required')
    .describe(
      'With `optional`, an unavailable store that has answered before does not cause 503: tunnels and blocks keep working.',
    ),
});

/** GET /health, GET /ready, POST /license/refresh. */
export function healthRoutes(endpoints: Endpoints, parts: ApiParts): void {
  let hasOpened = false;
  parts.stores.opened.then(
    () => (hasOpened = true),
    () => {},
  );
  endpoints.add({
    method: 'GET',
    path: '/health',
    group: 'state',
    summary: 'Liveness of the process.',
    access: 'open',
    answer: health,
    async handle() {
      const { customer: _customer, ...license } = parts.license.view();
      return {
        status: 'ok',
        version: parts.version,
        uptime: Math.round(process.uptime()),
        timestamp: new Date().toISOString(),
        store: parts.stores.kind,
        license,
        plan: license.plan,
        api_calls_this_month: await parts.license.callsThisMonth(),
      };
    },
  });

  endpoints.add({
    method: 'GET',
    path: '/ready',
    group: 'state',
    summary: 'Readiness for traffic: 503 while draining or without its store.',
    access: 'open',
    query: readyQuery,
    answer: z.object({ status: z.enum(['ready', 'unavailable']), checks: z.record(z.string(), z.boolean()) }),
    handle({ reply, query }) {
      const checks = parts.checks();
      const failing = Object.keys(checks).filter((name) => !checks[name]);
      // Before the store has answered for the first time, the shared policy and registry are unknown.
      const ready = failing.every((name) => name === 'store' && query.store === 'optional' && hasOpened);
      if (!ready) reply.status(503).header('retry-after', '5');
      return { status: ready ? 'ready' : 'unavailable', checks };
    },
  });

  endpoints.add({
    method: 'POST',
    path: '/license/refresh',
    group: 'state',
    summary: 'The license status, after sending a usage report if one is configured.',
    access: 'admin',
    answer: license.extend({ reported: z.boolean() }),
    handle: () => parts.license.refresh(),
  });
}

export function licenseRoutes(endpoints: Endpoints, parts: ApiParts): void {
  endpoints.add({
    method: 'GET',
    path: '/admin/license',
    group: 'admin',
    summary: 'The license status.',
    access: 'admin',
    answer: license,
    handle: () => parts.license.view(),
  });
}
