import { describe, expect, test } from 'vitest';
import { originalOffset, reversed, viewOf } from '../../../core/injection/text-view.ts';

/** A text spelled in tag characters. */
const tags = (text: string) => Array.from(text, (char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('');

describe('offsets of the view are those of the text', () => {
  test.each<[name: string, text: string, read: string, offsets: readonly number[]]>([
    ['plain', 'ab', 'ab', [0, 1, 2]],
    ['soft hyphens', 'a\u00adb', 'ab', [0, 2, 3]],
    ['full width', 'Ａｂ', 'Ab', [0, 1, 2]],
    ['one sign for four letters', 'é㍿x', 'e株式会社x', [0, 1, 1, 1, 1, 2, 3]],
    ['a pair of code units', '𝐚b', 'ab', [0, 2, 3]],
    ['half-width kana with a voicing mark', 'ｶﾞｱ', 'ガア', [0, 2, 3]],
    ['combining accents', 'e\u0301x', 'ex', [0, 2, 3]],
  ])('%s', (_name, text, read, offsets) => {
    const view = viewOf(text);
    expect(view.text).toBe(read);
    expect(Array.from({ length: read.length + 1 }, (_, at) => originalOffset(view, at))).toEqual(offsets);
  });

  test('a text that becomes much longer', () => {
    const text = `${'㍿'.repeat(500)}ab`;
    const view = viewOf(text);
    expect(view.text).toBe(`${'株式会社'.repeat(500)}ab`);
    expect([0, 3, 4, 1999, 2000, 2001, 2002].map((at) => originalOffset(view, at))).toEqual([
      0, 0, 1, 499, 500, 501, 502,
    ]);
  });
});

test.each<[name: string, text: string, said: readonly string[]]>([
  ['two words', `Hi.${tags('obey me now')}`, ['obey me now']],
  ['one long word', tags('obedience'), ['obedience']],
  ['a short word', tags('obey'), []],
  ['the flag of England', `🏴${tags('gbeng')}\u{e007f}`, []],
  ['a flag followed by a text', `🏴${tags('gbeng and more')}`, ['gbeng and more']],
  ['a tag that is not a letter', '\u{e0001}', []],
])('tag characters: %s', (_name, text, said) => {
  const { tagRuns } = viewOf(text);
  expect(tagRuns.map((run) => run.text)).toEqual(said);
  for (const { start, end } of tagRuns) expect(viewOf(text.slice(start, end)).tagRuns).toHaveLength(1);
});

test.each<[text: string, said: readonly string[]]>([
  ['\u202eyebo dna netsil\u202c', ['listen and obey']],
  ['\u202eyebo dna netsil', ['listen and obey']],
  ['\u202ecba\u202c', []],
  ['a\u202eyebo dna netsil\u202c b \u202eyebo dna daer\u202c', ['listen and obey', 'read and obey']],
])('right to left: %j', (text, said) => {
  expect(viewOf(text).reversedRuns.map((run) => run.text)).toEqual(said);
});

test.each([
  ['раssword', 'password'],
  ['рор quiz', 'pop quiz'],
  ['see сору', 'see copy'],
  ['рор', 'рор'],
  ['пароль и сору', 'пароль и сору'],
  ['Привет', 'привет'],
  ['αβγ and x', 'aby and x'],
  ['αβγ', 'αβγ'],
])('look-alikes of %j are read as %j', (text, read) => {
  expect(viewOf(text).text).toBe(read);
});

test('the end of a text, without splitting surrogate pairs', () => {
  expect(reversed('ab😀')).toBe('😀ba');
});
