import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isIbanChecksum, isLuhn, isMyNumber } from '../../../core/checksums.ts';
import { KeywordIndex } from '../../../core/detect/keywords.ts';
import { scanText, TextScanner } from '../../../core/detect/scan.ts';
import { anyCharacter } from '../../support/any-text.ts';

describe('shadow', () => {
  test.each([
    ['ＡＢｃ１２３＠．', 'ABc123@.'],
    ['１\u3000２', '1 2'],
    ['1‐2–3—4−5－6', '1-2-3-4-5-6'],
    ['03ー5555ー0123 サーバー', '03-5555-0123 サーバー'],
    ['９ー９', '9-9'],
    ['\uFEFFａ', '\uFEFFa'],
    ['漢字と㈱', '漢字と㈱'],
    ['plain', 'plain'],
    ['', ''],
  ])('%j', (text, shadow) => {
    expect(scanText(text).shadow).toBe(shadow);
  });
  test('law: one code unit for each', () => {
    const scanner = new TextScanner();
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(scanner.scan(`${text}１\ud800`).shadow).toHaveLength(text.length + 2);
      }),
    );
  });
  test('a scanner keeps nothing of the previous text', () => {
    const scanner = new TextScanner();
    scanner.scan('jo@example.com 123456789 '.repeat(200));
    expect(scanner.scan('x').ats).toEqual([]);
    expect(scanner.scan('あ').digitRuns).toEqual([]);
    scanner.scan(':'.repeat(60));
    expect(scanner.scan("9St.'address: ab:cd").hexColons).toEqual([16]);
  });
});

test('what the single pass collects', () => {
  const scan = scanText('a@b, 03-5555 0123; v1.2.3.4 12 sk-aaaaaaaaaaaaaaaa fe80::1 12:30');
  expect(scan.ats).toEqual([1]);
  expect(scan.digitRuns.map(({ start, end }) => scan.original.slice(start, end))).toEqual([
    '03-5555 0123',
    '1.2.3.4 12',
  ]);
  expect(scan.longWords.map(({ start, end }) => scan.original.slice(start, end))).toEqual(['sk-aaaaaaaaaaaaaaaa']);
  expect(scan.hexColons).toHaveLength(3);
});

test.each<[text: string, numbers: readonly number[]]>([
  ['12 Oak St, 3/4 of 5', [0, 11, 18]],
  ['a1 $2 1.5 -3 x:4 (5) 6', [6, 18, 21]],
  ['3月12日', [0, 2]],
  ['１ é2 漢3', [0, 6]],
])('isolated numbers in %j', (text, numbers) => {
  expect(scanText(text).numbers).toEqual(numbers);
});

test('words are found at any position, also where a longer text is searched in four pieces', () => {
  const index = new KeywordIndex([{ name: 'x', anchors: ['anchor'], labels: ['some label'] }]);
  const scanner = new TextScanner(index);
  for (const length of [3, 40, 159, 160, 161, 403]) {
    for (let at = 0; at < length; at += length > 161 ? 3 : 1) {
      const filler = at % 2 === 0 ? '.' : '。';
      const text = `${filler.repeat(at)}anchor some label${filler.repeat(length - at)}`;
      const { keywords } = scanner.scan(text);
      expect(keywords.anchors('x').map(({ start }) => start)).toEqual([at]);
      expect(keywords.labels('x').map(({ start }) => start)).toEqual([at + 7]);
    }
  }
});

test.each([
  ['luhn', isLuhn, '4111111111111111', '4111111111111112'],
  ['luhn, odd length', isLuhn, '378282246310005', '378282246310006'],
  ['iban', isIbanChecksum, 'GB82WEST12345698765432', 'GB82WEST12345698765433'],
  ['my number', isMyNumber, '123456789018', '123456789012'],
])('%s', (_name, check, right, wrong) => {
  expect([check(right), check(wrong), check('')]).toEqual([true, false, false]);
});

test.each([
  ['their tags are TXR-8841 and UKB 2093', 1],
  ['{"tags":["web","spring"]}', 0],
  ['{"tag":"TXR-8841"}', 1],
  ['{"passports":["TK1234567"]}', 1],
  ['{"SSNs":["536228726"]}', 1],
])('"tags" as a key is not a label, unlike other plurals: %s', (text, count) => {
  const scanner = new TextScanner(new KeywordIndex([{ name: 'x', labels: ['tag', 'passport', 'ssn'] }]));
  expect(scanner.scan(text).keywords.labels('x')).toHaveLength(count);
});
