/** Signed texts: only signed content is accepted. */
import { generateKeyPairSync } from 'node:crypto';
import { PrivetError } from '../../../core/errors.ts';
import { type CoachTicket, readTicket, signTicket } from '../../../gateway/proxy/admit/coach-token.ts';
import { issueLicense, verifyLicense } from '../../../policy/license.ts';
import { type FuzzTarget, must, mustEqual } from '../target.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const now = new Date('2026-06-01T00:00:00Z');
const good = await issueLicense(
  { customer: 'x', plan: 'business', issuedAt: now, expiresAt: new Date('2027-01-01T00:00:00Z') } as Parameters<
    typeof issueLicense
  >[0],
  privateKey,
);
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwtWords = [
  '.',
  '..',
  part({ alg: 'none' }),
  part({ alg: 'HS256' }),
  part({ alg: 'EdDSA', crit: ['exp'] }),
  part({ plan: 'enterprise' }),
  '=',
  '-',
  '_',
  '+',
  '/',
  'A',
];

/** The decoded parts of a signed text, without the unused bits of base64url. */
function meaning(token: string): string {
  return token
    .split('.')
    .map((one) => Buffer.from(one, 'base64url').toString('hex'))
    .join('.');
}

/** Licenses. */
export const license: FuzzTarget = {
  seeds: () => [good, good.split('.').slice(0, 2).join('.'), ''],
  words: jwtWords,
  bytesMax: 1000,
  async run(input) {
    const token = input.toString('latin1');
    try {
      await verifyLicense(token, [publicKey], now);
    } catch (error) {
      must(error instanceof PrivetError && error.code === 'license_invalid', `another error: ${String(error)}`);
      return error.message;
    }
    mustEqual(meaning(token), meaning(good), 'an unsigned license');
    return undefined;
  },
};

const secret = Buffer.alloc(32, 7);
const ticketOf: CoachTicket = {
  subject: 'ann',
  origin: 'https://seen.example',
  scope: 'seen',
  ttlMs: 1000,
  path: '/a?b',
  issuedAt: now.getTime(),
};
const expected = { subject: 'ann', origin: 'https://seen.example', secret, now: now.getTime() };

/** Tickets of the confirmation page. */
export const ticket: FuzzTarget = {
  seeds: () => [signTicket(ticketOf, secret), signTicket({ ...ticketOf, subject: 'bob' }, secret)],
  words: jwtWords,
  bytesMax: 600,
  run(input) {
    const text = input.toString('latin1');
    const read = readTicket(text, expected);
    if (read === undefined) return undefined;
    mustEqual(read, ticketOf, 'what was signed');
    mustEqual(meaning(text), meaning(signTicket(ticketOf, secret)), 'an unsigned ticket');
    return undefined;
  },
};
