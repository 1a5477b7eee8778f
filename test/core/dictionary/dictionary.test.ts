import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Detector } from '../../../core/detect/detector.ts';
import {
  type DictionaryEntry,
  dictionaryEntriesMax,
  dictionaryProblems,
  dictionaryRecognizer,
} from '../../../core/dictionary/dictionary.ts';

const found = (text: string, ...entries: (readonly [label: string, pattern: string])[]) =>
  new Detector({ types: [], dictionary: entries.map(([label, pattern]) => ({ label, pattern })) })
    .detect(text)
    .map(({ type, value }) => [type, value]);

describe('exact texts', () => {
  test.each<[text: string, patterns: string[], values: string[]]>([
    ['Apollo and apollo', ['Apollo'], ['Apollo']],
    ['a.b axb', ['a.b'], ['a.b']],
    ['the longer one wins', ['long', 'longer', 'ong'], ['longer']],
    ['aaaaa', ['aa', 'a'], ['aa', 'aa', 'a']],
    ['abcd', ['abc', 'cd', 'd'], ['abc', 'd']],
    ['ushers', ['he', 'she', 'his', 'hers'], ['she']],
    ['極秘計画アポロの件', ['計画アポロ', 'アポロ'], ['計画アポロ']],
    ['ＰＲＪ－７７ と PRJ-77', ['PRJ-77'], ['ＰＲＪ－７７', 'PRJ-77']],
    ['PRJ-77', ['ＰＲＪ－７７'], ['PRJ-77']],
    ['/etc/hosts and /etc/passwd', ['/etc/passwd'], ['/etc/passwd']],
    ['path /a/b/x here', ['/a/b/x'], ['/a/b/x']],
    ['x\u0000y \ud800z', ['\u0000y', '\ud800'], ['\u0000y', '\ud800']],
    ['😀😁', ['😁'], ['😁']],
    ['nothing', ['some'], []],
  ])('%s with %j', (text, patterns, values) => {
    expect(found(text, ...patterns.map((pattern) => ['X', pattern] as const)).map(([, value]) => value)).toEqual(
      values,
    );
  });

  test('of equal patterns the first one names the token', () => {
    expect(found('ab', ['FIRST', 'ab'], ['SECOND', 'ab'])).toEqual([['FIRST', 'ab']]);
  });

  test('as many as allowed, each with its own label', () => {
    const entries = Array.from({ length: dictionaryEntriesMax }, (_, i) => [`L${i}`, `name-${i};`] as const);
    const text = entries.map(([, pattern]) => pattern).join(' ');
    expect(found(text, ...entries)).toEqual(entries.map((entry) => [...entry]));
  });

  test('finds the longest phrase at every position, from left to right', () => {
    const piece = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 6 }),
        fc.string({ unit: fc.constantFrom('a', 'b', 'c') }),
        (phrases, text) => {
          const expected: string[] = [];
          for (let i = 0; i < text.length; ) {
            const here = phrases.filter((phrase) => text.startsWith(phrase, i)).sort((a, b) => b.length - a.length)[0];
            if (here !== undefined) expected.push(here);
            i += here?.length ?? 1;
          }
          expect(found(text, ...phrases.map((phrase) => ['X', phrase] as const)).map(([, value]) => value)).toEqual(
            expected,
          );
        },
      ),
    );
  });
});

