import { describe, expect, test } from 'vitest';
import { KeywordIndex } from '../../../core/detect/keywords.ts';
import { TextScanner } from '../../../core/detect/scan.ts';
import { labelFor, labelledValues } from '../../../core/records/labels.ts';

const scanner = new TextScanner(
  new KeywordIndex([
    { name: 'phone', labels: ['phone', 'phone number', '電話'] },
    { name: 'other', labels: ['order (no|number)', "driver('s|s|) license"], anchors: ['ghp_'] },
  ]),
);

describe('labelFor', () => {
  const at = (text: string) => {
    const start = text.indexOf('X');
    return labelFor(scanner.scan(text), 'phone', start, start + 1)?.context;
  };
  test.each([
    ['phone X', 'phone'],
    ['"phone_number": "X"', 'phone_number'],
    ['myPhone: X', 'phone'],
    ['PHONE: X', 'phone'],
    ['phones X', 'phone'],
    ['電話番号はX', '電話'],
    ['X (phone)', 'phone'],
    ['Phone:\nX', 'phone'],
    ['"phone": {\n  "X"', 'phone'],
  ])('%j', (text, expected) => {
    expect(at(text)).toBe(expected);
  });
  test.each([
    'phone and so\nX',
    'X\nphone',
    'telephones X',
    'phonetic X',
    `phone ${'.'.repeat(30)}X`,
    'phone, order no X',
  ])('%j has none', (text) => {
    expect(at(text)).toBeUndefined();
  });
});

describe('labelledValues', () => {
  const of = (text: string, owner = 'other') =>
    labelledValues(scanner.scan(text), owner, /(?<![0-9])[0-9]{4}(?![0-9])/g).map(({ start, end }) =>
      text.slice(start, end),
    );
  test.each([
    ['order no 1234', ['1234']],
    ['order no. 1234, 5678 and 9012', ['1234', '5678', '9012']],
    ["driver's license 1234", ['1234']],
    ['driver’s_license 1234', ['1234']],
    ['driversLicense=1234', ['1234']],
    ['order number:\n\n1234', ['1234']],
    ['1234 (order no)', ['1234']],
    ['phone 1234 (order no)', ['1234']],
    ['order no phone 1234', []],
    ['order no 12345', []],
    ['have you the order number?\nCaller: 1234', ['1234']],
    ['order no is unknown\n1234', []],
  ])('%j', (text, expected) => {
    expect(of(text)).toEqual(expected);
  });
});

test('anchors may be anywhere', () => {
  const hits = scanner.scan('xghp_ GHP_').keywords;
  expect(hits.anchors('other').map(({ start }) => start)).toEqual([1, 6]);
  expect(hits.labels('other')).toEqual([]);
});

describe('topics', () => {
  const topics = new TextScanner(
    new KeywordIndex([{ name: 'car', topics: ['car', 'parking', '~wagen', 'mot ', '車検'] }]),
  );
  test.each([
    ['my car, two cars, aCar, car_id', ['car', 'car', 'Car', 'car']],
    ['card, scar, Oscars, 4car', []],
    ['parkings in carparking, parking4', ['parking', 'parking']],
    ['Mietwagen, Wagens, kfz-wagen', ['wagen', 'Wagen', 'wagen']],
    ['mot due, motto, remot x', ['mot ']],
    ['新車検査 車検', ['車検', '車検']],
  ])('%j', (text, expected) => {
    const { keywords } = topics.scan(text);
    expect(keywords.anchors('car').map(({ start, end }) => text.slice(start, end))).toEqual(expected);
  });
});

test('labels with more characters than classes are distinguished', () => {
  // 400 kanji, many of which share a class.
  const kanji = Array.from({ length: 400 }, (_, i) => String.fromCharCode(0x4e00 + i));
  const wide = new TextScanner(new KeywordIndex([{ name: 'many', labels: kanji.map((sign) => `${sign}x`) }]));
  const found = (text: string) => wide.scan(text).keywords.labels('many');
  for (const sign of kanji) expect(found(`あ${sign}x`)).toMatchObject([{ owner: 'many', start: 1, end: 3 }]);
  const other = new TextScanner(new KeywordIndex([{ name: 'even', labels: kanji.filter((_, i) => i % 2 === 0) }]));
  const even = kanji.filter((sign) => other.scan(sign).keywords.has('even'));
  expect(even).toEqual(kanji.filter((_, i) => i % 2 === 0));
  expect(kanji.filter((sign) => found(`${sign}y`).length > 0)).toEqual([]);
});

test('labels inside longer ones do not count', () => {
  const hits = scanner.scan('phone number, phone').keywords;
  expect(
    hits.labels('phone').map(({ start, end, nextStart, previousEnd }) => [start, end, nextStart, previousEnd]),
  ).toEqual([
    [0, 12, 14, 0],
    [14, 19, 19, 12],
  ]);
});
