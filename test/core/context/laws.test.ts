import { describe, expect, test } from 'vitest';
import type { ContextType } from '../../../core/context/context-type.ts';
import { contextRecognizer } from '../../../core/context/recognizer.ts';
import { Detector } from '../../../core/detect/detector.ts';
import { KeywordIndex } from '../../../core/detect/keywords.ts';
import { TextScanner } from '../../../core/detect/scan.ts';
import { contextTypes } from '../../../core/recognizers/context-types.ts';
import { samplesOf } from '../../support/recognizer-samples.ts';

/** Labels and values of each type, in the plainest form that people write: `label: value`. */
const plain: Readonly<Record<string, readonly string[]>> = {
  BANK_ACCOUNT: ['Account number: 6143942966', '口座番号: 1829304'],
  DATE_OF_BIRTH: ['Date of birth: 1985-04-01', '生年月日: 1985年4月1日'],
  DRIVER_LICENSE: ["Driver's license number: D1234567", '運転免許証番号: 309012345620'],
  HEALTH_INSURANCE: ['Health insurance ID: XYZ123456789', '被保険者番号: 12345678'],
  PASSPORT: ['Passport number: TK1234567', 'パスポート番号: TK1234567'],
  PENSION_NUMBER: ['Basic pension number: 1234-567890', '基礎年金番号: 1234-567890'],
  VEHICLE_PLATE: ['License plate: ABC-1234', 'ナンバープレート: 品川 300 あ 12-34'],
  PASSWORD: ['Password: Kx7mQ2p9', 'パスワード: Kx7mQ2p9'],
};
const rows = Object.entries(plain).flatMap(([type, all]) =>
  all.map((one) => [type, ...one.split(': ')] as [type: string, label: string, value: string]),
);

const detector = new Detector();
const found = (type: string, text: string) =>
  detector
    .detect(text)
    .filter((one) => one.type === type)
    .map(({ value }) => value);
const fullWidth = (text: string) =>
  text.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)).replaceAll(' ', '\u3000');

describe.each(rows)('%s after ‹%s›', (type, label, value) => {
  test.each([
    ['a colon', `${label}: ${value}`],
    ['a full-width colon', `${label}：${value}`],
    ['a line of its own', `${label}\n${value}`],
    ['a list', `- ${label}: ${value}\n- Country: Japan`],
    ['bold text', `**${label}:** ${value}`],
    ['a member', JSON.stringify({ [label]: value })],
    ['a table', `| ${label} | Country |\n|---|---|\n| ${value} | Japan |`],
    ['comma-separated values', `country,${label}\nJapan,${value}\n`],
    ['cells', `<tr><td>${label}</td><td>${value}</td></tr>`],
    ['a quote', `> ${label}: ${value}`],
    ['capitals', `${label.toUpperCase()}: ${value}`],
    ['small letters', `${label.toLowerCase()}: ${value}`],
    ['followed by a full stop', `${label}: ${value}.`],
    ['followed by a bracket', `(${label}: ${value})`],
    ['followed by another number', `${label}: ${value}\nOrder number: 99120417`],
    ['after another number', `Order number: 99120417\n${label}: ${value}`],
  ])('is found in %s', (_, text) => {
    expect(found(type, text)).toEqual([value]);
  });

  test('is found in full width', () => {
    if (type === 'PASSWORD') return;
    expect(found(type, `${label}：${fullWidth(value)}`)).toEqual([fullWidth(value)]);
  });
});

test.each(rows.filter((_, i) => i % 2 === 0))('%s is not found without ‹%s›', (type, _label, value) => {
  expect(found(type, value)).toEqual([]);
  expect(found(type, `Order number: ${value}`)).toEqual([]);
});

test('a detection says why', () => {
  const text = 'Passport number: TK1234567, card 4111 1111 1111 1111';
  const reason = { feature: expect.any(String), weight: expect.any(Number), text: expect.any(String) };
  const [passport, card] = new Detector({ explain: true }).detect(text);
  expect(passport?.why).toContainEqual(reason);
  expect(card?.why).toContainEqual({ ...reason, feature: 'checksum' });
  expect(detector.detect(text).some((one) => 'why' in one)).toBe(false);
});

test('a new type needs one file and no weights', () => {
  const type: ContextType = {
    name: 'library-card',
    type: 'LIBRARY_CARD',
    forms: [/[A-Z]{2}[0-9]{7}/],
    words: { labels: ['library card', 'library card number', 'Bibliotheksausweis'], topics: [] },
  };
  const recognizer = contextRecognizer(type);
  const scanner = new TextScanner(new KeywordIndex([recognizer]));
  const values = (text: string) => recognizer.find(scanner.scan(text)).map(({ value }) => value);
  expect(values('Library card number: LC4820193')).toEqual(['LC4820193']);
  expect(values('Bibliotheksausweis: LC4820193')).toEqual(['LC4820193']);
  expect(values('Order number: LC4820193\nI lost my library card.')).toEqual([]);
});

test('contextTypes have forms, words and samples', () => {
  for (const { name, words, forms, spans } of contextTypes) {
    expect(words.labels.length).toBeGreaterThan(0);
    expect(samplesOf(name).match.length).toBeGreaterThan(1);
    expect(forms.length > 0 || spans !== undefined).toBe(true);
  }
});

/** The classes, escapes and dots of a form, without its lookaheads, which consume nothing. */
function atomsOf(source: string): string[] {
  const taking = source.replace(/\(\?[=!](?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g, '');
  const atoms = taking.match(/\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\?./g) ?? [];
  return atoms.filter((atom) => atom === '.' || /^\[|^\\[wWsSdDpP]/.test(atom));
}

test('a separator inside a value is spelled out in its form', () => {
  // A row of groups ends at a separator that no form of the type spells out, so a class must not hide one.
  const hidden = contextTypes.flatMap(({ type, forms }) => {
    const written = forms
      .map(({ source }) => source)
      .join('|')
      .replace(/\(\?[:=!]|\.\*/g, '');
    const joints = [...':/.·・'].filter((joint) => !written.includes(joint));
    return forms.flatMap(({ source }) =>
      atomsOf(source).flatMap((atom) =>
        joints.filter((joint) => new RegExp(`^${atom}$`).test(joint)).map((joint) => `${type}: ${atom} takes ${joint}`),
      ),
    );
  });
  expect(hidden).toEqual([]);
});
