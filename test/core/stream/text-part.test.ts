/** Text in pieces, cut anywhere, up to invalid bytes. */
import { describe, expect, test } from 'vitest';
import { type StreamKind, StreamRestorer } from '../../../core/stream/stream-restorer.ts';
import { restoreStream, tokenMap } from './wire-fixtures.ts';

const map = tokenMap({ '[EMAIL-1]': 'a@b.example', '[NAME-1]': 'O"Hara' });
const encode = (text: string) => new TextEncoder().encode(text);

describe.each<StreamKind>(['html', 'text'])('%s', (kind) => {
  test.each(['\uFEFF', '£', '\u0080', '¿', 'é', '߿', 'ࠀ', '字', '😀'])('%j stays, in any writes', (char) => {
    const input = `x${char}[EMAIL-1]${char}${char}`;
    const bytes = encode(input);
    const expected = input.replace('[EMAIL-1]', 'a@b.example');
    const all = Array.from({ length: bytes.length - 1 }, (_, at) => at + 1);
    expect(restoreStream(kind, map, bytes, all)).toBe(expected);
    for (const cut of all) expect(restoreStream(kind, map, bytes, [cut])).toBe(expected);
  });

  test.each<[what: string, start: number[], sent: number[]]>([
    ['of another charset', [0x78, 0x93, 0xfa], [0x78, 0x93, 0xfa]],
    ['followed by invalid ones', [0x78, 0xe3, 0x41], [0x78, 0xe3, 0x41]],
    ['of a truncated character', [0x78, 0xe3, 0x81], [0x78]],
  ])('bytes %s', (_what, start, sent) => {
    const restorer = new StreamRestorer({ kind, map });
    expect([...restorer.push(new Uint8Array(start))]).toEqual(sent);
    expect([...restorer.end()]).toEqual(start.slice(sent.length));
  });

  test('text after invalid bytes passes at once, and is not sent twice', () => {
    const restorer = new StreamRestorer({ kind, map });
    expect(Buffer.from(restorer.push(encode('to [EM'))).toString()).toBe('to ');
    expect(Buffer.from(restorer.push(new Uint8Array([0xe3, 0xff]))).toString('latin1')).toBe('[EM\xe3\xff');
    expect(restorer.isHolding).toBe(false);
    expect(Buffer.from(restorer.push(encode('[EMAIL-1] [EM'))).toString()).toBe('[EMAIL-1] [EM');
    expect(restorer.flushHeld()).toHaveLength(0);
    expect(restorer.end()).toHaveLength(0);
  });
});

test('text that looks like JSON in a page is page text', () => {
  expect(restoreStream('html', map, encode('{"a":"[NAME-1]"}'))).toBe('{"a":"O&#34;Hara"}');
});
