/** Content declared as JSON: which arrays are one answer in pieces, and what is not JSON at all. */
import { describe, expect, it, test } from 'vitest';
import { eventBytesMax } from '../../../core/stream/frame.ts';
import { comesInPieces } from '../../../core/stream/json-part.ts';
import { type StreamKind, StreamRestorer, streamKind } from '../../../core/stream/stream-restorer.ts';
import { restoreStream, tokenMap } from './wire-fixtures.ts';

const map = tokenMap({ '[EMAIL-1]': 'a@b.example' });
const encode = (text: string) => new TextEncoder().encode(text);
const part = (text: string) => ({ candidates: [{ content: { parts: [{ text }] } }] });

/** The text with the values of its tokens, of which one may be in two pieces. */
const restoredIn = (text: string) =>
  text.replaceAll('[EMAIL-1]', 'a@b.example').replace('[EM"', '"').replace('AIL-1]', 'a@b.example');
const json = JSON.stringify;
const pieces = [part('to [EM'), part('AIL-1]')];
const wrapped = pieces.map((response) => ({ response }));
const answers = ['to [EM', 'AIL-1]'].map((text) => ({ answer: { text } }));
const names = ['Sales up 5%', 'Summarise https://a.example/x', '[EMAIL-1] ['].map((name) => ({ name }));

test.each<[name: string, input: string, expected?: string, kind?: StreamKind]>([
  ['a list: every text ends where its element ends', json([...names, {}])],
  ['a list of lists', ' [["[EMA"],\n["[EMAIL-1]"]]\n'],
  ['a list of texts and numbers', '["[EMAIL-1]", 1, null]'],
  ['an event stream after a tab', '\tdata: {"t":"[EMAIL-1]"}\n\n'],
  ['a list after a byte order mark', '\uFEFF[{"a":"[EMAIL-1]"}]'],
  ['pieces of one answer after a byte order mark', `\uFEFF${json(pieces)}`],
  ['nothing', ''],
  ['blanks', '\n \n'],
  ['an empty list', '[ ]'],
  ['an error in a list', '[{"error":{"message":"[EMAIL-1]"}}]'],
  ['a truncated list', '[{"a":"[EMAIL-1]"},{"a":"[EMAIL-1]', '[{"a":"a@b.example"},{"a":"[EMAIL-1]'],
  ['a list truncated at its start', '[{"a":"[EMAIL-1]', '[{"a":"[EMAIL-1]'],
  ['brackets that are not JSON', '[error: [EMAIL-1]]', '[error: [EMAIL-1]]'],
  ['pieces of one answer', json(pieces)],
  ['pieces of one answer, the first one without a text', json([{ usageMetadata: {} }, ...pieces])],
  ['pieces of one answer, wrapped', json(wrapped)],
  ['pieces with the name of a delta', json(answers), restoredIn(json(answers)), 'json-array'],
  ['a document', '{"a":"[EMAIL-1]"}'],
  ['documents', '{"a":"[EMAIL-1]"}{"a":"x"}'],
  ['the framing of web apps', '\n)]}\'\n\n[["wrb.fr","[EMAIL-1]"]]\n'],
  ['events', 'data: {"text":"to [EM"}\n\ndata: {"text":"AIL-1]"}\n\n'],
  [
    'events after an empty line and a comment',
    '\n: hello\n\nevent: x\ndata: {"text":"[EMAIL-1]"}\n\n',
    '\n: hello\n\nevent: x\ndata: {"text":"a@b.example"}\n\n',
    'json-array',
  ],
  ['text that only begins like events', 'error: [EMAIL-1]', 'error: [EMAIL-1]'],
  ['text that ends where events would begin', 'da'],
])('%s, in any writes', (_name, input, expected = restoredIn(input), kind = 'json') => {
  const bytes = encode(input);
  expect(restoreStream(kind, map, bytes)).toBe(expected);
  for (let cut = 1; cut < bytes.length; cut++) expect(restoreStream(kind, map, bytes, [cut])).toBe(expected);
  const all = Array.from({ length: Math.max(0, bytes.length - 1) }, (_, at) => at + 1);
  expect(restoreStream(kind, map, bytes, all)).toBe(expected);
});

describe('a list', () => {
  it('passes element by element', () => {
    const restorer = new StreamRestorer({ kind: 'json', map });
    const push = (text: string) => Buffer.from(restorer.push(encode(text))).toString();
    expect(push('[{"name":"[EMAIL-1]')).toBe('');
    expect(push('"},')).toBe('[{"name":"a@b.example"},');
    expect(push('{"name":"["}')).toBe('{"name":"["}');
    expect(restorer.isHolding).toBe(false);
  });

  it('passes an element that is too large, and reports it', () => {
    let unreadable = 0;
    const restorer = new StreamRestorer({
      kind: 'json',
      map,
      onCount: (count) => (unreadable += count.unreadable ?? 0),
    });
    const head = encode('[{"a":"');
    let sent = restorer.push(head).length;
    const chunk = encode('[EMAIL-1]'.repeat(100_000));
    let pushed = head.length;
    for (; pushed < 2 * eventBytesMax; pushed += chunk.length) sent += restorer.push(chunk).length;
    expect(pushed + chunk.length - sent).toBeLessThan(2 * chunk.length);
    const rest = Buffer.from(restorer.push(encode('"},{"a":"[EMAIL-1]"}]'))).toString();
    expect(rest).toBe('"},{"a":"a@b.example"}]');
    expect(unreadable).toBe(1);
  });
});

