/** The streams of providers as functions of the pieces of a text: what comes before, each piece, what comes after. */
import { formatFrame, formatHeaders } from '../../../core/stream/event-stream.ts';
import type { StreamKind } from '../../../core/stream/stream-restorer.ts';
import { binaryEvents, type Event } from './wire-fixtures.ts';

/** A stream around one run. Events are objects; a string is a raw frame of that framing. */
export type Shape = {
  readonly name: string;
  readonly kind: StreamKind;
  /** The run is JSON text (arguments of a tool); its pieces are of JSON then. */
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

const chunk = (delta: Event, finish: string | null = null, index = 0) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1790000000,
  model: 'm',
  choices: [{ index, delta, logprobs: null, finish_reason: finish }],
});
const usage = { id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [], usage: { total_tokens: 9 } };
const chatClose = () => [chunk({}, 'stop'), usage, 'data: [DONE]\n\n'];
const chatContent = (event: Event) => event.choices?.[0]?.delta?.content;
const call = (fields: Event) => chunk({ tool_calls: [{ index: 0, ...fields }] });
const block = (delta: Event, index = 0) => ({ type: 'content_block_delta', index, delta });
const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
const part = (fields: Event, more: Event = {}) => ({
  candidates: [{ content: { parts: [fields], role: 'model' }, index: 0, ...more }],
  modelVersion: 'gemini-x',
});
const partText = (event: Event) => event.candidates?.[0]?.content?.parts?.map((one: Event) => one.text ?? '').join('');

