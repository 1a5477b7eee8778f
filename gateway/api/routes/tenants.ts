/** GET /admin/tenants and PATCH /admin/tenants/:id. */

import { z } from 'zod';
import { keyRoles } from '../../../policy/api-keys.ts';
import { planNames } from '../../../policy/plans.ts';
import type { Endpoints } from '../endpoint.ts';
import { nextPage, pageOf, pageQuery } from '../paging.ts';
import type { ApiParts } from '../parts.ts';

const tenant = z.object({
  tenant: z.string(),
  plan: z.enum(planNames),
  created_at: z.iso.datetime(),
  keys: z.int().describe('Number of live keys.'),
  seats: z.int().nullable().describe('null: unlimited.'),
  members: z
    .array(z.object({ id: z.string(), name: z.string(), role: z.enum(keyRoles) }))
    .describe('Members with a live key.'),
  usage: z.object({ month: z.string(), credits_used: z.int(), credits_limit: z.int().nullable() }),
});
export type Tenant = z.infer<typeof tenant>;

export function tenantRoutes(endpoints: Endpoints, { accounts, log }: ApiParts): void {
  const shared = { group: 'admin', access: 'admin' } as const;

  endpoints.add({
    ...shared,
    method: 'GET',
    path: '/admin/tenants',
    summary: 'All accounts with their members and their usage this month.',
    query: z.strictObject(pageQuery),
    answer: z.object({ tenants: z.array(tenant), total: z.int(), ...nextPage }),
    async handle({ query }) {
      const all = await accounts.tenants();
      return { ...pageOf('tenants', all, query), total: all.length };
    },
  });

  endpoints.add({
    ...shared,
    method: 'PATCH',
    path: '/admin/tenants/:id',
    summary: 'Move an account to another plan.',
    body: z.strictObject({ plan: z.enum(planNames) }),
    answer: z.object({ tenant: z.string(), plan: z.enum(planNames) }),
    async handle({ params: { id = '' }, body: { plan }, request }) {
      await accounts.setPlan(id, plan);
      log.info({ event: 'plan_changed', plan, requestId: request.id }, 'an account was moved to another plan');
      return { tenant: id, plan };
    },
  });
}
