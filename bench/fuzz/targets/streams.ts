/** Response streams through the restorer, and WebSocket frames: output does not depend on how the input is split. */
import { PrivetError } from '../../../core/errors.ts';
import { formatFrame, formatHeaders } from '../../../core/stream/aws-event-stream.ts';
import { type StreamKind, StreamRestorer } from '../../../core/stream/stream-restorer.ts';
import { encodeWebSocketFrame, WebSocketParser } from '../../../core/stream/websocket.ts';
import { fixture } from '../../../test/core/stream/wire-fixtures.ts';
import { Random, seedOf } from '../random.ts';
import { type FuzzTarget, must } from '../target.ts';
import { recordings, spellings, tokenMap } from './samples.ts';

/** The output when the stream is split at these positions. */
function restored(kind: StreamKind, bytes: Uint8Array, cuts: readonly number[]): Buffer {
  const restorer = new StreamRestorer({ kind, map: tokenMap() });
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    pieces.push(restorer.push(bytes.slice(from, cut)).slice());
    from = cut;
  }
  pieces.push(restorer.end());
  return Buffer.concat(pieces);
}

/** Without possible tokens, bytes pass unchanged. */
const mayHoldToken = /[[\]%&\\;\uFF3B\u3010\u3014\u300C]|(?:EMAIL|NAME|WORD)/i;

function streamTarget(kind: StreamKind, seeds: () => (string | Uint8Array)[], words: readonly string[]): FuzzTarget {
  return {
    seeds,
    words: [...words, ...spellings],
    bytesMax: 3000,
    run(input) {
      const random = new Random(seedOf(input));
      const whole = restored(kind, input, []);
      for (let i = 0; i < 2; i++) {
        const cuts = random.cuts(input.length);
        const cut = restored(kind, input, cuts);
        must(cut.equals(whole), `a cut shows: ${difference(cut, whole)} at ${cuts.slice(0, 12).join()}`);
      }
      // Amazon's frames contain events in base64.
      if (kind !== 'event-stream' && !mayHoldToken.test(input.toString('utf8')))
        must(whole.equals(input), 'bytes without a token have changed');
      return undefined;
    },
  };
}

function difference(a: Buffer, b: Buffer): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const part = (bytes: Buffer) => JSON.stringify(bytes.subarray(Math.max(0, at - 60), at + 60).toString('utf8'));
  return `${part(a)} instead of ${part(b)}`;
}

const chat = (content: string) => JSON.stringify({ choices: [{ index: 0, delta: { content } }] });
const toolCall = (text: string) =>
  JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: text } }] } }] });
const block = (text: string) =>
  JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
const words = [
  ...[chat('[EMAIL-1]'), chat('[EMA'), chat('IL-1]'), toolCall('{"to":"[NAME'), toolCall('-1]"}'), block('[EMAIL-1]')],
  '{"type":"content_block_stop","index":0}',
  '{"type":"response.output_text.delta","output_index":0,"content_index":0,"sequence_number":3,"delta":"[EMAIL"}',
  '{"type":"response.output_text.done","output_index":0,"content_index":0,"sequence_number":4,"text":"[EMAIL-1]"}',
  '{"p":"/message/content/parts/0","o":"append","v":"[EMA"}',
  '{"v":"IL-1]"}',
  '"finish_reason":"stop"',
  '"index":1',
  '"index":null',
  '[DONE]',
];
const lines = [
  '\n',
  '\r\n',
  '\r',
  '\n\n',
  'data: ',
  'data:',
  ': ping\n\n',
  'event: x\n',
  'id: 1\n',
  'retry: 1\n',
  '\ufeff',
];

/** Server-sent events. */
export const sse = streamTarget(
  'sse',
  () => [
    ...recordings(/\.sse$/).map((one) => one.subarray(0, 1500)),
    `data: ${chat('to [EMA')}\n\ndata: ${chat('IL-1]!')}\r\n\r\ndata: [DONE]\n\n`,
    `event: content_block_delta\ndata: ${block('[NAME-')}\n\nevent: content_block_delta\ndata: ${block('1]')}\n\n`,
    'data: plain [EMAIL-1]\ndata: more\n\n',
  ],
  [...words, ...lines],
);

