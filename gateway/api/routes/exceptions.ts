/** /admin/exceptions: exception requests of users, and the administrator's decision. */

import { z } from 'zod';
import { duration } from '../../../config/values.ts';
import { exceptionStates, reasonLengthMax } from '../../stores/exceptions.ts';
import type { Endpoints } from '../endpoint.ts';
import { nextPage, pageOf, pageQueryOf } from '../paging.ts';
import type { ApiParts } from '../parts.ts';
import { invalidField } from '../validate.ts';
import { policiesOf } from './policy.ts';

const request = z.object({
  id: z.string(),
  subject: z.string().describe('The proxy user, else the address of the client.'),
  host: z.string(),
  service: z.string().nullable(),
  reason: z.string().describe('In the user’s own words; display it as text, not as HTML.'),
  at: z.iso.datetime(),
  state: z.enum(exceptionStates),
  note: z.string().nullable(),
  decided_at: z.iso.datetime().nullable(),
  expires_at: z.iso.datetime().nullable().describe('When a granted one expires.'),
});
const limitDefault = 100;

export function exceptionRoutes(endpoints: Endpoints, parts: ApiParts): void {
  const shared = { group: 'admin', access: 'admin' } as const;

  endpoints.add({
    ...shared,
    method: 'GET',
    path: '/admin/exceptions',
    summary: 'Exception requests, newest first.',
    query: z.strictObject({
      state: z.enum(exceptionStates).optional(),
      subject: z.string().max(256).optional(),
      ...pageQueryOf(limitDefault),
    }),
    answer: z.object({ requests: z.array(request), ...nextPage }),
    async handle({ query: { state, subject, cursor, limit = limitDefault } }) {
      const all = await policiesOf(parts).store.exceptions.list({ state, subject });
      return pageOf('requests', all, { cursor, limit });
    },
  });

  endpoints.add({
    ...shared,
    method: 'POST',
    path: '/admin/exceptions/:id',
    summary: 'Grant or deny an exception request. A granted one acts as a rule before all others until it expires.',
    body: z.strictObject({
      state: z.enum(['granted', 'denied']),
      note: z.string().max(reasonLengthMax).optional().describe('Shown to the user.'),
      ttl: z
        .union([z.string().max(20), z.number()])
        .optional()
        .describe('How long a grant lasts, like 30d or 8h. Default 90d.'),
    }),
    answer: request,
    async handle({ params, body: { state, note, ttl }, request: { id: requestId }, caller }) {
      const decided = await policiesOf(parts).store.exceptions.decide(params.id ?? '', {
        state,
        note,
        ttlMs: ttl === undefined ? undefined : msOf(ttl),
      });
      parts.log.info(
        { event: 'exception_decided', requestId, key: caller.keyId, exception: decided.id, state },
        'an exception request was granted or denied over the API',
      );
      return decided;
    },
  });
}

function msOf(ttl: string | number): number {
  const { data } = duration.safeParse(ttl);
  if (data === undefined || data < 1) throw invalidField('ttl', 'is not a duration like 30d or 8h');
  return data;
}
