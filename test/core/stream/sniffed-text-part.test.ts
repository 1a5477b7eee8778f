/** Content declared as plain text: what it is detected as, and how much is buffered before that is decided. */
import { describe, expect, it, test } from 'vitest';
import { StreamRestorer } from '../../../core/stream/stream-restorer.ts';
import { restoreStream, tokenMap } from './wire-fixtures.ts';

const map = tokenMap({ '[EMAIL-1]': 'a@b.example', '[NAME-1]': 'O"Hara' });
const encode = (text: string) => new TextEncoder().encode(text);
const shown = (bytes: Uint8Array) => Buffer.from(bytes).toString();

function opened() {
  const restorer = new StreamRestorer({ kind: 'text', map });
  return { restorer, push: (text: string) => shown(restorer.push(encode(text)).slice()) };
}

function anyWrites(input: string): Set<string> {
  const bytes = encode(input);
  const found = new Set([restoreStream('text', map, bytes)]);
  for (let cut = 1; cut < bytes.length; cut++) found.add(restoreStream('text', map, bytes, [cut]));
  const all = Array.from({ length: bytes.length - 1 }, (_, at) => at + 1);
  return found.add(restoreStream('text', map, bytes, all));
}

const call = (args: string) =>
  JSON.stringify({ choices: [{ message: { tool_calls: [{ function: { arguments: args } }] } }] });

/** The text with the values of its tokens: as in JSON if it is JSON. */
const restoredIn = (text: string, isJson = true) =>
  text
    .replaceAll('[NAME-1]', isJson ? 'O\\"Hara' : 'O"Hara')
    .replaceAll('[EMAIL-1]', 'a@b.example')
    .replace('[EM"', '"')
    .replace('AIL-1]', 'a@b.example');

describe('in any writes', () => {
  test.each<[what: string, input: string, expected?: string]>([
    ['lines of JSON continue one text', '{"delta":"to [EM"}\n{"delta":"AIL-1]"}\n'],
    ['lines of JSON after blank ones', '\n\r\n{"delta":"[EMAIL-1]"}\n'],
    ['lines of JSON after blanks', ' \t{"delta":"[EM"}\n{"delta":"AIL-1]"}\n'],
    ['a line of JSON without an end', call('{"to":"EMAIL-1"}'), call('{"to":"a@b.example"}')],
    ['a multi-line document', '{\n "a": "[NAME-1]"\n}\n'],
    ['an array', '["[NAME-1]"]'],
    ['a multi-line array', ' \n[\n "[NAME-1]"\n]\n'],
    ['events after lines', '\r\n\ndata: {"t":"[EM"}\n\ndata: {"t":"AIL-1]"}\n\n'],
    ['events after a byte order mark and lines', '\uFEFF\r\n\ndata: {"t":"[EMAIL-1]"}\n\n'],
    ['lines of JSON after a byte order mark and a space', '\uFEFF {"delta":"to [EM"}\n{"delta":"AIL-1]"}\n'],
    ['only a byte order mark', '\uFEFF'],
    ['blanks alone', ' \n\t\r\n '],
    ['nothing', ''],
    ['only the beginning of an event', 'dat'],
    ['only the beginning of a line', '1f:'],
    ['only the beginning of a document', '{"a":"[EMAIL-1]"'],
    ['lines with a prefix', '0:"to [EM"\n0:"AIL-1]"\n'],
    ['one line with a prefix, without an end', '0:"[NAME-1]"'],
    ['one line with a longer prefix', 'ab12:{"t":"[NAME-1]"}\n'],
    ['one line with a prefix and an empty object', '0:{}\n0:"[NAME-1]"\n'],
    ...['["x"]', '[["x"]]', '[{"a":1}]', '[]', '[1]'].map((json): [string, string] => [
      `lines with a prefix, the first one ${json}`,
      `2:${json}\n0:"[NAME-1]"\n`,
    ]),
  ])('%s', (_what, input, expected = restoredIn(input)) => expect([...anyWrites(input)]).toEqual([expected]));

  test.each([
    ['braces that are not JSON', '{x} [NAME-1]'],
    ['braces that are not JSON, over lines', '{\nx} [NAME-1]\n'],
    ['an array after a word', 'x ["[NAME-1]"]'],
    ['a token', '[NAME-1]'],
    ['text after a byte order mark', '\uFEFFdear [NAME-1]'],
    ['no JSON after a prefix', '0:"[NAME-1]\n"'],
    ['a prefix that is too long', 'abcde:"[NAME-1]"\n'],
    ['an invalid prefix', 'x:"[NAME-1]"\n'],
    ['a prefix after a word', 'x0:"[NAME-1]"\n'],
    ['a text after a prefix', '0:[x] "[NAME-1]"\n'],
  ])('%s', (_what, input) => expect([...anyWrites(input)]).toEqual([restoredIn(input, false)]));
});

