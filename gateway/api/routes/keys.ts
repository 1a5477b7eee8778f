/** GET and POST /admin/keys, DELETE /admin/keys/:id. */

import { z } from 'zod';
import { plain } from '../../../config/values.ts';
import { keyRoles } from '../../../policy/api-keys.ts';
import { planNames } from '../../../policy/plans.ts';
import type { Endpoints } from '../endpoint.ts';
import { nextPage, pageOf, pageQuery } from '../paging.ts';
import type { ApiParts } from '../parts.ts';

const tenant = z.string().min(1).max(100);
const createBody = z.strictObject({
  name: plain(z.string().trim().min(1).max(200)).describe('The member that the key is for.'),
  role: z.enum(keyRoles).optional().describe('Default user.'),
  plan: z.enum(planNames).optional().describe('Plan of the account; changes that of an existing one. Default free.'),
  tenant: tenant.optional().describe('An existing account; without it a new one is created.'),
  test: z.boolean().optional().describe('Prefix pvt_test_.'),
});
const shown = {
  id: z.string(),
  name: z.string(),
  tenant: z.string(),
  plan: z.enum(planNames),
  role: z.enum(keyRoles),
  created_at: z.iso.datetime(),
};
const listed = z.object({
  ...shown,
  revoked_at: z.iso.datetime().nullable(),
  usage: z.object({ month: z.string(), calls: z.int() }),
});
export type Key = z.infer<typeof listed>;

export function keyRoutes(endpoints: Endpoints, { accounts, log }: ApiParts): void {
  endpoints.add({
    method: 'POST',
    path: '/admin/keys',
    group: 'admin',
    summary: 'Create a key. It is shown only once.',
    refusals: [404],
    access: 'admin',
    body: createBody,
    answer: z.object({ ...shown, key: z.string() }),
    status: 201,
    async handle({ body, request }) {
      const made = await accounts.createKey(body);
      log.info({ event: 'key_created', key: made.id, tenant: made.tenant, requestId: request.id }, 'a key was created');
      return made;
    },
  });

  endpoints.add({
    method: 'GET',
    path: '/admin/keys',
    group: 'admin',
    summary: 'All keys, or those of an account, including revoked ones.',
    access: 'admin',
    query: z.strictObject({ tenant: tenant.optional(), ...pageQuery }),
    answer: z.object({ keys: z.array(listed), total: z.int(), ...nextPage }),
    async handle({ query: { tenant, ...page } }) {
      const keys = await accounts.keys({ tenant });
      return { ...pageOf('keys', keys, page), total: keys.length };
    },
  });

  endpoints.add({
    method: 'DELETE',
    path: '/admin/keys/:id',
    group: 'admin',
    summary: 'Revoke a key; every process refuses it within a second.',
    access: 'admin',
    status: 204,
    async handle({ params, reply, request }) {
      const { id = '' } = params;
      await accounts.revokeKey(id);
      log.info({ event: 'key_revoked', key: plainId(id), requestId: request.id }, 'a key was revoked');
      return reply.send();
    },
  });
}

/** The id comes from our own store, but it still becomes part of a URL. */
function plainId(id: string): string {
  return /^key_[0-9a-f]{1,64}$/.test(id) ? id : 'other';
}
