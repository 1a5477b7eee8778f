/** GET /admin/replicas. */

import { z } from 'zod';
import type { Endpoints } from '../endpoint.ts';
import { nextPage, pageOf, pageQuery } from '../paging.ts';
import type { ApiParts } from '../parts.ts';

const replica = z.object({
  id: z.string(),
  host: z.string(),
  version: z.string(),
  started_at: z.iso.datetime(),
  seen_at: z.iso.datetime(),
  state: z.enum(['live', 'silent']),
  store_ready: z.boolean().describe('Whether it could reach the store when last seen.'),
  is_self: z.boolean().describe('The process that answers.'),
});
export type Replica = z.infer<typeof replica>;

export function replicaRoutes(endpoints: Endpoints, { replicas }: ApiParts): void {
  endpoints.add({
    method: 'GET',
    path: '/admin/replicas',
    group: 'admin',
    summary: 'The processes that share the store.',
    access: 'admin',
    query: z.strictObject(pageQuery),
    answer: z.object({ replicas: z.array(replica), ...nextPage }),
    handle: async ({ query }) => pageOf('replicas', await replicas.list(), query),
  });
}
