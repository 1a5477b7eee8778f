/** Password hashes in users files. Slow on purpose: run it in a worker thread (hash-pool.ts) wherever requests wait. */
import { hash, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import bcrypt from 'bcryptjs';
import { bcryptForm, isPasswordHash, md5Form, memoryOf, scryptForm, shaForm } from './password-forms.ts';

/**
 * Cost of new hashes: N = 2^15, r = 8 (32 MiB, about 0.1 s). Every user is verified again after a restart, so the cost
 * also determines how long the first requests of a thousand users take.
 */
const scryptCost = { ln: 15, r: 8, p: 1 };
const saltBytes = 16;
const keyBytes = 32;

/** A new hash of a password in PHC string format: `$scrypt$ln=15,r=8,p=1$salt$key`. */
export function hashPassword(password: string): string {
  const salt = randomBytes(saltBytes);
  const { ln, r, p } = scryptCost;
  const key = scryptSync(Buffer.from(password.normalize('NFC')), salt, keyBytes, scryptOptions(ln, r, p));
  return `$scrypt$ln=${ln},r=${r},p=${p}$${unpadded(salt)}$${unpadded(key)}`;
}

/** True if the password has this hash; false for an unknown kind. Compares in constant time. */
export function verifyPassword(password: string, stored: string): boolean {
  const bytes = Buffer.from(password.normalize('NFC'));
  if (!isPasswordHash(stored)) return false;
  const scrypt = scryptForm.exec(stored);
  if (scrypt) {
    const [ln, r, p] = [Number(scrypt[1]), Number(scrypt[2]), Number(scrypt[3])];
    const key = Buffer.from(scrypt[5] as string, 'base64');
    const salt = Buffer.from(scrypt[4] as string, 'base64');
    return isSame(key, scryptSync(bytes, salt, key.length, scryptOptions(ln, r, p)));
  }
  // bcrypt uses only the first 72 bytes of a password, here as everywhere.
  if (bcryptForm.test(stored)) return bcrypt.compareSync(password.normalize('NFC'), stored);
  const md5 = md5Form.exec(stored);
  if (md5) {
    const made = md5Crypt(bytes, md5[1] as '$apr1$' | '$1$', md5[2] as string);
    return isSame(Buffer.from(stored), Buffer.from(made));
  }
  return shaForm.test(stored) && isSame(Buffer.from(stored.slice(5), 'base64'), hash('sha1', bytes, 'buffer'));
}

function scryptOptions(ln: number, r: number, p: number) {
  return { N: 2 ** ln, r, p, maxmem: memoryOf(ln, r, p) + 1024 * 1024 };
}

function isSame(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

const alphabet = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The digest bytes that form a group of four characters. */
const groups = [
  [0, 6, 12],
  [1, 7, 13],
  [2, 8, 14],
  [3, 9, 15],
  [4, 10, 5],
] as const;

/** The complete hash, `$apr1$salt$…`. */
export function md5Crypt(password: Buffer, magic: '$apr1$' | '$1$', saltText: string): string {
  const salt = Buffer.from(saltText);
  let digest = md5(password, salt, password);
  const first: Buffer[] = [password, Buffer.from(magic), salt];
  for (let left = password.length; left > 0; left -= 16) first.push(digest.subarray(0, Math.min(16, left)));
  for (let i = password.length; i > 0; i >>= 1) first.push((i & 1) === 1 ? Buffer.alloc(1) : password.subarray(0, 1));
  digest = md5(...first);
  for (let round = 0; round < 1000; round++) {
    const parts: Buffer[] = [round % 2 === 1 ? password : digest];
    if (round % 3 !== 0) parts.push(salt);
    if (round % 7 !== 0) parts.push(password);
    parts.push(round % 2 === 1 ? digest : password);
    digest = md5(...parts);
  }
  let text = '';
  const byte = (at: number) => digest[at] as number;
  for (const [a, b, c] of groups) text += characters((byte(a) << 16) | (byte(b) << 8) | byte(c), 4);
  return `${magic}${saltText}$${text}${characters(byte(11), 2)}`;
}

function md5(...parts: readonly Buffer[]): Buffer {
  return hash('md5', Buffer.concat(parts), 'buffer');
}

function characters(value: number, count: number): string {
  let text = '';
  for (let rest = value, i = 0; i < count; i++, rest >>= 6) text += alphabet[rest & 63];
  return text;
}