describe('the members of the first element decide whether an array is one answer', () => {
  test.each(['candidates', 'usageMetadata', 'promptFeedback', 'modelVersion', 'responseId', 'outputs'])(
    '%s',
    (name) => {
      const pieces = (first: unknown) => JSON.stringify([first, part('to [EM'), part('AIL-1]')]);
      const restored = (first: unknown) => JSON.stringify([first, part('to '), part('a@b.example')]);
      for (const first of [{ [name]: 'x' }, { response: { [name]: 'x' } }])
        expect(restoreStream('json', map, encode(pieces(first)))).toBe(restored(first));
      for (const first of [
        { x: { [name]: 'x' } },
        { x: name },
        { [`${name}s`]: 1 },
        { response: name },
        [name],
        null,
        name,
      ])
        expect(restoreStream('json', map, encode(pieces(first)))).toBe(pieces(first));
    },
  );
});

test.each<[start: string, inPieces: boolean | undefined]>([
  ['[1,2]', true],
  [' \t\r\n[', true],
  [")]}'", true],
  ['data: x', true],
  ['event: x', true],
  ['id: x', true],
  ['retry: 1', true],
  [': hello', true],
  ['{"a":[1]}', false],
  ['\n{', false],
  ['"data"', false],
  ['1', false],
  ['null', false],
  [']', false],
  ['x', false],
  ['', undefined],
  [' \t\r\n', undefined],
])('JSON that begins with %j comes in pieces: %j', (start, inPieces) => {
  expect(comesInPieces(encode(start))).toBe(inPieces);
});

describe('while the framing is still unknown', () => {
  const opened = (kind: StreamKind) => {
    const restorer = new StreamRestorer({ kind, map });
    return { restorer, push: (text: string) => Buffer.from(restorer.push(encode(text)).slice()).toString() };
  };

  it('blanks pass, and nothing is held unnecessarily', () => {
    const { restorer, push } = opened('json');
    expect(push(' \n')).toBe(' \n');
    expect(push('\t')).toBe('\t');
    expect(push(' [ ')).toBe(' ');
    expect(restorer.isHolding).toBe(false);
    expect(restorer.isBetweenEvents).toBe(false);
    expect(restorer.flushHeld()).toHaveLength(0);
    expect(push('{"a":"[EMAIL-1]"}')).toBe('[ {"a":"a@b.example"}');
  });

  test.each([
    ['[', ' ]', '[ ]'],
    ['[', '1,', '[1,'],
    ['[["[EMAIL-1]"', ']', '[["a@b.example"]'],
    ['da', 'ta: {"t":"[EMAIL-1]"}\n\n', 'data: {"t":"a@b.example"}\n\n'],
    ['e', ':\n', ''],
  ])('%j waits for %j', (first, rest, shown) => {
    const { push } = opened('json');
    expect(push(first)).toBe('');
    expect(push(rest)).toBe(shown);
  });

  it('the buffer of the input may be reused', () => {
    const { restorer, push } = opened('json');
    const buffer = Buffer.from('[{"a":"[EMA');
    restorer.push(buffer);
    buffer.fill(0x20);
    expect(push('IL-1]"}')).toBe('[{"a":"a@b.example"}');
  });

  it('an array that begins with very many blanks passes', () => {
    const { push } = opened('json');
    const blanks = ' '.repeat(eventBytesMax - 1);
    expect(push(`[${blanks}`)).toBe('');
    expect(push(' ')).toBe('');
    expect(push(' ') === `[${blanks}  `).toBe(true);
    expect(push('{"a":"[EMAIL-1]"}')).toBe('{"a":"a@b.example"}');
  });
});

describe('held text is sent on flush', () => {
  test.each<[kind: StreamKind, first: string, sent: string, held: string, isBetween: boolean]>([
    ['json', 'data: {"text":"to [EM"}\n\n', 'data: {"text":"to "}\n\n', 'data: {"text":"[EM"}\n\n', true],
    ['json-array', '[{"text":"to [EM"}', '[{"text":"to "}', ',{"text":"[EM"}', false],
  ])('%s', (kind, first, sent, held, isBetween) => {
    const restorer = new StreamRestorer({ kind, map });
    expect(Buffer.from(restorer.push(encode(first))).toString()).toBe(sent);
    expect(restorer.isHolding).toBe(true);
    expect(restorer.isBetweenEvents).toBe(isBetween);
    expect(Buffer.from(restorer.flushHeld()).toString()).toBe(held);
    expect(restorer.isHolding).toBe(false);
  });
});

test.each<StreamKind>(['json', 'json-array'])(
  'text of %s released by a silence after a comma leaves valid JSON',
  (kind) => {
    const restorer = new StreamRestorer({ kind, map });
    const out = [`[${JSON.stringify(part('to [EM'))},`, undefined, ` ${JSON.stringify(part('AIL-1] [EMAIL-1]'))}]`]
      .map((text) => Buffer.from(text === undefined ? restorer.flushHeld() : restorer.push(encode(text))).toString())
      .join('');
    expect(JSON.parse(out)).toEqual([part('to '), part('[EM'), part('AIL-1] a@b.example')]);
  },
);

test.each([
  ['/v1beta/models/m:streamGenerateContent', 'json-array'],
  ['/v1beta/models/m:streamGenerateContent?key=k', 'json-array'],
  ['/v1/projects/p/models/m:serverStreamingPredict', 'json-array'],
  ['/v1beta/models/m:generateContent', 'json'],
  ['/v1/streams', 'json'],
  ['/v1/chat:upstream', 'json'],
] as const)('JSON from %s is %s', (path, kind) => {
  expect(streamKind('application/json', path)).toBe(kind);
});
