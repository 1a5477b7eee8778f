import bcrypt from 'bcryptjs';
import { describe, expect, test } from 'vitest';
import { isPasswordHash } from '../../../gateway/users/password-forms.ts';
import { hashPassword, verifyPassword } from '../../../gateway/users/password-hash.ts';

// Made with `openssl passwd -apr1|-1 -salt r31cAbCd` and with htpasswd -s.
const known: [password: string, stored: string][] = [
  ['', '$apr1$r31cAbCd$huJVmJ7HbSm7TmknRuGIT1'],
  ['a', '$apr1$r31cAbCd$SqNegNjnsWm4641PwNdQu0'],
  ['myPassword', '$apr1$r31cAbCd$Pr1sGUojmZh8nDY3OOdl20'],
  ['myPassword', '$1$r31cAbCd$TqOR939.GfPJIdKq15ZKt0'],
  ['pässwörd:with colon and long long long text 0123456789', '$apr1$r31cAbCd$RFar3aw/dgtg3qKlK/IM30'],
  ['myPassword', '{SHA}VBPuJHI7uixaa6LQGWx4s+5GKNE='],
  ...['$2a', '$2b', '$2y'].map((version): [string, string] => [
    'pässwort',
    bcrypt.hashSync('pässwort', 4).replace('$2b', version),
  ]),
  ['pässwort', hashPassword('pässwort')],
  ['', hashPassword('')],
];

describe('verifyPassword', () => {
  test.each(known)('%j has %s', (password, stored) => {
    expect(isPasswordHash(stored)).toBe(true);
    expect(verifyPassword(password, stored)).toBe(true);
    expect(verifyPassword(password.normalize('NFD'), stored)).toBe(true);
    expect(verifyPassword(`${password}x`, stored)).toBe(false);
    expect(verifyPassword(password.toUpperCase() || ' ', stored)).toBe(false);
  });

  test('the same password has another hash each time', () => {
    expect(hashPassword('same')).not.toBe(hashPassword('same'));
  });
});

describe('isPasswordHash', () => {
  test.each([
    '',
    'plain text',
    'rqXexS6ZhobKA', // crypt(3) with DES
    '$2x$04$abcdefghijklmnopqrstuuBc3nWkm1jrQkJ9Cq7dxxJ4VqEZ5cXjO',
    '$2y$03$abcdefghijklmnopqrstuuBc3nWkm1jrQkJ9Cq7dxxJ4VqEZ5cXjO',
    '$6$saltsalt$qFmFH.bQmmtXzyBY0s9v7Oicd2z4XSIecDzlB5KiA2/jctKu9YterLp8wwnSq.qc.eoxqOmSuNp2xS0ktL3nh/',
    '{SHA}short=',
    '{SSHA}VBPuJHI7uixaa6LQGWx4s+5GKNE=',
    `$scrypt$ln=30,r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`, // 1 TiB of memory
    `$scrypt$ln=15,r=8$${'A'.repeat(22)}$${'A'.repeat(43)}`,
  ])('%s is not one', (text) => {
    expect(isPasswordHash(text)).toBe(false);
    expect(verifyPassword('x', text)).toBe(false);
  });
});
