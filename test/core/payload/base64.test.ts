/** Base64 and hexadecimal of any size: patterns with a group per letter fail at some five million. */
import { describe, expect, test } from 'vitest';
import { codedWordsIn, dataUrlsIn, isBase64, isDocument, textInHex } from '../../../core/payload/base64.ts';
import { parseRequestBody } from '../../../core/payload/request.ts';

const unitsMin = 7_000_000;
const long = (unit: string) => unit.repeat(Math.ceil(unitsMin / unit.length));
const text = 'Please write to anna@example.com today!\n';

describe('contents of seven million letters', () => {
  const words = long(btoa(text.repeat(3)));

  test('are base64, in one line and in many', () => {
    expect(isBase64(`${words}==\n`)).toBe(true);
    expect(isBase64(words.replace(/.{76}/g, '$&\r\n'))).toBe(true);
    expect(isBase64(`${words}===`)).toBe(false);
    expect(isBase64(`${words}!`)).toBe(false);
  });

  test('are found in texts', () => {
    const range = [{ start: 4, end: 4 + words.length }];
    expect(codedWordsIn(`see ${words}, please`)).toEqual(range);
    const head = 'data:text/plain;base64,';
    expect(dataUrlsIn(`see ${head}${words}, please`)).toEqual([{ start: 4, end: 4 + head.length + words.length }]);
    expect(isDocument(`JVBERi0x${words}`)).toBe(true);
  });

  test('are read in hexadecimal', () => {
    const hex = long(Buffer.from(text).toString('hex'));
    expect(textInHex(hex)).toBe(Buffer.from(hex, 'hex').toString());
    expect(textInHex(`0x${hex}`)).toBe(Buffer.from(hex, 'hex').toString());
    expect(textInHex(`${hex}a`)).toBeUndefined();
    expect(textInHex(`${hex}fg`)).toBeUndefined();
  });

  test('are read in UTF-16, and written as they were', () => {
    for (const bytes of [Buffer.from(`\ufeff${long(text)}`, 'utf16le'), Buffer.from(long(text), 'utf16le').swap16()]) {
      const body = parseRequestBody('json', JSON.stringify({ data: bytes.toString('base64') }));
      expect(body.leaves[0]).toContain('anna@example.com');
      const masked = body.rewrite(body.leaves.map((leaf) => leaf.replaceAll('anna@example.com', '[EMAIL-1]')));
      const [first, second] = Buffer.from(JSON.parse(masked).data, 'base64');
      expect([first, second]).toEqual([...bytes.subarray(0, 2)]);
      expect(masked.length).toBeLessThan(bytes.length * 1.2);
    }
  });

  test('may be pictures and documents of a message', () => {
    const source = (media_type: string, data: string) => ({ type: 'base64', media_type, data });
    const content = [
      { source: source('image/png', `iVBORw0KGgoAAAAN${words}`) },
      { source: source('application/pdf', `JVBERi0x${words}`) },
    ];
    const { uninspectable } = parseRequestBody('json', JSON.stringify({ messages: [{ role: 'user', content }] }));
    expect(uninspectable.map(({ kind }) => kind)).toEqual(['image', 'document']);
  });
});
