/** GET /admin/ca and POST /admin/ca/rotate: the roots that clients trust, and their rotation. */

import { z } from 'zod';
import type { Root } from '../../../certs/root.ts';
import { PrivetError } from '../../../core/errors.ts';
import { dayMs } from '../../durations.ts';
import { formats } from '../../portal/downloads.ts';
import type { Endpoints } from '../endpoint.ts';
import type { ApiParts } from '../parts.ts';

const root = z.object({
  subject: z.string(),
  fingerprint256: z.string(),
  not_before: z.iso.datetime(),
  not_after: z.iso.datetime(),
});
const next = root.extend({ activate_at: z.iso.datetime() });
const answer = z.object({
  root,
  next: next.nullable().describe('Published alongside the current root until it takes over.'),
  issuing: z.array(
    z.object({ not_after: z.iso.datetime(), domains: z.array(z.string()).nullable().describe('null: no limit.') }),
  ),
  downloads: z
    .array(z.object({ format: z.string(), path: z.string(), media_type: z.string() }))
    .describe('Paths on the proxy port, and below http://privet.proxy/ through the proxy.'),
});
export type CaAnswer = z.infer<typeof answer>;
const rotation = z.strictObject({
  activate_at: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('When the next root takes over; default in 30 days, or now if the current one has expired.'),
});
const defaultMs = 30 * dayMs;
/** How late the clock of a caller who means "now" may be. */
const skewMs = 60_000;

export function caRoutes(endpoints: Endpoints, parts: ApiParts): void {
  const shared = { group: 'admin', access: 'admin' } as const;
  const open = () => {
    if (parts.ca === undefined) throw new PrivetError('not_supported', 'This process has no CA.');
    return parts.ca;
  };
  const view = (): z.infer<typeof answer> => {
    const ca = open();
    return {
      root: viewOf(ca.root),
      next: ca.next === undefined ? null : { ...viewOf(ca.next.root), activate_at: ca.next.activateAt.toISOString() },
      issuing: ca.issuing().map(({ notAfter, domains }) => ({
        not_after: notAfter.toISOString(),
        domains: domains === null ? null : [...domains],
      })),
      downloads: formats.map(({ format, path, type }) => ({ format, path, media_type: type })),
    };
  };

  endpoints.add({
    ...shared,
    method: 'GET',
    path: '/admin/ca',
    summary: 'The root that clients trust, the next one, and the issuing CAs under it.',
    refusals: [501],
    answer,
    handle: view,
  });

  endpoints.add({
    ...shared,
    method: 'POST',
    path: '/admin/ca/rotate',
    summary: 'Create the next root, or change when it takes over. It is published immediately.',
    refusals: [501],
    body: rotation,
    answer,
    handle({ body: { activate_at }, request }) {
      const ca = open();
      const now = Date.now();
      const byDefault = new Date(ca.root.notAfter.getTime() <= now ? now : now + defaultMs);
      const activateAt = activate_at === undefined ? byDefault : new Date(activate_at);
      // A wrong year could not be undone.
      if (activateAt.getTime() < now - skewMs)
        throw new PrivetError('invalid_input', 'activate_at is in the past.', {
          hint: 'Give a time in the future, after all clients have the next root; for an immediate takeover, the current time.',
        });
      const { root: made } = ca.rotate(activateAt);
      parts.log.warn(
        { event: 'ca_rotation', fingerprint256: made.fingerprint256, activateAt, requestId: request.id },
        'a root rotation was scheduled over the API',
      );
      return view();
    },
  });

  endpoints.add({
    ...shared,
    method: 'DELETE',
    path: '/admin/ca/rotate',
    summary: 'Cancel the rotation and delete the next root.',
    refusals: [404, 501],
    answer,
    handle({ request }) {
      if (!open().cancelRotation()) throw new PrivetError('not_found', 'There is no next root.');
      parts.log.warn(
        { event: 'ca_rotation_cancelled', requestId: request.id },
        'the root rotation was cancelled over the API',
      );
      return view();
    },
  });
}

function viewOf({ commonName, fingerprint256, notBefore, notAfter }: Root): z.infer<typeof root> {
  return {
    subject: commonName,
    fingerprint256,
    not_before: notBefore.toISOString(),
    not_after: notAfter.toISOString(),
  };
}
