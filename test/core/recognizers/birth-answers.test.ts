/** Days of birth whose word stands in another line. */
import { describe, expect, test } from 'vitest';
import type { KeywordHit } from '../../../core/keywords.ts';
import { columnOfRows, isMemberOfBirth, questionBefore } from '../../../core/recognizers/birth-answers.ts';

const day = '1980-04-12';

/** Where the word stands in the text. */
const labelIn = (text: string, word = 'dob'): KeywordHit => {
  const start = text.toLowerCase().indexOf(word);
  return { start, end: start + word.length } as KeywordHit;
};

/** Whether the day of a text, marked by `#`, answers its word. */
const isAnswered = (marked: string, word?: string): boolean => {
  const label = labelIn(marked, word);
  const at = marked.indexOf('#');
  return questionBefore(marked.replace('#', day), label, marked.slice(label.end, at), marked.slice(at + 1));
};

describe('a question and its answer', () => {
  test.each([
    'What is your dob?\n#',
    'dob please\n#\n',
    'dob?\n[10:43] Caller: oh ok, it is #.',
    'and your dob and your address?\n> Jo (guest): yes, #',
    'Confirm the dob\n\n\n\n\n\n\n#',
    'ask=dob"\n  "value": "#",',
    'prompt=enter_dob\ninput=#',
    'dob\nresponse : #',
    "dob\n reply='#'",
  ])('%j', (text) => {
    expect(isAnswered(text)).toBe(true);
  });

  test.each([
    ['in one line', 'What is your dob? #'],
    ['nobody asks', 'The dob\n#'],
    ['too many lines between', 'Confirm the dob\n\n\n\n\n\n\n\n#'],
    ['another question between', 'Your dob?\nWhen did you move?\n#'],
    ['いつ', 'Your dob?\nいつ届きましたか\n#'],
    ['words before it', 'What is your dob?\nMy order was sent on #'],
    ['a number goes on', 'What is your dob?\n#-77'],
    ['a value of another line', 'ask=dob\nx\ninput=#'],
    ['a word in place of a sign', 'dob\ninput is #'],
  ])('not %s', (_what, text) => {
    expect(isAnswered(text)).toBe(false);
  });
});

test.each<[gap: string, isMember: boolean, isFurther?: boolean]>([
  ['": { "date": "', true],
  ['>\n  <date>', true],
  [':\n  value: ', true],
  ['" value="', true],
  ['":{"year":1980},"date":"', false],
  [':\n\n  date: ', false],
  ['": { "place": "', false],
  ['": { "和暦": "', true, true],
  ['": { "date": "', false, true],
  [`": { "note": "${'x'.repeat(120)}", "date": "`, false],
])('%j leads to a member: %j', (gap, isMember, isFurther = false) => {
  expect(isMemberOfBirth(gap, isFurther)).toBe(isMember);
});

describe('columns', () => {
  const daysOf = (text: string) =>
    [...columnOfRows(text, [labelIn(text)])].map((start) => text.slice(start, start + 10));
  test.each([
    ['the only one', `name dob city\nann ${day} Bath\nbob 1971-01-02 York\n`, [day, '1971-01-02']],
    ['the second of two', `joined dob\n2019-01-05 ${day}\n2020-02-06 1971-01-02`, [day, '1971-01-02']],
    ['a rule below the headings', `name dob\n---- ---\nann ${day}\n`, [day]],
    ['it ends with an empty line', `name dob\nann ${day}\n\nbob 1971-01-02\n`, [day]],
    ['between bars', `columns: id|dob|state\n7| ${day}|x\n8|1971-01-02|y\n`, [day, '1971-01-02']],
    ['the first between bars', `dob|id|state\n${day}|7|x\n`, [day]],
    ['bars, and a row with one more', `id|dob|state\n7|${day}|x|z\n`, []],
    ['one heading alone', `dob\n${day}\n`, []],
    ['a sentence', `the dob is.\n${day} x\n`, []],
    ['an element', `<dob> name\n${day} x\n`, []],
    ['no rows', 'name dob city', []],
  ])('%s', (_what, text, days) => {
    expect(daysOf(text)).toEqual(days);
  });
});