/** Lines of events. */
export const ndjson = streamTarget(
  'ndjson',
  () => [
    ...recordings(/\.ndjson$/).map((one) => one.subarray(0, 1500)),
    '{"message":{"content":"[EMA"},"done":false}\n{"message":{"content":"IL-1]"},"done":true}\n',
  ],
  [...words, '\n', '\r\n', '"done":true'],
);

/** Files of documents, one a line. */
export const jsonl = streamTarget('jsonl', () => ['{"a":"[EMAIL-1]"}\n{"b":["[NAME-1]"]}\nx\n'], [...words, '\n']);

/** One document that arrives in pieces. */
export const jsonArray = streamTarget(
  'json-array',
  () => [
    Buffer.from(fixture('gemini/stream-array.json')).subarray(0, 1500),
    '[{"candidates":[{"content":{"parts":[{"text":"[EMA"}]}}]}\n,\r\n{"candidates":[{"content":{"parts":[{"text":"IL-1]"}]},"finishReason":"STOP"}]}]',
    ')]}\'\n\n25\n[["wrb.fr",null,"[EMAIL-1]"]]\n',
    ...recordings(/gemini-web.*(?:txt|stream|response)/).map((one) => one.subarray(0, 1500)),
  ],
  [...words, ")]}'\n", '[', ']', ',', '{', '}', '"'],
);

/** Content declared as JSON: a list of documents, pieces of one response, or an event stream. */
export const json = streamTarget(
  'json',
  () => [
    '[{"name":"Sales up 5%"},{"name":"see https://a.example/x"},{"name":"[EMAIL-1] [EMA"}]',
    '[{"candidates":[{"content":{"parts":[{"text":"[EMA"}]}}]},{"candidates":[{"content":{"parts":[{"text":"IL-1]"}]}}]}]',
    `data: ${chat('[EMAIL-1]')}\n\n`,
    ' \n{"a":"[EMAIL-1]"}',
  ],
  [...words, ...lines, '"candidates"', '[', ']', ',', '{', '}', '"'],
);

/** Content declared as plain text. */
export const text = streamTarget(
  'text',
  () => [
    'to [EMAIL-1] and 【NAME-1】',
    `data: ${chat('[EMAIL-1]')}\n\n`,
    '{"a":"[EMAIL-1]"}\n{"a":1}\n',
    `{"a":"${'x'.repeat(1020)}","b":"[NAME-1]"}\n{"a":"[EMAIL-1]"}\n`,
    'see https://a.example/[EMAIL-1]',
  ],
  [...words, ...lines],
);

/** HTML. */
export const html = streamTarget('html', () => ['<p>[NAME-1]</p><a href="[EMAIL-1]">', '&lt;[WORD_1]'], [
  '<',
  '>',
  '"',
  '&',
]);

const binary = (type: string, payload: string) =>
  formatFrame(
    formatHeaders([
      [':event-type', type],
      [':content-type', 'application/json'],
      [':message-type', 'event'],
    ]),
    new TextEncoder().encode(payload),
  );

/** Amazon's binary framing. */
export const eventStream = streamTarget(
  'event-stream',
  () => [
    Buffer.concat([
      binary('contentBlockDelta', '{"contentBlockIndex":0,"delta":{"text":"[EMA"},"p":"abc"}'),
      binary('contentBlockDelta', '{"contentBlockIndex":0,"delta":{"text":"IL-1]"}}'),
      binary('contentBlockStop', '{"contentBlockIndex":0}'),
    ]),
    binary('chunk', JSON.stringify({ bytes: Buffer.from(block('[EMAIL-1]')).toString('base64') })),
    ...recordings(/\.b64$/).map((one) => one.subarray(0, 1500)),
  ],
  words,
);

/** The delta texts of one run, in the framing of two providers. */
function runText(pieces: readonly string[], isTool: boolean): string {
  const stream = [
    ...pieces.map(isTool ? toolCall : chat),
    '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
  ];
  const out = restored('sse', Buffer.from(stream.map((one) => `data: ${one}\n\n`).join('')), []).toString();
  return out
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)).choices?.[0]?.delta)
    .map((delta) => (isTool ? delta?.tool_calls?.[0]?.function?.arguments : delta?.content) ?? '')
    .join('');
}

