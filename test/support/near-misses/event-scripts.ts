import type { Event } from '../../core/stream/wire-fixtures.ts';
import { chat, done, laterScripts } from './later-event-scripts.ts';

const numbered = (sequence_number: unknown, delta: string, more: Event = {}) => ({
  type: 'response.output_text.delta',
  output_index: 0,
  sequence_number,
  delta,
  ...more,
});

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

/** Events as NDJSON, or pairs of name and event as server-sent events. */
export const eventScripts: readonly (readonly [name: string, events: readonly Event[]])[] = [
  // Inserted events.
  ['what is kept of the event before', [{ ...rich, text: 'to [EM' }, { done: true }]],
  ['what is kept in a choice', [chat('to [EM', 0, { ...rich, finish_reason: 'none' }), done]],
  [
    'what is kept of several choices',
    [
      {
        choices: [
          { index: 0, text: 'a' },
          { index: 1, text: 'b [EM', n: 2 },
        ],
        x: 1,
      },
      { done: true },
    ],
  ],
  [
    'what is kept of a delta',
    [{ type: 'd', delta: { type: 't', role: 'r', index: 2, text: '[EM', extra: 'x' }, index: 1 }, { type: 'end' }],
  ],
  [
    'what is kept of the call of a tool',
    [
      {
        choices: [
          {
            index: 0,
            delta: {
              role: 'r',
              tool_calls: [
                { index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":"[EM', x: 1 } },
              ],
            },
          },
        ],
      },
      done,
    ],
  ],
  ['what is kept of a patch', [{ path: '/chunks/4', op: 'add', text: 'to [EM' }, { done: true }]],
  [
    'what is kept of another patch',
    [
      { path: '/chunks/4', op: 'replace', text: 'to [EM' },
      { path: 5, op: 'add', text: '[EM' },
    ],
  ],
  ['an offset that is no number', [{ chunk_starting_offset: 'x', text: '[EM' }, { done: true }]],
  [
    'an array at the top',
    [
      ['to [EM', 'x'],
      ['AIL-1]', 'x'],
    ],
  ],
  ['two texts are held', [{ a: 'to [EM', b: 'or [NA' }, { c: 1 }, { done: true }]],
  ['two texts are held, and one goes on', [{ a: 'to [EM', b: 'or [NA' }, { a: 'AIL-1]' }, { b: 'ME-1]' }]],
  ['two choices, one of which ends', [chat('[EM'), chat('[NA', 1), done, chat('ME-1]', 1)]],
  [
    'a choice that ends in its last event',
    [chat('a [EM'), chat('AIL-1] [NA', 0, { finish_reason: 'stop' }), chat('ME-1]')],
  ],
  ['an end without a text before', [done, { done: true }, chat('[EMAIL-1]')]],
  ['a text that goes on behind its end', [chat('[EM'), done, chat('AIL-1]')]],
  ['empty pieces', [chat(''), chat('[EM'), chat(''), chat('AIL-1]'), chat('')]],
  [
    'signed thoughts',
    [
      { type: 'thinking_delta', thinking: '[EM' },
      { type: 'x', thinking: '[EM' },
      { text: '', thoughtSignature: 'x' },
      { text: '', thought_signature: 'x' },
    ],
  ],
  [
    'other choices with the same rest',
    [chat('a [EMAIL-1]'), chat('b [EMAIL-1]'), chat('c [EMAIL-1]', 1), chat('d "\\ [NAME-1]')],
  ],
  [
    'the same rest, another name',
    [
      ['a', { text: 'x [EM' }],
      ['a', { text: 'AIL-1] x' }],
      ['b', { text: '[EM' }],
      ['a', { text: 'AIL-1]' }],
    ],
  ],
  [
    'the same rest, short',
    [
      '{"text":"[EMAIL-1]"}',
      '{"text":""}',
      '{"text"}',
      '{"text":"\\u005bEMAIL-1]"}',
      '{"text":"\\x"}',
      '{"text":"a" }',
    ],
  ],
  [
    'the same rest after its end',
    [{ text: '[EMAIL-1]' }, { text: '[EM' }, { done: true }, { text: 'AIL-1]' }, { text: '[EMAIL-1]' }],
  ],
  // Numbers.
  [
    'numbers: put in',
    [
      numbered(4, '[EM'),
      { type: 'response.output_text.done', output_index: 0, sequence_number: 5 },
      numbered(6, '[EM'),
      { type: 'response.completed', sequence_number: 7 },
      { type: 'x', sequence_number: 8 },
    ],
  ],
  ['numbers: at the end', [numbered(4, '[EM', { output_index: 1 }), numbered(5, '[EM')]],
  [
    'numbers: a second answer',
    [
      numbered(4, '[EM'),
      { type: 'response.completed', sequence_number: 5 },
      numbered(0, 'a'),
      numbered(1, '[EM'),
      { type: 'response.completed', sequence_number: 2 },
    ],
  ],
  ['numbers that are none', [numbered('4', '[EM'), { type: 'response.completed', sequence_number: '5' }]],
  [
    'numbers: of others',
    [
      { sequence_number: 3, text: '[EMAIL-1]' },
      { sequence_number: 4, text: '[EMAIL-1]' },
    ],
  ],
  // Offsets.
  ...[{ content_index: 0, output_index: 0 }, { content_index: 1, output_index: 0 }, { output_index: 1 }, {}].map(
    (place) =>
      [
        `offsets behind a text: ${JSON.stringify(place)}`,
        [
          { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: '[EMAIL-1] a' },
          { type: 'response.output_text.delta', output_index: 0, content_index: 1, delta: '12 [NAME-1] a' },
          { type: 'response.output_text.annotation.added', ...place, annotation: { start_index: 9, end_index: 13 } },
          { type: 'response.output_text.annotation.added', annotation: { ...place, start_index: 12, end_index: 12 } },
        ],
      ] as const,
  ),
  [
    'offsets of a choice',
    [
      chat('[EMAIL-1]', 0),
      chat('12 [NAME-1]', 1),
      ...[0, 1, 2].map((index) => ({
        choices: [{ index, delta: { annotations: [{ url_citation: { start_index: 9, end_index: 12 } }] } }],
      })),
    ],
  ],
  [
    'offsets of a choice, the second one first',
    [
      chat('12 [NAME-1] a', 1),
      chat('a', 0),
      { choices: [{ index: 0, delta: { annotations: [{ url_citation: { start_index: 9, end_index: 12 } }] } }] },
    ],
  ],
  [
    'offsets next to a text',
    [
      {
        text: '[EMAIL-1] [NAME-1]',
        citations: [
          { start: 0, end: 9 },
          { start: 10, end: 18 },
        ],
      },
      { content: '[EMAIL-1] é', annotations: [{ start_index: 9, end_index: 11 }] },
    ],
  ],
  [
    'offsets in bytes',
    [
      { candidates: [{ index: 0, content: { parts: [{ text: 'é [NAME-1] é' }] } }] },
      {
        candidates: [
          {
            index: 0,
            content: { parts: [{ text: ' x' }] },
            groundingMetadata: {
              groundingSupports: [{ segment: { startIndex: 3, endIndex: 11 } }, { segment: { endIndex: 14 } }],
            },
          },
        ],
      },
    ],
  ],
  [
    'offsets: not of thoughts or tools',
    [
      { choices: [{ index: 0, delta: { reasoning: '[EMAIL-1]' } }] },
      { choices: [{ index: 0, delta: { annotations: [{ url_citation: { start_index: 9, end_index: 12 } }] } }] },
    ],
  ],
  ['offsets: without a text', [{ annotations: [{ start_index: 9, end_index: 12 }] }, { text: 'x' }]],
  // One or two texts.
  [
    'thoughts and text',
    [
      { parts: [{ text: '[EM', thought: true }] },
      { parts: [{ text: '[NA' }] },
      { parts: [{ text: 'AIL-1]', thought: true }] },
      { parts: [{ text: 'ME-1]', thought: false }] },
    ],
  ],
  [
    'parts of one event',
    [{ parts: [{ text: 'a [EM' }, { text: 'AIL-1]' }] }, { list: [{ text: 'a [EM' }, { text: 'AIL-1]' }] }],
  ],
  ...['parts', 'content', 'chunks', 'messages', 'thinking', 'summary', 'partsx', 'items'].map(
    (key) =>
      [
        `elements of ${key}`,
        [
          { [key]: [{ text: 'a' }, { text: '[EM' }] },
          { [key]: [{ text: 'AIL-1]' }] },
          { [key]: ['[EM'] },
          { [key]: ['x', 'AIL-1]'] },
        ],
      ] as const,
  ),
  [
    'elements with an index',
    [
      { list: [{ index: 3, text: '[EM' }] },
      {
        list: [
          { index: 4, text: 'x' },
          { index: 3, text: 'AIL-1]' },
        ],
      },
      { list: [{ index: '3', text: 'AIL-1]' }] },
    ],
  ],
  [
    'elements with a use',
    [
      { blocks: [{ intended_usage: 'a', text: '[EM' }] },
      { blocks: [{ intended_usage: 'b', text: 'x' }] },
      { blocks: [{ intended_usage: 'a', text: 'AIL-1]' }] },
    ],
  ],
  [
    'places of an argument',
    [
      { partialArgs: [{ jsonPath: '$.a[0]', stringValue: '[EM', willContinue: true }] },
      { partialArgs: [{ jsonPath: '$.b[0]', stringValue: 'x', willContinue: true }] },
      { partialArgs: [{ jsonPath: '$.a[1]', stringValue: 'AIL-1]', willContinue: true }] },
      { partialArgs: [{ jsonPath: '$.a[0]', stringValue: '[EM' }] },
    ],
  ],
  [
    'places of a patch',
    [
      { op: 'add', path: '/a/1', value: '[EM' },
      { op: 'add', path: '/b/1', value: 'x' },
      { op: 'add', path: '/a/2', value: 'AIL-1]' },
      { path: '/a/2', value: '[EM' },
      { path: '/b/2', value: 'AIL-1]' },
    ],
  ],
  [
    'an answer and its chunks',
    [
      { answer: 'to [EMAIL-1]', chunks: ['to [EM', 'AIL-1]'] },
      { answer: 'to [EMAIL-1] x', chunks: ['to [EM'] },
      { chunks: ['to [EM'] },
      { answer: 1, chunks: ['AIL-1]'] },
    ],
  ],
  [
    'families',
    [
      { type: 'a.delta', text: '[EM' },
      { type: 'b.delta', text: 'x' },
      { type: 'a_start', text: 'y' },
      { type: 'a.added', x: 1 },
      { type: 'a.delta', text: 'AIL-1]' },
    ],
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
    'the name alone',
    [
      ['x.delta', { text: '[EM' }],
      ['x.done', { text: '[EM' }],
      ['y.delta', { event: 'z', text: '[EM' }],
      ['z', { event_type: 'z', text: 'AIL-1]' }],
    ],
  ],
  ...laterScripts,
];
