import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunkSpans } from '../../../core/rag/chunk.ts';

const chunks = (text: string, chunkSize: number, overlap = 0) =>
  chunkSpans(text, { chunkSize, overlap }).map(({ start, end }) => text.slice(start, end));

describe('where chunks end', () => {
  test.each<[name: string, size: number, chunks: string[]]>([
    ['short text', 100, ['One sentence.']],
    ['empty text', 100, []],
    ['sentences', 34, ['First one here. Second one here! ', 'Third one here?']],
    ['paragraph before a later sentence', 30, ['Alpha beta gamma.\n\n', 'Delta eps. ', 'Zeta eta theta iota.']],
    ['Japanese', 16, ['今日は晴れです。', '明日は雨でしょう。']],
    ['a quotation continues', 20, ['彼は「はい。そうです。」と答えた。', '次の話です。']],
    ['abbreviations', 36, ['Ask Dr. Lee or Ms. Kim about it. ', 'Then go.']],
    ['decimals', 38, ['The rate is 3.14 and more 2.71 here. ', 'End.']],
    ['list lines', 28, ['- alpha beta\n- gamma delta\n', '- epsilon']],
    ['words when no sentence ends', 16, ['aaaa bbbb cccc ', 'dddd eeee ffff']],
    ['no position to split at', 16, ['x'.repeat(16), 'x'.repeat(16), 'x'.repeat(8)]],
    ['surrogate pairs are not split', 16, [`a${'😀'.repeat(7)}`, '😀'.repeat(5)]],
  ])('%s', (_name, size, expected) => {
    expect(chunks(expected.join(''), size)).toEqual(expected);
  });

  test('an overlap starts at a sentence, else at a word', () => {
    expect(chunks('One two three. Four five six. Seven eight nine.', 32, 16)).toEqual([
      'One two three. Four five six. ',
      'Four five six. Seven eight nine.',
    ]);
    expect(chunks('aaaa bbbb cccc dddd eeee', 16, 6)).toEqual(['aaaa bbbb cccc ', 'cccc dddd eeee']);
  });

  test('an indivisible span is not split, however long', () => {
    const text = `${'a'.repeat(10)}${'K'.repeat(50)}${'b'.repeat(10)}`;
    expect(chunkSpans(text, { chunkSize: 16, overlap: 0 }, [{ start: 10, end: 60 }])).toEqual([
      { start: 0, end: 10 },
      { start: 10, end: 60 },
      { start: 60, end: 70 },
    ]);
  });
});

describe('laws', () => {
  const text = fc
    .array(fc.constantFrom('word', ' ', '. ', '。', '\n', '\n\n', '😀', 'Dr. ', '」', '1.5', 'longerword', '!?'), {
      maxLength: 200,
    })
    .map((parts) => parts.join(''));
  const size = fc.integer({ min: 16, max: 80 });

  test('without overlap the chunks are the text, none longer than the size', () => {
    fc.assert(
      fc.property(text, size, (t, chunkSize) => {
        const parts = chunks(t, chunkSize);
        expect(parts.join('')).toBe(t);
        for (const part of parts) expect(part.length).toBeLessThanOrEqual(chunkSize);
      }),
    );
  });

  test('with any overlap and spans, chunks cover the text, progress, and split no span', () => {
    fc.assert(
      fc.property(
        text,
        size,
        fc.double({ min: 0, max: 0.9, noNaN: true }),
        fc.array(fc.nat(60)),
        (t, chunkSize, share, widths) => {
          const whole: { start: number; end: number }[] = [];
          let at = 0;
          for (const [i, width] of widths.entries()) {
            at += width + 1;
            if (i % 2 === 0 && at < t.length) {
              whole.push({ start: at, end: Math.min(t.length, at + width + 1) });
              at += width + 1;
            }
          }
          const spans = chunkSpans(t, { chunkSize, overlap: Math.floor(chunkSize * share) }, whole);
          let end = 0;
          for (const span of spans) {
            expect(span.start).toBeLessThanOrEqual(end);
            expect(span.end).toBeGreaterThan(end);
            end = span.end;
            for (const place of [span.start, span.end]) {
              expect(whole.find((w) => w.start < place && place < w.end)).toBeUndefined();
            }
          }
          expect(end).toBe(t.length);
        },
      ),
    );
  });
});

test.each([
  { chunkSize: 0 },
  { chunkSize: 15 },
  { chunkSize: 1.5 },
  { chunkSize: 100_001 },
  { chunkSize: 100, overlap: 91 },
  { chunkSize: 100, overlap: -1 },
  { overlap: Number.NaN },
])('%j is refused', (options) => {
  expect(() => chunkSpans('text', options)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
});
