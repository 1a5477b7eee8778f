import { describe, expect, it } from 'vitest';
import { joinBytes } from '../../../core/stream/frame.ts';
import { StreamRestorer } from '../../../core/stream/stream-restorer.ts';
import { eventsIn, framesOf, type Shape, shapes, textIn } from './provider-shapes.ts';
import { serviceShapes } from './service-shapes.ts';
import { tokenMap } from './wire-fixtures.ts';

const map = tokenMap({ '[EMAIL-1]': 'a@b.example', '[NAME-1]': 'O"Hara \\ Sons\n😀', '[PHONE-12]': '+1 415-555-0133' });
const tokens = ['[EMAIL-1]', '[NAME-1]', '【PHONE-12】'];
const original = (text: string) =>
  text
    .replace('[EMAIL-1]', 'a@b.example')
    .replace('[NAME-1]', 'O"Hara \\ Sons\n😀')
    .replace('【PHONE-12】', '+1 415-555-0133');

/** All ways to cut a text in two around a token (for the first token also in three), and into single characters. */
function cutsOf(before: string, token: string, after: string): string[][] {
  const text = before + token + after;
  const ways: string[][] = [[text], [...text]];
  const from = before.length;
  for (let a = 0; a <= token.length; a++) {
    ways.push([text.slice(0, from + a), text.slice(from + a)]);
    for (let b = a + 1; b <= token.length && token === tokens[0]; b++) {
      ways.push([text.slice(0, from + a), text.slice(from + a, from + b), text.slice(from + b)]);
    }
  }
  return ways;
}

function restore(shape: Shape, pieces: readonly string[]): Uint8Array {
  const restorer = new StreamRestorer({ kind: shape.kind, map });
  const out = framesOf(shape, pieces).map((frame) => restorer.push(frame).slice());
  return joinBytes([...out, restorer.end()]);
}

describe.each([...shapes, ...serviceShapes].map((shape) => [shape.name, shape] as const))('%s', (_name, shape) => {
  const extra = shape.open.map((event) => shape.textOf(event) ?? '').join('');

  it('a token cut anywhere is restored', () => {
    for (const token of tokens) {
      const [before, after] = shape.isJson
        ? ['{"to":"', ' or [EMAIL-9]","n":[1,"[x"]}']
        : ['to ', ' or list[0], [EMAIL-9].'];
      for (const pieces of cutsOf(before, token, after)) {
        const output = restore(shape, pieces);
        const shown = textIn(shape, output).slice(extra.length);
        const value = original(token);
        const expected = shape.isJson ? before + JSON.stringify(value).slice(1, -1) + after : before + value + after;
        expect(shown, JSON.stringify(pieces)).toBe(expected);
        const copies = eventsIn(shape, output).flatMap((event) => (event && shape.copyOf?.(event)) ?? []);
        if (shape.copyOf) expect(new Set(copies), 'copies').toEqual(new Set([expected]));
      }
    }
  });

  it('a token truncated by the end is sent unchanged, before the event that ends its run', () => {
    const text = shape.isJson ? '{"to":"[EMAIL-' : 'to [EMAIL-';
    const output = restore(shape, [...text]);
    expect(textIn(shape, output).slice(extra.length)).toBe(text);
    // An unknown provider may not report where its runs end.
    if (shape.endsSilently) return;
    const sent = eventsIn(shape, joinBytes(framesOf(shape, [...text])));
    expect(Object.keys(eventsIn(shape, output).at(-1))).toEqual(Object.keys(sent.at(-1)));
  });

  it('events without a token keep their bytes, and each passes at once', () => {
    const restorer = new StreamRestorer({ kind: shape.kind, map });
    const pieces = shape.isJson ? ['{"a', '":', '"plain words"', ',"b":1}'] : ['plain ', 'words', ', no', ' more'];
    for (const frame of framesOf(shape, pieces)) {
      const out = restorer.push(frame);
      expect(Buffer.from(out).toString('latin1')).toBe(Buffer.from(frame).toString('latin1'));
    }
    expect(restorer.end()).toHaveLength(0);
  });

  it('any split of the bytes gives the same output', () => {
    const pieces = shape.isJson
      ? ['{"to":"[EM', 'AIL-1]', ' é[NAME', '-1]"}']
      : ['to [EM', 'AIL-1] é', '[NAME', '-1].'];
    const bytes = joinBytes(framesOf(shape, pieces));
    const whole = Buffer.from(restore(shape, pieces)).toString('latin1');
    for (const size of [1, 5]) {
      const restorer = new StreamRestorer({ kind: shape.kind, map });
      const out: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += size) out.push(restorer.push(bytes.slice(at, at + size)).slice());
      out.push(restorer.end());
      expect(Buffer.from(joinBytes(out)).toString('latin1'), `writes of ${size}`).toBe(whole);
    }
  });
});
