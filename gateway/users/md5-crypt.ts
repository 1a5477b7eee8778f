/**
 * The MD5-based password hash of Apache (`$apr1$`) and crypt(3) (`$1$`): 1,000 rounds over password and salt. Source:
 * apr_md5.c of the Apache Portable Runtime. Weak by today's standards; supported for existing files.
 */
import { hash } from 'node:crypto';

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
