import { expect, test } from 'vitest';
import type { PiiRecord } from '../../eval/records.ts';
import { belowFloors } from '../../eval/report.ts';
import { meansOf, scoreInjection, scorePii, sharesOf } from '../../eval/score.ts';

const record = (text: string, spans: PiiRecord['spans'], more: Partial<PiiRecord> = {}): PiiRecord => ({
  id: 'r',
  file: 'heldout_en',
  lang: 'en',
  source: 'test',
  text,
  spans,
  optional: [],
  isRecallOnly: false,
  isClean: false,
  ...more,
});

const text = 'abcdefghij klmnopqrst uvwxyz';
const span = { type: 'NAME', start: 0, end: 10 };

const to = (end: number, start = 0) => ({ ...span, start, end });
const elsewhere = [span, to(15, 11)];
const ssn = [span, { ...to(15, 11), type: 'SSN' }];

test.each<[name: string, found: (typeof span)[], counts: string, more?: Partial<PiiRecord>]>([
  ['exact', [span], '1 0 0 1'],
  ['half of it', [to(5)], '1 0 0 0'],
  ['in two parts', [to(3), to(8, 5)], '1 0 0 0'],
  ['less than half', [to(4)], '0 1 1 0'],
  ['nothing', [], '0 0 1 0'],
  ['elsewhere too', elsewhere, '1 1 0 1'],
  ['elsewhere, but optional', elsewhere, '1 0 0 1', { optional: [{ start: 11, end: 12 }] }],
  ['elsewhere, not judged', ssn, '1 0 0 1', { judge: ['NAME'] }],
  ['elsewhere, recall only', elsewhere, '1 0 0 1', { isRecallOnly: true }],
])('%s', (_name, found, counts, more) => {
  const [tp, fp, fn, strict] = counts.split(' ').map(Number);
  const { perFile } = scorePii([record(text, [span], more)], () => found);
  expect(perFile.get('heldout_en')).toEqual({ tp, fp, fn, strict });
});

test('another type is a miss and an extra; a JWT found as a key is neither', () => {
  const wrong = scorePii([record(text, [span])], () => [{ ...span, type: 'ADDRESS' }]);
  expect(wrong.perType.get('NAME')).toMatchObject({ tp: 0, fn: 1 });
  expect(wrong.perType.get('ADDRESS')).toMatchObject({ fp: 1 });
  const jwt = scorePii([record(text, [{ ...span, type: 'JWT' }])], () => [{ ...span, type: 'API_KEY' }]);
  expect(jwt.perType.get('JWT')).toMatchObject({ tp: 1, fp: 0, fn: 0 });
});

test('a span that is far too long is a miss', () => {
  const long = 'x'.repeat(200);
  const { perType } = scorePii([record(long, [span])], () => [{ ...span, end: 45 }]);
  expect(perType.get('NAME')).toMatchObject({ tp: 0, fn: 1, fp: 1 });
});

test('clean texts and the stretch file', () => {
  const { clean, perFile, perType } = scorePii(
    [record('y'.repeat(500), [], { file: 'clean_x', isClean: true }), record(text, [span], { file: 'x_y' })],
    () => [span],
  );
  expect(clean.get('clean_x')).toEqual({ chars: 500, found: 1, records: 1 });
  expect(perFile.get('x_y')).toMatchObject({ tp: 1 });
  expect(perType.size).toBe(0);
});

test('shares', () => {
  expect(sharesOf({ tp: 3, fp: 1, fn: 1, strict: 2 })).toEqual({
    gold: 4,
    precision: 0.75,
    recall: 0.75,
    f1: 0.75,
    strictRecall: 0.5,
  });
  expect(sharesOf({ tp: 0, fp: 0, fn: 0, strict: 0 }).f1).toBeUndefined();
});

test('injection: means over sources that are large enough', () => {
  const row = { id: 'i', lang: 'en', kind: 'prompt', category: '', text: 'x' } as const;
  const rows = (source: string, isAttack: boolean, bad: number, all: number) =>
    Array.from({ length: all }, (_, i) => ({ ...row, source, isAttack, text: i < bad ? 'bad' : 'good' }));
  const texts = [
    ...rows('a', true, 10, 20),
    ...rows('b', true, 15, 15),
    ...rows('c', true, 0, 1),
    ...rows('d', false, 1, 20),
  ];
  const { perSource } = scoreInjection(texts, (t) => t === 'bad');
  expect(meansOf(perSource)).toEqual({ recall: 0.75, falsePositives: 0.05 });
});

test('floors', () => {
  const floors = { least: { a: 0.9, b: 0.5 }, most: { c: 0.1 } };
  expect(belowFloors({ least: { a: 0.9, b: 0.6, new: 0 }, most: { c: 0.1 } }, floors)).toEqual([]);
  expect(belowFloors({ least: { a: 0.89, b: 0.6 }, most: { c: 0.11 } }, floors)).toEqual([
    'a: 0.89, at least 0.9',
    'c: 0.11, at most 0.1',
  ]);
  expect(belowFloors({ least: { a: 1 }, most: { c: 0 } }, floors)).toEqual(['b: no longer measured, floor 0.5']);
});
