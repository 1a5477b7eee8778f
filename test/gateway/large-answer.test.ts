/** Large responses in parts: the same JSON as in one piece. */
import { expect, test } from 'vitest';
import { jsonPieces } from '../../gateway/api/large-answer.ts';
import { TextAnswer } from '../../gateway/api/text-answer.ts';

const long = '😀"\\\u0000é漢\ud800 a'.repeat(60_000);

test.each<[name: string, value: unknown]>([
  ['nothing', {}],
  ['a long text', { masked: long, count: 2, none: null, left: undefined }],
  ['a text that ends in half a pair', { text: `${long.slice(0, 262_143 * 2)}\ud83d` }],
  ['a list of texts', { texts: [long, '', long.slice(1)], tokenMap: { '[EMAIL-1]': 'a@b.example' } }],
  ['a list of objects', { detections: Array.from({ length: 100 }, (_, start) => ({ start, value: 'é' })), more: [] }],
  ['gaps', { list: [undefined, null, () => 1], at: new Date(0) }],
  ['a list', [{ a: 1 }, [2, [3]]]],
  ['an answer with a text', new TextAnswer('masked', long, { count: 1 })],
])('%s', (_, value) => {
  const pieces = [...jsonPieces(value)];
  expect(pieces.join('') === JSON.stringify(value)).toBe(true);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(2_000_000);
});
