import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Detector } from '../../core/detect/detector.ts';
import { addNoise } from '../../core/noise.ts';
import { anyCharacter } from '../support/any-text.ts';

const noisy = (text: string, options: { epsilon?: number; seed?: number | string; sensitivity?: number } = {}) =>
  addNoise(text, { epsilon: 0.5, seed: 7, detections: [], ...options });

/** Every number as `N`: the rest, which noise must not change. */
const skeleton = (text: string) => text.replace(/[-+]?[0-9０-９][0-9０-９,，.．]*/g, 'N');

describe('numbers that count or measure get noise', () => {
  test.each([
    'The salary is 4200 a month.',
    'Revenue was $1,234,567.89 in total.',
    'Revenue was USD 900.',
    'age=37, score: 88.5',
    '{"age":37}',
    'weight 72.5kg and height 181 cm',
    'a growth of 12.5% over 30 days',
    'temperature -12.5 °C',
    'balance +250.00',
    '売上は１２，３４５円でした。',
    '年齢は３７歳、体重は６２．５ｋｇ',
    '参加者は128名、費用は120万円',
    '5日間で300件',
    'sold 500 units, 1900 items',
    '価格は￥1980です',
    '(3,000 people)',
    'Ann,34,52000\nBob,45,61000',
    '売上高：１億２０００万円',
    '| Ann | 34 | 52,000 |',
  ])('%s', (text) => {
    const { text: out, changed } = noisy(text, { epsilon: 0.01 });
    expect(changed).toBeGreaterThan(0);
    expect(out).not.toBe(text);
    expect(skeleton(out)).toBe(skeleton(text));
    // Full-width digits stay full-width, and the number of decimals stays the same.
    expect(/[0-9]/.test(out)).toBe(/[0-9]/.test(text));
    const decimals = (s: string) => (s.match(/[.．][0-9０-９]+/g) ?? []).map((fraction) => fraction.length);
    expect(decimals(out)).toEqual(decimals(text));
  });
});

describe('numbers that identify something are kept', () => {
  test.each([
    '2024-05-01 12:30:45',
    '2024/05/01 and 5/6',
    'on May 12, 2024 and 3 June 2025',
    'since 2019',
    '2024年5月1日 9時30分 令和6年度',
    'v1.2.3, version 3, ver.2, Python 3.12',
    '1. first\n2) second\n(3) third\n 4: x',
    'page 12, chapter 3, section 4.2, Fig. 7, step 9, RFC 9110',
    'order 55123, ticket #4411, id: 99, No. 5',
    'EMP-123456 SKU_42 A4 x86 utf8 3rd 21st',
    '0012 and 1234567890 and 16-bit',
    'https://example.com/a?id=42&n=7 www.example.com/9',
    '203.0.113.7',
    '[EMAIL-1] and [LABEL_2] and [SRAG:cat=PII,name=EMAIL,id=A12]',
    'pages 10-20, 1.2.3.4',
    '第3条 5号 2丁目 3階 ２位',
    '1,2,3',
    '3,5 and 1.234,56',
    '{"id": 1001, "userId":77, "user_id": "88"}',
    'SKU 8812, iPhone 15, Windows 11, GPT-4',
    '10am, 24/7',
    'src/v2/items/5',
  ])('%s', (text) => {
    expect(noisy(text, { epsilon: 0.01 })).toEqual({ text, changed: 0 });
  });

  test('detections are kept', () => {
    const text = 'card 4111 1111 1111 1111 costs 900';
    const detections = new Detector().detect(text);
    const out = addNoise(text, { epsilon: 0.1, seed: 1, detections });
    expect(out.text).toMatch(/^card 4111 1111 1111 1111 costs \d+$/);
    expect(out.changed).toBe(1);
  });
});

describe('the noise', () => {
  test('the same seed, the same text; another seed, another', () => {
    const text = 'a 1000 b 2000 c 3000';
    expect(noisy(text, { seed: 'x' })).toEqual(noisy(text, { seed: 'x' }));
    expect(noisy(text, { seed: 'x' }).text).not.toBe(noisy(text, { seed: 'y' }).text);
    expect(noisy(text, { seed: 5 }).text).toBe(noisy(text, { seed: '5' }).text);
    expect(addNoise(text, { epsilon: 0.1, detections: [] }).text).not.toBe(text);
  });

  test('all fields of a row of comma separated values', () => {
    const row = `Ann,${'45,'.repeat(40)}67`;
    expect(noisy(row, { epsilon: 0.1 }).changed).toBe(41);
  });

  test('equal numbers get equal noise', () => {
    const [first, second] = noisy('4200 people, then 4200 people').text.match(/\d+/g) ?? [];
    expect(first).toBe(second);
  });

  test('follows the Laplace distribution: mean, mean distance, and the share beyond the scale', () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `${100_000 + i}`).join(' ');
    const values = noisy(text, { sensitivity: 500, epsilon: 0.5 })
      .text.split(' ')
      .map((n, i) => Number(n) - 100_000 - i);
    const mean = values.reduce((sum, d) => sum + d, 0) / values.length;
    const distance = values.reduce((sum, d) => sum + Math.abs(d), 0) / values.length;
    const beyond = values.filter((d) => Math.abs(d) > 1_000).length / values.length;
    expect(Math.abs(mean)).toBeLessThan(40);
    expect(distance).toBeGreaterThan(970);
    expect(distance).toBeLessThan(1_030);
    expect(beyond).toBeGreaterThan(0.355);
    expect(beyond).toBeLessThan(0.38);
  });

  test('without a sign never negative, with one it may change', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5_000 }), fc.integer(), (n, seed) => {
        expect(noisy(`is ${n} now`, { seed, epsilon: 0.05, sensitivity: 100 }).text).toMatch(/^is (?:\d+) now$/);
      }),
    );
  });

  test('a signed number stays signed', () => {
    const seen = new Set<string>();
    for (let seed = 0; seed < 300; seed++) {
      const text = noisy('was +5 and -5, 1,000 and ＋５', { seed, epsilon: 0.05, sensitivity: 1 }).text;
      const match = /^was ([+-]?)(\d+) and ([+-]?)(\d+), (\d{1,3}(?:,\d{3})*) and ([－＋-]?)([０-９]+)$/.exec(text);
      expect(match, text).not.toBeNull();
      seen.add(`first ${match?.[1]}`).add(`second ${match?.[3]}`);
    }
    expect([...seen].sort()).toEqual(['first +', 'first -', 'second ', 'second -']);
  });

  test.each([
    { epsilon: 0 },
    { epsilon: -1 },
    { epsilon: Number.NaN },
    { epsilon: 1001 },
    { sensitivity: 0 },
    { sensitivity: Number.POSITIVE_INFINITY },
  ])('%j is refused', (options) => {
    expect(() => noisy('1', options)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });

  test('any text: only digits and their signs change', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => {
        const strip = (s: string) => s.replace(/[-+.,，．－＋−]|\p{Nd}/gu, '');
        expect(strip(noisy(text).text)).toBe(strip(text));
      }),
    );
  });
});
