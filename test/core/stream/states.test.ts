/** What a restorer holds back and releases, framing by framing, and bytes that no framing expects. */
import { describe, expect, test } from 'vitest';
import { restoreJsonBody } from '../../../core/payload/response.ts';
import { joinBytes } from '../../../core/stream/frame.ts';
import { type StreamKind, StreamRestorer, streamKind } from '../../../core/stream/stream-restorer.ts';
import { encode, map, shown, watched } from './watched.ts';
import { tokenMap } from './wire-fixtures.ts';

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

describe('held text is sent on flush, and what follows is a separate text', () => {
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

  test('only event streams report being between events', () => {
    for (const kind of ['text', 'ndjson', 'jsonl', 'event-stream'] as const)
      expect(watched(kind).restorer.isBetweenEvents).toBe(false);
    const { restorer } = watched('sse');
    restorer.push(encode('data: {"a":1}\n\n'));
    expect(restorer.isBetweenEvents).toBe(true);
    restorer.push(encode('data: {'));
    expect(restorer.isBetweenEvents).toBe(true);
  });

  test('a session without tokens changes nothing and reads nothing', () => {
    const restorer = new StreamRestorer({ kind: 'sse', map: tokenMap({}) });
    const chunk = encode('data: {"text":"[EM');
    expect(restorer.push(chunk)).toBe(chunk);
    expect(restorer.end()).toHaveLength(0);
  });
});

describe('a file of documents', () => {
  const line = '{"custom_id":"1","response":{"body":{"text":"[EMAIL-1] [EMAIL-7]"}}}\n';

  test('each line by itself, nothing held back', () => {
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
  ])('a line that is %s passes and is reported, and the next one is restored', (_name, bad) => {
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

test('a restored value in HTML cannot become markup', () => {
  const { restorer } = watched('html');
  const output = shown(joinBytes([restorer.push(encode('<b title="[NAME-1]">')), restorer.end()]));
  expect(output).toBe('<b title="&#60;O&#39;&#34;Hara &#38; &#92;&#96;&#13;&#10;&#62;">');
});

describe('text up to the first invalid byte', () => {
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
  test('empty lines pass at once', () => {
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

test('an answer in quotes is ordinary text', () => {
  const body = JSON.stringify({ choices: [{ message: { content: '"To [NAME-1]"' } }] });
  expect(JSON.parse(restoreJsonBody(body, map).body).choices[0].message.content).toBe(`"To ${map.get('[NAME-1]')}"`);
});

test('blanks before a text pass at once', () => {
  const { restorer } = watched('text');
  expect([' ', '\t', '\n '].map((blank) => shown(restorer.push(encode(blank)).slice()))).toEqual([' ', '\t', '\n ']);
  expect(shown(joinBytes([restorer.push(encode('[EMAIL-1]')).slice(), restorer.end()]))).toBe('a@b.example');
});

test('a long answer declared as text/plain is parsed as one', () => {
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

test('names of any length take linear time', () => {
  const { restorer } = watched('sse');
  const event = JSON.stringify({ v2: { [`k${'x'.repeat(250_000)}`]: Array.from({ length: 2000 }, () => '[x') } });
  expect(shown(restorer.push(encode(`data: ${event}\n\n`)))).toContain('"[x"');
});

test('an object that is streamed as text is shown while it is written, whatever its later member names', () => {
  const { restorer } = watched('text');
  restorer.push(encode('{"title":"A","content":"'));
  expect(shown(restorer.push(encode('x'.repeat(2_000))))).not.toBe('');
});

test('an event with very many texts is a list of complete texts', () => {
  const { restorer } = watched('sse');
  const event = JSON.stringify({ results: Array.from({ length: 8_000 }, (_, i) => `to [EMAIL-1] ${i} [`) });
  const out = shown(restorer.push(encode(`data: ${event}\n\n`)));
  expect(JSON.parse(out.slice(6)).results.at(-1)).toBe('to a@b.example 7999 [');
});
