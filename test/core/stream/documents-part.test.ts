/** A sequence of documents: what is counted, and that no text moves from one to another. */
import { expect, test } from 'vitest';
import type { RestoreCount } from '../../../core/payload/response.ts';
import { eventBytesMax } from '../../../core/stream/frame.ts';
import { StreamRestorer } from '../../../core/stream/stream-restorer.ts';
import { tokenMap } from './wire-fixtures.ts';

const map = tokenMap({ '[EMAIL-1]': 'a@b.example' });

/** The output for a file that is pushed whole, and the counts. */
function read(lines: Uint8Array) {
  const counts: RestoreCount[] = [];
  const restorer = new StreamRestorer({ kind: 'jsonl', map, onCount: (count) => counts.push(count) });
  const text = Buffer.concat([restorer.push(lines).slice(), restorer.end()]).toString('latin1');
  return { text, counts };
}

const good = '{"text":"[EMAIL-1] [EMAIL-9]"}\n';
const restored = '{"text":"a@b.example [EMAIL-9]"}\n';

test.each<[what: string, lines: string, expected: string, count: RestoreCount]>([
  ['tokens of all lines', good + good, restored + restored, { restored: 2, unresolved: 2 }],
  [
    'lines that are not JSON',
    `{"a":\n${good}[EMAIL-1]\n`,
    `{"a":\n${restored}[EMAIL-1]\n`,
    { restored: 1, unresolved: 1, unreadable: 2 },
  ],
  [
    'lines that are not UTF-8',
    `{"a":"\xff"}\n${good}"\xc3"\n`,
    `{"a":"\xff"}\n${restored}"\xc3"\n`,
    { restored: 1, unresolved: 1, unreadable: 2 },
  ],
])('%s are counted', (_what, lines, expected, count) => {
  const { text, counts } = read(Buffer.from(lines, 'latin1'));
  expect(text).toBe(expected);
  expect(counts).toEqual([count]);
});

test('lines that are too large are counted, and pass', () => {
  const large = `"[EMAIL-1]${'x'.repeat(eventBytesMax)}"\n`;
  const { text, counts } = read(Buffer.from(large + good + large));
  expect(text === large + restored + large).toBe(true);
  expect(counts).toEqual([{ restored: 1, unresolved: 1, unreadable: 2 }]);
});

test('blank lines pass, and a byte order mark is kept', () => {
  const { text, counts } = read(Buffer.from(`\uFEFF${good}\n\r\n`));
  expect(Buffer.from(text, 'latin1').toString()).toContain('\uFEFF');
  expect(text.endsWith('\n\n\r\n')).toBe(true);
  expect(counts).toHaveLength(1);
});
