import { describe, expect, it } from 'vitest';
import { type Event, eventsOf, restoreStream, tokenMap } from './wire-fixtures.ts';

const map = tokenMap({ '[EMAIL-1]': 'a@b.example', '[NAME-1]': 'O"Hara' });
const restored = (events: readonly unknown[]): Event[] =>
  eventsOf(
    'sse',
    restoreStream(
      'sse',
      map,
      new TextEncoder().encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')),
    ),
  );

type Piece = (id: string, text: string) => object;

describe('parts that are open at the same time', () => {
  const texts: [name: string, piece: Piece, end: (id: string) => object][] = [
    ['Vercel AI, text', (id, delta) => ({ type: 'text-delta', id, delta }), (id) => ({ type: 'text-end', id })],
    [
      'Vercel AI, reasoning',
      (id, delta) => ({ type: 'reasoning-delta', id, delta }),
      (id) => ({ type: 'reasoning-end', id }),
    ],
    [
      'AG-UI, messages',
      (messageId, delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta }),
      (messageId) => ({ type: 'TEXT_MESSAGE_END', messageId }),
    ],
  ];
  it.each(texts)('%s', (_name, piece, end) => {
    const events = restored([
      piece('a', 'mail [EM'),
      piece('b', 'dear [NA'),
      piece('a', 'AIL-1] ok'),
      piece('b', 'ME-1]!'),
      end('a'),
      end('b'),
    ]);
    expect(events.map(({ delta }) => delta)).toEqual([
      'mail ',
      'dear ',
      'a@b.example ok',
      'O"Hara!',
      undefined,
      undefined,
    ]);
  });

  it('Vercel AI: the end of a part releases only what that part holds', () => {
    const delta = (id: string, text: string) => ({ type: 'text-delta', id, delta: text });
    const events = [delta('a', 'x [EM'), delta('b', 'y [NA'), { type: 'text-end', id: 'a' }, delta('b', 'ME-1]')];
    expect(restored(events)).toEqual([
      delta('a', 'x '),
      delta('b', 'y '),
      delta('a', '[EM'),
      { type: 'text-end', id: 'a' },
      delta('b', 'O"Hara'),
    ]);
  });

  const inputs: [name: string, piece: Piece][] = [
    ['Vercel AI', (toolCallId, inputTextDelta) => ({ type: 'tool-input-delta', toolCallId, inputTextDelta })],
    ['Vercel AI, language models', (id, delta) => ({ type: 'tool-input-delta', id, delta })],
    ['AG-UI', (toolCallId, delta) => ({ type: 'TOOL_CALL_ARGS', toolCallId, delta })],
  ];
  it.each(inputs)('%s: input of tools', (_name, piece) => {
    const events = restored([
      piece('a', '{"to":"[EM'),
      piece('b', '{"who":"[NA'),
      piece('a', 'AIL-1]","cc":"EMAIL-1"}'),
      piece('b', 'ME-1]"}'),
    ]);
    const joined = (id: string) =>
      events
        .filter((event) => event.toolCallId === id || event.id === id)
        .map((event) => event.inputTextDelta ?? event.delta)
        .join('');
    expect(JSON.parse(joined('a'))).toEqual({ to: 'a@b.example', cc: 'a@b.example' });
    expect(JSON.parse(joined('b'))).toEqual({ who: 'O"Hara' });
  });
});

describe('the input of a custom tool', () => {
  const type = 'response.custom_tool_call_input';
  const rows: [name: string, pieces: string[]][] = [
    ['an address that the tool needs', ['curl https://crm.example/?m=[EM', 'AIL-1] now']],
    ['brackets dropped', ['mail EMAIL-', '1 now']],
    ['brackets dropped in the first piece', ['mail EMAIL-1 now', '']],
  ];
  it.each(rows)('%s: the deltas add up to the final text', (_name, pieces) => {
    const place = { output_index: 0, item_id: 'i' };
    const input = pieces.join('');
    const events = restored([
      ...pieces.map((delta, at) => ({ type: `${type}.delta`, ...place, sequence_number: at, delta })),
      { type: `${type}.done`, ...place, sequence_number: pieces.length, input },
    ]);
    const said = events.at(-1).input;
    expect(said).toBe(input.replace(/\[?EMAIL-1\]?/, 'a@b.example'));
    expect(events.map(({ delta }) => delta ?? '').join('')).toBe(said);
  });
});