describe('what is buffered', () => {
  test.each([
    ['0:[', '"[NAME-1]"]\n'],
    ['0:{', '"a":"[NAME-1]"}\n'],
    ['ab12', ':"[NAME-1]"\n'],
    ['0:"[NAME-1]', '"\n'],
    ['{"x":"[NAME-1]"}', '\n'],
    ['\uFEFF', 'x'],
    ['\uFEFF\n', 'data: {"t":"[NAME-1]"}\n\n'],
    ['dat', 'e'],
    ['i', 't is'],
  ])('%j waits for %j', (first, rest) => {
    const { push } = opened();
    expect(push(first)).toBe('');
    expect(push(rest)).toBe(restoredIn(first + rest));
  });

  test.each(['0:[x', '0:{x', '0:x', 'abcde', 'fg', '"a', '[1', 'g:', ' x'])('%j passes at once', (text) => {
    const { push } = opened();
    expect(push(text)).toBe(text);
  });

  it('the buffer of the input may be reused', () => {
    const { restorer, push } = opened();
    const buffer = Buffer.from('{"t":"[EMA');
    restorer.push(buffer);
    buffer.fill(0x20);
    expect(push('IL-1]"}\n')).toBe('{"t":"a@b.example"}\n');
  });
});

describe('a line that does not end', () => {
  const piece = 'x'.repeat(1_000);

  /** How many thousand characters arrive before anything is shown. */
  function waited(start: string): number {
    const { push } = opened();
    push(start);
    for (let count = 1; count < 80; count++) if (push(piece) !== '') return count;
    return Number.POSITIVE_INFINITY;
  }

  test.each([
    ...['choices', 'candidates', 'message', 'messages', 'object', 'type', 'id', 'model', 'delta', 'event', 'data'],
    ...['content', 'role', 'response', 'output', 'outputs', 'result', 'usage', 'error', 'v', 'p', 'o'],
  ])('at the beginning of an answer: %s', (name) => {
    expect(waited(`{"${name}":"`)).toBe(66);
    expect(waited(` {  "${name}"  : [`)).toBe(66);
  });

  test.each(['{"title":"', '{"ids":"', '{"xid":"', '{"a":1,"id":"', '{"a":{"id":"', '{"ID":"'])(
    'of an object that is written as text, shown while it is written: %s',
    (start) => expect(waited(start)).toBe(2),
  );

  it('of JSON with a prefix is shown once it is too long', () => {
    expect(waited('0:"')).toBe(66);
  });

  it('is shown up to a possible token, and continues', () => {
    for (const start of ['{"id":"', '{"title":"', '0:"']) {
      const { restorer, push } = opened();
      let text = push(start);
      for (let count = 0; count < 70; count++) text += push(piece);
      text += push(' [EM');
      expect(text).toBe(`${start}${piece.repeat(70)} `);
      expect(restorer.isHolding).toBe(true);
      expect(push('AIL-1] [NAME-1]"}')).toBe(`a@b.example ${start[0] === '{' ? 'O\\"Hara' : 'O"Hara'}"}`);
    }
  });

  it('is shown on flush', () => {
    const { restorer, push } = opened();
    expect(push('{"title":"[NAME-1] [EM')).toBe('');
    expect(restorer.isHolding).toBe(true);
    expect(shown(restorer.flushHeld())).toBe('{"title":"O\\"Hara [EM');
    expect(restorer.isHolding).toBe(false);
    expect(push('AIL-1] [EMAIL-1]"}')).toBe('AIL-1] a@b.example"}');
  });

  it('is not shown during a silence while it may be an event stream', () => {
    for (const first of ['da', '0:', '\uFEFF', '']) {
      const { restorer, push } = opened();
      push(first);
      expect(restorer.isHolding).toBe(false);
      expect(restorer.flushHeld()).toHaveLength(0);
    }
  });
});

test.each([1_017, 1_018, 1_019, 1_020])('a document that ends near the length at which it is shown (%d)', (length) => {
  const text = '[NAME-1]'.padEnd(length, 'x');
  const input = `{"t":"${text}"}\n{"delta":"[EM"}\n{"delta":"AIL-1]"}\n`;
  const expected = `{"t":"${text.replace('[NAME-1]', 'O\\"Hara')}"}\n{"delta":""}\n{"delta":"a@b.example"}\n`;
  for (const cut of [1, 500, 1_023, 1_024, 1_025, length + 8, length + 9, length + 10])
    expect(restoreStream('text', map, encode(input), [cut])).toBe(expected);
});
