/** Events that differ from the previous one only in their text, and events that only seem to. */
import { describe, expect, test } from 'vitest';
import { scanJson } from '../../../core/payload/json-strings.ts';
import { shapeOf, valueLike } from '../../../core/stream/event-shape.ts';
import type { Run } from '../../../core/stream/run.ts';
import { scopeOf } from '../../../core/stream/run-key.ts';
import { restoreStream, tokenMap } from './wire-fixtures.ts';

/** The shape of an event whose text is `x`. */
function shapeIn(json: string, name?: string) {
  const members = scanJson(json);
  const member = members.find(({ value }) => value === 'x');
  const scope = scopeOf(members, name);
  if (!member || !scope) throw new Error('no text');
  return shapeOf(json, name, member, {} as Run, scope);
}

describe('the text of an event like {"t":"x"}', () => {
  test.each<[event: string, text: string | undefined]>([
    ['{"t":"y"}', 'y'],
    ['{"t":""}', ''],
    ['{"t":"two words, é😀\u2028"}', 'two words, é😀\u2028'],
    ['{"t":"\\"\\\\\\/\\b\\f\\n\\r\\t"}', '"\\/\b\f\n\r\t'],
    ['{"t":"\\u00e9\\uD83D\\uDE00\\u00Af"}', 'é😀¯'],
    ['{"t":"a\\\\"}', 'a\\'],
    ['{"t":"y","t2":"z"}', undefined],
    ['{"t":"y" }', undefined],
    ['{ "t":"y"}', undefined],
    ['{"u":"y"}', undefined],
    ['{"t":"}', undefined],
    ['{"t":"', undefined],
    ['{"t":"y\\"}', undefined],
    ['{"t":"y\\x"}', undefined],
    ['{"t":"y\\u00g9"}', undefined],
    ['{"t":"y\\u00e"}', undefined],
    ['{"t":"y\\U00e9"}', undefined],
    ['{"t":"y\n"}', undefined],
    ['{"t":"\u0000y"}', undefined],
    ['{"t":"\u001f"}', undefined],
    ['{"t":1}', undefined],
    ['', undefined],
  ])('in %j is %j', (event, text) => expect(valueLike(shapeIn('{"t":"x"}'), event, undefined)).toBe(text));

  test.each<[event: string, text: string | undefined]>([
    ['{"a":{"index":0,"t":"y"},"b":["x2"]}', 'y'],
    ['{"a":{"index":1,"t":"y"},"b":["x2"]}', undefined],
    ['{"a":{"index":0,"t":"y"},"b":["x3"]}', undefined],
  ])('is what differs between otherwise equal events: %s', (event, text) => {
    expect(valueLike(shapeIn('{"a":{"index":0,"t":"x"},"b":["x2"]}'), event, undefined)).toBe(text);
  });

  test('has the name of its event', () => {
    expect(valueLike(shapeIn('{"t":"x"}', 'a'), '{"t":"y"}', 'a')).toBe('y');
    expect(valueLike(shapeIn('{"t":"x"}', 'a'), '{"t":"y"}', 'b')).toBeUndefined();
    expect(valueLike(shapeIn('{"t":"x"}', 'a'), '{"t":"y"}', undefined)).toBeUndefined();
    expect(valueLike(shapeIn('{"t":"x"}'), '{"t":"y"}', 'a')).toBeUndefined();
  });

  test('has the growth rule of its position', () => {
    expect(shapeIn('{"t":"x"}').rule).toBe('unknown');
    expect(shapeIn('{"delta":{"text":"x"}}').rule).toBe('delta');
    expect(shapeIn('{"message":{"content":{"parts":["x"]}}}').rule).toBe('cumulative');
    expect(shapeIn('{"delta":{"text":"x"}}').pointer).toBe('delta.text');
  });
});

describe('an event after a similar one', () => {
  const map = tokenMap({ '[EMAIL-1]': 'a@b.example', '[NAME-1]': 'O"Hara' });
  test.each<[what: string, event: string, expected: string]>([
    ['with only its text changed', '{"delta":"[NAME-1]"}', '{"delta":"O\\"Hara"}'],
    ['with an escaped text', '{"delta":"\\u005bNAME-1] \\n"}', '{"delta":"O\\"Hara \\n"}'],
    ['with another changed text', '{"delta":"y","b":"[NAME-1]"}', '{"delta":"y","b":"O\\"Hara"}'],
    ['followed by an object', '{"delta":"y","b":{"c":"[NAME-1]"}}', '{"delta":"y","b":{"c":"O\\"Hara"}}'],
    ['that is invalid', '{"delta":"[NAME-1]\\"}', '{"delta":"[NAME-1]\\"}'],
    ['that is truncated', '{"delta":"}', '{"delta":"}'],
    ['with a control character', '{"delta":"[NAME-1]\u0001"}', '{"delta":"[NAME-1]\u0001"}'],
  ])('%s', (_what, event, expected) => {
    for (const first of ['{"delta":"[x"}', '{"delta":"x"}']) {
      const bytes = new TextEncoder().encode(`data: ${first}\n\ndata: ${first}\n\ndata: ${event}\n\n`);
      expect(restoreStream('sse', map, bytes)).toBe(`data: ${first}\n\ndata: ${first}\n\ndata: ${expected}\n\n`);
    }
  });
});
