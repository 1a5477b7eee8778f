/** GET and POST /admin/users, DELETE /admin/users/:name: the users that may sign in at the proxy. */

import { z } from 'zod';
import { PrivetError } from '../../../core/errors.ts';
import type { Endpoints } from '../endpoint.ts';
import { nextPage, pageOf, pageQuery } from '../paging.ts';
import type { ApiParts } from '../parts.ts';

const name = z.string().trim().min(1).max(200);
const shown = z.object({ name: z.string(), groups: z.array(z.string()), source: z.enum(['config', 'file']) });
export type ProxyUser = z.infer<typeof shown>;

export function userRoutes(endpoints: Endpoints, parts: ApiParts): void {
  const shared = { group: 'admin', access: 'admin' } as const;
  const users = () => {
    if (parts.users === undefined) throw new PrivetError('not_found', 'There is no proxy in this process.');
    return parts.users;
  };

  endpoints.add({
    ...shared,
    method: 'GET',
    path: '/admin/users',
    summary: 'The users who may sign in to the proxy, without their passwords.',
    refusals: [404],
    query: z.strictObject(pageQuery),
    answer: z.object({ users: z.array(shown), ...nextPage }),
    handle({ query }) {
      const all = users().list();
      return pageOf(
        'users',
        all.map(({ name, groups, source }) => ({ name, groups, source })),
        query,
      );
    },
  });

  endpoints.add({
    ...shared,
    method: 'POST',
    path: '/admin/users',
    summary: 'Add a user to auth.proxy.users_file, or change the password or groups; takes effect immediately.',
    refusals: [404, 409],
    body: z.strictObject({
      name,
      password: z.string().min(1).max(1024).optional().describe('Required for a new user.'),
      groups: z.array(name).max(100).optional().describe('Replaces the previous groups.'),
    }),
    answer: shown,
    status: 201,
    async handle({ body, request }) {
      const { name, groups, source } = await users().put(body);
      parts.log.info({ event: 'user_changed', user: name, requestId: request.id }, 'a proxy user was changed');
      return { name, groups, source };
    },
  });

  endpoints.add({
    ...shared,
    method: 'DELETE',
    path: '/admin/users/:name',
    summary: 'Remove a user from auth.proxy.users_file; open tunnels stay open.',
    refusals: [409],
    status: 204,
    async handle({ params, reply, request }) {
      const { name = '' } = params;
      await users().remove(name);
      parts.log.info({ event: 'user_removed', user: name, requestId: request.id }, 'a proxy user was removed');
      return reply.send();
    },
  });
}
