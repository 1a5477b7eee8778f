/** Signed reasoning in responses made to cost time: a text is not hashed for each piece of its signature. */
import { expect, test } from 'vitest';
import { SignedReasoningReader } from '../../../../gateway/proxy/body/signed-reasoning.ts';

const line = (event: object) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
const delta = (piece: object, index = 0) => line({ type: 'content_block_delta', index, delta: piece });
const times = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));

function read(lines: readonly Buffer[]): [text: string, signature: string][] {
  const found: [string, string][] = [];
  const reader = new SignedReasoningReader('sse', (signature, text) => found.push([text, signature]));
  for (const piece of lines) reader.push(piece);
  reader.end();
  return found;
}

test('a signature in many pieces is reported when it is complete', () => {
  const pieces = [delta({ thinking: 'first ' }), delta({ thinking: 'second' })];
  const signed = [...pieces, ...times(1_000, () => delta({ signature: 'ab' }))];
  expect(read([...signed, line({ type: 'content_block_stop', index: 0 })])).toEqual([
    ['first second', 'ab'.repeat(1_000)],
  ]);
  expect(read(signed)).toEqual([['first second', 'ab'.repeat(1_000)]]);
});

test('with other events between its pieces it is reported a few times, and when it is complete', () => {
  const pieces = times(1_000, () => [delta({ signature: 'ab' }), delta({ text: 'thinking' }, 1)]).flat();
  const found = read([delta({ thinking: 'text' }), ...pieces]);
  expect(found.length).toBeLessThan(10);
  expect(found.at(-1)).toEqual(['text', 'ab'.repeat(1_000)]);
});

test('texts alternate with their signatures', () => {
  const blocks = times(3, (i) => [delta({ thinking: `text ${i}` }), delta({ signature: `sign ${i}` })]).flat();
  expect(read(blocks)).toEqual(times(3, (i) => [`text ${i}`, `sign ${i}`]));
});

test('at most 2,000 signed texts of a response are reported', () => {
  expect(read(times(3_000, (i) => delta({ thinking: `text ${i}`, signature: `sign ${i}` }, i)))).toHaveLength(2_000);
});
