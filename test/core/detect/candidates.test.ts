import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markOf } from '../../../core/detect/byte-marks.ts';
import { blankOut, escapeRanges } from '../../../core/detect/escapes.ts';
import { type ScanText, scanText } from '../../../core/detect/scan.ts';

/** Patterns that define what the single pass collects; they read the folded text, many times slower. */
const latin = '[À-ÖØ-öø-\u024f\u1e00-\u1eff]';
const latinCapital = '(?:[A-ZÀ-ÖØ-Þ]|(?=[\u0100-\u017f\u1e00-\u1eff])\\p{Lu})';

type Span = readonly [start: number, end: number];

function spans(pattern: string, text: string): Span[] {
  return [...text.matchAll(new RegExp(pattern, 'gu'))].map(({ 0: found, index }) => [index, index + found.length]);
}
const starts = (pattern: string, text: string) => spans(pattern, text).map(([start]) => start);
const count = (pattern: RegExp, text: string) => text.match(pattern)?.length ?? 0;

function folded(text: string): string {
  const units = Uint16Array.from(text.split(''), (unit) => unit.charCodeAt(0));
  blankOut(units, escapeRanges(text));
  return String.fromCharCode(...units)
    .replace(/[\uff01-\uff5e]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0))
    .replace(/\p{Zs}/gu, ' ')
    .replace(/[\u2010-\u2013\u2212]/g, '-')
    .replace(/(?<=[0-9])[\u2014\u2015](?=[0-9])/g, '-')
    .replace(/(?<=[0-9])ー(?=[0-9])/g, '-');
}

function expectedPlaces(text: string) {
  const runs = spans('[0-9](?:[-/+ .()]{0,2}[0-9])*', text).map(([start, end]) => {
    const run = text.slice(start, end);
    const behind = /^[-/+ .()]{0,2}/.exec(text.slice(end))?.[0] ?? '';
    const longest = Math.max(...(run.match(/[0-9]+/g) ?? []).map((row) => row.length));
    return { start, end, digits: count(/[0-9]/g, run), dots: count(/\./g, run + behind), longest };
  });
  const isNumber = ({ start, end, digits, dots }: (typeof runs)[number]) =>
    !(digits > 40 && end - start === digits) && (digits >= 6 || (dots >= 3 && digits >= 4));
  return {
    ats: starts('(?<=[^\\x01-\\x20@])@', text),
    digitRuns: runs.filter(isNumber),
    longWords: spans('[A-Za-z0-9_+/=-]{12,}', text).map(([start, end]) => ({
      start,
      end,
      hasDigit: /[0-9]/.test(text.slice(start, end)),
    })),
    hexColons: starts(
      '(?<![g-zG-Z_]):(?!(?<=::):)(?=[0-9a-fA-F:])(?:(?=.{0,4}:)|(?<=:.{0,4}:))',
      text.replace(/[\n\ud800-\udfff]/g, ' '),
    ),
    dotPairs: starts('\\.(?=[0-9a-fA-F]{4}\\.)', text),
    digitStarts: starts('(?<![0-9])[0-9]', text),
    marks: starts('[!#$%&*]', text),
    numbers: starts(`(?<![A-Za-z0-9+\\-./:=\\\\_@$%&]|${latin})[0-9]`, text),
    kanaJoints: starts('(?<=[ 0-9A-Z-])[ぁ-ん]', text),
    hasJapanese: /[\u3005-\u30fa\u30fd-\u9fff\uf900-\ufaffー]/.test(text),
    hasAddressSigns: /[〒便都道府県市区町村郡]/.test(text),
  };
}

function placesOf(text: string) {
  const { shadow, kanaJoints, ...scan } = scanText(text);
  const names = Object.keys(expectedPlaces('')) as (keyof ReturnType<typeof expectedPlaces>)[];
  const found = Object.fromEntries(names.map((name) => [name, scan[name as keyof typeof scan]]));
  return { shadow, places: { ...found, kanaJoints } };
}

