/** More event streams: patches, growing texts, other framings. */
import type { StreamKind } from '../../../core/stream/stream-restorer.ts';
import type { Event } from '../../core/stream/wire-fixtures.ts';

export const chat = (content: string, index = 0, more: Event = {}) => ({
  choices: [{ index, delta: { content }, ...more }],
});

export const done = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };

export const patch = (v: unknown, p?: string, o?: string, more: Event = {}) => ({
  ...(p === undefined ? {} : { p }),
  ...(o === undefined ? {} : { o }),
  v,
  ...more,
});

export const parts = '/message/content/parts/0';

const long = 'a'.repeat(47);

/** Patches of a document, growing texts, and events that are not JSON. */
export const laterScripts: readonly (readonly [name: string, events: readonly Event[]])[] = [
  // Patches of a document.
  [
    'patches',
    [
      patch('to [EM', parts, 'append'),
      patch('AIL-1]'),
      patch(' and [NA'),
      patch('finished', '/message/status', 'replace'),
      patch('x'),
    ],
  ],
  [
    'patches: path and operation are left out',
    [
      patch('a', parts, 'append'),
      patch('to [EM'),
      patch('x', '/message/other', 'append'),
      patch('AIL-1]', parts),
      patch('[EM'),
      patch('done', '/a/status'),
    ],
  ],
  [
    'patches: channels',
    [
      patch('[EM', parts, 'append', { c: 1 }),
      patch('[NA', parts, 'append', { c: 2 }),
      patch('AIL-1]', parts, 'append', { c: 1 }),
      patch('ME-1]', undefined, undefined, { c: 2 }),
      patch('[EM'),
      patch('x', parts, 'append', { c: 1 }),
      patch('y', '/z', 'append', { c: 2 }),
    ],
  ],
  [
    'patches: a list of them',
    [
      patch('', '', 'patch'),
      patch(
        [
          { p: parts, o: 'append', v: 'to [EM' },
          { p: '/message/status', o: 'replace', v: 'in_progress' },
        ],
        '',
        'patch',
      ),
      patch([
        { p: parts, o: 'append', v: 'AIL-1] [NA' },
        { p: '/message/status', o: 'replace', v: 'FINISHED' },
      ]),
      patch('x'),
    ],
  ],
  [
    'patches: whole values',
    [
      patch({ message: { content: { parts: ['[EMAIL-1] [EM'] } } }, '', 'add'),
      patch('AIL-1]', parts, 'append'),
      patch('[EMAIL-1] [EM', parts, 'replace'),
      patch('AIL-1]'),
    ],
  ],
  [
    'patches: upper case',
    [patch('to [EM', 'response/content', 'APPEND'), patch('AIL-1]'), patch('FINISHED', 'response/status', 'SET')],
  ],
  [
    'patches: by the name of the first event',
    [
      ['delta_encoding', 'v1'],
      ['delta', patch('to [EM')],
      ['delta', patch('AIL-1]')],
      ['delta', [1]],
      ['delta', { type: 'x', text: '[EM' }],
      ['delta', patch('x', '/y')],
    ],
  ],
  [
    'a lone p is padding',
    [{ text: 'to [EM', p: 'abc' }, { text: 'AIL-1]', p: 'ab' }, { v: '[EM' }, { v: 'AIL-1]', p: 1 }],
  ],
  [
    'patches: numbers of events',
    [patch('to [EM', parts, 'append', { sequence_number: 1 }), patch('x', '/a', 'replace', { sequence_number: 2 })],
  ],
  // Growing texts.
  ['grows: from a few characters', [{ t: 'a' }, { t: 'ab' }, { t: 'abc [EM' }, { t: 'abc [EMAIL-1]' }]],
  ['grows: by chance', [{ t: '1' }, { t: '10' }, { t: '[EM' }, { t: 'AIL-1]' }]],
  ['grows: held at three characters', [{ t: 'a[E' }, { t: 'a[EMAIL-1]' }, { t: 'a[EMAIL-1] b' }]],
  ['grows: held at two characters', [{ t: '[E' }, { t: '[EMAIL-1]' }, { t: '[EMAIL-1] b' }]],
  ['grows: from eleven characters', [{ t: 'abcdefgh [E' }, { t: 'abcdefgh [EMAIL-1]' }]],
  ['grows: from twelve characters', [{ t: 'abcdefghi [E' }, { t: 'abcdefghi [EMAIL-1] ' }]],
  [
    'grows: from twelve characters, nothing held',
    [{ t: 'abcdefghijkl' }, { t: 'abcdefghijkl[EM' }, { t: 'abcdefghijkl[EMAIL-1]' }],
  ],
  ['grows: from eleven characters, nothing held', [{ t: 'abcdefghijk' }, { t: 'abcdefghijk[EM' }, { t: 'AIL-1]' }]],
  ['grows: a delta from 47 characters', [chat(long), chat(`${long}[EM`), chat('AIL-1]')]],
  ['grows: a delta from 48 characters', [chat(`${long}b`), chat(`${long}b[EM`), chat(`${long}b[EMAIL-1]`)]],
  [
    'grows: a delta four times',
    [chat('a'), chat('ab'), chat('abc'), chat('abcd'), chat('abcde[EM'), chat('abcde[EMAIL-1]')],
  ],
  ['grows: not in a row', [{ t: 'a' }, { t: 'b' }, { t: 'bc' }, { t: 'bcd' }, { t: 'bcd[EM' }, { t: 'AIL-1]' }]],
  [
    'grows: with an empty piece',
    [{ t: 'a' }, { t: '' }, { t: 'ab' }, { t: 'ab' }, { t: 'abc [EM' }, { t: 'abc [EMAIL-1]' }],
  ],
  [
    'grows: a message of parts',
    [
      { message: { content: { parts: ['a'] } } },
      { message: { content: { parts: ['a[EM'] } } },
      { message: { content: { parts: ['a[EMAIL-1]'] } } },
      { message: { status: 'finished_x', content: { parts: ['a[EMAIL-1] [N'] } } },
    ],
  ],
  ['grows: what is held at the end', [{ t: 'one two three' }, { t: 'one two three [EM' }, { done: true }]],
  [
    'grows: the type says delta',
    [
      { type: 'x.delta', t: 'abcdefghijklm' },
      { type: 'x.delta', t: 'abcdefghijklm[EM' },
      { type: 'x.delta', t: 'AIL-1]' },
    ],
  ],
  // Events that are not JSON.
  [
    'text between events',
    [
      ['a', { text: '[EM' }],
      ['message_stop', {}],
    ],
  ],
  ['no JSON', ['{"text":"[EM"}', '{"text":"AIL-1]"', '{"text":"AIL-1]"}', 'null', '[]', '"[EMAIL-1]"', '1']],
];

