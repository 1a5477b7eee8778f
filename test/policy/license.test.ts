import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { issueLicense, requireLicensePlan, verifyLicense } from '../../policy/license.ts';

const issuer = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');
const issuedAt = new Date('2026-11-01T00:00:00Z');
const expiresAt = new Date('2027-11-01T00:00:00Z');
const now = new Date('2026-11-21T00:00:00Z');
const request = { customer: 'Example', plan: 'enterprise', issuedAt, expiresAt } as const;

/** The token with changed claims and its original signature. */
function tampered(token: string, change: Record<string, unknown>): string {
  const [header, payload = '', signature] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  return [header, Buffer.from(JSON.stringify({ ...claims, ...change })).toString('base64url'), signature].join('.');
}

test('a license contains what it was issued for', async () => {
  const token = await issueLicense({ ...request, reportUrl: 'https://reports.example/usage' }, issuer.privateKey);
  expect(await verifyLicense(token, [other.publicKey, issuer.publicKey], now)).toEqual({
    ...request,
    evaluation: false,
    reportUrl: 'https://reports.example/usage',
  });
});

test.each([
  [{ evaluation: true }, { evaluation: true }],
  [{}, { evaluation: false }],
])('with %j and no report', async (more, expected) => {
  const token = await issueLicense({ ...request, ...more }, issuer.privateKey);
  const license = await verifyLicense(token, [issuer.publicKey], now);
  expect(license).toEqual({ ...request, ...expected });
  expect(license.reportUrl).toBeUndefined();
  const [head = '', claims = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  expect(JSON.parse(head)).toEqual({ alg: 'EdDSA', typ: 'JWT' });
  expect(JSON.parse(claims)).toMatchObject({ iss: 'privet', sub: 'Example', plan: 'enterprise' });
  expect(claims).not.toContain('report_url');
});

test.each([
  ['a minute before its time', issuedAt.getTime() - 60_000, true],
  ['more than a minute before', issuedAt.getTime() - 60_001, false],
  ['just before its expiry', expiresAt.getTime() - 1_000, true],
  ['at its expiry', expiresAt.getTime(), false],
])('clocks may differ by a minute at the start, not at the end: %s', async (_name, at, isValid) => {
  const token = await issueLicense(request, issuer.privateKey);
  const checked = verifyLicense(token, [issuer.publicKey], new Date(at));
  if (isValid) expect((await checked).customer).toBe('Example');
  else await expect(checked).rejects.toMatchObject({ code: 'license_invalid' });
});

test.each<[string, Record<string, unknown>]>([
  ['of another product', { iss: 'other', plan: 'business' }],
  ['without a plan', { iss: 'privet' }],
  ['of an unknown plan', { iss: 'privet', plan: 'gold' }],
  ['with a report URL that is not an address', { iss: 'privet', plan: 'business', report_url: 'x' }],
])('signed by the issuer, but %s', async (_name, claims) => {
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'EdDSA' })
    .setSubject('Example')
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(issuer.privateKey);
  const refused = await verifyLicense(token, [issuer.publicKey], now).catch((error: unknown) => error);
  expect(refused).toMatchObject({ message: 'The license is not one for this product.', cause: expect.any(Error) });
});

test('a non-error is not a cause', async () => {
  const early = await verifyLicense(
    await issueLicense(request, issuer.privateKey),
    [issuer.publicKey],
    new Date(0),
  ).catch((error: unknown) => error);
  expect(early).not.toHaveProperty('cause');
});

describe('refused', () => {
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"x"}').toString('base64url')}.`;
  test.each<[name: string, make: (token: string) => string, at: Date, reason: RegExp]>([
    ['expired', (token) => token, new Date('2027-11-02T00:00:00Z'), /expired on 2027-11-01/],
    ['from the future', (token) => token, new Date('2026-10-01T00:00:00Z'), /from the future/],
    ['with a later expiry', (token) => tampered(token, { exp: 4e9 }), now, /changed, or signed by an issuer/],
    ['with a larger plan', (token) => tampered(token, { plan: 'enterprise ' }), now, /changed/],
    ['truncated', (token) => token.slice(0, -5), now, /not one for this product|changed/],
    ['not a token', () => 'abc', now, /damaged/],
    ['empty', () => '', now, /damaged/],
    ['not signed', () => unsigned, now, /not one for this product/],
  ])('%s', async (_, make, at, reason) => {
    const token = await issueLicense(request, issuer.privateKey);
    await expect(verifyLicense(make(token), [issuer.publicKey], at)).rejects.toMatchObject({
      code: 'license_invalid',
      message: expect.stringMatching(reason),
    });
  });
  test('from another issuer, or without a trusted one', async () => {
    const token = await issueLicense(request, issuer.privateKey);
    for (const issuers of [[other.publicKey], []]) {
      await expect(verifyLicense(token, issuers, now)).rejects.toThrowError(/does not trust/);
    }
  });
});

test.each([
  ['enterprise', 'enterprise', true],
  ['enterprise', 'business', true],
  ['business', 'business', true],
  ['business', 'enterprise', false],
] as const)('a license for %s covers %s: %s', (plan, wanted, covers) => {
  const check = () => requireLicensePlan({ ...request, plan, evaluation: false }, wanted, 'The store postgres');
  if (covers) check();
  else expect(check).toThrowError(/The store postgres needs the Enterprise plan/);
});