/** A text is restored the same in pieces of any length; JSON arguments stay JSON. */
export const runs: FuzzTarget = {
  seeds: () => [
    ...spellings.map((one) => `a ${one} b`),
    '{"to":"[NAME-1]","n":{"x":"[EMAIL-1]"}}',
    JSON.stringify({ a: JSON.stringify({ b: '[NAME-1]' }) }),
  ],
  words: [
    ...spellings,
    '\\"',
    '\\\\',
    '\\u005b',
    '\\ud83d',
    '{"a":"',
    '"}',
    '"',
    '\\',
    ',',
    ':',
    '`',
    '![x](',
    ')',
    '<',
    '>',
  ],
  bytesMax: 300,
  run(input) {
    const whole = input.toString('utf8');
    const random = new Random(seedOf(input));
    for (const isTool of [false, true]) {
      const one = runText([whole], isTool);
      for (let i = 0; i < 3; i++) {
        const cuts = random.cuts(whole.length);
        const pieces = [0, ...cuts].map((from, at) => whole.slice(from, cuts[at] ?? whole.length));
        // Pieces that repeat and extend the previous one count as the text so far.
        if (pieces[1]?.startsWith(pieces[0] as string)) continue;
        const many = runText(pieces, isTool);
        must(
          many === one,
          `pieces show (${isTool}): ${JSON.stringify(many)} instead of ${JSON.stringify(one)} at ${cuts.join()}`,
        );
      }
      if (!isTool) continue;
      try {
        JSON.parse(whole);
      } catch {
        continue;
      }
      try {
        JSON.parse(one);
      } catch {
        must(false, `arguments are no longer JSON: ${JSON.stringify(one)}`);
      }
    }
    return undefined;
  },
};

const message = (size: number, isText: boolean, key?: Uint8Array) =>
  Buffer.from(encodeWebSocketFrame(isText ? 'text' : 'binary', new Uint8Array(size).fill(0x61), key));

/** Frames of clients and servers. */
export const websocket: FuzzTarget = {
  seeds: () => {
    const key = Buffer.from('mask');
    return [
      message(5, true, key),
      message(5, true),
      message(200, false, key),
      Buffer.concat([Buffer.from([0x01, 0x02, 0x61, 0x62]), Buffer.from([0x89, 0]), Buffer.from([0x80, 1, 0x63])]),
      Buffer.from([0x82, 0x7f, 0, 0, 0, 0, 0, 0, 0x10, 0]),
      Buffer.from([0x88, 0x80, 1, 2, 3, 4]),
    ];
  },
  bytesMax: 2048,
  run(input) {
    for (const fromClient of [true, false]) {
      for (const passesLarge of [false, true]) {
        const read = (cuts: readonly number[]) => {
          const parser = new WebSocketParser({ fromClient, messageBytesMax: 300, passesLarge });
          const all: { kind: string; payload: Buffer }[] = [];
          let from = 0;
          for (const cut of [...cuts, input.length]) {
            try {
              for (const one of parser.push(input.slice(from, cut), true)) {
                const last = all.at(-1);
                const payload = Buffer.from(one.payload);
                // The division of raw bytes depends on the cuts.
                if (one.kind === 'raw' && last?.kind === 'raw') last.payload = Buffer.concat([last.payload, payload]);
                else if (one.kind !== 'raw' || payload.length > 0) all.push({ kind: one.kind, payload });
              }
            } catch (error) {
              if (!(error instanceof PrivetError)) throw error;
              all.push({ kind: error.code, payload: Buffer.alloc(0) });
              break;
            }
            from = cut;
          }
          return all.map(({ kind, payload }) => `${kind} ${payload.toString('hex')}`).join('\n');
        };
        const random = new Random(seedOf(input));
        const [whole, cut] = [read([]), read(random.cuts(input.length))];
        // A chunk with a broken frame yields nothing; a cut before the frame yields more.
        const isBroken = /bad_request|body_too_large/.test(whole);
        must(
          isBroken ? /bad_request|body_too_large/.test(cut) : cut === whole,
          `a cut shows: ${cut.slice(0, 200)} instead of ${whole.slice(0, 200)}`,
        );
      }
    }
    return undefined;
  },
};
