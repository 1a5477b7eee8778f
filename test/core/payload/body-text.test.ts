import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bodyBytes,
  bodyText,
  bytesToChars,
  charsToBytes,
  isBytewise,
  readNarrowText,
} from '../../../core/payload/body-text.ts';

const every = Uint8Array.from({ length: 20_000 }, (_, i) => i & 255);

describe('bodies as strings', () => {
  test.each([
    ['multipart', true],
    ['content', true],
    ['json', false],
    ['form', false],
    ['text', false],
  ])('%s, byte by byte: %s', (kind, expected) => {
    expect(isBytewise(kind)).toBe(expected);
    if (expected) expect(bodyBytes(kind, bodyText(kind, every))).toEqual(every);
    else
      expect(() => bodyText(kind, every)).toThrow(
        expect.objectContaining({ code: 'undecodable_body', message: 'The body is not valid UTF-8.' }),
      );
  });

  test('one character for each byte', () => {
    expect(bytesToChars(every.subarray(0, 256))).toBe(String.fromCharCode(...Array.from({ length: 256 }, (_, i) => i)));
    expect(charsToBytes(bytesToChars(every))).toEqual(every);
    expect(bytesToChars(every).length).toBe(20_000);
  });

  test.each(['', 'é😀', '\ufeff{}', 'a\0b'])('%j is unchanged', (text) => {
    expect(bodyText('json', new TextEncoder().encode(text))).toBe(text);
    expect(bodyBytes('json', text)).toEqual(new TextEncoder().encode(text));
  });

  test('any bytes survive a round trip', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(bodyBytes('multipart', bodyText('multipart', bytes))).toEqual(bytes);
      }),
    );
  });
});

describe('a piece of a text', () => {
  const bytes = new TextEncoder().encode('日本語 é and 😀');
  const pieces = Array.from(bytes, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)] as const).slice(4, -4);

  test('is read wherever it is cut, and the bytes of cut letters stay', () => {
    for (const piece of pieces.flat()) {
      const chars = bytesToChars(piece);
      const read = readNarrowText(chars);
      expect(read?.text).toBe(new TextDecoder().decode(piece).replaceAll('\ufffd', ''));
      expect(read?.encode(read.text)).toBe(chars);
      expect(read?.encode(`${read.text}é`).length).toBe(chars.length + 2);
    }
  });

  test.each(['\xbf', '\xe6\x97', 'a\xe6b', '\x80\x81\x82\x83a', 'a\xff', '\x89PNG\r\n\x1a\n', 'a\x01\xe6'])(
    'bytes that are no text: %j',
    (chars) => expect(readNarrowText(chars)).toBeUndefined(),
  );
});
