/**
 * API keys: `pvt_live_…`, `pvt_test_…`, `pvt_admin_…`, with 190 random bits. A SHA-256 hash is kept of them; a slow
 * password hash would protect nothing more.
 */
import { hash, randomInt, timingSafeEqual } from 'node:crypto';

/** What a key may do: the data endpoints, or those of the administrator too. */
export const keyRoles = ['user', 'admin'] as const;
export type KeyRole = (typeof keyRoles)[number];

/** The word in the prefix of a key; test keys do what live ones do and are told apart by their owner. */
export type KeyKind = 'live' | 'test' | 'admin';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 32;
const shape = /^pvt_(live|test|admin)_[0-9A-Za-z]{32}$/;

/** A new key. It is shown once; only {@link keyHash} is kept. */
export function newKey(kind: KeyKind): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `pvt_${kind}_${random}`;
}

/** Whether a text has the shape of a key that {@link newKey} makes. */
export function isKey(text: string): boolean {
  return shape.test(text);
}

/** SHA-256 of a key, 64 hexadecimal characters. */
export function keyHash(key: string): string {
  return hash('sha256', key);
}

/** The public id of a key, from its hash: a presented key finds its record by it. */
export function keyId(hash: string): string {
  return `key_${hash.slice(0, 24)}`;
}

/** Whether two hashes are equal, in a time that does not tell where they differ. */
export function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
