/** What is declared as JSON: which arrays are one answer in pieces, and what is no JSON at all. */
import { describe, expect, it, test } from 'vitest';
import { eventBytesMax } from '../../../core/stream/frame.ts';
import { type StreamKind, StreamRestorer, streamKind } from '../../../core/stream/stream-restorer.ts';
import { restoreStream, tokenMap } from './wire-fixtures.ts';

const map = tokenMap({ '[EMAIL-1]': 'a@b.example' });
const encode = (text: string) => new TextEncoder().encode(text);
const part = (text: string) => ({ candidates: [{ content: { parts: [{ text }] } }] });

const rows: [name: string, kind: StreamKind, input: string, expected: string][] = [
  [
    'a list: every text ends where its element ends',
    'json',
    JSON.stringify([{ name: 'Sales up 5%' }, { name: 'Summarise https://a.example/x' }, { name: '[EMAIL-1] [' }, {}]),
    JSON.stringify([{ name: 'Sales up 5%' }, { name: 'Summarise https://a.example/x' }, { name: 'a@b.example [' }, {}]),
  ],
  ['a list of lists', 'json', ' [["[EMA"],\n["[EMAIL-1]"]]\n', ' [["[EMA"],\n["a@b.example"]]\n'],
  ['a list of texts and numbers', 'json', '["[EMAIL-1]", 1, null]', '["a@b.example", 1, null]'],
  ['an event stream behind a tab', 'json', '\tdata: {"t":"[EMAIL-1]"}\n\n', '\tdata: {"t":"a@b.example"}\n\n'],
  ['nothing', 'json', '', ''],
  ['blanks', 'json', '\n \n', '\n \n'],
  ['an empty list', 'json', '[ ]', '[ ]'],
  ['an error in a list', 'json', '[{"error":{"message":"[EMAIL-1]"}}]', '[{"error":{"message":"a@b.example"}}]'],
  ['a list that is cut', 'json', '[{"a":"[EMAIL-1]"},{"a":"[EMAIL-1]', '[{"a":"a@b.example"},{"a":"[EMAIL-1]'],
  ['a list that is cut at once', 'json', '[{"a":"[EMAIL-1]', '[{"a":"[EMAIL-1]'],
  ['no JSON in brackets', 'json', '[error: [EMAIL-1]]', '[error: [EMAIL-1]]'],
  [
    'pieces of one answer',
    'json',
    JSON.stringify([part('to [EM'), part('AIL-1]')]),
    JSON.stringify([part('to '), part('a@b.example')]),
  ],
  [
    'pieces of one answer, the first one without a text',
    'json',
    JSON.stringify([{ usageMetadata: {} }, part('to [EM'), part('AIL-1]')]),
    JSON.stringify([{ usageMetadata: {} }, part('to '), part('a@b.example')]),
  ],
  [
    'pieces of one answer, wrapped',
    'json',
    JSON.stringify([{ response: part('to [EM') }, { response: part('AIL-1]') }]),
    JSON.stringify([{ response: part('to ') }, { response: part('a@b.example') }]),
  ],
  [
    'pieces that are named as such',
    'json-array',
    JSON.stringify([{ answer: { text: 'to [EM' } }, { answer: { text: 'AIL-1]' } }]),
    JSON.stringify([{ answer: { text: 'to ' } }, { answer: { text: 'a@b.example' } }]),
  ],
  ['a document', 'json', '{"a":"[EMAIL-1]"}', '{"a":"a@b.example"}'],
  ['documents', 'json', '{"a":"[EMAIL-1]"}{"a":"x"}', '{"a":"a@b.example"}{"a":"x"}'],
  [
    'the framing of web apps',
    'json',
    '\n)]}\'\n\n[["wrb.fr","[EMAIL-1]"]]\n',
    '\n)]}\'\n\n[["wrb.fr","a@b.example"]]\n',
  ],
  [
    'events',
    'json',
    'data: {"text":"to [EM"}\n\ndata: {"text":"AIL-1]"}\n\n',
    'data: {"text":"to "}\n\ndata: {"text":"a@b.example"}\n\n',
  ],
  [
    'events behind an empty line and a comment',
    'json-array',
    '\n: hello\n\nevent: x\ndata: {"text":"[EMAIL-1]"}\n\n',
    '\n: hello\n\nevent: x\ndata: {"text":"a@b.example"}\n\n',
  ],
  ['what only begins like events', 'json', 'error: [EMAIL-1]', 'error: [EMAIL-1]'],
  ['what ends where events would begin', 'json', 'da', 'da'],
];

test.each(rows)('%s, in any writes', (_name, kind, input, expected) => {
  const bytes = encode(input);
  expect(restoreStream(kind, map, bytes)).toBe(expected);
  for (let cut = 1; cut < bytes.length; cut++) expect(restoreStream(kind, map, bytes, [cut])).toBe(expected);
  const all = Array.from({ length: Math.max(0, bytes.length - 1) }, (_, at) => at + 1);
  expect(restoreStream(kind, map, bytes, all)).toBe(expected);
});

describe('a list', () => {
  it('goes on element by element', () => {
    const restorer = new StreamRestorer({ kind: 'json', map });
    const push = (text: string) => Buffer.from(restorer.push(encode(text))).toString();
    expect(push('[{"name":"[EMAIL-1]')).toBe('');
    expect(push('"},')).toBe('[{"name":"a@b.example"},');
    expect(push('{"name":"["}')).toBe('{"name":"["}');
    expect(restorer.isHolding).toBe(false);
  });

  it('passes an element that is too large, and tells so', () => {
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
