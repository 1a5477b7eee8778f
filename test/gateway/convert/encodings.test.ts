import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { legacyText, withJapaneseEscapes } from '../../../gateway/convert/encodings.ts';
import { plainJson } from '../../../gateway/convert/json-text.ts';
import { programPath } from '../../support/programs.ts';

/** Texts in the encodings, written by Python, which has its own tables. */
function encoded(rows: readonly (readonly [text: string, encoding: string])[]): Buffer[] {
  const code =
    'import sys, json\nfor text, encoding in json.loads(sys.stdin.read()): print(text.encode(encoding).hex())';
  const input = JSON.stringify(rows);
  const lines = execFileSync(programPath('python3'), ['-c', code], { input, encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => Buffer.from(line, 'hex'));
}

const rows: readonly (readonly [text: string, encoding: string])[] = [
  ['氏名,メール\r\n山田太郎,ana@example.com\r\n', 'cp932'],
  ['山田太郎', 'shift_jis'],
  ['住所: 東京都千代田区丸の内1-1-1 ﾏﾝｼｮﾝ 101号室', 'cp932'],
  ['①㈱髙橋商店 ～様', 'cp932'],
  ['氏名 山田太郎 ana@example.com\n', 'euc_jp'],
  ['今日は晴れです。明日は雨でしょう。', 'euc_jp'],
  ['José García, jose@example.com, Müller, Straße 5', 'latin-1'],
  ['“Käse” – five for 5 € …', 'cp1252'],
  ['Søren Åkesson; Zoë; naïve café', 'cp1252'],
];
const files = encoded(rows);
test.each(rows.map(([text, encoding], i) => ({ text, encoding, i })))('$encoding: $text', ({ text, i }) => {
  expect(legacyText(files[i] as Buffer)).toBe(text);
});

test('the declared encoding applies; text in no known encoding is not text', () => {
  const [cyrillic = Buffer.of()] = encoded([['Привет, Анна', 'cp1251']]);
  expect(legacyText(cyrillic, 'windows-1251')).toBe('Привет, Анна');
  expect(legacyText(cyrillic)).toBeUndefined();
  expect(legacyText(Buffer.from('80ff0001fe', 'hex'))).toBeUndefined();
});

test('ISO-2022-JP is detected by its escapes', () => {
  const [bytes = Buffer.of()] = encoded([['氏名: 山田太郎', 'iso2022_jp']]);
  expect(withJapaneseEscapes(bytes.toString('utf8'), bytes)).toBe('氏名: 山田太郎');
  expect(withJapaneseEscapes('plain', Buffer.from('plain'))).toBe('plain');
});

describe('JSON without needless escapes', () => {
  test.each([
    [String.raw`{"name":"\u5c71\u7530\u592A\u90CE"}`, '{"name":"山田太郎"}'],
    [String.raw`["ana\u0040example.com","a\/b"]`, '["ana@example.com","a/b"]'],
    [String.raw`["\ud83d\ude00"]`, '["😀"]'],
    [String.raw`["\\u5c71","\u0022","\u005c","\n","\u0007"]`, String.raw`["\\u5c71","\u0022","\u005c","\n","\u0007"]`],
    [String.raw`["\ud83d"]`, String.raw`["\ud83d"]`],
    [String.raw`{"n":1.0,"n":"\u5c71"`, String.raw`{"n":1.0,"n":"\u5c71"`],
    ['{ "n": 1.00, "n": 12345678901234567890 }', '{ "n": 1.00, "n": 12345678901234567890 }'],
  ])('%s', (json, plain) => {
    expect(plainJson(json)).toBe(plain);
  });

  test('means the same', () => {
    const ascii = (json: string) =>
      json.replace(/[^\u0020-\u007e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const json = JSON.stringify(value);
        expect(JSON.parse(plainJson(ascii(json)))).toEqual(JSON.parse(json));
      }),
      { numRuns: Number(process.env.LAW_RUNS ?? 100) },
    );
  });
});
