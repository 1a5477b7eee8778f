/**
 * The ticket in the confirmation form: what is confirmed, by whom, for which host, and where the navigation continues.
 * It is signed with the replicas' shared secret, so it cannot be forged, and expires soon, so a copy is useless later.
 */
import { timingSafeEqual } from 'node:crypto';
import { Hmac } from '../../hmac.ts';
import { ticketMsMax } from '../../stores/acknowledgements.ts';

/** The content of a ticket. `issuedAt`: Unix ms. */
export type CoachTicket = {
  readonly subject: string;
  /** `https://host:port` of the page. */
  readonly origin: string;
  /** What the confirmation applies to: a service, or an unregistered host. */
  readonly scope: string;
  readonly ttlMs: number;
  /** The requested path and query. */
  readonly path: string;
  readonly issuedAt: number;
};

const ticketLengthMax = 16_384;

/** The ticket as text of `[A-Za-z0-9_.-]`. */
export function signTicket(ticket: CoachTicket, secret: Buffer): string {
  const { subject, origin, scope, ttlMs, path, issuedAt } = ticket;
  const payload = Buffer.from(JSON.stringify([subject, origin, scope, ttlMs, path, issuedAt])).toString('base64url');
  return `${payload}.${signature(payload, secret).toString('base64url')}`;
}

/** The ticket if it is signed for this subject and origin and has not expired; otherwise undefined. */
export function readTicket(
  text: string,
  expected: { readonly subject: string; readonly origin: string; readonly secret: Buffer; readonly now: number },
): CoachTicket | undefined {
  if (text.length > ticketLengthMax) return undefined;
  const [payload = '', given = '', ...rest] = text.split('.');
  const own = signature(payload, expected.secret);
  const bytes = Buffer.from(given, 'base64url');
  if (rest.length > 0 || bytes.length !== own.length || !timingSafeEqual(bytes, own)) return undefined;
  // Only tickets that we signed get this far.
  const [subject, origin, scope, ttlMs, path, issuedAt] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [
    string,
    string,
    string,
    number,
    string,
    number,
  ];
  if (subject !== expected.subject || origin !== expected.origin) return undefined;
  if (issuedAt > expected.now + 60_000 || issuedAt + ticketMsMax < expected.now) return undefined;
  return { subject, origin, scope, ttlMs, path, issuedAt };
}

/** The purpose is part of the signed text, because the secret has other uses too. */
function signature(payload: string, secret: Buffer): Buffer {
  return new Hmac(secret).digest(`coach ticket 1\n${payload}`);
}