describe('regular expressions', () => {
  test.each<[text: string, pattern: string, values: string[]]>([
    ['EMP-123456, EMP-12', '/EMP-\\d{6}/', ['EMP-123456']],
    ['emp-1 EMP-2', '/emp-\\d/i', ['emp-1', 'EMP-2']],
    ['emp-1 EMP-2', '/emp-\\d/gi', ['emp-1', 'EMP-2']],
    ['emp-1 EMP-2', '/emp-\\d/', ['emp-1']],
    ['a\nb', '/^b$/m', ['b']],
    ['a\nb', '/^b$/', []],
    ['<a\nb>', '/<.*>/s', ['<a\nb>']],
    ['<a\nb>', '/<.*>/', []],
    ['社員番号：ＥＭＰ１２３', '/EMP\\d+/', ['ＥＭＰ１２３']],
    ['社員番号:123', '/社員番号：\\d+/', ['社員番号:123']],
    ['社員番号（１２）', '/社員番号（\\d+）/', ['社員番号（１２）']],
    ['A\u20131 A-1', '/A\u2013\\d/', ['A\u20131', 'A-1']],
    ['x\u3000y', '/x\\u3000y/', ['x\u3000y']],
    ['部門コード東京-01', '/\\p{Han}{2}-\\d\\d/u', ['東京-01']],
    ['/a/b/', '/\\/a\\//', ['/a/']],
    ['aXbX', '/(?:)/', []],
    ['bab', '/a*/', ['a']],
    ['😀1 😀2', '/.\\d/', ['😀1', '😀2']],
    ['two', '/(?<n>tw)o/', ['two']],
    ['usr', '/usr/', ['usr']],
    ['EMP-123456, EMP-\\d{6}', 'EMP-\\d{6}', ['EMP-123456', 'EMP-\\d{6}']],
    ['ABC-12 abc', '[A-Z]{3}-[0-9]+', ['ABC-12']],
    ['red or blue', '(red|blue)', ['red', 'blue']],
    ['C++ a.b axb f(x) $1', 'a.b', ['a.b']],
    ['(?<=x)[a-z] xa', '(?<=x)[a-z]', ['(?<=x)[a-z]']],
  ])('%s with %s', (text, pattern, values) => {
    expect(found(text, ['X', pattern]).map(([, value]) => value)).toEqual(values);
  });

  test('many at once, with different flags, each with its own label', () => {
    const entries = Array.from({ length: 120 }, (_, i) => [`L${i}`, `/id${i}x\\d/${i % 2 === 0 ? 'i' : ''}`] as const);
    expect(found('ID7x1 id7x1 ID8x2 id119x3 id120x4', ...entries)).toEqual([
      ['L7', 'id7x1'],
      ['L8', 'ID8x2'],
      ['L119', 'id119x3'],
    ]);
  });

  test('offsets slice to the value', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'Ａ', '1', '１', '😀', '\ud83d', '–', ' ') }), (text) => {
        const detector = new Detector({ types: [], dictionary: [{ label: 'X', pattern: '/a\\d|.\\u2013/i' }] });
        for (const { start, end, value } of detector.detect(text)) expect(text.slice(start, end)).toBe(value);
      }),
    );
  });
});

