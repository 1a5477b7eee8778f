/** Bytes in, complete events out: the same for every split, and without losing a byte. */
import { describe, expect, test } from 'vitest';
import { type Frame, joinBytes, PendingBytes } from '../../../core/stream/frame.ts';
import { type ArrayFrame, JsonArrayFraming } from '../../../core/stream/json-array.ts';
import { NdjsonFraming } from '../../../core/stream/ndjson.ts';
import { isQuietEvent } from '../../../core/stream/quiet.ts';
import { formatSseData, parseSseEvent, SseFraming } from '../../../core/stream/sse.ts';

type Framing = {
  push(chunk: Uint8Array, emit: (frame: ArrayFrame) => void): void;
  end(emit: (frame: ArrayFrame) => void): void;
};

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** Events in `<>`, bytes that pass unchanged without brackets, the frame that closes an array in `{}`. */
function framesOf(framing: Framing, chunks: readonly Uint8Array[]): string {
  let shown = '';
  let waiting: Uint8Array[] = [];
  const show = () => {
    shown += decode(joinBytes(waiting));
    waiting = [];
  };
  const emit = ({ bytes, isEvent, closes }: Frame & { closes?: boolean }) => {
    if (!isEvent && !closes) {
      waiting.push(bytes.slice());
      return;
    }
    show();
    shown += isEvent ? `<${decode(bytes)}>` : `{${decode(bytes)}}`;
  };
  for (const chunk of chunks) framing.push(chunk, emit);
  framing.end(emit);
  show();
  // An LF that was cut from its CR passes alone: the event before it is complete without it.
  return shown.replaceAll('\r>\n', '\r\n>');
}

function everyCut(make: () => Framing, text: string, expected: string): void {
  const bytes = encode(text);
  expect(framesOf(make(), [bytes])).toBe(expected);
  expect(
    framesOf(
      make(),
      Array.from(bytes, (byte) => Uint8Array.of(byte)),
    ),
  ).toBe(expected);
  for (let at = 1; at < bytes.length; at++) {
    const pieces = [bytes.slice(0, at), new Uint8Array(0), bytes.slice(at)];
    expect(framesOf(make(), pieces), `cut at ${at}`).toBe(expected);
  }
}

describe('server-sent events', () => {
  test.each([
    ['data: x\n\ndata: y\n\n', '<data: x\n\n><data: y\n\n>'],
    ['data: x\r\n\r\ndata: y\r\n\r\n', '<data: x\r\n\r\n><data: y\r\n\r\n>'],
    ['data: x\r\rdata: y\r\r', '<data: x\r\r><data: y\r\r>'],
    ['event: e\ndata: x\nid: 1\n\n', '<event: e\ndata: x\nid: 1\n\n>'],
    ['data: x\n\r\ndata: y\r\n\n', '<data: x\n\r\n><data: y\r\n\n>'],
    [': note\n\ndata: x\n\n', ': note\n\n<data: x\n\n>'],
    [':\ndata: x\n\n', ':\n<data: x\n\n>'],
    ['data: x\n: note\n\n', '<data: x\n: note\n\n>'],
    ['\n\ndata: x\n\n\n', '\n\n<data: x\n\n>\n'],
    ['\ufeffdata: x\n\n', '<\ufeffdata: x\n\n>'],
    ['\ufeff: note\n\ndata: x\n\n', '\ufeff: note\n\n<data: x\n\n>'],
    ['\ufeff\ndata: x\n\n', '\ufeff\n<data: x\n\n>'],
    ['ï: x\n\n', '<ï: x\n\n>'],
    ['data: x', '<data: x>'],
    ['data: x\n', '<data: x\n>'],
    ['data: x\n\ndata: y', '<data: x\n\n><data: y>'],
    ['', ''],
  ])('%j', (text, expected) => everyCut(() => new SseFraming(), text, expected));

  test('between events no event is open', () => {
    const framing = new SseFraming();
    expect(framing.isBetweenEvents).toBe(true);
    framing.push(encode('data: x\n'), () => {});
    expect(framing.isBetweenEvents).toBe(true);
    framing.push(new Uint8Array(9 * 1024 * 1024).fill(0x78), () => {});
    expect(framing.isBetweenEvents).toBe(false);
    framing.push(encode('\n\n'), () => {});
    expect(framing.isBetweenEvents).toBe(true);
  });

  const plain = { name: undefined, data: undefined, head: '', tail: '', lineEnd: '\n', prefix: 'data: ' };
  test.each([
    ['data: x\n\n', { data: 'x', tail: '\n' }],
    ['event: e\ndata: x\n\n', { name: 'e', data: 'x', head: 'event: e\n', tail: '\n' }],
    ['event:e\ndata:x\n\n', { name: 'e', data: 'x', head: 'event:e\n', tail: '\n', prefix: 'data:' }],
    ['data: x\r\n\r\n', { data: 'x', tail: '\r\n', lineEnd: '\r\n' }],
    ['data: x\r\r', { data: 'x', tail: '\r', lineEnd: '\r' }],
    ['data: x\ndata: y\n\n', { data: 'x\ny', tail: '\n' }],
    ['data: x\nid: 1\ndata:y\n\n', { data: 'x\ny', tail: 'id: 1\n\n' }],
    ['data:  x\n\n', { data: ' x', tail: '\n' }],
    ['data\n\n', { data: '', tail: '\n' }],
    ['data:\n\n', { data: '', tail: '\n' }],
    ['data:\ndata: x\n\n', { data: '\nx', tail: '\n' }],
    ['data: x', { data: 'x' }],
    ['data: x\n', { data: 'x' }],
    ['\ufeffdata: x\n\n', { data: 'x', head: '\ufeff', tail: '\n' }],
    ['\ufeffevent: e\ndata: x\n\n', { name: 'e', data: 'x', head: '\ufeffevent: e\n', tail: '\n' }],
    ['id: 1\nevent: e\n\n', { name: 'e', head: 'id: 1\nevent: e\n\n' }],
    ['datax: 1\n\n', { head: 'datax: 1\n\n' }],
    ['event: e', { name: 'e', head: 'event: e' }],
    ['data: x\nevent: late\n\n', { name: 'late', data: 'x', tail: 'event: late\n\n' }],
  ])('the fields of %j', (text, expected) => expect(parseSseEvent(text)).toEqual({ ...plain, ...expected }));

  test.each([
    ['x', '\n', undefined, 'data: x\n'],
    ['x', '\r\n', 'data:', 'data:x\r\n'],
    ['x\ny', '\n', undefined, 'data: x\ndata: y\n'],
    ['x\r\ny\rz', '\n', 'data:', 'data:x\ndata:y\ndata:z\n'],
    ['', '\n', undefined, 'data: \n'],
  ])('lines of %j', (data, lineEnd, prefix, expected) => expect(formatSseData(data, lineEnd, prefix)).toBe(expected));
});

