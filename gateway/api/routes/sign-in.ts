/** POST and GET /admin/login, GET /admin/session, POST /admin/logout: sessions of the admin console. */

import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { PrivetError } from '../../../core/errors.ts';
import { networkOf } from '../../client-network.ts';
import { isOwnName } from '../../own-name.ts';
import type { Caller } from '../../stores/accounts.ts';
import { csrfMissing } from '../auth.ts';
import { clientAddress } from '../client-address.ts';
import type { Endpoints } from '../endpoint.ts';
import type { ApiParts } from '../parts.ts';
import type { SessionClaims } from '../sign-in.ts';
import { SignInGuard } from '../sign-in-guard.ts';

const session = z.object({
  csrf: z.string().describe('Send it as x-csrf-token with every request except GET.'),
  name: z.string(),
  expires_at: z.iso.datetime().describe('When the session ends if it is not used.'),
});
export type Session = z.infer<typeof session>;

export function signInRoutes(
  endpoints: Endpoints,
  { accounts, callers, consoleSessions: sessions, stores, log }: ApiParts,
): void {
  const shared = { group: 'admin', access: 'open' } as const;
  const guard = new SignInGuard(stores.meter);
  const shown = (claims: SessionClaims) => ({
    csrf: sessions.csrfOf(claims),
    name: claims.name,
    expires_at: new Date(sessions.expiresAt(claims)).toISOString(),
  });

  endpoints.add({
    ...shared,
    method: 'POST',
    path: '/admin/login',
    summary: 'Sign in to the admin console: exchange a key for a session cookie.',
    refusals: [401, 403, 429],
    body: z.strictObject({ key: z.string().min(1).max(512) }),
    answer: session,
    async handle({ body: { key }, request, reply }) {
      const network = networkOf(clientAddress(request));
      // A request under another host name may come from a page that the user has open; it could otherwise lock the user
      // out.
      const source = isOwnName(request.headers.host ?? 'localhost') ? network : `${network} by name`;
      const lockedMs = guard.enter(source);
      if (lockedMs > 0) throw lockedOut(reply, lockedMs);
      let caller: Caller | undefined;
      try {
        caller = await accounts.authenticate(key.trim());
        if (caller === undefined) {
          const { remaining, retryMs } = await guard.failed(source);
          log.warn({ event: 'sign_in_failed', network, remaining, requestId: request.id }, 'a sign-in failed');
          if (remaining === 0) throw lockedOut(reply, retryMs);
          throw new PrivetError('unauthorized', 'The key is unknown.', {
            hint: 'Send the admin key (pvt_admin_…).',
            details: { remaining },
          });
        }
      } finally {
        guard.leave(source);
      }
      if (caller.role !== 'admin') {
        throw new PrivetError('forbidden', 'This key does not have the role admin.', {
          hint: 'Sign in with the admin key (pvt_admin_…).',
        });
      }
      const claims = sessions.start({ key: caller.keyId, print: accounts.printOf(caller), name: caller.name });
      sessions.send(request, reply, claims);
      log.info({ event: 'signed_in', key: caller.keyId, network, requestId: request.id }, 'an administrator signed in');
      return shown(claims);
    },
  });

  endpoints.add({
    ...shared,
    method: 'GET',
    path: '/admin/login',
    access: 'admin',
    summary: 'The session of the cookie; 401 without one.',
    answer: session,
    handle({ request }) {
      const claims = sessions.read(request);
      if (claims === undefined) throw new PrivetError('unauthorized', 'There is no session.', { hint: 'Sign in.' });
      return shown(claims);
    },
  });

  // A newly loaded page does not know yet; browsers log every 401 as an error.
  endpoints.add({
    ...shared,
    method: 'GET',
    path: '/admin/session',
    summary: 'Whether the cookie has a session, and which.',
    answer: z.union([session.extend({ signed_in: z.literal(true) }), z.object({ signed_in: z.literal(false) })]),
    async handle({ request, reply }) {
      const claims = await callers.sessionOf(request, reply);
      return claims === undefined ? { signed_in: false } : { signed_in: true, ...shown(claims) };
    },
  });

  endpoints.add({
    ...shared,
    method: 'POST',
    path: '/admin/logout',
    summary: 'Sign out: the session ends in all replicas.',
    refusals: [403],
    status: 204,
    async handle({ request, reply }) {
      const claims = sessions.read(request);
      if (claims !== undefined && !sessions.hasCsrf(request, claims)) throw csrfMissing();
      await sessions.end(request, reply);
      return reply.send();
    },
  });
}

function lockedOut(reply: FastifyReply, retryMs: number): PrivetError {
  reply.header('retry-after', String(Math.ceil(retryMs / 1000)));
  return new PrivetError('too_many_requests', 'Too many failed sign-in attempts from this address.', {
    details: { retryMs: Math.ceil(retryMs) },
  });
}
