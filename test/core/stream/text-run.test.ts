/** One text in pieces: what shows after each of them. */
import { describe, expect, it, test } from 'vitest';
import { TextRun, type TextRunOptions } from '../../../core/stream/text-run.ts';
import { tokenMap } from './wire-fixtures.ts';

const map = tokenMap({ '[EMAIL-1]': 'a@b.example', '[NAME-1]': 'O"Hara' });

function opened(options: Partial<TextRunOptions> = {}): TextRun {
  return new TextRun({ map, count: { restored: 0, unresolved: 0 }, bare: false, ...options });
}

describe('what shows after each piece', () => {
  test.each<[what: string, pieces: string[], shown: string[]]>([
    ['a percent sign in a token', ['a %5BEMAIL-1%', '5D'], ['a ', 'a%40b.example']],
    ['a bracket behind a percent sign', ['5% [', 'EMAIL-1]'], ['5% ', 'a@b.example']],
    ['a percent sign that goes on', ['a%', '5BEMAIL-1%5D'], ['a', 'a%40b.example']],
    ['a percent sign behind a digit', ['1%', '5BEMAIL-1%5D'], ['1', 'a%40b.example']],
    [
      'a token without quotes behind a long text',
      [`{"a":"${'x'.repeat(200)}","b":[`, 'EMAIL-1]}'],
      [`{"a":"${'x'.repeat(200)}","b":`, 'a@b.example}'],
    ],
    ['a bracket before its document', ['{"a":[', '"[NAME-1]"]}'], ['{"a":', '["O\\"Hara"]}']],
    ['a cut escape', ['{"a":"x\\u00', '5bNAME-1]"}'], ['{"a":"x', 'O\\"Hara"}']],
    ['a broken escape', ['{"a":"\\u00g', '[NAME-1]"}'], ['{"a":"\\u00g', 'O\\"Hara"}']],
    ['a cut escape behind a broken one', ['{"a":"\\u00g\\', 'u005bNAME-1]"}'], ['{"a":"\\u00g', 'O\\"Hara"}']],
    ['a text in quotes', ['"', '[NAME-1]"'], ['"', 'O"Hara"']],
    ['a text that begins with a digit', ['5 "', '[NAME-1]"'], ['5 "', 'O"Hara"']],
    ['an empty document before a text', ['{}', ' "[NAME-1]"'], ['{}', ' "O"Hara"']],
    ['a text behind a list whose first bracket came alone', ['[[[', '1] [EMAIL-1]]'], ['[', '[[1] a@b.example]']],
    ['a list in no object', ['{[', '1, "[NAME-1]"'], ['{', '[1, "O"Hara"']],
  ])('%s', (_what, pieces, shown) => {
    const run = opened();
    expect(pieces.map((piece) => run.push(piece))).toEqual(shown);
    expect(run.push('', true)).toBe('');
  });

  it('nothing is held of what began in an escape that a silence has let out', () => {
    const run = opened();
    expect(run.push('{"a":"x\\') + run.push('', true)).toBe('{"a":"x\\');
    expect(run.push('u00')).toBe('u00');
    expect(run.push('5bEMAIL')).toBe('5bEMAIL');
    expect(run.push('-1] [NAME-1]"}')).toBe('-1] O\\"Hara"}');
  });

  it('brackets that a silence has let out are those of no object', () => {
    const run = opened();
    expect(run.push('{[') + run.push('', true)).toBe('{[');
    expect(run.push('1, "[NAME-1]"]') + run.push('', true)).toBe('1, "O"Hara"]');
  });
});

describe('a piece that was sent unlooked at', () => {
  test.each<[what: string, observed: string[], next: string, shown: string]>([
    ['ends a word', ['x '], 'EMAIL-1 ', 'a@b.example '],
    ['goes on as a word', ['a x'], 'EMAIL-1 ', 'EMAIL-1 '],
    ['goes on as a word, before an empty one', ['x', ''], 'EMAIL-1 ', 'EMAIL-1 '],
    ['of which only the end counts', ['xy', ' '], 'EMAIL-1 ', 'a@b.example '],
  ])('%s', (_what, observed, next, shown) => {
    const run = opened({ bare: true });
    run.push('a ');
    for (const piece of observed) run.observe(piece);
    expect(run.push(next)).toBe(shown);
  });

  test('begins an address', () => {
    const run = opened();
    run.push('see ');
    run.observe('https://evil.example/');
    expect(run.push('?q=[EMAIL-1] [EMAIL-1]')).toBe('?q=[EMAIL-1] a@b.example');
  });

  test.each<[countsBytes: boolean, text: string, from: number, to: number]>([
    [false, 'é', 12, 14],
    [true, 'é', 13, 15],
    [false, 'ab', 13, 15],
  ])('counts for the offsets behind it (in bytes: %j): %j', (countsBytes, text, from, to) => {
    const run = opened({ countsBytes });
    run.push('a ');
    run.observe(text);
    run.push('[EMAIL-1] x');
    expect([run.shifts.map(2, false), run.shifts.map(from, false), run.shifts.map(from + 2, true)]).toEqual([
      2,
      to,
      to + 2,
    ]);
  });
});
