/** How a stream is classified by its first characters. */
import { describe, expect, test } from 'vitest';
import { beginsEventStream, firstPlace, prefixedLine } from '../../../core/stream/stream-start.ts';

describe('text that begins as an event stream', () => {
  test.each(['data:', 'event:', 'id:', 'retry:', ':', 'data: x', 'data:{"a":1}\n\n', 'event: x\ndata: y'])(
    '%j',
    (text) => expect(beginsEventStream(text)).toBe(true),
  );
});

describe('text of which more is needed to decide', () => {
  const names = ['data', 'event', 'id', 'retry'];
  const starts = names.flatMap((name) => Array.from(name, (_, at) => name.slice(0, at + 1)));
  test.each(['', ...starts])('%j', (text) => expect(beginsEventStream(text)).toBeUndefined());
});

describe('text that does not begin as an event stream', () => {
  test.each([
    ...[
      'x',
      ' ',
      ' data:',
      'xdata:',
      'datax',
      'date',
      'data :',
      'Data:',
      'dataid:',
      'even ',
      'ids:',
      'ret:',
      '{',
      '0:',
    ],
    ...['xd', 'xe', 'xi', 'xr', 'x\ndata:'],
  ])('%j', (text) => expect(beginsEventStream(text)).toBe(false));
});

test.each<[line: string, isIt: boolean]>([
  ['0:"x"', true],
  ['1f:"', true],
  ['ffff:{"a":1}', true],
  ['0:{}', true],
  ['2:["x"]', true],
  ['2:[[1]]', true],
  ['2:[{"a":1}]', true],
  ['2:[]', true],
  ['2:[7]', true],
  ['fffff:"x"', false],
  ['g:"x"', false],
  ['F:"x"', false],
  [':"x"', false],
  ['x0:"x"', false],
  ['0 :"x"', false],
  ['0: "x"', false],
  ['0:x', false],
  ['0:{x', false],
  ['0:[x', false],
  ['0:[', false],
  ['0:7', false],
])('a line of JSON with a prefix: %j is one: %j', (line, isIt) => expect(prefixedLine.test(line)).toBe(isIt));

test.each<[text: string, place: number]>([
  ['', 0],
  ['x', 0],
  [' x ', 1],
  [' \t\r\nx', 4],
  [' \t\r\n', 4],
  ['\f', 0],
  ['\u00a0', 0],
])('the first non-blank position of %j is %d', (text, place) => {
  expect(firstPlace(new TextEncoder().encode(text))).toBe(place);
});
