import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextAnswer } from '../../gateway/api/text-answer.ts';

const rest = { sessionId: 'a', tokenMap: { '[EMAIL-1]': 'a"b' } };

test.each<[name: string, text: string, isPlain: boolean]>([
  ['plain', 'Write to [EMAIL-1]', true],
  ['other letters', '山田 🎉 é', true],
  ['empty', '', true],
  ['a lone surrogate', 'a \ud83d', true],
  ['the other half', '\ude00 [EMAIL-1]', true],
  ['characters that JSON escapes', 'a "b"\n\\', false],
])('%s: the JSON equals that of the object', (_name, text, isPlain) => {
  const answer = new TextAnswer('masked', text, rest);
  expect(answer.json(isPlain)).toBe(JSON.stringify({ masked: text, ...rest }));
  expect(JSON.stringify(answer)).toBe(answer.json(isPlain));
});

test('any text from JSON without a backslash', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const isPlain = !JSON.stringify(text).includes('\\');
      expect(new TextAnswer('masked', text, rest).json(isPlain)).toBe(JSON.stringify({ masked: text, ...rest }));
    }),
  );
});
