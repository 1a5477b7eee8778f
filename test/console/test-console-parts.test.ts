/** The parts of the test console that turn text into values. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkDictionary } from '../../console/test-console/dictionary.ts';
import { JsonError, type Located, positionOf, readJson } from '../../console/test-console/json-reader.ts';
import { addressOf, operationsOf } from '../../console/test-console/openapi.ts';
import { piecesOf, tokenSpans } from '../../console/test-console/spans.ts';
import { StreamRestorer } from '../../console/test-console/stream-restorer.ts';

function plain(value: Located): unknown {
  if (value.kind === 'list') return value.items.map(plain);
  if (value.kind === 'object') return Object.fromEntries(value.entries.map(({ key, value }) => [key, plain(value)]));
  return value.value;
}

describe('reading JSON', () => {
  test('returns what JSON.parse returns, for every value', () => {
    // Object.fromEntries and JSON.parse both set a key __proto__, an object literal does not.
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(JSON.stringify(plain(readJson(text)))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  test('rejects what JSON.parse rejects', () => {
    const piece = fc.constantFrom(...'[|]|{|}|,|:|"|"a"|\\|\n|1|-|.5|true|nul| '.split('|'));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const takes = (read: (text: string) => unknown) => {
          try {
            read(text);
            return true;
          } catch {
            return false;
          }
        };
        expect(takes(readJson)).toBe(takes(JSON.parse));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each<[text: string, fault: string, line: number, column: number]>([
    ['', 'end', 1, 1],
    ['[', 'end', 1, 2],
    ['[1 2]', 'comma', 1, 4],
    ['[1,]', 'value', 1, 4],
    ['{"a":1,}', 'key', 1, 8],
    ['{a:1}', 'key', 1, 2],
    ['{"a" 1}', 'colon', 1, 6],
    ['[\n  "a\n]', 'string', 2, 5],
    ['["a\\d"]', 'string', 1, 4],
    ['[1]\r\n x', 'rest', 2, 2],
    ["['a']", 'value', 1, 2],
    ['["😀", x]', 'value', 1, 7],
    ['["あい" "う"]', 'comma', 1, 7],
    ['['.repeat(60), 'deep', 1, 52],
  ])('%j: %s at line %i, column %i', (text, fault, line, column) => {
    try {
      readJson(text);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(JsonError);
      const { fault: found, at } = error as JsonError;
      expect({ found, ...positionOf(text, at) }).toEqual({ found: fault, line, column });
    }
  });
});

describe('a dictionary', () => {
  test.each<[text: string, entries: number]>([
    ['[]', 0],
    ['[{"label":"PROJECT","pattern":"Apollo"}]', 1],
    ['[{"pattern":"/e-\\\\d+/i","label":"EMPLOYEE_NO"},{"label":"A","pattern":"/"}]', 2],
    ['[{"label":"社外秘","pattern":"x"}]'.replace('社外秘', 'SECRET_1'), 1],
  ])('%s has %i entries', (text, entries) => {
    const check = checkDictionary(text);
    expect(check.ok && check.entries.length).toBe(entries);
  });

  const wrong: readonly [text: string, kind: string, line: number, column: number][] = [
    ['{"label":"A","pattern":"b"}', 'list', 1, 1],
    ['[\n  "Apollo"\n]', 'entry', 2, 3],
    ['[{"label":"A"}]', 'missing', 1, 2],
    ['[{"pattern":"b"}]', 'missing', 1, 2],
    ['[\n  {"label":"A","patern":"b"}\n]', 'field', 2, 16],
    ['[{"label":"project","pattern":"b"}]', 'label', 1, 11],
    ['[{"label":1,"pattern":"b"}]', 'label', 1, 11],
    ['[{"label":"A__B","pattern":"b"}]', 'label', 1, 11],
    [`[{"label":"${'A'.repeat(41)}","pattern":"b"}]`, 'label', 1, 11],
    ['[{"label":"A","pattern":""}]', 'pattern', 1, 25],
    [`[{"label":"A","pattern":"${'b'.repeat(501)}"}]`, 'pattern', 1, 25],
    ['[{"label":"A","pattern":"/(/"}]', 'expression', 1, 25],
    ['[{"label":"A","pattern":"/a/x"}]', 'expression', 1, 25],
    ['[{"label":"A","pattern":"/(?=a)/"}]', 'expression', 1, 25],
    ['[{"label":"A","pattern":"/(a)\\\\1/"}]', 'expression', 1, 25],
    [`[${Array(1001).fill('{"label":"A","pattern":"b"}').join(',\n')}]`, 'many', 1001, 1],
    ['[{"label":"A","pattern":"b"},]', 'value', 1, 30],
  ];
  // The text comes last: titles show the first argument, and one text is long.
  test.each(wrong.map(([text, ...fault]) => [...fault, text] as const))(
    '%s at line %i, column %i',
    (kind, line, column, text) => {
      const check = checkDictionary(text);
      expect(check.ok).toBe(false);
      expect(!check.ok && check.fault).toMatchObject({ kind, line, column });
    },
  );
});

describe('pieces of a marked text', () => {
  test('add up to the text, and each mark covers its range', () => {
    const span = fc.record({ start: fc.integer({ min: -3, max: 45 }), length: fc.nat(20) });
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), fc.array(span, { maxLength: 8 }), (text, given) => {
        const spans = given.map(({ start, length }, mark) => ({ start, end: start + length, mark }));
        const pieces = piecesOf(text, spans);
        expect(pieces.map(({ text }) => text).join('')).toBe(text);
        for (const { start, end, mark } of spans) {
          const covered = pieces.filter(({ marks }) => marks.includes(mark));
          expect(covered.map(({ text }) => text).join('')).toBe(text.slice(Math.max(0, start), Math.max(0, end)));
        }
      }),
    );
  });

  test('tokens: the longest match wins', () => {
    const spans = tokenSpans('[EMAIL-1] and [EMAIL-12], (x) [A_1]', ['[EMAIL-1]', '[EMAIL-12]', '[A_1]', '(x)']);
    expect(spans.map(({ mark }) => mark)).toEqual(['[EMAIL-1]', '[EMAIL-12]', '(x)', '[A_1]']);
    expect(tokenSpans('nothing', [])).toEqual([]);
  });
});

describe('the simulated stream', () => {
  const map = { '[EMAIL-1]': 'ana@example.com', '[EMAIL-12]': 'bob@example.com', '[NAME-1]': 'Ana [x]' };
  const whole = 'a[ [EMAIL-1] [EMAIL-12][NAME-1] [EMAIL-2] [NAM';
  const restored = 'a[ ana@example.com bob@example.comAna [x] [EMAIL-2] [NAM';

  test('shows the same for every cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(whole.length), { maxLength: 20 }), (cuts) => {
        const restorer = new StreamRestorer(map);
        const at = [0, ...cuts.sort((a, b) => a - b), whole.length];
        const shown = at.slice(1).flatMap((end, i) => restorer.push(whole.slice(at[i], end)));
        expect([...shown, ...restorer.end()].map(({ text }) => text).join('')).toBe(restored);
      }),
    );
  });

  test.each([
    [
      'other brackets, other case, escapes',
      'To 【EMAIL-1】, [email-1], \\[EMAIL-1\\].',
      'To ana@example.com, ana@example.com, ana@example.com.',
    ],
    ['the address of a link', 'https://x.example/?q=[EMAIL-1]', 'https://x.example/?q=[EMAIL-1]'],
  ])('accepts what the gateway accepts: %s', (_name, answer, expected) => {
    const restorer = new StreamRestorer(map);
    const shown = [...answer].flatMap((piece) => restorer.push(piece));
    expect([...shown, ...restorer.end()].map(({ text }) => text).join('')).toBe(expected);
  });

  test('holds back only what may become a token', () => {
    const restorer = new StreamRestorer(map);
    expect(restorer.push('Hello [EMA')).toEqual([{ text: 'Hello ' }]);
    expect(restorer.held).toBe('[EMA');
    expect(restorer.push('IL-1]!')).toEqual([{ text: 'ana@example.com', token: '[EMAIL-1]' }, { text: '!' }]);
    expect(restorer.held).toBe('');
  });
});

test('the OpenAPI document yields operations with sample bodies', () => {
  const example = { name: 'ann', kind: 'a' };
  const [operation] = operationsOf({
    paths: {
      '/things/{id}': {
        patch: {
          operationId: 'patchThing',
          tags: ['t'],
          summary: 'S',
          security: [{}],
          parameters: [
            { name: 'id', in: 'path', required: true },
            { name: 'q', in: 'query', required: false },
            { name: 'r', in: 'query', required: false },
          ],
          requestBody: { content: { 'application/json': { example } } },
        },
      },
    },
  });
  expect(operation).toMatchObject({ method: 'PATCH', needsKey: true, body: example });
  expect(operation && addressOf(operation, { id: 'a/b', q: 'ü&', r: '' })).toBe('/things/a%2Fb?q=%C3%BC%26');
});
