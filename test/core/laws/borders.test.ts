/**
 * A value that is found is found with any of these around it: what people and programs put beside values without a blank. So a
 * restored answer that is sent back is masked again, in whichever marks a model has put its tokens.
 */
import { describe, expect, test } from 'vitest';
import { Detector } from '../../../core/detect/detector.ts';
import { recognizers } from '../../../core/recognizers/index.ts';
import { samplesOf } from '../../support/recognizer-samples.ts';

const detector = new Detector();

/** Marks of Markdown, on both sides. */
const marks = ['_', '__', '*', '**', '***', '`', '~~', '\\_', '\\*'];
/** One side only. */
const sides = [
  ['_', ''],
  ['', '_'],
  ['*', ''],
  ['', '**'],
] as const;
/** Words that touch a number. */
const words = [
  ['', 'Fax'],
  ['', 'Phone'],
  ['', 'DOB: 1'],
  ['', 'です'],
  ['', '。'],
  ['No.', ''],
  ['value_', ''],
  ['', '_old'],
] as const;

type Sample = { readonly before: string; readonly value: string; readonly behind: string };

/** Samples with a digit or an `@` whose value stands between blanks, or at an end of the text: as in a sentence or behind its label. */
function borderSamples(name: string): Sample[] {
  return samplesOf(name).match.flatMap(([text, value]) => {
    const start = text.indexOf(value);
    const [before, behind] = [text.slice(0, start), text.slice(start + value.length)];
    const isApart =
      /(?:^|[\s：:])$/.test(before) && /^(?:$|[\s.,。])/.test(behind) && !/[\n"|]/.test(text) && /[\d@]/.test(value);
    return isApart ? [{ before, value, behind }] : [];
  });
}

/** Whether all letters and digits of the value are masked. */
function isMasked({ before, value, behind }: Sample, left: string, right: string): boolean {
  const text = before + left + value + right + behind;
  const start = before.length + left.length;
  const covered = new Set<number>();
  for (const one of detector.detect(text)) for (let i = one.start; i < one.end; i++) covered.add(i);
  return Array.from(value).every((c, i) => !/[\p{L}\p{N}]/u.test(c) || covered.has(start + i));
}

/** Marks are signs like any other in a secret, and the first and last characters of an address of this kind. */
const withMarks = new Set(['password']);
/** A letter or hexadecimal digit behind these is a part of them. */
const endInLetters = /[A-Za-z:.]$|^(?:[0-9a-f]*[:.-]){3}|^[\p{L}\p{M}]/u;

describe.each(recognizers.map(({ name }) => name).filter((name) => !withMarks.has(name)))('%s', (name) => {
  const samples = borderSamples(name).filter((sample) => isMasked(sample, '', ''));
  const missed = (borders: readonly (readonly [string, string])[], of = samples) =>
    of.flatMap((sample) =>
      borders
        .filter(([left, right]) => !isMasked(sample, left, right))
        .map(([left, right]) => `${sample.before}${left}${sample.value}${right}${sample.behind}`),
    );

  test('marks around a value do not hide it', () => {
    expect(missed(marks.map((mark) => [mark, mark] as const))).toEqual([]);
  });

  test('nor do they on one side', () => {
    expect(missed(sides)).toEqual([]);
  });

  test('nor do words adjacent to its numbers', () => {
    const alone = samples
      .map(({ value }) => ({ before: '', value, behind: '' }))
      .filter(
        (one) =>
          /^(?!\d+ \p{L})[0-9+(].*[0-9]{4}$/u.test(one.value) && !endInLetters.test(one.value) && isMasked(one, '', ''),
      );
    expect(missed(words, alone)).toEqual([]);
  });
});
