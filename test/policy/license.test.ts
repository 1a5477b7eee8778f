import { generateKeyPairSync } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { issueLicense, requireLicensePlan, verifyLicense } from '../../policy/license.ts';

const issuer = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');
const issuedAt = new Date('2026-11-01T00:00:00Z');
const expiresAt = new Date('2027-11-01T00:00:00Z');
const now = new Date('2026-11-21T00:00:00Z');
const request = { customer: 'Example', plan: 'enterprise', issuedAt, expiresAt } as const;

/** The token with its claims changed and its signature kept. */
function tampered(token: string, change: Record<string, unknown>): string {
  const [header, payload = '', signature] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  return [header, Buffer.from(JSON.stringify({ ...claims, ...change })).toString('base64url'), signature].join('.');
}

/** What a token is rejected with; undefined if it is accepted. */
function refusal(token: string, at = now, issuers = [issuer.publicKey]): unknown {
  try {
    verifyLicense(token, issuers, at);
    return undefined;
  } catch (error) {
    return error;
  }
}

test('a license contains what it was issued for', () => {
  const token = issueLicense({ ...request, reportUrl: 'https://reports.example/usage' }, issuer.privateKey);
  expect(verifyLicense(token, [other.publicKey, issuer.publicKey], now)).toEqual({
    ...request,
    evaluation: false,
    reportUrl: 'https://reports.example/usage',
  });
});

test.each([
  [{ evaluation: true }, { evaluation: true }],
  [{}, { evaluation: false }],
])('with %j and no report', (more, expected) => {
  const token = issueLicense({ ...request, ...more }, issuer.privateKey);
  const license = verifyLicense(token, [issuer.publicKey], now);
  expect(license).toEqual({ ...request, ...expected });
  expect(license).not.toHaveProperty('reportUrl');
  const [head = '', claims = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  expect(JSON.parse(head)).toEqual({ alg: 'EdDSA', typ: 'JWT' });
  expect(JSON.parse(claims)).toMatchObject({ iss: 'privet', sub: 'Example', plan: 'enterprise' });
  expect(claims).not.toContain('report_url');
});

test.each([
  ['a minute before its time', issuedAt.getTime() - 60_000, true],
  ['more than a minute before', issuedAt.getTime() - 60_001, false],
  ['a minute after its end', expiresAt.getTime() + 59_000, true],
  ['more than a minute after', expiresAt.getTime() + 61_000, false],
])('clocks may differ by a minute: %s', (_name, at, isValid) => {
  const refused = refusal(issueLicense(request, issuer.privateKey), new Date(at));
  if (isValid) expect(refused).toBeUndefined();
  else expect(refused).toMatchObject({ code: 'license_invalid' });
});

test('other implementations of RFC 7519 accept what is issued', async () => {
  const token = issueLicense(request, issuer.privateKey);
  const { payload } = await jwtVerify(token, issuer.publicKey, { issuer: 'privet', currentDate: now });
  expect(payload).toMatchObject({ sub: 'Example', iat: issuedAt.getTime() / 1000, exp: expiresAt.getTime() / 1000 });
});

test.each<[string, Record<string, unknown>]>([
  ['of another product', { iss: 'other', plan: 'business' }],
  ['of no plan', { iss: 'privet' }],
  ['of an unknown plan', { iss: 'privet', plan: 'gold' }],
  ['with a report to no address', { iss: 'privet', plan: 'business', report_url: 'x' }],
])('signed by the issuer, but %s', async (_name, claims) => {
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'EdDSA' })
    .setSubject('Example')
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(issuer.privateKey);
  const refused = refusal(token);
  expect(refused).toMatchObject({ message: 'The license is not one for this product.', cause: expect.any(Error) });
});

test('with a header field that must be understood', async () => {
  const token = await new SignJWT({ iss: 'privet', plan: 'business' })
    .setProtectedHeader({ alg: 'EdDSA', crit: ['hold'], hold: true })
    .setSubject('Example')
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(issuer.privateKey, { crit: { hold: true } });
  expect(refusal(token)).toMatchObject({ message: 'The license is not one for this product.' });
});

describe('refused', () => {
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"x"}').toString('base64url')}.`;
  test.each<[name: string, make: (token: string) => string, at: Date, reason: RegExp]>([
    ['expired', (token) => token, new Date('2027-11-02T00:00:00Z'), /expired on 2027-11-01/],
    ['from the future', (token) => token, new Date('2026-10-01T00:00:00Z'), /from the future/],
    ['its end moved', (token) => tampered(token, { exp: 4e9 }), now, /changed, or signed by an issuer/],
    ['its plan raised', (token) => tampered(token, { plan: 'enterprise ' }), now, /changed/],
    ['cut off', (token) => token.slice(0, -5), now, /not one for this product|changed/],
    ['no token', () => 'abc', now, /damaged/],
    ['empty', () => '', now, /damaged/],
    ['not signed', () => unsigned, now, /not one for this product/],
  ])('%s', (_, make, at, reason) => {
    expect(refusal(make(issueLicense(request, issuer.privateKey)), at)).toMatchObject({
      code: 'license_invalid',
      message: expect.stringMatching(reason),
    });
  });
  test('foreign, or nobody trusted', () => {
    const token = issueLicense(request, issuer.privateKey);
    for (const issuers of [[other.publicKey], []]) {
      expect(() => verifyLicense(token, issuers, now)).toThrowError(/does not trust/);
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
  else expect(check).toThrowError(/The store postgres needs the plan enterprise/);
});