it('a text that ends inside a token is sent before its end (AG-UI)', () => {
  const events = [
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'to [EM' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm2', delta: 'of [EM' },
    { type: 'TEXT_MESSAGE_END', messageId: 'm1' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm2', delta: 'AIL-1]' },
    { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{"a":"[EM' },
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
  ];
  const said = restored(events);
  expect(said.map(({ type, delta, messageId }) => [type, messageId, delta])).toEqual([
    ['TEXT_MESSAGE_CONTENT', 'm1', 'to '],
    ['TEXT_MESSAGE_CONTENT', 'm2', 'of '],
    ['TEXT_MESSAGE_CONTENT', 'm1', '[EM'],
    ['TEXT_MESSAGE_END', 'm1', undefined],
    ['TEXT_MESSAGE_CONTENT', 'm2', map.get('[EMAIL-1]')],
    ['TOOL_CALL_ARGS', undefined, '{"a":"'],
    ['TOOL_CALL_ARGS', undefined, '[EM'],
    ['RUN_FINISHED', undefined, undefined],
  ]);
});

describe('texts that only ids distinguish', () => {
  const chunk = (id: string, content: string, more = {}) => ({
    id,
    choices: [{ index: 0, delta: { content }, finish_reason: null, ...more }],
  });
  const pieces: [name: string, piece: Piece, textOf: (event: Event) => string][] = [
    [
      'LangGraph, two nodes',
      (id, content) => [{ type: 'AIMessageChunk', id, content }, { langgraph_node: id }],
      ([{ content }]) => content,
    ],
    [
      'LangServe, two runs',
      (id, content) => ({ event: 'on_chat_model_stream', run_id: id, data: { chunk: { content } } }),
      ({ data }) => data.chunk.content,
    ],
    [
      'A2A, two artifacts',
      (id, text) => ({
        result: { taskId: 't', artifact: { artifactId: id, parts: [{ kind: 'text', text }] }, append: true },
      }),
      ({ result }) => result.artifact.parts[0].text,
    ],
    [
      'agents of the Agent Development Kit',
      (id, text) => ({ author: id, partial: true, content: { parts: [{ text }] } }),
      ({ content }) => content.parts[0].text,
    ],
    [
      'agents of an editor',
      (id, text) => ({
        method: 'session/update',
        params: { sessionId: id, update: { content: { type: 'text', text } } },
      }),
      ({ params }) => params.update.content.text,
    ],
    ['chat completions', (id, content) => chunk(id, content), ({ choices }) => choices[0].delta.content],
  ];
  it.each(pieces)('%s', (_name, piece, textOf) => {
    const events = restored([
      piece('a', 'I '),
      piece('b', 'We '),
      piece('a', 'mail [EM'),
      piece('b', 'greet [NA'),
      piece('a', 'AIL-1] ok'),
      piece('b', 'ME-1]!'),
    ]);
    expect(events.map(textOf)).toEqual(['I ', 'We ', 'mail ', 'greet ', 'a@b.example ok', 'O"Hara!']);
  });

  it.each([
    ['with the same id', ['a', 'b'], {}],
    ['whose id is the end of the other one', ['ab', 'b'], {}],
    ['with a further id', ['a', 'b'], { request_id: 'r' }],
  ])('the end of one releases only what it holds itself: an event %s', (_name, [a = '', b = ''], more) => {
    const events = [
      chunk(a, 'I'),
      chunk(b, 'We'),
      chunk(a, ' mail [EM'),
      chunk(b, ' greet [NA'),
      { id: b, ...more, choices: [{ index: 0, delta: {}, finish_reason: 'length' }] },
      chunk(a, 'AIL-1]'),
    ];
    const said = restored(events).map(({ id, choices }) => [id, choices[0].delta.content]);
    expect(said).toEqual([
      [a, 'I'],
      [b, 'We'],
      [a, ' mail '],
      [b, ' greet '],
      [b, '[NA'],
      [b, undefined],
      [a, 'a@b.example'],
    ]);
  });

  it('what one has begun stays with it when they alternate for the first time', () => {
    const pieces = [
      chunk('a', 'mail [EM'),
      chunk('b', 'greet [NA'),
      chunk('a', 'AIL-1] ok'),
      chunk('b', 'ME-1]!'),
      chunk('a', ' and [EM'),
      chunk('b', ' [NA'),
      chunk('a', 'AIL-1]'),
      chunk('b', 'ME-1]'),
    ];
    const said: Record<string, string> = {};
    for (const { id, choices } of restored(pieces)) said[id] = (said[id] ?? '') + choices[0].delta.content;
    expect(said).toEqual({ a: 'mail [EMAIL-1] ok and a@b.example', b: 'greet [NAME-1]! O"Hara' });
  });

  it.each([
    ['read', 'I [0] '],
    ['passed unread', 'I am '],
  ])(
    'a token cut where a second text begins is restored, when the first one had its id in two events (%s)',
    (_name, text) => {
      const events = restored([
        chunk('a', text),
        chunk('a', text),
        chunk('a', 'mail [EM'),
        chunk('b', 'greet [NA'),
        chunk('a', 'AIL-1] ok'),
        chunk('b', 'ME-1]!'),
        chunk('c', ' and [EM'),
        chunk('b', ' so'),
        chunk('c', 'AIL-1]'),
      ]);
      const said: Record<string, string> = {};
      for (const { id, choices } of events) said[id] = (said[id] ?? '') + choices[0].delta.content;
      expect(said).toEqual({ a: `${text}${text}mail a@b.example ok`, b: 'greet O"Hara! so', c: ' and a@b.example' });
    },
  );

  it.each([
    ['changes in every event', ['1', '2', '3', '4', '5']],
    ['changes now and then', ['1', '1', '2', '2', '3']],
    ['is missing in some events', ['1', '', '1', '', '1']],
    ['counts the pieces of each answer', ['0', '1', '0', '1', '2']],
  ])('an id that %s does not split a text', (_name, ids) => {
    const texts = ['mail', ' a[0] [E', 'MAI', 'L-', '1] b['];
    const events = restored(
      texts.map((text, at) => (ids[at] ? chunk(ids[at], text) : { choices: chunk('', text).choices })),
    );
    expect(events.map(({ choices }) => choices[0].delta.content).join('')).toBe('mail a[0] a@b.example b[');
  });
});
