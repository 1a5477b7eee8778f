import { describe, expect, it } from 'vitest';
import type { StreamKind } from '../../../core/stream/stream-restorer.ts';
import { type Event, encodingOf, eventsOf, fixture, meta, restoreStream, tokenMap } from './wire-fixtures.ts';

type Row = {
  readonly file: string;
  readonly text?: (events: Event[]) => string;
  readonly args?: (events: Event[]) => string | object;
};

const kinds: Readonly<Record<string, StreamKind>> = {
  json: 'json-array',
  b64: 'event-stream',
  ndjson: 'ndjson',
  sse: 'sse',
};
const kindOf = (file: string) => kinds[file.slice(file.lastIndexOf('.') + 1)] as StreamKind;

const join = (pick: (event: Event) => string | undefined | null) => (events: Event[]) =>
  events.map((event) => pick(event) ?? '').join('');
const chat = join((event) => event.choices?.[0]?.delta?.content);
const anthropic = join((event) => event.delta?.text);
const parts = join((event) => event.candidates[0].content.parts.map((part: Event) => part.text ?? '').join(''));
const partArgs = (events: Event[]) =>
  events.flatMap((event) => event.candidates[0].content.parts).find((part: Event) => part.functionCall).functionCall
    .args;

const rows: Row[] = [
  { file: 'openai-chat/stream.sse', text: chat },
  { file: 'openai-chat/stream-crlf-comments.sse', text: chat },
  {
    file: 'openai-chat/stream-tools.sse',
    args: join(
      (event) =>
        event.choices?.[0]?.delta?.tool_calls?.filter((call: Event) => call.index === 0)[0]?.function.arguments,
    ),
  },
  {
    file: 'anthropic-messages/stream.sse',
    text: anthropic,
    args: join((event) => event.delta?.partial_json),
  },
  { file: 'azure-openai/stream.sse', text: chat },
  { file: 'claude-web/stream.sse', text: anthropic },
  { file: 'openai-completions/stream.sse', text: join((event) => event.choices?.[0]?.text) },
  { file: 'bedrock/converse-stream.b64', text: anthropic },
  { file: 'bedrock/invoke-stream.b64', text: anthropic },
  {
    file: 'openai-responses/stream.sse',
    text: join((event) => (event.type === 'response.output_text.delta' ? event.delta : '')),
    args: join((event) => (event.type === 'response.function_call_arguments.delta' ? event.delta : '')),
  },
  { file: 'gemini/stream.sse', text: parts, args: partArgs },
  { file: 'gemini/stream-array.json', text: parts, args: partArgs },
  {
    file: 'cohere-v2/stream.sse',
    text: join((event) => event.delta?.message?.content?.text),
    args: join((event) => event.delta?.message?.tool_calls?.function?.arguments),
  },
  {
    file: 'mistral/stream.sse',
    text: join((event) =>
      Array.isArray(event.choices[0].delta.content)
        ? event.choices[0].delta.content
            .filter((p: Event) => p.type === 'text')
            .map((p: Event) => p.text)
            .join('')
        : '',
    ),
  },
  {
    file: 'ollama/chat.ndjson',
    text: join((event) => event.message.content),
    args: (events) => events.find((event) => event.message.tool_calls).message.tool_calls[0].function.arguments,
  },
  { file: 'ollama/generate.ndjson', text: join((event) => event.response) },
  { file: 'huggingface-tgi/stream.sse', text: join((event) => event.token?.text) },
  { file: 'llamacpp/stream.sse', text: join((event) => event.content) },
  {
    file: 'perplexity-web/stream.sse',
    text: join((event) =>
      event.blocks?.flatMap((block: Event) => (event.final ? [] : block.markdown_block.chunks)).join(''),
    ),
  },
  { file: 'copilot-web/server.ndjson', text: join((event) => event.text) },
  { file: 'openai-realtime/server.ndjson', text: join((event) => event.delta) },
  {
    file: 'chatgpt-web/stream-cumulative.sse',
    text: (events) => events.at(-1).message.content.parts[0],
  },
  {
    file: 'chatgpt-web/stream-delta-v1.sse',
    text: join((event) =>
      typeof event.v === 'string' && event.p !== '' ? event.v : Array.isArray(event.v) ? event.v[0].v : '',
    ),
  },
];

/** Positions at which to cut a stream in two: a few hundred of all; the byte-by-byte test covers the others. */
function cutsOf(bytes: Uint8Array): number[] {
  const step = Math.ceil(bytes.length / 300);
  return Array.from({ length: Math.floor((bytes.length - 1) / step) }, (_, at) => 1 + at * step);
}

describe('streams of providers', () => {
  for (const row of rows) {
    const expected = meta(row.file.split('/')[0] ?? '');
    const map = tokenMap(expected.tokenMap);
    const bytes = fixture(row.file);
    const kind = kindOf(row.file);

    it(`${row.file}: texts and arguments are restored`, () => {
      const events = eventsOf(kind, restoreStream(kind, map, bytes));
      if (row.text) expect(row.text(events)).toBe(expected.expectText);
      if (row.args) {
        const args = row.args(events);
        expect(typeof args === 'string' ? JSON.parse(args) : args).toEqual(expected.expectArgs);
      }
    });

    it(`${row.file}: any cut gives the same output`, () => {
      const whole = restoreStream(kind, map, bytes);
      for (const cut of cutsOf(bytes)) expect(restoreStream(kind, map, bytes, [cut])).toBe(whole);
      const everyByte = Array.from({ length: bytes.length - 1 }, (_, at) => at + 1);
      expect(restoreStream(kind, map, bytes, everyByte)).toBe(whole);
    });
  }
});

