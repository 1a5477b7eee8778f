import { describe, expect, test } from 'vitest';
import { formats } from '../../../core/formats/index.ts';
import { bedrockFrame } from '../../support/bedrock.ts';
import { type Event, eventsOf, restoreStream, tokenMap } from './wire-fixtures.ts';

const map = tokenMap({ '[EMAIL-1]': 'a@b.example' });
const sse = (events: readonly { type: string }[]) =>
  new TextEncoder().encode(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));

const block = (text: string) => ({ type: 'content_block_start', index: 0, content_block: { type: 'text', text } });
const text = (piece: string) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: piece } });
const stop = { type: 'content_block_stop', index: 0 };
const call = (type: string, more: object, args: string) => ({
  type,
  index: 0,
  delta: { message: { tool_calls: { ...more, function: { ...more, arguments: args } } } },
});
const content = (type: string, piece: string) => ({ type, index: 0, delta: { message: { content: { text: piece } } } });

describe('a token that begins in the event that opens its block', () => {
  test.each([
    [
      'continues in the next event',
      [block('To [EM'), text('AIL-1] now.'), stop],
      [block('To '), text('a@b.example now.'), stop],
    ],
    ['is complete', [block('To [EMAIL-1]'), stop], [block('To a@b.example'), stop]],
    ['never ends', [block('To [EM'), stop], [block('To '), text('[EM'), stop]],
    [
      'is truncated in the arguments of a Cohere tool',
      [
        call('tool-call-start', { id: 'c' }, '{"to":"[EM'),
        call('tool-call-delta', {}, 'AIL-1]"}'),
        { type: 'tool-call-end', index: 0 },
      ],
      [
        call('tool-call-start', { id: 'c' }, '{"to":"'),
        call('tool-call-delta', {}, 'a@b.example"}'),
        { type: 'tool-call-end', index: 0 },
      ],
    ],
    [
      'is truncated in a Cohere text',
      [content('content-start', 'To [EM'), content('content-delta', 'AIL-1]'), { type: 'content-end', index: 0 }],
      [content('content-start', 'To '), content('content-delta', 'a@b.example'), { type: 'content-end', index: 0 }],
    ],
  ])('%s', (_name, events, restored) => {
    expect(eventsOf('sse', restoreStream('sse', map, sse(events)))).toEqual(restored);
  });

  test('is restored if two events open the block with it', () => {
    const piece = { type: 'output_text', text: 'To [EM' };
    const item = { id: 'i', type: 'message', content: [piece] };
    const at = { output_index: 0, content_index: 0 };
    const events = [
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.content_part.added', ...at, part: piece },
      { type: 'response.output_text.delta', ...at, delta: 'AIL-1]' },
      { type: 'response.output_item.done', output_index: 0, item: { id: 'i' } },
    ];
    const [added, opened, delta, ...rest] = eventsOf('sse', restoreStream('sse', map, sse(events)));
    expect([added.item.content[0].text, opened.part.text, delta.delta]).toEqual(['To ', 'To ', 'a@b.example']);
    expect(rest).toHaveLength(1);
  });

  test('inserted events have their event name', () => {
    const bytes = restoreStream('sse', map, sse([block('To [EM'), stop]));
    const shown = typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes);
    expect(shown).toContain('event: content_block_delta\ndata: {"type":"content_block_delta"');
    expect(shown.match(/content_block_start"/g)).toHaveLength(1);
  });
});

/** An event that opens a block with a text, one that continues it, and one that ends it. */
type Opening = {
  readonly name: string;
  /** The type of the opening event. */
  readonly type: string;
  readonly isJson?: true;
  readonly open: (text: string) => Event;
  readonly more: (text: string) => Event;
  readonly close: Event;
  readonly textOf: (event: Event) => string | undefined;
};

/** An item of the Responses API, whose event opens a text in it. */
const item = (name: string, family: string, around: (text: string) => object, indexes = {}): Opening => ({
  name,
  type: 'response.output_item.added',
  ...(/arguments|input/.test(family) && { isJson: true }),
  open: (text) => ({ type: 'response.output_item.added', output_index: 0, item: { id: 'i', ...around(text) } }),
  more: (delta) => ({ type: `response.${family}.delta`, item_id: 'i', output_index: 0, ...indexes, delta }),
  close: { type: 'response.output_item.done', output_index: 0, item: { id: 'i' } },
  textOf: ({ delta, item: { id, ...own } = {} as Event }) => delta ?? textWithin(own),
});
/** The same for its parts. */
const part = (
  name: string,
  type: string,
  family: string,
  around: (text: string) => object,
  index: object,
): Opening => ({
  name,
  type,
  open: (text) => ({ type, item_id: 'i', output_index: 1, ...index, part: around(text) }),
  more: (delta) => ({ type: `response.${family}.delta`, item_id: 'i', output_index: 1, ...index, delta }),
  close: { type: 'response.completed' },
  textOf: ({ delta, part: opened }) => delta ?? textWithin(opened),
});
/** The text in an object of which all other texts are types. */
const textWithin = (value: Event): string | undefined =>
  typeof value === 'string'
    ? value
    : Object.entries(Object(value))
        .filter(([key]) => key !== 'type')
        .map(([, one]) => textWithin(one))
        .find((text) => text !== undefined);
const first = { content_index: 0 };

const openings: readonly Opening[] = [
  item('arguments of a function', 'function_call_arguments', (text) => ({ type: 'function_call', arguments: text })),
  item('arguments of an MCP tool', 'mcp_call_arguments', (text) => ({ type: 'mcp_call', arguments: text })),
  item('input of a custom tool', 'custom_tool_call_input', (text) => ({ type: 'custom_tool_call', input: text })),
  item('code', 'code_interpreter_call_code', (text) => ({ type: 'code_interpreter_call', code: text })),
  item('message', 'output_text', (text) => ({ type: 'message', content: [{ type: 'output_text', text }] }), first),
  item('refusal', 'refusal', (text) => ({ type: 'message', content: [{ type: 'refusal', refusal: text }] }), first),
  item('reasoning', 'reasoning_text', (text) => ({ type: 'reasoning', content: [{ text }] }), first),
  item('summary', 'reasoning_summary_text', (text) => ({ type: 'reasoning', summary: [{ text }] }), {
    summary_index: 0,
  }),
  part('part', 'response.content_part.added', 'output_text', (text) => ({ type: 'output_text', text }), first),
  part('part of the Realtime beta', 'response.content_part.added', 'text', (text) => ({ type: 'text', text }), first),
  part(
    'spoken part',
    'response.content_part.added',
    'output_audio_transcript',
    (transcript) => ({ transcript }),
    first,
  ),
  part(
    'spoken part of the beta',
    'response.content_part.added',
    'audio_transcript',
    (transcript) => ({ transcript }),
    first,
  ),
  part('refusing part', 'response.content_part.added', 'refusal', (refusal) => ({ type: 'refusal', refusal }), first),
  part(
    'reasoning part',
    'response.content_part.added',
    'reasoning_text',
    (text) => ({ type: 'reasoning_text', text }),
    first,
  ),
  part('summary part', 'response.reasoning_summary_part.added', 'reasoning_summary_text', (text) => ({ text }), {
    summary_index: 0,
  }),
  {
    name: 'Messages',
    type: 'content_block_start',
    open: block,
    more: text,
    close: stop,
    textOf: ({ content_block: opened, delta }) => opened?.text ?? delta?.text,
  },
  {
    name: 'Cohere, text',
    type: 'content-start',
    open: (piece) => content('content-start', piece),
    more: (piece) => content('content-delta', piece),
    close: { type: 'content-end', index: 0 },
    textOf: ({ delta }) => delta?.message.content.text,
  },
  {
    name: 'Cohere, arguments',
    type: 'tool-call-start',
    isJson: true,
    open: (piece) => call('tool-call-start', { id: 'c' }, piece),
    more: (piece) => call('tool-call-delta', {}, piece),
    close: { type: 'tool-call-end', index: 0 },
    textOf: ({ delta }) => delta?.message.tool_calls.function.arguments,
  },
  {
    name: 'Interactions, content',
    type: 'content.start',
    open: (piece) => ({ event_type: 'content.start', index: 0, content: { type: 'text', text: piece } }),
    more: (piece) => ({ event_type: 'content.delta', index: 0, delta: { type: 'text', text: piece } }),
    close: { event_type: 'content.stop', index: 0 },
    textOf: ({ content: opened, delta }) => opened?.text ?? delta?.text,
  },
  {
    name: 'Interactions, step',
    type: 'step.start',
    open: (piece) => ({ event_type: 'step.start', index: 0, step: { type: 'text', text: piece } }),
    more: (piece) => ({ event_type: 'step.delta', index: 0, delta: { type: 'text', text: piece } }),
    close: { event_type: 'step.stop', index: 0 },
    textOf: ({ step, delta }) => step?.text ?? delta?.text,
  },
  {
    name: 'Assistants',
    type: 'thread.message.created',
    open: (value) => ({
      ':event-type': 'thread.message.created',
      id: 'm',
      content: [{ type: 'text', text: { value } }],
    }),
    more: (value) => ({
      ':event-type': 'thread.message.delta',
      id: 'm',
      object: 'thread.message.delta',
      delta: { content: [{ index: 0, type: 'text', text: { value } }] },
    }),
    close: { ':event-type': 'done', status: 'completed' },
    textOf: ({ content: list, delta }) => (list ?? delta?.content)?.[0].text.value,
  },
  {
    name: 'Bedrock, input of a tool',
    type: 'contentBlockStart',
    isJson: true,
    open: (input) => ({ ':event-type': 'contentBlockStart', contentBlockIndex: 1, start: { toolUse: { input } } }),
    more: (input) => ({ ':event-type': 'contentBlockDelta', contentBlockIndex: 1, delta: { toolUse: { input } } }),
    close: { ':event-type': 'contentBlockStop', contentBlockIndex: 1 },
    textOf: ({ start, delta }) => (start ?? delta)?.toolUse.input,
  },
];

describe.each(openings.map((opening) => [opening.name, opening] as const))('%s', (_name, opening) => {
  const isBinary = opening.type === 'contentBlockStart';
  const isNumbered = opening.type.startsWith('response.');
  const shown = (events: readonly Event[]): Event[] => {
    const frames = events.map((event, at) => {
      const { ':event-type': type = event.type, ...payload } = isNumbered ? { ...event, sequence_number: at } : event;
      if (isBinary) return bedrockFrame(type, payload);
      return new TextEncoder().encode(`${type ? `event: ${type}\n` : ''}data: ${JSON.stringify(payload)}\n\n`);
    });
    const kind = isBinary ? 'event-stream' : 'sse';
    return eventsOf(kind, restoreStream(kind, map, Buffer.concat(frames)));
  };
  const textIn = (events: readonly Event[]) => events.map((event) => opening.textOf(event) ?? '').join('');
  const whole = opening.isJson ? '{"to":"[EMAIL-1]","n":1}' : 'To [EMAIL-1], at once.';

  test('a token cut anywhere between its pieces is restored', () => {
    for (let cut = 1; cut <= whole.length; cut++) {
      const events = shown([opening.open(whole.slice(0, cut)), opening.more(whole.slice(cut)), opening.close]);
      expect(textIn(events), whole.slice(0, cut)).toBe(whole.replace('[EMAIL-1]', 'a@b.example'));
      expect(events).toHaveLength(3);
    }
  });

  test('a token that never ends is sent before the event that ends its block', () => {
    const begun = whole.slice(0, whole.indexOf('-1]'));
    const events = shown([opening.open(begun), opening.close]);
    expect(textIn(events)).toBe(begun);
    expect(Object.keys(events.at(-1))).toEqual(
      Object.keys(isNumbered ? { ...opening.close, sequence_number: 1 } : opening.close).filter(
        (key) => key !== ':event-type',
      ),
    );
    // Without numbers a separate event continues the block.
    if (isNumbered) return;
    const { ':event-type': _, ...continued } = opening.more('');
    expect(Object.keys(events[1])).toEqual(Object.keys(continued));
  });
});

test('every event that a format declares to open a block is in this table', () => {
  const declared = formats.flatMap(({ texts }) => texts?.starts ?? []).map(({ type }) => type);
  expect(new Set(openings.map(({ type }) => type))).toEqual(new Set(declared));
});
