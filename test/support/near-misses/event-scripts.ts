import type { StreamKind } from '../../../core/stream/stream-restorer.ts';
import type { Event } from '../../core/stream/wire-fixtures.ts';

const chat = (content: string, more: Event = {}) => ({ choices: [{ index: 0, delta: { content }, ...more }] });
const done = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
const rich = {
  id: 'x',
  object: 'chunk',
  usage: { total: 1 },
  x_groq: {},
  citations: ['a'],
  annotations: [],
  prompt_filter_results: [],
  content_filter_results: {},
  logprobs: { a: 1 },
  stop_reason: 'none',
  done_reason: 'none',
  finishReason: 'none',
  chunk_starting_offset: 4,
  other: [1, { a: null }],
};
const numbered = (index: number, sequence_number: number) => ({
  type: 'response.output_text.delta',
  output_index: index,
  sequence_number,
  delta: '[EM',
});
const output = (content_index: number, delta: string) => ({
  type: 'response.output_text.delta',
  output_index: 0,
  content_index,
  delta,
});
const annotation = 'response.output_text.annotation.added';
const long = `${'a'.repeat(47)}b`;

/** Events as NDJSON, or pairs of name and event as server-sent events. */
export const eventScripts: readonly (readonly [name: string, events: readonly Event[]])[] = [
  ['what is kept in a choice', [chat('to [EM', { ...rich, finish_reason: 'none' }), done]],
  ['a text that goes on behind its end', [chat('[EM'), done, chat('AIL-1]')]],
  ['numbers: at the end', [numbered(1, 4), numbered(0, 5)]],
  [
    'offsets behind a text: {"output_index":1}',
    [
      output(0, '[EMAIL-1] a'),
      output(1, '12 [NAME-1] a'),
      { type: annotation, output_index: 1, annotation: { start_index: 9, end_index: 13 } },
      { type: annotation, annotation: { output_index: 1, start_index: 12, end_index: 12 } },
    ],
  ],
  [
    'parts of one event',
    [{ parts: [{ text: 'a [EM' }, { text: 'AIL-1]' }] }, { list: [{ text: 'a [EM' }, { text: 'AIL-1]' }] }],
  ],
  [
    'the name of an event and its type',
    [
      ['conversation.message.delta', { type: 'answer', text: '[EM' }],
      ['conversation.message.delta', { type: 'verbose', text: 'AIL-1]' }],
      ['other', { type: 'answer', text: '[EM' }],
      ['conversation.message.completed', { type: 'answer' }],
    ],
  ],
  [
    'patches: by the name of the first event',
    [
      ['delta_encoding', 'v1'],
      ['delta', { v: 'to [EM' }],
      ['delta', { v: 'AIL-1]' }],
      ['delta', [1]],
      ['delta', { type: 'x', text: '[EM' }],
      ['delta', { p: '/y', v: 'x' }],
    ],
  ],
  ['grows: by chance', [{ t: '1' }, { t: '10' }, { t: '[EM' }, { t: 'AIL-1]' }]],
  ['grows: from eleven characters', [{ t: 'abcdefgh [E' }, { t: 'abcdefgh [EMAIL-1]' }]],
  ['grows: a delta from 48 characters', [chat(long), chat(`${long}[EM`), chat(`${long}[EMAIL-1]`)]],
  ['grows: the type says delta', ['abcdefghijklm', 'abcdefghijklm[EM', 'AIL-1]'].map((t) => ({ type: 'x.delta', t }))],
];

/** Text as it arrives. */
export const chunkScripts: readonly (readonly [name: string, kind: StreamKind, chunks: readonly string[]])[] = [
  [
    'events: lines of data',
    'sse',
    [
      'data: {"a":\ndata: "[EMAIL-1]"}\n\n',
      'data: a\ndata: [EMAIL-1]\n\n',
      'data: {"a":"[EM"}\r\rdata: {"a":"AIL-1]"}\r\r',
      'data: {"a":"[EMAIL-1]"}\r\n\r\n',
      'data: {"a":"[EM',
    ],
  ],
  [
    'events: texts',
    'sse',
    [
      'data: to [EM\n\n',
      'data: AIL-1]\n\n',
      'event: b\ndata: [EM\n\n',
      'event: c\ndata: AIL-1]\n\n',
      'data: {"a":1}\n\n',
      'data: "[EM"\n\n',
      'data: "AIL-1]"\n\n',
    ],
  ],
  ['an array: pieces', 'json-array', ['[', '{"a":"[EM"}', ',', '\n{"a":"AIL-1]"}', ', {"a":"[EM"}', ']']],
];

/** WebSocket messages; `end` requests held text. */
export const messageScripts: readonly (readonly [name: string, messages: readonly string[]])[] = [
  ['messages: of JSON', ['{"a":"to [EM"}', '{"a":"AIL-1]"}', '{"a":"[EM"}', 'end', '{"a":"AIL-1]"}']],
  [
    'messages: events in text',
    [
      { conversation_id: 'c', text: 'data: {"a":"[EM"}\n\n' },
      { conversation_id: 'd', text: 'data: {"a":"x"}\n\n' },
      { conversation_id: 'c', text: 'data: {"a":"AIL-1]"}\n\n' },
      { websocket_request_id: 'e', text: btoa('data: {"a":"[EM"}\n\n') },
      { websocket_request_id: 'e', text: btoa('data: {"a":"AIL-1]"}\n\n') },
      { text: 'event: x\ndata: {"a":"[EM"}\r\n\r\n' },
      { text: '!!' },
      'end',
    ].map((message) => (typeof message === 'string' ? message : JSON.stringify(message))),
  ],
];