describe('lines of JSON', () => {
  test.each([
    ['{"a":1}\n{"b":2}\n', '<{"a":1}\n><{"b":2}\n>'],
    ['{"a":1}\r\n\r\n{"b":2}', '<{"a":1}\r\n>\r\n<{"b":2}>'],
    ['\n\n{"a":1}\n', '\n\n<{"a":1}\n>'],
    ['[]\n', '<[]\n>'],
    ['', ''],
  ])('%j', (text, expected) => {
    expect(framesOf(new NdjsonFraming(), [encode(text)])).toBe(expected);
    if (!text.includes('\r')) everyCut(() => new NdjsonFraming(), text, expected);
  });
});

describe('an array that is written in pieces', () => {
  test.each([
    ['[{"a":1},{"b":2}]', '[<{"a":1}>,<{"b":2}>{]}'],
    ['[{"a":1}\n,\r\n\t{"b":[2,{}]} ]\n', '[<{"a":1}>\n,\r\n\t<{"b":[2,{}]}> {]}\n'],
    ['[{"a":"]},{[\\"\\\\"},{}]', '[<{"a":"]},{[\\"\\\\"}>,<{}>{]}'],
    ['[]', '[{]}'],
    ['[ ]', '[ {]}'],
    ['["a","b"]', '[<"a">,<"b">{]}'],
    ['[1,[2,3],4]', '[<1>,<[2,3]>,<4>{]}'],
    ['{"a":[1,2]}', '<{"a":[1,2]}>'],
    ['{"a":"}"} ', '<{"a":"}"}> '],
    ['[{"a":1},{"b"', '[<{"a":1}>,<{"b">'],
    [' [{}]', ' [<{}>{]}'],
  ])('%s', (text, expected) => everyCut(() => new JsonArrayFraming(), text, expected));
});