export const shapes: readonly Shape[] = [
  {
    name: 'chat completions',
    kind: 'sse',
    open: [chunk({ role: 'assistant', content: '', refusal: null })],
    piece: (content) => chunk({ content }),
    close: chatClose,
    textOf: chatContent,
  },
  {
    name: 'chat completions with comments and content filters',
    kind: 'sse',
    open: [': OPENROUTER PROCESSING\n\n', { choices: [], prompt_filter_results: [{ prompt_index: 0 }] }],
    piece: (content) => ({ ...chunk({ content }), obfuscation: 'a8Xk[', x_groq: { id: 'r' } }),
    close: chatClose,
    textOf: chatContent,
  },
  {
    name: 'chat completions, last piece with the reason to finish',
    kind: 'sse',
    open: [],
    piece: (content) => chunk({ content }),
    close: () => [chunk({ content: '' }, 'stop')],
    textOf: chatContent,
  },
  {
    name: 'chat completions, reasoning beside text',
    kind: 'sse',
    open: [chunk({ reasoning_content: 'hm ' })],
    piece: (content, at) => chunk(at % 2 ? { content, reasoning_content: 'x' } : { content }),
    close: chatClose,
    textOf: chatContent,
  },
  {
    name: 'chat completions, transcript of audio',
    kind: 'sse',
    open: [chunk({ audio: { id: 'audio_1', transcript: '' } })],
    piece: (transcript) => chunk({ audio: { transcript, data: 'UklGRiQAAABXQVZF' } }),
    close: chatClose,
    textOf: (event) => event.choices?.[0]?.delta?.audio?.transcript,
  },
  {
    name: 'chat completions, arguments of a tool',
    kind: 'sse',
    isJson: true,
    open: [call({ id: 'call_1', type: 'function', function: { name: 'send_mail', arguments: '' } })],
    piece: (text) => call({ function: { arguments: text } }),
    close: () => [chunk({}, 'tool_calls'), 'data: [DONE]\n\n'],
    textOf: (event) => event.choices?.[0]?.delta?.tool_calls?.[0]?.function?.arguments,
  },
  {
    name: 'chat completions, arguments of a function (old)',
    kind: 'sse',
    isJson: true,
    open: [chunk({ function_call: { name: 'send_mail', arguments: '' } })],
    piece: (text) => chunk({ function_call: { arguments: text } }),
    close: () => [chunk({}, 'function_call')],
    textOf: (event) => event.choices?.[0]?.delta?.function_call?.arguments,
  },
  {
    name: 'completions',
    kind: 'sse',
    open: [],
    piece: (text) => ({
      object: 'text_completion',
      choices: [{ index: 0, text, logprobs: null, finish_reason: null }],
    }),
    close: () => [{ choices: [{ index: 0, text: '', finish_reason: 'stop' }] }, 'data: [DONE]\n\n'],
    textOf: (event) => event.choices?.[0]?.text,
  },
  {
    name: 'Responses',
    kind: 'sse',
    named: true,
    open: [
      { type: 'response.created', response: { id: 'resp_1', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: { id: 'msg_1', type: 'message', content: [] } },
      { type: 'response.content_part.added', ...place, part: { type: 'output_text', text: '' } },
    ],
    piece: (delta, at) => ({
      type: 'response.output_text.delta',
      ...place,
      // One provider changes the id at every event.
      item_id: `msg_${at}`,
      delta,
      logprobs: [],
      obfuscation: 'x7Q',
    }),
    close: (text) => [
      { type: 'response.output_text.done', ...place, text },
      { type: 'response.content_part.done', ...place, part: { type: 'output_text', text } },
      {
        type: 'response.completed',
        response: { id: 'resp_1', output: [{ content: [{ type: 'output_text', text }] }] },
      },
    ],
    textOf: (event) => (event.type === 'response.output_text.delta' ? event.delta : undefined),
  },
  {
    name: 'Responses, arguments of a function',
    kind: 'sse',
    named: true,
    isJson: true,
    open: [{ type: 'response.output_item.added', output_index: 1, item: { type: 'function_call', arguments: '' } }],
    piece: (delta) => ({ type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 1, delta }),
    close: (text) => [
      { type: 'response.function_call_arguments.done', item_id: 'fc_1', output_index: 1, arguments: text },
      { type: 'response.completed', response: { output: [] } },
    ],
    textOf: (event) => (event.type === 'response.function_call_arguments.delta' ? event.delta : undefined),
  },
  {
    name: 'Responses, summary of reasoning',
    kind: 'sse',
    named: true,
    open: [],
    piece: (delta) => ({ type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta }),
    close: (text) => [
      { type: 'response.reasoning_summary_text.done', output_index: 0, summary_index: 0, text },
      { type: 'response.completed', response: { output: [] } },
    ],
    textOf: (event) => event.delta,
  },
  {
    name: 'Messages',
    kind: 'sse',
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
    textOf: (event) => event.delta?.text,
  },
  {
    name: 'Messages, input of a tool',
    kind: 'sse',
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
    textOf: (event) => event.delta?.partial_json,
  },
  {
    name: 'complete (old) and claude.ai (old)',
    kind: 'sse',
    named: 'completion',
    open: [],
    piece: (completion) => ({ completion, stop_reason: null, model: 'm' }),
    close: () => [{ completion: '', stop_reason: 'stop_sequence', stop: '\n\nHuman:' }],
    textOf: (event) => event.completion,
  },
  {
    name: 'Gemini',
    kind: 'sse',
    open: [],
    piece: (text) => part({ text }),
    close: () => [part({ text: '' }, { finishReason: 'STOP' })],
    textOf: partText,
  },
  {
    name: 'Gemini, array',
    kind: 'json-array',
    open: [],
    piece: (text) => part({ text }),
    close: () => [part({ text: '', thoughtSignature: 'c2ln' }, { finishReason: 'STOP' })],
    textOf: partText,
  },
  {
    name: 'Gemini, wrapped by Code Assist',
    kind: 'sse',
    open: [],
    piece: (text) => ({ response: part({ text }), traceId: 't' }),
    close: () => [{ response: part({ text: '' }, { finishReason: 'STOP' }), traceId: 't' }],
    textOf: (event) => partText(event.response),
  },
  {
    name: 'Cohere',
    kind: 'sse',
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
    textOf: (event) => event.delta?.message?.content?.text,
  },
  {
    name: 'Cohere, arguments of a tool',
    kind: 'sse',
    named: true,
    isJson: true,
    open: [],
    piece: (text) => ({
      type: 'tool-call-delta',
      index: 0,
      delta: { message: { tool_calls: { function: { arguments: text } } } },
    }),
    close: () => [
      { type: 'tool-call-end', index: 0 },
      { type: 'message-end', delta: { finish_reason: 'TOOL_CALL' } },
    ],
    textOf: (event) => event.delta?.message?.tool_calls?.function?.arguments,
  },
  {
    name: 'Cohere v1',
    kind: 'ndjson',
    open: [{ event_type: 'stream-start', generation_id: 'g' }],
    piece: (text) => ({ event_type: 'text-generation', text, is_finished: false }),
    close: (text) => [{ event_type: 'stream-end', is_finished: true, response: { text }, finish_reason: 'COMPLETE' }],
    textOf: (event) => (event.event_type === 'text-generation' ? event.text : undefined),
  },
  {
    name: 'Mistral, array of parts',
    kind: 'sse',
    open: [],
    piece: (text) => chunk({ content: [{ type: 'text', text }] }),
    close: chatClose,
    textOf: (event) => event.choices?.[0]?.delta?.content?.[0]?.text,
  },
  {
    name: 'Ollama, chat',
    kind: 'ndjson',
    open: [],
    piece: (content) => ({
      model: 'm',
      created_at: '2026-01-01',
      message: { role: 'assistant', content },
      done: false,
    }),
    close: () => [{ model: 'm', message: { role: 'assistant', content: '' }, done_reason: 'stop', done: true }],
    textOf: (event) => event.message.content,
  },
  {
    name: 'Ollama, generate',
    kind: 'ndjson',
    open: [],
    piece: (response) => ({ model: 'm', response, done: false }),
    close: () => [{ model: 'm', response: '', done: true, context: [1, 2, 3] }],
    textOf: (event) => event.response,
  },
  {
    name: 'llama.cpp',
    kind: 'sse',
    open: [],
    piece: (content, index) => ({ index, content, tokens: [1], stop: false, id_slot: 0 }),
    close: () => [{ index: 0, content: '', tokens: [], stop: true, stop_type: 'eos' }],
    textOf: (event) => event.content,
  },
  {
    name: 'TGI',
    kind: 'sse',
    open: [],
    piece: (text, index) => ({ index, token: { id: 1, text, logprob: -1, special: false }, generated_text: null }),
    close: (text) => [{ index: 99, token: { id: 2, text: '', special: true }, generated_text: text, details: null }],
    textOf: (event) => event.token.text,
  },
  {
    name: 'Copilot (messages as lines)',
    kind: 'ndjson',
    open: [{ event: 'startMessage', messageId: 'm' }],
    piece: (text) => ({ event: 'appendText', messageId: 'm', partId: 'p', text }),
    close: () => [
      { event: 'partCompleted', messageId: 'm', partId: 'p' },
      { event: 'done', messageId: 'm' },
    ],
    textOf: (event) => event.text,
  },
  {
    name: 'chatgpt.com, delta encoding',
    kind: 'sse',
    named: 'delta',
    open: [
      'event: delta_encoding\ndata: "v1"\n\n',
      {
        p: '',
        o: 'add',
        v: { message: { id: 'a', content: { content_type: 'text', parts: [''] }, status: 'in_progress' } },
        c: 0,
      },
      { p: '/message/content/parts/0', o: 'append', v: 'x' },
    ],
    piece: (v) => ({ v }),
    close: () => [
      {
        p: '',
        o: 'patch',
        v: [
          { p: '/message/content/parts/0', o: 'append', v: '' },
          { p: '/message/status', o: 'replace', v: 'finished_successfully' },
        ],
      },
      'data: {"type":"message_stream_complete"}\n\n',
      'data: [DONE]\n\n',
    ],
    textOf: (event) => (typeof event.v === 'string' ? event.v : Array.isArray(event.v) ? event.v[0].v : undefined),
  },
  {
    name: 'chat.deepseek.com',
    kind: 'sse',
    open: [{ v: { response: { message_id: 2, content: '' } } }, { p: 'response/content', o: 'APPEND', v: 'x' }],
    piece: (v) => ({ v }),
    close: () => [{ p: 'response/status', o: 'SET', v: 'FINISHED' }],
    textOf: (event) => (typeof event.v === 'string' && event.p !== 'response/status' ? event.v : undefined),
  },
  {
    name: 'Perplexity, chunks',
    kind: 'sse',
    named: 'message',
    open: [],
    piece: (text, at) => ({
      blocks: [{ intended_usage: 'ask_text', markdown_block: { chunks: [text], chunk_starting_offset: at } }],
    }),
    close: (answer, chunks) => [
      { blocks: [{ intended_usage: 'ask_text', markdown_block: { chunks, answer } }], final: true },
      'event: end_of_stream\ndata: {}\n\n',
    ],
    textOf: (event) => (event.final ? undefined : event.blocks?.[0].markdown_block.chunks.join('')),
  },
  {
    name: 'Perplexity, patches',
    kind: 'sse',
    named: 'message',
    open: [],
    piece: (value, at) => ({
      blocks: [
        {
          intended_usage: 'ask_text_0_markdown',
          diff_block: { field: 'markdown_block', patches: [{ op: 'add', path: `/chunks/${at}`, value }] },
        },
      ],
    }),
    close: () => ['event: end_of_stream\ndata: {}\n\n'],
    textOf: (event) => event.blocks?.[0].diff_block.patches[0].value,
  },
  {
    name: 'grok.com',
    kind: 'ndjson',
    open: [],
    piece: (token) => ({ result: { response: { token, isThinking: false, responseId: 'r' } } }),
    close: (message) => [{ result: { response: { modelResponse: { message, responseId: 'r' } } } }],
    textOf: (event) => event.result.response.token,
  },
  {
    name: 'a provider nobody knows',
    endsSilently: true,
    kind: 'ndjson',
    open: [],
    piece: (chunkText) => ({ kind: 'progress', payload: { chunkText, n: 1 } }),
    close: () => [{ kind: 'end' }],
    textOf: (event) => event.payload?.chunkText,
  },
  {
    name: 'Bedrock, Converse',
    kind: 'event-stream',
    named: 'contentBlockDelta',
    open: [],
    piece: (text) => ({ contentBlockIndex: 0, delta: { text }, p: 'abcdefghij' }),
    close: () => [{ ':event-type': 'contentBlockStop', contentBlockIndex: 0, p: 'a' }],
    textOf: (event) => event.delta?.text,
  },
  {
    name: 'Bedrock, Converse, input of a tool',
    kind: 'event-stream',
    named: 'contentBlockDelta',
    isJson: true,
    open: [],
    piece: (input) => ({ contentBlockIndex: 1, delta: { toolUse: { input } }, p: 'abcd' }),
    close: () => [{ ':event-type': 'contentBlockStop', contentBlockIndex: 1 }],
    textOf: (event) => event.delta?.toolUse?.input,
  },
];

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
  const head = formatHeaders([
    [':event-type', type],
    [':content-type', 'application/json'],
    [':message-type', 'event'],
  ]);
  return formatFrame(head, encoder.encode(JSON.stringify(payload)));
}

/** JSON events of what came out. */
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