describe("Google's web apps", () => {
  const { tokenMap: tokens, expectText } = meta('gemini-web');
  const bytes = fixture('gemini-web/stream.txt');

  it('the last document has the text, and every length is correct', () => {
    const whole = restoreStream('json-array', tokenMap(tokens), bytes);
    const chunks = whole.slice(whole.indexOf('\n\n') + 2).matchAll(/(\d+)(\n\[.*\]\n)/g);
    let last = '';
    for (const [, length, content = ''] of chunks) {
      expect(Number(length)).toBe(content.length);
      last = JSON.parse(JSON.parse(content)[0][2])[4][0][1][0];
    }
    expect(last).toBe(expectText);
  });

  const document = (text: string) => {
    const content = `\n${JSON.stringify([['wrb.fr', null, JSON.stringify([null, null, null, null, [['rc', [text]]]])]])}\n`;
    return `${content.length}${content}`;
  };
  const end = '25\n[["e",4,null,null,131]]\n';
  const texts = (output: string) =>
    [...output.matchAll(/^\[\["wrb.*$/gm)].map(([line]) => JSON.parse(JSON.parse(line)[0][2])[4][0][1][0]);

  it.each([
    ['no partial token is shown', ['to', 'to [EM', 'to [EMAIL-1] x'], ['to', 'to ', 'to hana.morita@example.com x']],
    ['held text is sent when no text follows', ['to', 'to [EM'], ['to', 'to ', 'to [EM']],
  ])('%s', (_name, sent, shown) => {
    const map = tokenMap({ '[EMAIL-1]': 'hana.morita@example.com' });
    const stream = new TextEncoder().encode(`)]}'\n\n${sent.map(document).join('')}${end}`);
    const output = restoreStream('json-array', map, stream);
    expect(texts(output)).toEqual(shown);
    expect(output).toBe(`)]}'\n\n${shown.map(document).join('')}${end}`);
  });

  it('any cut gives the same output', () => {
    const whole = restoreStream('json-array', tokenMap(tokens), bytes);
    for (const cut of cutsOf(bytes)) expect(restoreStream('json-array', tokenMap(tokens), bytes, [cut])).toBe(whole);
  });
});

describe('parts that stay unchanged', () => {
  it('signed thinking is not restored', () => {
    const map = tokenMap(meta('anthropic-messages').tokenMap);
    const events = eventsOf('sse', restoreStream('sse', map, fixture('anthropic-messages/stream.sse')));
    expect(events.map((event) => event.delta?.thinking ?? '').join('')).toBe('Mail [EMAIL-1].');
  });

  it('a stream of a session without masked values keeps every byte', () => {
    for (const { file } of rows) {
      const sent = Buffer.from(fixture(file)).toString(encodingOf(kindOf(file)));
      expect(restoreStream(kindOf(file), tokenMap({}), fixture(file))).toBe(sent);
    }
  });

  it('a stream of a session with other tokens keeps its text', () => {
    for (const { file, text } of rows) {
      const kind = kindOf(file);
      const original = eventsOf(kind, Buffer.from(fixture(file)).toString(encodingOf(kind)));
      const output = eventsOf(kind, restoreStream(kind, tokenMap({ '[IBAN-7]': 'x' }), fixture(file)));
      if (text) expect(text(output)).toBe(text(original));
    }
  });
});

describe('ends', () => {
  const map = tokenMap(meta('openai-chat').tokenMap);

  it('a token truncated by the length limit is sent before the run ends', () => {
    const events = eventsOf('sse', restoreStream('sse', map, fixture('openai-chat/stream-unfinished.sse')));
    expect(chat(events)).toBe('Cut by the limit: [EMA');
    expect(events.at(-1).choices[0].finish_reason).toBe('length');
    expect(events.at(-2).choices[0].delta).toEqual({ content: '[EMA' });
  });

  it('interleaved choices do not affect each other', () => {
    const events = eventsOf('sse', restoreStream('sse', map, fixture('openai-chat/stream-two-choices.sse')));
    const textOf = (index: number) =>
      join((event) => event.choices.find((choice: Event) => choice.index === index)?.delta.content)(events);
    expect([textOf(0), textOf(1)]).toEqual(['A hana.morita@kitamura-shoji.example a', 'B Hana Morita b']);
  });

  it('all spellings of a token are restored', () => {
    const events = eventsOf('sse', restoreStream('sse', map, fixture('openai-chat/stream-mangled.sse')));
    expect(chat(events)).not.toMatch(/EMAIL/i);
  });

  it('the full copies of Responses agree with the joined deltas', () => {
    const expected = meta('openai-responses');
    const events = eventsOf('sse', restoreStream('sse', map, fixture('openai-responses/stream.sse')));
    const done = events.find((event) => event.type === 'response.output_text.done');
    expect(done.text).toBe(expected.expectText);
    const args = events.find((event) => event.type === 'response.function_call_arguments.done');
    expect(JSON.parse(args.arguments)).toEqual(expected.expectArgs);
    expect(events.at(-1).response.instructions).toBe('Address it to Hana Morita.');
  });
});
