/** Events made to cost time or memory: they must not delay the gateway's other clients. */
import { expect, test, vi } from 'vitest';
import { wireFormats } from '../../../core/formats/index.ts';
import { JsonFence } from '../../../core/payload/json-fence.ts';
import { type JsonMember, scanJson } from '../../../core/payload/json-strings.ts';
import { restoreJsonBody } from '../../../core/payload/response.ts';
import { MessageRestorer } from '../../../core/stream/message-restorer.ts';
import { newRun, type Run } from '../../../core/stream/run.ts';
import { RunTable } from '../../../core/stream/run-table.ts';
import { TextIds } from '../../../core/stream/text-ids.ts';
import { TextRun } from '../../../core/stream/text-run.ts';
import { bedrockFrame } from '../../support/bedrock.ts';
import { expectLinear } from '../../support/linear-time.ts';
import { encode, event, map, shown, watched } from './watched.ts';

const times = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));
const delta = (content: string, index = 0) => ({ choices: [{ index, delta: { content } }] });

test('a text read in many pieces, one for each token, takes linear time', () => {
  expectLinear((length) => {
    const text = 'word '.repeat(length / 5);
    return () => {
      const fence = new JsonFence();
      for (let at = 0; at < text.length; at += 2) fence.push(text, at, at + 2);
      expect(fence.escape('"')).toBe('"');
    };
  }, 20_000);
});

const heavy: [name: string, said: object][] = [
  ['many tokens in one text', delta('to [EMAIL-1] '.repeat(30_000))],
  ['many tokens in another spelling', delta('to %5BEMAIL-1%5D '.repeat(30_000))],
  ['many texts', { text: 'to [EMAIL-1]', list: times(150_000, () => 'x') }],
];

test.each(heavy)('an event with %s passes unread, and the next one is restored', (_name, said) => {
  const { restorer, counts } = watched('sse');
  const held = shown(restorer.push(encode(event(delta('to [EMA', 1)))));
  expect(shown(restorer.push(encode(event(said))))).toBe(`${event(delta('[EMA', 1))}${event(said)}`);
  expect(held).toBe(event(delta('to ', 1)));
  expect(counts).toContainEqual(expect.objectContaining({ restored: 0, unreadable: 1 }));
  expect(shown(restorer.push(encode(event(delta('to [EMAIL-1].')))))).toBe(event(delta('to a@b.example.')));
});

test.each(heavy)('the same as a WebSocket message: %s', (_name, said) => {
  const counts: unknown[] = [];
  const restorer = new MessageRestorer({ map, onCount: (count) => counts.push(count) });
  const message = JSON.stringify(said);
  expect(restorer.push(message)).toEqual([message]);
  expect(restorer.push('to [EMAIL-1]')).toEqual(['to a@b.example']);
  expect(counts).toContainEqual({ restored: 0, unresolved: 0, unreadable: 1 });
});

test('the same as an event of Bedrock', () => {
  const { restorer, counts } = watched('event-stream');
  const frame = bedrockFrame('contentBlockDelta', heavy[2]?.[1] ?? {});
  expect(restorer.push(frame)).toEqual(frame);
  expect(counts).toEqual([{ restored: 0, unresolved: 0, unreadable: 1 }]);
});

test('an event with few values and tokens is read, however long', () => {
  const text = `to [EMAIL-1] ${'word '.repeat(500_000)}`;
  const { restorer } = watched('sse');
  expect(shown(restorer.push(encode(event(delta(text)))))).toBe(event(delta(text.replace('[EMAIL-1]', 'a@b.example'))));
});

test('a large event with many texts that may continue is not repeated for each of them', () => {
  const said = event(Object.fromEntries(times(400, (i) => [`${i}t`, `say ${'x'.repeat(1_000)} [`])));
  const { restorer } = watched('sse');
  const out = shown(restorer.push(encode(said))) + shown(restorer.end());
  expect(out.length).toBeLessThan(3 * said.length);
});

