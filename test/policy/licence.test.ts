import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { issueLicence, requireEdition, verifyLicence } from '../../policy/licence.ts';

const issuer = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');
const issuedAt = new Date('2026-11-01T00:00:00Z');
const expiresAt = new Date('2027-11-01T00:00:00Z');
const now = new Date('2026-11-21T00:00:00Z');
const request = { customer: 'Example', edition: 'enterprise', issuedAt, expiresAt } as const;

/** The token with its claims changed and its signature kept. */
function tampered(token: string, change: Record<string, unknown>): string {
  const [header, payload = '', signature] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  return [header, Buffer.from(JSON.stringify({ ...claims, ...change })).toString('base64url'), signature].join('.');
}

test('a licence says what it was issued for', async () => {
  const token = await issueLicence({ ...request, reportUrl: 'https://reports.example/usage' }, issuer.privateKey);
  expect(await verifyLicence(token, [other.publicKey, issuer.publicKey], now)).toEqual({
    ...request,
    evaluation: false,
    reportUrl: 'https://reports.example/usage',
  });
});

describe('refused', () => {
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"x"}').toString('base64url')}.`;
  test.each<[name: string, make: (token: string) => string, at: Date, reason: RegExp]>([
    ['expired', (token) => token, new Date('2027-11-02T00:00:00Z'), /expired on 2027-11-01/],
    ['from the future', (token) => token, new Date('2026-10-01T00:00:00Z'), /from the future/],
    ['its end moved', (token) => tampered(token, { exp: 4e9 }), now, /changed, or signed by an issuer/],
    ['its edition raised', (token) => tampered(token, { edition: 'enterprise ' }), now, /changed/],
    ['cut off', (token) => token.slice(0, -5), now, /not one for this product|changed/],
    ['no token', () => 'abc', now, /damaged/],
    ['empty', () => '', now, /damaged/],
    ['not signed', () => unsigned, now, /not one for this product/],
  ])('%s', async (_, make, at, reason) => {
    const token = await issueLicence(request, issuer.privateKey);
    await expect(verifyLicence(make(token), [issuer.publicKey], at)).rejects.toMatchObject({
      code: 'license_invalid',
      message: expect.stringMatching(reason),
    });
  });
  test('foreign, or nobody trusted', async () => {
    const token = await issueLicence(request, issuer.privateKey);
    for (const issuers of [[other.publicKey], []]) {
      await expect(verifyLicence(token, issuers, now)).rejects.toThrowError(/does not trust/);
    }
  });
});

test.each([
  ['enterprise', 'enterprise', true],
  ['enterprise', 'standard', true],
  ['standard', 'standard', true],
  ['standard', 'enterprise', false],
] as const)('a licence for %s covers %s: %s', (edition, wanted, covers) => {
  const check = () => requireEdition({ ...request, edition, evaluation: false }, wanted, 'The store postgres');
  if (covers) check();
  else expect(check).toThrowError(/The store postgres needs the edition enterprise/);
});