const rc = (text: unknown) => `[["wrb.fr",null,${JSON.stringify(JSON.stringify([text]))}]]\n`;

const framed = (line: string) => `${line.length + 1}\n${line}`;

/** Text as it arrives; `flush` requests held text. */
export const chunkScripts: readonly (readonly [name: string, kind: StreamKind, chunks: readonly string[]])[] = [
  ['lengths: held, then a text', 'json-array', [")]}'\n\n", framed(rc('to [EM')), framed(rc('to [EMAIL-1]'))]],
  ['lengths: held, then the end', 'json-array', [")]}'\n\n", framed(rc('to [EM')), '25\n[["e",4,null,null,131]]\n']],
  [
    'lengths: held, then a flush',
    'json-array',
    [")]}'\n\n", framed(rc('to [EM')), 'flush', framed(rc('to [EMAIL-1]'))],
  ],
  ['lengths: held, then nothing', 'json-array', [")]}'\n\n", framed(rc('to [EM'))]],
  ['lengths: a length alone', 'json-array', [")]}'\n\n", '25\n']],
  [
    'lengths: two lengths, an empty line, a word',
    'json-array',
    [")]}'\n\n", '25\n', '26\n', '\n', '27\n', 'x\n', rc('[EMAIL-1]')],
  ],
  ['lengths: none', 'json-array', [")]}'\n", rc('[EM'), rc('[EMAIL-1]')]],
  [
    'lengths: another document',
    'json-array',
    [
      ")]}'\n\n",
      framed('[["other","[EMAIL-1] [EM"]]\n'),
      framed(' [["wrb.fr","[EM"]]\n'),
      framed('[ [ "wrb.fr" , "[EM"]]\n'),
      framed('["wrb.fr","[EM"]\n'),
    ],
  ],
  ['lines: broken ones are counted', 'jsonl', ['{"a":"[EMAIL-1]"\n', '{"a":"[EMAIL-1]"}\n', '{"b\n{"c\n', 'x']],
  [
    'events: broken ones are counted',
    'sse',
    [
      'data: {"a":"[EMAIL-1]"\n\n',
      'data: {"a":\n\n',
      'data: [ {"a":\n\n',
      'data: [EMAIL-1]\n\n',
      'data: x [EM\n\n',
      'flush',
      'data: AIL-1]\n\n',
    ],
  ],
  [
    'events: fields',
    'sse',
    [
      'id: 1\nevent: x\nretry: 5\ndata: {"a":"[EM"}\n\n',
      'event: x\ndata: {"a":"AIL-1]"}\nid: 2\n\n',
      ': c\n\n',
      'data\n\n',
      'data:{"a":"[EMAIL-1]"}\n\n',
      'data:  {"a":"[EMAIL-1]"}\n\n',
      'x: y\n\n',
    ],
  ],
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
    'events: held over a comment',
    'sse',
    ['data: {"a":"[EM"}\n\n', ': ping\n\n', 'data: {"a":"AIL-1]"}\n\n', 'data: {"a":"[EM"}\n\n', 'data: [DONE]\n\n'],
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
  [
    'events: lines with a name',
    'ndjson',
    [
      '0:"to [EM"\n',
      '0:"AIL-1]"\n',
      '9:{"a":"[EMAIL-1]"}\n',
      'e:{"finishReason":"stop"}\n',
      '12345:"[EMAIL-1]"\n',
      'g:"[EMAIL-1]"\n',
      '0:x\n',
      '2:[{"a":"[EM"}]\n',
    ],
  ],
  ['an array: pieces', 'json-array', ['[', '{"a":"[EM"}', ',', '\n{"a":"AIL-1]"}', ', {"a":"[EM"}', ']']],
  [
    'an array: a flush between',
    'json-array',
    ['[{"a":"[EM"}', 'flush', ',{"a":"x"}', ',', 'flush', '{"a":"[EM"}', ',', 'flush', '{"a":"y"}]'],
  ],
  ['an array: none', 'json-array', ['{"a":"[EMAIL-1]"}', '{"a":"[EM"}', 'flush', ' "[EMAIL-1]"']],
  ['an array: of texts', 'json-array', ['["[EMAIL-1]",', '1,["[EMAIL-1]"]', ',null]', '[']],
  ['plain text', 'text', ['to [EM', 'AIL-1] {"a":"[EM', 'flush', 'AIL-1]"}']],
  ['plain text that is a document', 'text', ['{"a":"[EM', 'AIL-1]"}\n', '{"a":"[EM"}\n', 'flush']],
  ['plain text that is no document', 'text', ['{"a":"[EMAIL-1]"\n', '[EM', 'AIL-1]']],
  ['plain text of events', 'text', ['event: x\n', 'data: {"a":"[EM"}\n\n', 'data: {"a":"AIL-1]"}\n\n']],
  ['plain text of lines with a name', 'text', ['0:"[EM"\n', '0:"AIL-1]"\n', '0:']],
  ['plain text that begins like one', 'text', ['0:x [EMAIL-1]', '\n[EM']],
  ['markup', 'html', ['<p>[EM', 'AIL-1]</p>', '<a href="https://x.example/[EMAIL-1]">', '{"a":"[NAME-1]"}']],
];

