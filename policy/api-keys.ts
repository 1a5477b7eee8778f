/**
 * API keys: `pvt_live_…`, `pvt_test_…`, `pvt_admin_…`, with 190 random bits. Only a SHA-256 hash is stored; with that
 * much entropy a slow password hash would add no protection.
 */
import { hash, randomInt, timingSafeEqual } from 'node:crypto';

/** What a key may do: call the data endpoints, or the admin endpoints too. */
export const keyRoles = ['user', 'admin'] as const;
export type KeyRole = (typeof keyRoles)[number];

/**
 * The word in the prefix of a key. Test keys behave like live keys; the prefix only lets their owner tell them apart.
 */
export type KeyKind = 'live' | 'test' | 'admin';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 32;
const shape = /^pvt_(live|test|admin)_[0-9A-Za-z]{32}$/;

/** Generates a key. It is shown once; only its {@link keyHash} is stored. */
export function newKey(kind: KeyKind): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `pvt_${kind}_${random}`;
}

/** Whether a text has the format of a key from {@link newKey}. */
export function isKey(text: string): boolean {
  return shape.test(text);
}

/** SHA-256 of a key as 64 hexadecimal characters. */
export function keyHash(key: string): string {
  return hash('sha256', key);
}

/** The public id of a key, derived from its hash. It finds the record of a presented key. */
export function keyId(hash: string): string {
  return `key_${hash.slice(0, 24)}`;
}

/** Compares two hashes in constant time. */
export function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
