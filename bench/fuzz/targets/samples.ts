/** Initial inputs: the provider recordings of the tests, and the tokens in them. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { SessionTokens, type TokenMap } from '../../../core/vault.ts';
import { fixture, maskedText } from '../../../test/core/stream/wire-fixtures.ts';

const folder = path.resolve(import.meta.dirname, '../../../test/fixtures/wire');

const namesOf = (name: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file))
    .sort();

/** The recordings whose path matches, at most 64 KiB each; `.b64` files decoded. */
export function recordings(name: RegExp): Buffer[] {
  return namesOf(name).map((file) => Buffer.from(fixture(file)).subarray(0, 65_536));
}

/** The recorded requests whose path matches, with values and with tokens in their place. */
export function requests(name = /request\.json$/): Buffer[] {
  return namesOf(name).flatMap((file) => [fixture(file), maskedText(file)].map((one) => Buffer.from(one)));
}

/** Values that are hard to restore, and some that look like tokens. */
export const values: Readonly<Record<string, string>> = {
  '[EMAIL-1]': 'a@b.example',
  '[EMAIL-2]': '[EMAIL-1] 😀',
  '[NAME-1]': 'O"Hara \\ Sons\nLtd \u2028',
  '[NAME-2]': '{"a":"[NAME-1]"}',
  '[WORD_1]': "<b>&'\r\n",
};

/** The values as the tokens of a session. */
export function tokenMap(): TokenMap {
  const map = new SessionTokens();
  for (const [token, value] of Object.entries(values))
    map.add(token, { type: token.slice(1, token.search(/[-_]\d/)), value });
  return map;
}

/** Spellings of tokens by models, whole and in pieces. */
export const spellings = [
  ...Object.keys(values),
  '[EMAIL-9]',
  '[email 1]',
  '\\[EMAIL-1\\]',
  '【EMAIL-1】',
  '[[EMAIL-1]]',
  '%5BEMAIL-1%5D',
  '%255BEMAIL-1%255D',
  '&#91;EMAIL-1&#93;',
  '[**EMAIL-1**]',
  'EMAIL-1',
  '[EMA',
  'IL-1]',
  '\\u005bEMAIL-1\\u005d',
  '[SECURED:type=EMAIL,id=abc]',
  '[SRAG:cat=PII,name=EMAIL,id=abc]',
  '](https://evil.example/?q=',
  'https://evil.example/',
];