test('texts of many runs that may continue are held', () => {
  const { restorer } = watched('sse');
  for (let i = 0; i < 100; i++) expect(shown(restorer.push(encode(event(delta('to [EMA', i)))))).not.toContain('[E');
  for (let i = 0; i < 100; i++)
    expect(shown(restorer.push(encode(event(delta('IL-1]', i)))))).toBe(event(delta('a@b.example', i)));
});

/** The keys of texts under alternating ids. */
function keysOf(ids: TextIds): Set<string> {
  const textOf = (id: string) =>
    scanJson(JSON.stringify({ run_id: id, text: 'x' })).find(({ key }) => key === 'text') as JsonMember;
  return new Set(times(10, (i) => ids.keyOf('text', textOf(i % 2 === 0 ? 'first' : 'second'))));
}

test('ids are kept up to a total length', () => {
  expect(keysOf(new TextIds()).size).toBe(2);
  const ids = new TextIds();
  const long = Object.fromEntries(times(15, (i) => [`a${i}_id`, `${i}-${'x'.repeat(190)}`]));
  for (const around of [long, { run_id: 'third' }]) {
    const members = scanJson(JSON.stringify({ ...around, ...Object.fromEntries(times(500, (i) => [`${i}t`, 'x'])) }));
    for (const member of members) if (member.value === 'x') ids.keyOf(member.key, member);
  }
  expect(keysOf(ids)).toEqual(new Set(['text']));
});

test('the texts of runs are kept up to a total length', () => {
  const runs = new RunTable();
  const added = times(40, (i): Run => {
    const text = new TextRun({ map, bare: false, count: { restored: 0, unresolved: 0 } });
    return newRun({ key: `${i}`, text, family: '', indexes: [], path: '', isTool: false });
  });
  for (const run of added) {
    runs.add(run);
    run.held = run.key === '0';
    run.previous = 'x'.repeat(1_000_000);
    runs.weigh(run);
  }
  const kept = [...runs].map(({ key }) => Number(key));
  expect(kept).toEqual([0, ...times(15, (i) => 25 + i)]);
});

test('offsets beside many texts take linear time', () => {
  expectLinear((length) => {
    const note = (i: number) => ({ text: `to [EMAIL-1] ${i}`, start_index: 0, end_index: 12 });
    const body = JSON.stringify({ parts: times(length, note) });
    return () => expect(restoreJsonBody(body, map).restored).toBe(length);
  }, 500);
});

test('offsets beside many runs take linear time', () => {
  expectLinear((length) => {
    const { restorer } = watched('sse');
    for (let i = 0; i < length; i++) restorer.push(encode(event(delta('to [EMAIL-1] ', i))));
    const offset = (i: number) => ({ start_index: i, end_index: i + 3 });
    const bytes = encode(event({ annotations: times(10 * length, offset) }));
    return () => expect(restorer.push(bytes).length).toBeGreaterThan(0);
  }, 60);
});

test('an event with held text is parsed once for all copies of its item', () => {
  const { restorer } = watched('sse');
  const parse = vi.spyOn(JSON, 'parse');
  const held = { type: 'response.output_text.delta', item_id: 'a', output_index: 0, content_index: 0, delta: 'to [' };
  restorer.push(encode(event(held)));
  const copy = {
    type: 'conversation.item.added',
    item: { id: 'a', status: 'in_progress', content: [{ text: 'to [' }] },
  };
  for (let i = 0; i < 20; i++) restorer.push(encode(event(copy)));
  const parsed = parse.mock.calls.filter(([text]) => text === JSON.stringify(held));
  parse.mockRestore();
  expect(parsed.length).toBeLessThan(4);
});

test('very long types of events are not remembered', () => {
  const long = `${'x'.repeat(300)}.delta`;
  expect(wireFormats.type(long)).toBe(wireFormats.type(`${long}.done`));
  expect(wireFormats.type('x.delta').family).toBe('x');
});
