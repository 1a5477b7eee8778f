/** The streams of providers as functions of the pieces of a text: the events before, each piece, the events after. */

import type { StreamKind } from '../../../core/stream/stream-restorer.ts';
import { bedrockFrame } from '../../support/bedrock.ts';
import { chatClose, chunk, openAiShapes } from './openai-shapes.ts';
import { webChatShapes } from './web-chat-shapes.ts';
import { binaryEvents, type Event } from './wire-fixtures.ts';

/** A stream around one run. Events are objects; a string is a raw frame of that framing. */
export type Shape = {
  readonly name: string;
  readonly kind: StreamKind;
  /** The run is JSON text (arguments of a tool), and so are its pieces. */
  readonly isJson?: boolean;
  /** Events are named by their `type` (`event:` lines), or by this. */
  readonly named?: boolean | string;
  readonly open: readonly Event[];
  piece(text: string, at: number): Event;
  /** `whole` is the joined text. */
  close(whole: string, pieces: readonly string[]): readonly Event[];
  /** The text of an event; undefined for events of other kinds. */
  textOf(event: Event): string | undefined;
  /** No event says that the run has ended. */
  readonly endsSilently?: boolean;
  /** A copy of the joined text in an event. */
  copyOf?(event: Event): string | undefined;
};

/** A shape as listed: `sse` without a kind, and with the text of an event where the piece has it. */
export type ShapeRow = Pick<Shape, 'name' | 'piece' | 'close'> & Partial<Shape>;

/** The path to a value. */
function pathTo(value: Event, to: string): string[] | undefined {
  if (typeof value !== 'object' || value === null) return value === to ? [] : undefined;
  for (const [key, member] of Object.entries(value)) {
    const rest = pathTo(member, to);
    if (rest !== undefined) return [key, ...rest];
  }
  return undefined;
}

/** The listed shapes with all that their rows leave out. */
export function shapesOf(rows: readonly ShapeRow[]): Shape[] {
  return rows.map((row) => {
    const place = pathTo(row.piece('{"the":"text"}', 0), '{"the":"text"}') ?? [];
    const textOf = (event: Event) => {
      const found = place.reduce((member, key) => member?.[key], event);
      return typeof found === 'string' ? found : undefined;
    };
    return { kind: 'sse', open: [], textOf, ...row };
  });
}

const block = (delta: Event, index = 0) => ({ type: 'content_block_delta', index, delta });
const part = (fields: Event, more: Event = {}) => ({
  candidates: [{ content: { parts: [fields], role: 'model' }, index: 0, ...more }],
  modelVersion: 'gemini-x',
});

