/** Signatures of feeds. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { checkDetached, openJws, readPublicKey } from '../../../gateway/feeds/signature.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
const content = Buffer.from('domain,category\nx.example,approved\n');
const signature = sign(null, content, privateKey);

test('detached: as bytes, in base64, in hexadecimal; the key as PEM or raw', () => {
  for (const key of [pem, raw, `${raw}\n`].map(readPublicKey)) {
    for (const form of [
      signature,
      Buffer.from(`${signature.toString('base64')}\n`),
      Buffer.from(signature.toString('hex')),
    ]) {
      expect(() => checkDetached(content, form, key)).not.toThrow();
    }
  }
});

test('a mismatch is refused', () => {
  const key = readPublicKey(pem);
  const wrong = /does not match the list/;
  expect(() => checkDetached(Buffer.from('other'), signature, key)).toThrow(wrong);
  expect(() => checkDetached(content, sign(null, content, other.privateKey), key)).toThrow(wrong);
  expect(() => checkDetached(content, Buffer.alloc(0), key)).toThrow(wrong);
  expect(() => checkDetached(content, Buffer.from('<html>'), key)).toThrow(wrong);
  expect(() => checkDetached(content, signature, p256.publicKey)).toThrow(/needs an Ed25519 key/);
  expect(() => readPublicKey('nonsense')).toThrow(/must be PEM/);
});

const part = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const jws = (header: object, key = privateKey) => {
  const signed = `${part(header)}.${part(content.toString())}`;
  const isEdwards = key.asymmetricKeyType === 'ed25519';
  const bytes = isEdwards
    ? sign(null, Buffer.from(signed), key)
    : sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${bytes.toString('base64url')}`;
};

test('enclosing the list', () => {
  expect(openJws(`${jws({ alg: 'EdDSA' })}\n`, publicKey)).toEqual(content);
  expect(openJws(jws({ alg: 'ES256' }, p256.privateKey), p256.publicKey)).toEqual(content);
});

test.each<[name: string, text: string, says: RegExp]>([
  ['by another key', jws({ alg: 'EdDSA' }, other.privateKey), /does not match the list/],
  ['without one', `${part({ alg: 'none' })}.${part('x')}.`, /does not match the key/],
  ['with an algorithm chosen by the message', jws({ alg: 'HS256' }), /does not match the key/],
  ['with critical header parameters', jws({ alg: 'EdDSA', crit: ['b64'], b64: false }), /does not match the key/],
  [
    'with another payload',
    jws({ alg: 'EdDSA' }).replace(/\.[^.]+\./, `.${part('evil.example')}.`),
    /does not match the list/,
  ],
  ['in two parts', 'a.b', /not a compact/],
  ['with a damaged header', 'a.b.c', /damaged/],
])('a signature %s is refused', (_name, text, says) => {
  expect(() => openJws(text, publicKey)).toThrow(says);
});
