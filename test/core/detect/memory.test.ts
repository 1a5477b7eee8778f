import { expect, test } from 'vitest';
import { Detector } from '../../../core/detect/detector.ts';
import { repeated } from '../../../core/detect/memory.ts';

const detector = new Detector();

test.each([
  ['a password', 'My password is winterSonne8. I tried winterSonne8', ['winterSonne8', 'winterSonne8']],
  ['other separators', 'SSN 536-22-1234 or 536221234', ['536-22-1234', '536221234']],
  ['parts of a name', 'Emily Harrington called. Emily waits.', ['Emily Harrington', 'Emily']],
  ['not within a word', 'My password is winterSonne8. Die WinterSonne88 fehlt', ['winterSonne8']],
])('%s is found again', (_name, text, expected) => {
  expect(detector.detect(text).map(({ value }) => value)).toEqual(expected);
});

test('a value is found in another text, and nothing is found twice', () => {
  const texts = ['password: winterSonne8', 'and winterSonne8 again', 'nothing'];
  const found = texts.map((text) => detector.detect(text));
  const more = repeated(texts, found);
  expect(more?.map((list) => list?.map(({ value, start }) => [value, start]))).toEqual([
    undefined,
    [['winterSonne8', 4]],
    undefined,
  ]);
});
