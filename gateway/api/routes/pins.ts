/** GET /admin/pins and POST /admin/pins/:host: hosts whose clients reject the gateway's certificate. */

import { z } from 'zod';
import { PrivetError } from '../../../core/errors.ts';
import { alertsOf, type Pin } from '../../discovery/pins.ts';
import type { Endpoints } from '../endpoint.ts';
import { nextPage, pageOf, pageQuery } from '../paging.ts';
import type { ApiParts } from '../parts.ts';
import { hostOf } from '../target.ts';

const states = ['seen', 'proposed', 'bypassed', 'dismissed'] as const;
const pinned = z.object({
  host: z.string(),
  alert: z.string().describe('The most frequent rejection: a TLS alert, or `closed` right after the certificate.'),
  alerts: z.record(z.string(), z.int()),
  failures: z.int(),
  subjects: z.int(),
  trusting: z.int().describe('Subjects that accepted our certificate elsewhere: for them the host is the reason.'),
  cause: z
    .enum(['pinned', 'ca_not_trusted', 'unclear'])
    .describe('The more likely cause; `unclear` without a TLS alert.'),
  first_seen: z.iso.datetime(),
  last_seen: z.iso.datetime(),
  state: z.enum(states),
  by: z.enum(['auto', 'admin']).nullable(),
  expires_at: z.iso.datetime().nullable(),
  advice: z.string(),
});
export type PinnedHost = z.infer<typeof pinned>;
const decision = z.strictObject({
  state: z.enum(['bypassed', 'dismissed', 'seen']).describe('`seen` reverts an earlier decision.'),
  ttl: z
    .int()
    .min(60)
    .max(31_536_000)
    .optional()
    .describe('Duration of a bypass in seconds; default as configured, 7 days.'),
});

export function pinRoutes(endpoints: Endpoints, parts: ApiParts): void {
  const { learning } = parts;
  const shared = { group: 'admin', access: 'admin' } as const;

  endpoints.add({
    ...shared,
    method: 'GET',
    path: '/admin/pins',
    summary: 'Hosts whose clients reject our certificate, with a recommendation.',
    query: z.strictObject({ state: z.enum(states).optional(), ...pageQuery }),
    answer: z.object({ hosts: z.array(pinned), ...nextPage }),
    handle({ query: { state, ...page } }) {
      const rows = [...(learning?.pins.list() ?? [])].map(([host, pin]) => view(host, pin));
      const wanted = rows.filter((row) => (state ?? row.state) === row.state);
      wanted.sort((a, b) => (a.last_seen < b.last_seen ? 1 : -1));
      return pageOf('hosts', wanted, page);
    },
  });

  endpoints.add({
    ...shared,
    method: 'POST',
    path: '/admin/pins/:host',
    summary: 'Bypass a host for a time, or dismiss it so that it is not proposed again.',
    body: decision,
    answer: pinned,
    async handle({ params, body: { state, ttl }, request }) {
      const host = hostOf(params.host ?? '');
      if (learning === undefined)
        throw new PrivetError('not_found', 'No client has rejected the certificate for this host.');
      const pin = await learning.pins.decide(host, { state, ttlMs: ttl === undefined ? undefined : ttl * 1000 });
      parts.log.info(
        { event: 'pin_decided', host, state, requestId: request.id },
        'a pinned host was bypassed or dismissed over the API',
      );
      return view(host, pin);
    },
  });
}

const advice = {
  pinned:
    'These clients trust the CA for other hosts: the program pins its own certificate. Bypass the host, or block it.',
  ca_not_trusted:
    'These clients have accepted none of our certificates: install the CA on them before you bypass anything.',
  unclear:
    'These clients closed their connections without a TLS alert, which may have other reasons: look at the program first.',
};

function view(host: string, pin: Pin): z.infer<typeof pinned> {
  const [alert = 'closed'] = Object.entries(pin.alerts).sort((a, b) => b[1] - a[1])[0] ?? [];
  const cause = alertsOf(pin) === 0 ? 'unclear' : pin.trusting.length > 0 ? 'pinned' : 'ca_not_trusted';
  return {
    host,
    alert,
    alerts: pin.alerts as Record<string, number>,
    failures: pin.failures,
    subjects: pin.subjects.length,
    trusting: pin.trusting.length,
    cause,
    first_seen: pin.firstSeen,
    last_seen: pin.lastSeen,
    state: pin.state,
    by: pin.by ?? null,
    expires_at: pin.expiresAt ?? null,
    advice: advice[cause],
  };
}
