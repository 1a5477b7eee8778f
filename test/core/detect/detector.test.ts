import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { builtinTypes, Detector } from '../../../core/detect/detector.ts';
import { recognizers } from '../../../core/recognizers/index.ts';
import { tokenTypes } from '../../../core/tokens/token-types.ts';
import { anyCharacter } from '../../support/any-text.ts';
import { samplesOf } from '../../support/recognizer-samples.ts';

const detector = new Detector();
const found = (text: string, options?: ConstructorParameters<typeof Detector>[0]) =>
  (options === undefined ? detector : new Detector(options)).detect(text).map(({ type, value }) => [type, value]);

const listed = (...all: Parameters<typeof found>) =>
  found(...all)
    .map((one) => one.join(' '))
    .join(', ');

describe('overlaps', () => {
  test.each([
    ['ssn 536-22-1234 tel 415-555-0132', 'SSN 536-22-1234, PHONE 415-555-0132'],
    ['マイナンバー 1234 5678 9018', 'MY_NUMBER 1234 5678 9018'],
    ['4111 1111 1111 1111 1234 5678 9018', 'CREDIT_CARD 4111 1111 1111 1111'],
    ['x@203.0.113.7', 'IP_ADDRESS 203.0.113.7'],
    ['a@b.co,c@d.co;a@b.co', 'EMAIL a@b.co, EMAIL c@d.co, EMAIL a@b.co'],
  ])('%s', (text, expected) => {
    expect(listed(text)).toBe(expected);
  });
});

describe('rejected options', () => {
  test.each<[object, string, string]>([
    [{ lang: 'xx' }, 'The language is unknown.', 'Use one of: en, ja; or leave it out.'],
    [{ types: ['passwrd'] }, 'The type "passwrd" is unknown.', 'Did you mean PASSWORD?'],
    [{ types: ['xyzzy'] }, 'The type "xyzzy" is unknown.', `Use some of: ${tokenTypes.join(', ')}.`],
    [{ types: ['x'.repeat(50)] }, `The type "${'x'.repeat(40)}" is unknown.`, `Use some of: ${tokenTypes.join(', ')}.`],
  ])('%j', (options, message, hint) => {
    const build = () => new Detector(options as ConstructorParameters<typeof Detector>[0]);
    expect(build).toThrow(expect.objectContaining({ message, hint }));
  });
  test('the nearest language', () => {
    for (const lang of ['jap', 'JP', '日本語']) {
      const build = () => new Detector({ lang: lang as 'ja' });
      expect(build).toThrow(expect.objectContaining({ details: { lang, nearest: 'ja' } }));
    }
  });
});

