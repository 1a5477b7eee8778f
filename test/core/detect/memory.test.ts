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

test.each([
  ['an uncertain password, eight times', 0.65, 8, 8],
  ['an uncertain password, nine times: a word of the text', 0.65, 9, undefined],
  ['a certain password, nine times', 0.9, 9, 9],
])('%s', (_name, score, times, expected) => {
  const value = 'Apache-2.0';
  const text = `secret: ${value}${`, ${value}`.repeat(times)}`;
  const found = [{ type: 'PASSWORD', value, start: 8, end: 18, score, recognizer: 'password' }];
  expect(repeated([text], [found])?.[0]?.length).toBe(expected);
});

test('texts already searched for their own values are only searched for those of others', () => {
  const texts = ['password: winterSonne8', 'winterSonne8', 'password: winterSonne8'];
  const found = texts.map((text, i) => (i === 1 ? [] : detector.detect(text)));
  expect(repeated(texts.slice(0, 1), [found[0]], true)).toBeUndefined();
  expect(repeated(texts, found, true)?.map((list) => list?.length)).toEqual([undefined, 1, undefined]);
});

test('many values with a common beginning, in a text full of it', () => {
  const values = Array.from({ length: 300 }, (_, i) => `user${i}@mail.example`);
  const text = `${'user '.repeat(5_000)}user7@mail.example`;
  const found = detector.detect(values.join('\n'));
  expect(repeated([text], [[]])).toBeUndefined();
  const more = repeated([values.join('\n'), text], [found, []]);
  expect(more?.[1]?.map(({ value }) => value)).toEqual(['user7@mail.example']);
});