describe('unusable entries are reported with their position', () => {
  const read = (entries: unknown) => dictionaryRecognizer(entries as DictionaryEntry[]);
  const refused = (entry: unknown) => {
    try {
      read([{ label: 'FINE', pattern: 'fine' }, entry]);
      return undefined;
    } catch (error) {
      return error as Error & { code: string; details: { path: string; position?: number } };
    }
  };

  test.each<[pattern: string, position: number, message: RegExp]>([
    ['/(/', 1, /missing closing \)/],
    ['/a(b(c)/', 2, /missing closing \)/],
    ['/ab)c/', 3, /unexpected \)/],
    ['/ab[c/', 3, /missing closing \]/],
    ['/a**/', 2, /repetition/],
    ['/*a/', 1, /repetition/],
    ['/a{3,2}/', 2, /repeat count/],
    ['/a{1001}/', 2, /repeat count/],
    ['/a(?=b)/', 2, /look-around/],
    ['/a(?!b)/', 2, /look-around/],
    ['/(?<=x)b/', 1, /look-around/],
    ['/b(?<!x)/', 2, /look-around/],
    ['/(a)\\1/', 4, /back-reference/],
    ['/\\\\1(a)\\1/', 7, /back-reference/],
    ['/(?<n>a)\\k<n>/', 8, /back-reference/],
    ['/[z-a]/', 2, /range/],
    ['/(?:(?:a?){30}){30}/', 1, /too large/],
  ])('%s', (pattern, position, message) => {
    const error = refused({ label: 'A', pattern });
    expect(error).toMatchObject({
      code: 'invalid_input',
      details: { index: 1, path: 'dictionary[1].pattern', position },
    });
    expect(error?.message).toMatch(message);
    expect(error?.message).toContain(`dictionary[1].pattern at position ${position} `);
  });

  test.each<[entry: unknown, path: string]>([
    [{ label: 'a', pattern: 'x' }, 'dictionary[1].label'],
    [{ label: 'SRAG', pattern: 'x' }, 'dictionary[1].label'],
    [{ label: 'A'.repeat(41), pattern: 'x' }, 'dictionary[1].label'],
    [{ label: 1, pattern: 'x' }, 'dictionary[1].label'],
    [{ pattern: 'x' }, 'dictionary[1].label'],
    [{ label: 'A' }, 'dictionary[1].pattern'],
    [{ label: 'A', pattern: '' }, 'dictionary[1].pattern'],
    [{ label: 'A', pattern: 'x'.repeat(501) }, 'dictionary[1].pattern'],
    [{ label: 'A', pattern: null }, 'dictionary[1].pattern'],
    [{ label: 'A', pattern: 'x', flags: 'i' }, 'dictionary[1]'],
    ['x', 'dictionary[1].label'],
    [null, 'dictionary[1].label'],
  ])('%j', (entry, path) => {
    expect(refused(entry)).toMatchObject({ code: 'invalid_input', details: { path } });
  });

  test('no list, or one that is too long', () => {
    expect(() => read('x')).toThrow(/not a list/);
    const many = Array.from({ length: dictionaryEntriesMax + 1 }, () => ({ label: 'A', pattern: 'x' }));
    expect(() => read(many)).toThrow(`dictionary[${dictionaryEntriesMax}]`);
  });

  test("all problems at once, none quoting the user's text", () => {
    const entries: DictionaryEntry[] = [
      { label: 'secretlabel', pattern: 'x' },
      { label: 'A', pattern: '/secretpattern(/' },
    ];
    const problems = dictionaryProblems(entries);
    expect(problems.map(({ index, field }) => [index, field])).toEqual([
      [0, 'label'],
      [1, 'pattern'],
    ]);
    expect(JSON.stringify(problems)).not.toMatch(/secret/);
  });

  const label = (message: unknown) => ({ index: 0, field: 'label', message });
  const pattern = (message: unknown, more: object = {}) => ({ index: 0, field: 'pattern', message, ...more });
  const wrongFormat = expect.stringMatching(/^has the wrong format: .*[^.]$/);
  test.each<[unknown, object[]]>([
    [null, [label('must be a text'), pattern('must be a text')]],
    [{ label: 'A', pattern: 1 }, [pattern('must be a text')]],
    [{ label: 1, pattern: 'x' }, [label('must be a text')]],
    [{ label: 'A', pattern: '' }, [pattern('is empty')]],
    [{ label: 'A', pattern: 'x'.repeat(501) }, [pattern('is longer than 500 characters')]],
    [{ label: 'A', pattern: 'x', more: 1 }, [{ index: 0, message: 'has fields other than label and pattern' }]],
    [{ label: 'a', pattern: 'x' }, [label(wrongFormat)]],
    [{ label: 'A', pattern: '/(/' }, [pattern(expect.any(String), { position: expect.any(Number) })]],
  ])('in words: %j', (entry, problems) => {
    expect(dictionaryProblems([entry as DictionaryEntry])).toEqual(problems);
    // The same among other parts, which have no flags.
    const among = dictionaryProblems([
      { label: 'B', pattern: '/b/' },
      entry as DictionaryEntry,
      { label: 'C', pattern: 'c' },
    ]);
    expect(among).toEqual(problems.map((problem) => ({ ...problem, index: 1 })));
  });

  test('a usable entry has no problem', () => {
    expect(dictionaryProblems([{ label: 'A_1', pattern: '/x/' }])).toEqual([]);
    expect(dictionaryProblems([])).toEqual([]);
  });
});

describe('hostile patterns terminate', () => {
  test.each([
    ['/(a+)+$/', `${'a'.repeat(200_000)}!`],
    ['/(a|aa)+b/', 'a'.repeat(200_000)],
    ['/(.*)*x/', 'a'.repeat(200_000)],
    ['/^(([a-z])+.)+[A-Z]([a-z])+$/', 'a'.repeat(200_000)],
  ])('%s', (pattern, text) => {
    expect(found(text, ['X', pattern]).length).toBeLessThan(2);
  });

  test('a pattern that would read the rest of the text repeatedly is stopped', () => {
    expect(() => found('a'.repeat(50_000), ['X', '/a.*b|a/'])).toThrow(
      expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining('dictionary[0].pattern') }),
    );
    expect(found('a'.repeat(500), ['X', '/a.*b|a/'])).toHaveLength(500);
  });

  test('patterns that match everywhere are stopped before they fill the memory', () => {
    const everywhere = Array.from({ length: 200 }, (_, i) => [`L${i}`, '/./'] as const);
    expect(() => found('a'.repeat(20_000), ...everywhere)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});