describe('options', () => {
  const text = 'jo@example.com 203.0.113.7 Apollo';
  test('types', () => expect(found(text, { types: ['IP_ADDRESS'] })).toEqual([['IP_ADDRESS', '203.0.113.7']]));
  test('no types', () => expect(found(text, { types: [] })).toEqual([]));
  test('minScore', () => expect(found(text, { minScore: 0.95 })).toEqual([['EMAIL', 'jo@example.com']]));
  test('dictionary wins', () => {
    const dictionary = [
      { label: 'PROJECT', pattern: 'Apollo' },
      { label: 'INTERNAL', pattern: '/\\w+@example\\.com/i' },
    ];
    expect(listed(text, { dictionary })).toBe('INTERNAL jo@example.com, IP_ADDRESS 203.0.113.7, PROJECT Apollo');
  });
  test.each([
    ['a part of an address', 'Ask jo.smith@acme.com', 'acme', 'EMAIL jo.smith@acme.com'],
    ['its beginning', 'jo.smith@acme.com', 'jo', 'EMAIL jo.smith@acme.com'],
    ['its end', 'jo.smith@acme.com', 'acme.com', 'EMAIL jo.smith@acme.com'],
    ['all of it', 'jo.smith@acme.com', 'jo.smith@acme.com', 'WORD jo.smith@acme.com'],
    ['more than it', 'to jo.smith@acme.com', 'to jo.smith@acme.com', 'WORD to jo.smith@acme.com'],
    ['inside and outside', 'acme: al@acme.com, acme', 'acme', 'WORD acme, EMAIL al@acme.com, WORD acme'],
    ['a part of a card', 'card 4111 1111 1111 1111', '1111', 'CREDIT_CARD 4111 1111 1111 1111'],
    ['a part of a name', 'Dear Mr. Apollo Smith,', 'Apollo', 'WORD Apollo'],
  ])('a dictionary word that is %s', (_name, text, pattern, expected) => {
    expect(listed(text, { dictionary: [{ label: 'WORD', pattern }] })).toBe(expected);
  });
  test('a dictionary word is always masked, by itself or within a longer value', () => {
    const pieces = 'acme|@|.com| |jo|4111 1111 1111 1111|https://|:|/|key=|203.0.113.7|-'.split('|');
    const dictionary = ['acme', 'jo@acme', '/com\\S/', '1111 1'].map((pattern) => ({ label: 'WORD', pattern }));
    const [all, words] = [new Detector({ dictionary }), new Detector({ dictionary, types: [] })];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 16 }), (parts) => {
        const text = parts.join('');
        const kept = all.detect(text);
        for (const [i, { start, end, value }] of kept.entries()) {
          expect(text.slice(start, end)).toBe(value);
          expect(start).toBeGreaterThanOrEqual(kept[i - 1]?.end ?? 0);
        }
        const open = (at: number) => !kept.some(({ start, end }) => start <= at && at < end);
        for (const { start, end } of words.detect(text)) {
          for (let at = start; at < end; at++) expect([text, at, open(at)]).toEqual([text, at, false]);
        }
      }),
      { numRuns: Number(process.env.LAW_RUNS ?? 200) },
    );
  });
  test('many dictionary words within longer values take linear time', () => {
    const text = `${'acme.'.repeat(10)}jo@acme.com `.repeat(3_000);
    const dictionary = [{ label: 'WORD', pattern: 'acme' }];
    expect(found(text, { dictionary })).toHaveLength(3_000);
    expect(found('acme '.repeat(100_000), { dictionary })).toHaveLength(100_000);
  });
  test('lang', () => {
    expect(found('536-22-1234', { lang: 'en' })).toEqual([['SSN', '536-22-1234']]);
    expect(found('536-22-1234', { lang: 'ja' })).toEqual([]);
    expect(found('SSN 536-22-1234', { lang: 'ja' })).toEqual([['SSN', '536-22-1234']]);
  });
  test.each([
    [{ lang: 'jp' }, 'ja'],
    [{ lang: 'english' }, 'en'],
    [{ types: ['email'] }, 'EMAIL'],
    [{ types: ['EMAIL_ADDRESS'] }, 'EMAIL'],
    [{ types: ['PERSON'] }, 'NAME'],
    [{ types: ['CREDITCARD'] }, 'CREDIT_CARD'],
    [{ types: ['PHONE_NUMBR'] }, 'PHONE'],
    [{ types: ['passwrd'] }, 'PASSWORD'],
    [{ types: ['dob'] }, 'DATE_OF_BIRTH'],
    [{ types: ['xyzzy'] }, undefined],
    [{ types: [''] }, undefined],
  ])('%j is refused, with the nearest valid name', (options, nearest) => {
    const build = () => new Detector(options as ConstructorParameters<typeof Detector>[0]);
    expect(build).toThrowError(
      expect.objectContaining({ code: 'invalid_input', details: expect.objectContaining({ nearest }) }),
    );
  });
  test.each([
    { label: 'lower', pattern: 'x' },
    { label: 'SECURED', pattern: 'x' },
    { label: 'A-B', pattern: 'x' },
    { label: 'CREDITCARD', pattern: 'x' },
    { label: 'A', pattern: '' },
    { label: 'A', pattern: '/(/' },
    { label: 'A', pattern: 'x'.repeat(501) },
  ])('%j is refused', (entry) => {
    expect(() => new Detector({ dictionary: [entry] })).toThrowError(
      expect.objectContaining({ code: 'invalid_input' }),
    );
  });
  test('an exact text is not a pattern', () => {
    expect(found('a.b axb', { types: [], dictionary: [{ label: 'X', pattern: 'a.b' }] })).toEqual([['X', 'a.b']]);
  });
});

