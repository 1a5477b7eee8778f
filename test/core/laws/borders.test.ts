/**
 * A value is also found with any of these characters directly around it, as people and programs write them. So a restored answer
 * that is sent back is masked again, whatever marks the model put around its tokens.
 */
import { describe, expect, test } from 'vitest';
import { Detector } from '../../../core/detect/detector.ts';
import { recognizers } from '../../../core/recognizers/index.ts';
import { samplesOf } from '../../support/recognizer-samples.ts';

const detector = new Detector();

/** Markdown marks on both sides. */
const marks = ['_', '__', '*', '**', '***', '`', '~~', '\\_', '\\*'];
/** Marks on one side only. */
const sides = [
  ['_', ''],
  ['', '_'],
  ['*', ''],
  ['', '**'],
] as const;
/** Words directly adjacent to a number. */
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

/** Samples with a digit or an `@` whose value is between spaces or at an end of the text, as in a sentence or after its label. */
function borderSamples(name: string): Sample[] {
  return samplesOf(name).match.flatMap(([text, value]) => {
    const start = text.indexOf(value);
    const [before, behind] = [text.slice(0, start), text.slice(start + value.length)];
    const isApart =
      /(?:^|[\s：:])$/.test(before) && /^(?:$|[\s.,。])/.test(behind) && !/[\n"|]/.test(text) && /[\d@]/.test(value);
    return isApart ? [{ before, value, behind }] : [];
  });
}

/** True if all letters and digits of the value are masked. */
function isMasked({ before, value, behind }: Sample, left: string, right: string): boolean {
  const text = before + left + value + right + behind;
  const start = before.length + left.length;
  const covered = new Set<number>();
  for (const one of detector.detect(text)) for (let i = one.start; i < one.end; i++) covered.add(i);
  return Array.from(value).every((c, i) => !/[\p{L}\p{N}]/u.test(c) || covered.has(start + i));
}

/** In a secret, a mark is a character like any other. */
const withMarks = new Set(['password']);
/** A letter or hexadecimal digit after one of these is part of it. */
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

  test('nor do marks on one side', () => {
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