describe('a buffered event', () => {
  test('in pieces whose buffer belongs to the caller', () => {
    const pending = new PendingBytes();
    const frames: Frame[] = [];
    const emit = (frame: Frame) => frames.push(frame);
    expect([pending.isEmpty, pending.isPassing]).toEqual([true, false]);
    const buffer = encode('ab');
    pending.add(buffer, emit);
    pending.add(new Uint8Array(0), emit);
    buffer.fill(0);
    expect([pending.isEmpty, pending.isPassing, frames.length]).toEqual([false, false, 0]);
    pending.finish(encode('c'), true, emit);
    pending.finish(encode(''), true, emit);
    pending.finish(encode('d'), false, emit);
    expect(frames.map(({ bytes, isEvent }) => [decode(bytes), isEvent])).toEqual([
      ['abc', true],
      ['d', false],
    ]);
    expect(pending.isEmpty).toBe(true);
  });

  test('one that is too large passes as it arrives', () => {
    const pending = new PendingBytes();
    const sizes: [number, boolean, boolean | undefined][] = [];
    const emit = ({ bytes, isEvent, isTooLarge }: Frame) => sizes.push([bytes.length, isEvent, isTooLarge]);
    const half = new Uint8Array(4 * 1024 * 1024);
    pending.add(half, emit);
    pending.add(half, emit);
    expect(sizes).toEqual([]);
    pending.add(Uint8Array.of(1), emit);
    expect([pending.isEmpty, pending.isPassing]).toEqual([false, true]);
    pending.add(Uint8Array.of(1, 2), emit);
    pending.finish(Uint8Array.of(3), true, emit);
    pending.finish(Uint8Array.of(4), true, emit);
    expect(sizes).toEqual([
      [2 * half.length + 1, false, true],
      [2, false, undefined],
      [1, false, undefined],
      [1, true, undefined],
    ]);
    pending.add(half, emit);
    pending.finish(new Uint8Array(half.length + 1), true, emit);
    expect(sizes.at(-1)).toEqual([2 * half.length + 1, false, true]);
    pending.add(half, emit);
    pending.finish(half, true, emit);
    expect(sizes.at(-1)).toEqual([2 * half.length, true, undefined]);
  });

  test('pieces joined', () => {
    expect(joinBytes([])).toEqual(new Uint8Array(0));
    const one = encode('a');
    expect(joinBytes([one])).toBe(one);
    expect(decode(joinBytes([one, encode(''), encode('bc')]))).toBe('abc');
  });
});

describe('an event that can pass unread', () => {
  test.each([
    'data: {"text":"hello world"}\n\n',
    'event: x\ndata: {"choices":[{"delta":{"content":"Grüße, 世界"}}]}\n\n',
    'data: {"a":"x\\ny \\" \\u0131 \\u4e00 \\u3041"}\n\n',
    'data: {"a":"、。》"}\n\n',
    'data: {"v2":"x","position":"x","usage":1}\n\n',
    'data: {"type":"response.output_text.delta","delta":"x"}\n\n',
    'data: {"total":1,"state":"x","future":1,"part":1,"into":1,"area":1,"ear":1}\n\n',
    'data: {}\n\n',
  ])('%j', (text) => expect(isQuietEvent(encode(text))).toBe(true));

  test.each([
    '',
    'data: x\n\n',
    'data: [DONE]\n\n',
    'data: [{"a":"x"}]\n\n',
    'data: "x" {"a":"x"}\n\n',
    'data: {"text":"[EMAIL-1]"}\n\n',
    'data: {"text":"a & b"}\n\n',
    'data: {"text":"100%"}\n\n',
    'data: {"text":"【"}\n\n',
    'data: {"text":"「"}\n\n',
    'data: {"text":"〔"}\n\n',
    'data: {"text":"［"}\n\n',
    'data: {"text":"\\\\"}\n\n',
    'data: {"text":"\\u005b"}\n\n',
    'data: {"text":"\\u3010"}\n\n',
    'data: {"text":"\\u300c"}\n\n',
    'data: {"text":"\\uff3b"}\n\n',
    'data: {"text":"\\uFF3B"}\n\n',
    'data: {"v":"x"}\n\n',
    'data: {"p":"x"}\n\n',
    'data: {"o":"x"}\n\n',
    'data: {"tool_calls":1}\n\n',
    'data: {"start_index":1}\n\n',
    'data: {"end_index":1}\n\n',
    'data: {"function":1}\n\n',
    'data: {"functionCall":1}\n\n',
    'data: {"partial_json":1}\n\n',
    'data: {"input":1}\n\n',
    'data: {"arguments":1}\n\n',
    'data: {"type":"response.function_call_arguments.delta"}\n\n',
    'data: {"type":"response.mcp_call_arguments.delta"}\n\n',
    'data: {"type":"tool_use"}\n\n',
    'data: {"text":"cut',
    'data: {"text":"cut\\',
  ])('an event that must be read: %j', (text) => expect(isQuietEvent(encode(text))).toBe(false));
});
