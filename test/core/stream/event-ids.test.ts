/** The SSE field `id`: a client that resumes after one gets the same as from an uninterrupted stream. */
import { expect, test } from 'vitest';
import { hasSseId, withoutSseId } from '../../../core/stream/sse.ts';
import { encode, shown, watched } from './watched.ts';

const events = (...texts: string[]) => texts.map((text, at) => `id: ${at + 1}\ndata: ${text}\n\n`);

/** The output for each event, and at the end. */
function sent(pieces: readonly string[], isCut = false): string[] {
  const { restorer } = watched('sse');
  return [...pieces.map((piece) => shown(restorer.push(encode(piece)))), shown(restorer.end(isCut))];
}

const json = (text: string) => JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] });

const result = (text: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text }] } });

test.each<[name: string, events: string[], expected: string[]]>([
  ['a complete token', events('to [EMAIL-1]'), ['id: 1\ndata: to a@b.example\n\n', '']],
  ['a token across two events', events('to [EMA', 'IL-1].'), ['', 'data: to \n\nid: 2\ndata: a@b.example.\n\n', '']],
  [
    'a token across two JSON events',
    events(json('to [EMA'), json('IL-1].')),
    ['', `data: ${json('to ')}\n\nid: 2\ndata: ${json('a@b.example.')}\n\n`, ''],
  ],
  [
    'an event with another name inside a token',
    ['id: 1\ndata: [EMA\n\n', 'id: 2\nevent: ping\ndata: x\n\n', 'id: 3\n\n', 'id: 4\ndata: IL-1]\n\n'],
    ['', '', '', 'data: \n\nevent: ping\ndata: x\n\n\nid: 4\ndata: a@b.example\n\n', ''],
  ],
  ['a possible token at the end', events('to [EM'), ['', 'data: to [EM\n\n']],
  ['an open link', events('see https://e', ' or not'), ['data: see https://e\n\n', 'id: 2\ndata:  or not\n\n', '']],
  [
    'a host that may continue',
    events('see evil.exa', 'mple ok'),
    ['data: see evil.exa\n\n', 'id: 2\ndata: mple ok\n\n', ''],
  ],
  ['a scheme', events('see http:', '/2130706433/ ok'), ['data: see http:\n\n', 'id: 2\ndata: /2130706433/ ok\n\n', '']],
  ['the start of a host', events('www', '.e.example ok'), ['data: www\n\n', 'id: 2\ndata: .e.example ok\n\n', '']],
  ['an open tag', events('<img', '> ok'), ['data: <img\n\n', 'id: 2\ndata: > ok\n\n', '']],
  [
    'an open image description',
    events('![https://e.example/?q= ', '[EMAIL-1]](a.png)'),
    ['data: ![https://e.example/?q= \n\n', 'id: 2\ndata: [EMAIL-1]](a.png)\n\n', ''],
  ],
  ['the possible beginning of a tag', events('Hello!', ' You.'), ['data: Hello!\n\n', 'id: 2\ndata:  You.\n\n', '']],
  [
    'a base URL',
    events('<base href="//e.example/">', '<i title="[EMAIL-1]">'),
    ['data: <base href="//e.example/">\n\n', 'data: <i title="[EMAIL-1]">\n\n', ''],
  ],
  ['an event without a text', ['id: 1\ndata:\n\n'], ['id: 1\ndata:\n\n', '']],
  ['the end of a line', events(json('a line\n'), json('- ')), [...events(json('a line\n'), json('- ')), '']],
  [
    'an MCP result',
    events(result('see ['), result('at https://a.example/')),
    [...events(result('see ['), result('at https://a.example/')), ''],
  ],
  ['the end of a sentence', events('Yes.', ' And: 1.5', ' no?'), [...events('Yes.', ' And: 1.5', ' no?'), '']],
  [
    'an id after the data',
    ['data: [EM\nid: 1\n\n', 'data: AIL-1]\nid\n\n'],
    ['', 'data: \n\ndata: a@b.example\nid\n\n', ''],
  ],
])('%s', (_name, pieces, expected) => {
  expect(sent(pieces)).toEqual(expected);
});

test('after a silence the beginning of a token is text, and its id is sent', () => {
  const { restorer } = watched('sse');
  expect(shown(restorer.push(encode('id: 1\ndata: to [EM\n\n')))).toBe('');
  expect(shown(restorer.flushHeld())).toBe('id: 1\ndata: to [EM\n\n');
});

test('a stream that breaks off inside a token ends before the event of the token', () => {
  expect(sent(events('a', 'to [EM', 'AIL'), true)).toEqual(['id: 1\ndata: a\n\n', '', '', '']);
  expect(sent(['data: to [EM\n\n'], true)).toEqual(['data: to \n\n', 'data: [EM\n\n']);
});

test('removes lines of the field id', () => {
  const strip = (text: string) => shown(withoutSseId(encode(text)));
  expect(strip('\uFEFFid: 1\r\nid:2\rid\ndata: id: 3\nidea: 4\n\n')).toBe('\uFEFFdata: id: 3\nidea: 4\n\n');
  expect(hasSseId(encode('data: id: 1\n\n'))).toBe(false);
  expect(hasSseId(encode('data: x\nid'))).toBe(true);
});
