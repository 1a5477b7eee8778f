/**
 * Who may call a route of the API.
 */
import type { FastifyRequest } from 'fastify';
import { PrivetError } from '../../core/errors.ts';

/** The key of `Authorization: Bearer <key>`; undefined when there is none. RFC 6750 §2.1; the scheme in any case. */
export function bearerKey(request: FastifyRequest): string | undefined {
  const field = request.headers.authorization;
  return field === undefined ? undefined : /^bearer +([\x21-\x7e]{1,512}) *$/i.exec(field)?.[1];
}

/**
 * A hook that lets only the admin key through. Throws PrivetError `unauthorized` without a key or with an unknown one,
 * `forbidden` with a key of another role.
 */
export function requireAdmin(verify: (presented: string) => boolean): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    const key = bearerKey(request);
    if (key === undefined) {
      throw new PrivetError('unauthorized', 'This address needs the admin key.');
    }
    if (verify(key)) return;
    if (/^pvt_(live|test)_/.test(key)) {
      throw new PrivetError('forbidden', 'This address needs a key with the role admin.', {
        hint: 'Send the admin key (pvt_admin_…).',
      });
    }
    throw new PrivetError('unauthorized', 'The key is not known.');
  };
}