describe('the reason of a detection', () => {
  test.each([
    ['DOB 1985-04-01', { type: 'DATE_OF_BIRTH', recognizer: 'date-of-birth', context: 'dob' }],
    ['4111 1111 1111 1111', { type: 'CREDIT_CARD', recognizer: 'credit-card', checksum: true }],
    ['保険者番号：06139463', { type: 'HEALTH_INSURANCE', context: '保険者番号', checksum: true }],
  ])('%s', (text, reason) => {
    expect(detector.detect(text)).toEqual([expect.objectContaining(reason)]);
  });
});

describe('twelve digits belong to the nearest word', () => {
  test.each([
    ['マイナンバー 123456789018、免許証 309012345620', ['MY_NUMBER', 'DRIVER_LICENSE']],
    ['account number 123456789018', ['BANK_ACCOUNT']],
    ['order 123456789018', []],
    ['1234-5678-9018', ['MY_NUMBER']],
  ])('%s', (text, types) => {
    expect(detector.detect(text).map(({ type }) => type)).toEqual(types);
  });

  test('an account after a license', () => {
    const found = detector.detect('運転免許証 309012345620 口座番号 1234567');
    expect(found.map(({ type }) => type)).toEqual(['DRIVER_LICENSE', 'BANK_ACCOUNT']);
  });
});

test.each([
  ['lone surrogates', '\ud83d jo@example.com \udc00', 'jo@example.com'],
  ['NUL', 'a\0 jo@example.com\0', 'jo@example.com'],
  ['mixed directions', '\u202ejo@example.com\u202c שלום', 'jo@example.com'],
  ['a byte order mark', '\ufeffjo@example.com', 'jo@example.com'],
  ['emoji', '😀😀 口座番号：1234567 😀', '1234567'],
])('%s', (_name, text, value) => {
  expect(detector.detect(text).map((hit) => hit.value)).toEqual([value]);
});

test('ten million characters', () => {
  const text = `${'x '.repeat(5_000_000)}jo@example.com`;
  expect(detector.detect(text).map(({ start }) => start)).toEqual([10_000_000]);
});

test('more hits than a call can have arguments', () => {
  const many = 'x@example.com '.repeat(150_000);
  expect(detector.detect(many)).toHaveLength(150_000);
  expect(found('ab'.repeat(150_000), { types: [], dictionary: [{ label: 'A', pattern: 'a' }] })).toHaveLength(150_000);
});

test('built-in types', () => {
  expect([...builtinTypes].sort()).toEqual([...tokenTypes].sort());
});

const samples = recognizers.flatMap(({ name }) => {
  const { match, noMatch } = samplesOf(name);
  return [...match.map(([text]) => text), ...noMatch];
});
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(...samples),
      fc.constantFrom('@', '.', '-', ' ', ':', '1', '0', '+', '(', '\n', '＠', '－', 'ー', '\ud83d'),
      fc.string({ maxLength: 5, unit: anyCharacter }),
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(''));

test('law: detections are sorted, disjoint, and slice to their value', () => {
  fc.assert(
    fc.property(text, (input) => {
      const detections = detector.detect(input);
      let end = 0;
      for (const detection of detections) {
        expect(detection.start).toBeGreaterThanOrEqual(end);
        expect(detection.end).toBeGreaterThan(detection.start);
        expect(input.slice(detection.start, detection.end)).toBe(detection.value);
        end = detection.end;
      }
    }),
    { numRuns: 1500 },
  );
});