/** WebSocket messages; `end` requests held text. */
export const messageScripts: readonly (readonly [name: string, messages: readonly string[]])[] = [
  ['messages: of JSON', ['{"a":"to [EM"}', '{"a":"AIL-1]"}', '{"a":"[EM"}', 'end', '{"a":"AIL-1]"}']],
  ['messages: of text', ['to [EMAIL-1]', 'to [EM', 'AIL-1]', '', '[EMAIL-1] x', '[1] [EMAIL-1]']],
  [
    'messages: broken',
    ['{"a":"[EMAIL-1]"', '["[EMAIL-1]"', '[{"a":"[EMAIL-1]"', ' {"[EMAIL-1]', '[ [EMAIL-1]', '[x [EMAIL-1]'],
  ],
  ['messages: records', ['{"a":"[EM"}\u001e{"b":1}\u001e', '{"a":"AIL-1]"}\u001e', '{"a":"[EM"}\u001e', 'end']],
  ['messages: records that end', ['{"a":"[EM"}\u001e{"done":true}\u001e', '{"a":"[EM"}', 'end']],
  ...['body', 'data', 'payload', 'text', 'encoded_item'].map(
    (key) =>
      [
        `messages: events in ${key}`,
        [
          JSON.stringify({ conversation_id: 'c', [key]: 'data: {"a":"[EM"}\n\n' }),
          JSON.stringify({ conversation_id: 'd', [key]: 'data: {"a":"x"}\n\n' }),
          JSON.stringify({ conversation_id: 'c', [key]: 'data: {"a":"AIL-1]"}\n\n' }),
          JSON.stringify({ websocket_request_id: 'e', [key]: btoa('data: {"a":"[EM"}\n\n') }),
          JSON.stringify({ websocket_request_id: 'e', [key]: btoa('data: {"a":"AIL-1]"}\n\n') }),
          JSON.stringify({ [key]: 'event: x\ndata: {"a":"[EM"}\r\n\r\n' }),
          JSON.stringify({ [key]: '!!' }),
          'end',
        ],
      ] as const,
  ),
];