const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...' .,-:@"()/+=_\n0127ax') },
  { weight: 1, arbitrary: fc.constantFrom(...'#$%&<;\t\\*|~!?[{^`9AFGZafgz') },
  fc.constantFrom(..."123 4567 abcd beef word Ann Żak Éva Dr Xy Professor Mr. O' ’".split(' ')),
  fc.constantFrom(...'van |bint |binte |della | de |  |. |, |": "|::|.1.|0123456789'.split('|')),
  fc.constantFrom(...'Ann bint Z|Ann bint z|Dr. van Z|"Ann, Z|beef.cafe.|a@@b|:ab:'.split('|')),
  fc.constantFrom(...'éß×ÀĸſƀɏḁỸ\u00a0…€\u2213😀а'),
  fc.constantFrom(...'山 田太郎 々 東京都 の あ ん ゔ ァ ヺ カナ ー ・ 、 \u3006 豈'.split(' ')),
  fc.constantFrom(...'１－．＠：＝Ａｚ\u3000‐―−〒㐀\u4dc0ꀀ'),
);
const text = fc.array(piece, { minLength: 1, maxLength: 60 }).map((pieces) => pieces.join(''));

describe('the single pass finds what the patterns find', () => {
  test('law: in any text', () => {
    fc.assert(
      fc.property(text, (original) => {
        const { shadow, places } = placesOf(original);
        expect(shadow).toBe(folded(original));
        expect(places).toEqual(expectedPlaces(shadow));
      }),
      { numRuns: 2000 },
    );
  });
  test('law: at any position in a long text', () => {
    fc.assert(
      fc.property(
        text,
        fc.constantFrom('山', 'a', '。', '１'),
        fc.integer({ min: 4000, max: 4100 }),
        (end, sign, at) => {
          const original = sign.repeat(at) + end;
          const { shadow, places } = placesOf(original);
          expect(shadow === folded(original)).toBe(true);
          expect(places).toEqual(expectedPlaces(shadow));
        },
      ),
      { numRuns: 100 },
    );
  });
  test.each([
    ['a number of forty digits', '1'.repeat(40), 1],
    ['a longer one', '1'.repeat(41), 0],
    ['a longer one with a joint', `${'1'.repeat(41)}-1`, 1],
  ])('%s', (_name, digits, runs) => {
    expect(scanText(digits).digitRuns).toHaveLength(runs);
  });
});

test('letters of Latin scripts have marks, capitals and others, and so has the apostrophe', () => {
  const isLatin = new RegExp(latin);
  const isCapital = new RegExp(latinCapital, 'u');
  const wrong: string[] = [];
  for (let c = 0x80; c < 0x10000; c++) {
    const character = String.fromCharCode(c);
    const mark = isCapital.test(character) ? 0x81 : isLatin.test(character) ? 0x80 : 0;
    if (markOf(c) !== (c === 0x2019 ? 0x82 : mark)) wrong.push(character);
  }
  expect(wrong).toEqual([]);
});

test('a long run of another script is not a word, and ends the previous one', () => {
  for (const length of [1, 2, 39, 40, 5_000]) {
    const { longWords } = scanText(`${'a1'.repeat(9)}${'あ'.repeat(length)}${'b'.repeat(17)}`);
    expect(longWords).toEqual([
      { start: 0, end: 18, hasDigit: true },
      { start: 18 + length, end: 35 + length, hasDigit: false },
    ]);
  }
});

test('even and odd start positions give the same result', () => {
  const sign = fc.constantFrom(...'aZ09 .-/+:@#_=(),"\'あ１é1x\n');
  fc.assert(
    fc.property(fc.array(sign, { maxLength: 60 }), (signs) => {
      const text = signs.join('');
      const shifted = <T>(places: T): T =>
        JSON.parse(JSON.stringify(places), (key, value) =>
          typeof value === 'number' && !['digits', 'dots', 'longest'].includes(key) ? value - 1 : value,
        );
      const of = ({ ats, digitRuns, longWords, hexColons, dotPairs, numbers, marks }: ScanText) => ({
        ...{ ats, digitRuns, longWords, hexColons, dotPairs, numbers, marks },
      });
      expect(shifted(of(scanText(`\n\n${text}`)))).toEqual(of(scanText(`\n${text}`)));
    }),
  );
});
