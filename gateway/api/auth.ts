/**
 * Who may call an endpoint of the API.
 */
import type { FastifyRequest } from 'fastify';
import { PrivetError } from '../../core/errors.ts';
import type { Accounts } from '../stores/accounts.ts';

/** The key of `Authorization: Bearer <key>`; undefined when there is none. RFC 6750 §2.1; the scheme in any case. */
export function bearerKey(request: FastifyRequest): string | undefined {
  const field = request.headers.authorization;
  return field === undefined ? undefined : /^bearer +([\x21-\x7e]{1,512}) *$/i.exec(field)?.[1];
}

/**
 * A hook that lets callers with a key through and notes them at the request; with `admin` only those of that role.
 * Throws PrivetError `unauthorized` without a key or with an unknown or revoked one, `forbidden` with a key of another
 * role, `unavailable` when the store cannot be asked.
 */
export function requireKey(
  accounts: Pick<Accounts, 'authenticate'>,
  role: 'any' | 'admin',
): (request: FastifyRequest) => Promise<void> {
  const needed = role === 'admin' ? 'the admin key' : 'a key';
  return async (request) => {
    const key = bearerKey(request);
    if (key === undefined) throw new PrivetError('unauthorized', `This address needs ${needed}.`);
    const caller = await accounts.authenticate(key);
    if (caller === undefined) throw new PrivetError('unauthorized', 'The key is not known.');
    if (role === 'admin' && caller.role !== 'admin') {
      throw new PrivetError('forbidden', 'This address needs a key with the role admin.', {
        hint: 'Send the admin key (pvt_admin_…).',
      });
    }
    request.caller = caller;
  };
}