export const shapes = shapesOf([
  ...openAiShapes,
  {
    name: 'Messages',
    named: true,
    open: [
      { type: 'message_start', message: { id: 'msg_1', content: [], usage: { input_tokens: 5 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'ping' },
    ],
    piece: (text) => block({ type: 'text_delta', text }),
    close: () => [
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 9 } },
      { type: 'message_stop' },
    ],
  },
  {
    name: 'Messages, input of a tool',
    named: true,
    isJson: true,
    open: [
      {
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} },
      },
      block({ type: 'input_json_delta', partial_json: '' }, 1),
    ],
    piece: (text) => block({ type: 'input_json_delta', partial_json: text }, 1),
    close: () => [{ type: 'content_block_stop', index: 1 }, { type: 'message_stop' }],
  },
  {
    name: 'complete (old) and claude.ai (old)',
    named: 'completion',
    piece: (completion) => ({ completion, stop_reason: null, model: 'm' }),
    close: () => [{ completion: '', stop_reason: 'stop_sequence', stop: '\n\nHuman:' }],
  },
  {
    name: 'Gemini',
    piece: (text) => part({ text }),
    close: () => [part({ text: '' }, { finishReason: 'STOP' })],
  },
  {
    name: 'Gemini, array',
    kind: 'json-array',
    piece: (text) => part({ text }),
    close: () => [part({ text: '', thoughtSignature: 'c2ln' }, { finishReason: 'STOP' })],
  },
  {
    name: 'Gemini, wrapped by Code Assist',
    piece: (text) => ({ response: part({ text }), traceId: 't' }),
    close: () => [{ response: part({ text: '' }, { finishReason: 'STOP' }), traceId: 't' }],
  },
  {
    name: 'Cohere',
    named: true,
    open: [
      { type: 'message-start', delta: { message: { role: 'assistant', content: [] } } },
      { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
    ],
    piece: (text) => ({ type: 'content-delta', index: 0, delta: { message: { content: { text } } } }),
    close: () => [
      { type: 'content-end', index: 0 },
      { type: 'message-end', delta: { finish_reason: 'COMPLETE', usage: {} } },
    ],
  },
  {
    name: 'Cohere, arguments of a tool',
    named: true,
    isJson: true,
    piece: (text) => ({
      type: 'tool-call-delta',
      index: 0,
      delta: { message: { tool_calls: { function: { arguments: text } } } },
    }),
    close: () => [
      { type: 'tool-call-end', index: 0 },
      { type: 'message-end', delta: { finish_reason: 'TOOL_CALL' } },
    ],
  },
  {
    name: 'Cohere v1',
    kind: 'ndjson',
    open: [{ event_type: 'stream-start', generation_id: 'g' }],
    piece: (text) => ({ event_type: 'text-generation', text, is_finished: false }),
    close: (text) => [{ event_type: 'stream-end', is_finished: true, response: { text }, finish_reason: 'COMPLETE' }],
  },
  {
    name: 'Mistral, array of parts',
    piece: (text) => chunk({ content: [{ type: 'text', text }] }),
    close: chatClose,
  },
  {
    name: 'Ollama, chat',
    kind: 'ndjson',
    piece: (content) => ({
      model: 'm',
      created_at: '2026-01-01',
      message: { role: 'assistant', content },
      done: false,
    }),
    close: () => [{ model: 'm', message: { role: 'assistant', content: '' }, done_reason: 'stop', done: true }],
  },
  {
    name: 'Ollama, generate',
    kind: 'ndjson',
    piece: (response) => ({ model: 'm', response, done: false }),
    close: () => [{ model: 'm', response: '', done: true, context: [1, 2, 3] }],
  },
  {
    name: 'llama.cpp',
    piece: (content, index) => ({ index, content, tokens: [1], stop: false, id_slot: 0 }),
    close: () => [{ index: 0, content: '', tokens: [], stop: true, stop_type: 'eos' }],
  },
  {
    name: 'TGI',
    piece: (text, index) => ({ index, token: { id: 1, text, logprob: -1, special: false }, generated_text: null }),
    close: (text) => [{ index: 99, token: { id: 2, text: '', special: true }, generated_text: text, details: null }],
  },
  ...webChatShapes,
  {
    name: 'Bedrock, Converse',
    kind: 'event-stream',
    named: 'contentBlockDelta',
    piece: (text) => ({ contentBlockIndex: 0, delta: { text }, p: 'abcdefghij' }),
    close: () => [{ ':event-type': 'contentBlockStop', contentBlockIndex: 0, p: 'a' }],
  },
  {
    name: 'Bedrock, Converse, input of a tool',
    kind: 'event-stream',
    named: 'contentBlockDelta',
    isJson: true,
    piece: (input) => ({ contentBlockIndex: 1, delta: { toolUse: { input } }, p: 'abcd' }),
    close: () => [{ ':event-type': 'contentBlockStop', contentBlockIndex: 1 }],
  },
]);

const encoder = new TextEncoder();

/** The bytes of each event of a shape around these pieces. */
export function framesOf(shape: Shape, pieces: readonly string[]): Uint8Array[] {
  const events = [
    ...shape.open,
    ...pieces.map((text, at) => shape.piece(text, at)),
    ...shape.close(pieces.join(''), pieces),
  ];
  if (shape.name.startsWith('Responses')) {
    for (const [at, event] of events.entries()) event.sequence_number = at;
  }
  if (shape.kind === 'event-stream') return events.map((event) => binaryFrame(shape, event));
  return events.map((event, at) => encoder.encode(textFrame(shape, event, at, events.length)));
}

function textFrame(shape: Shape, event: Event, at: number, count: number): string {
  if (typeof event === 'string') return event;
  const json = JSON.stringify(event);
  if (shape.kind === 'ndjson') return `${json}\n`;
  if (shape.kind === 'json-array') return `${at === 0 ? '[' : ',\r\n'}${json}${at === count - 1 ? ']\n' : ''}`;
  const name = shape.named === true ? event.type : shape.named;
  return `${name ? `event: ${name}\n` : ''}data: ${json}\n\n`;
}

function binaryFrame(shape: Shape, event: Event): Uint8Array {
  const { ':event-type': type = shape.named, ...payload } = event;
  return bedrockFrame(type, payload);
}

/** The JSON events of the output. */
export function eventsIn(shape: Shape, output: Uint8Array): Event[] {
  if (shape.kind === 'event-stream') return binaryEvents(output);
  const text = new TextDecoder().decode(output);
  if (shape.kind === 'json-array') return JSON.parse(text);
  const lines =
    shape.kind === 'ndjson' ? text.split('\n') : text.split('\n').filter((line) => line.startsWith('data:'));
  return lines
    .map((line) => line.replace(/^data: ?/, ''))
    .filter((line) => /^[[{"n]/.test(line) && line !== '[DONE]')
    .map((line) => JSON.parse(line));
}

/** What the client would show. */
export function textIn(shape: Shape, output: Uint8Array): string {
  return eventsIn(shape, output)
    .map((event) => shape.textOf(event) ?? '')
    .join('');
}
