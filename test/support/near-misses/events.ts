/** Near misses of events: which strings are pieces of one text, what ends it, and which events are inserted. */
import { joinBytes } from '../../../core/stream/frame.ts';
import { MessageRestorer } from '../../../core/stream/message-restorer.ts';
import { type StreamKind, StreamRestorer } from '../../../core/stream/stream-restorer.ts';
import { eventsIn, framesOf, type Shape, shapes } from '../../core/stream/provider-shapes.ts';
import { serviceShapes } from '../../core/stream/service-shapes.ts';
import { type Event, tokenMap } from '../../core/stream/wire-fixtures.ts';
import { eventScripts } from './event-scripts.ts';
import { chunkScripts, messageScripts } from './later-event-scripts.ts';
import type { Made } from './recognizers.ts';

const map = tokenMap({ '[EMAIL-1]': 'a@b.example', '[NAME-1]': 'O"Hara' });
const encoder = new TextEncoder();
const decoder = new TextDecoder();

type Leaves = ReadonlyMap<string, string>;

function leavesOf(value: Event, path = '', leaves = new Map<string, string>()): Map<string, string> {
  if (typeof value !== 'object' || value === null) leaves.set(path, JSON.stringify(value));
  else
    for (const [key, member] of Object.entries(value)) leavesOf(member, path === '' ? key : `${path}.${key}`, leaves);
  return leaves;
}

/** The members that one event has and another lacks; `-path` for those that it lacks itself. */
function difference(one: Leaves, other: Leaves): string[] {
  const more = [...one].filter(([path, value]) => other.get(path) !== value).map(([path, value]) => `${path}=${value}`);
  return [...more, ...[...other.keys()].filter((path) => !one.has(path)).map((path) => `-${path}`)];
}

/** An event as the number of a sent one, and its differences from it. */
function described(event: Event, sent: readonly Leaves[]): string {
  const own = leavesOf(event);
  const all = sent.map((other) => difference(own, other));
  const nearest = all.reduce((best, row, i) => (row.length < (all[best]?.length ?? 0) ? i : best), 0);
  return [nearest, ...(all[nearest] ?? [])].join(' ');
}

/** The received events: a row of `=` for unchanged ones, one line for each other. */
function outcome(shape: Shape, pieces: readonly string[]): string[] {
  const frames = framesOf(shape, pieces);
  const restorer = new StreamRestorer({ kind: shape.kind, map });
  const out = frames.map((frame) => restorer.push(frame).slice());
  const sent = eventsIn(shape, joinBytes(frames)).map((event) => leavesOf(event));
  const came = eventsIn(shape, joinBytes([...out, restorer.end()]));
  const names = shape.kind === 'sse' ? (decoder.decode(joinBytes(out)).match(/^event: .*$/gm)?.length ?? 0) : 0;
  return [
    `${came.length} of ${sent.length}, ${names} named`,
    ...came.map((event) => described(event, sent)).filter((line) => line.includes(' ')),
  ];
}

function shapeBlock(shape: Shape): string {
  const pieces = shape.isJson ? ['{"to":"[EMA', 'IL-1]","n":"[NAME-1]"}'] : ['to [EMA', 'IL-1] or [NAME-1].'];
  const cut = shape.isJson ? ['{"to":', '"[EMA'] : ['to ', '[EMA'];
  return [shape.name, ...outcome(shape, pieces), 'cut:', ...outcome(shape, cut)].join('\n');
}

const facts = { restored: 0, unresolved: 0, unreadable: 0 };
type Facts = { -readonly [K in keyof typeof facts]: number };

/** The counts, if there are any. */
const counted = (count: Facts) => `${count.restored} ${count.unresolved} ${count.unreadable}`;
const adding = (count: Facts) => (more: { restored: number; unresolved: number; unreadable?: number }) => {
  count.restored += more.restored;
  count.unresolved += more.unresolved;
  count.unreadable += more.unreadable ?? 0;
};
const oneLine = (text: string) => text.replaceAll('\n', '⏎').replaceAll('\r', '␍').replaceAll('\u001e', '␞');

/** Output event by event (`=` unchanged, `-` nothing, `|` while text is held), and at the end. */
function played(kind: StreamKind, events: readonly string[]): string[] {
  const count = { ...facts };
  const restorer = new StreamRestorer({ kind, map, onCount: adding(count) });
  const line = (bytes: Uint8Array, sent: string) => {
    const text = decoder.decode(bytes);
    const held = restorer.isHolding ? '|' : '';
    return `${text === sent && sent !== '' ? '=' : text === '' ? '-' : oneLine(text.replace(/\n$/, ''))}${held}`;
  };
  const lines = events.map((event) =>
    line(event === 'flush' ? restorer.flushHeld() : restorer.push(encoder.encode(event)), event),
  );
  const end = line(restorer.end(), '');
  return [...lines, ...(end === '-' ? [] : [`end: ${end}`]), counted(count)];
}

/** The same for WebSocket messages. */
function exchanged(messages: readonly string[]): string[] {
  const count = { ...facts };
  const restorer = new MessageRestorer({ map, onCount: adding(count) });
  const lines = messages.map((message) => {
    const out = message === 'end' ? restorer.end() : restorer.push(message);
    return out.length === 1 && out[0] === message ? '=' : out.map(oneLine).join(' ‖ ') || '-';
  });
  return [...lines, counted(count)];
}

const ndjson = (event: Event) => `${typeof event === 'string' ? event : JSON.stringify(event)}\n`;
const named = ([name, event]: readonly [string, Event]) => `event: ${name}\ndata: ${JSON.stringify(event)}\n\n`;

/** Rows of names with one sign per column; names with equal rows are grouped. */
function grid(head: string, rows: readonly string[], sign: (row: string) => string): Made {
  const make = () => {
    const groups = new Map<string, string[]>();
    for (const row of rows) groups.set(sign(row), [...(groups.get(sign(row)) ?? []), row]);
    return [head, ...[...groups].map(([signs, equal]) => `${signs} ${equal.join(' ')}`)].join('\n');
  };
  return { name: head, make };
}

/** `h` if the text is held back, `.` if it passes unchanged. */
function heldSign(event: Event): string {
  const restorer = new StreamRestorer({ kind: 'ndjson', map });
  restorer.push(encoder.encode(ndjson(event)));
  return restorer.isHolding ? 'h' : '.';
}

/** `1` if held text is released with the event, `.` if it keeps waiting. */
function endSign(first: string, last: string, kind: StreamKind): string {
  const restorer = new StreamRestorer({ kind, map });
  restorer.push(encoder.encode(first));
  restorer.push(encoder.encode(last));
  return restorer.isHolding ? '.' : '1';
}

/** The document with a value at a path. */
function documentAt(place: string, value: unknown): Event {
  return place
    .split('.')
    .toReversed()
    .reduce<unknown>((inner, part) => {
      const key = part.replace('[]', '');
      return { [key]: part.endsWith('[]') ? [inner] : inner };
    }, value);
}

const typeNames =
  'x.delta x_delta x-delta delta x content_block_delta response.output_text.delta response.x.y response.completed response.done response.cancelled ' +
  'x.done x_done x-done x.completed x.added x.created x.in_progress x.incomplete x.failed x.start x.started x.stop x.end x.error x.queued x.xdone ' +
  'messageStart contentBlockStop partCompleted Completed error replaceText titleUpdate suggestedFollowups ' +
  'message_stop message-end messageStop done stream-end end_of_stream message_stream_complete end close finish complete final xfinal finals ' +
  'conversation.chat.completed conversation.message.completed interaction.complete run.expired turn.failed thread.run.cancelled a.response.error x.response response.output_item.done response.content_part.done';
const places =
  'text delta delta.text deltas.text content response token.text completion message.content message.content.parts choices[].text choices[].delta.content chunk.x ' +
  'response.text item.text part.text content_block.text error error.message x.error error.x.y generated_text x.generated_text ' +
  'citations[].text citation.text annotations[].text message.annotations[].text search_results[].text url_citation.title groundingX.text grounding.text content_references[].text recitations.text citations2.text ' +
  'arguments arguments.x args.x input input.x functionCall.x function_call.x function_call.arguments toolUse.input toolUse.x functionCall.partialArgs[].stringValue functionCall.partialArgs[].text ' +
  'logprobs.content[].token choices[].logprobs.x usage.x x.usage thinking delta.thinking thought id type object model role name title signature encrypted_content v p status finish_reason';
const nested = ['text', 'delta', 'item.text', 'content'];
const finishNames =
  'finish_reason finishReason stop_reason stopReason done_reason xfinish_reason reason status state error message generated_text';
const finishValues = [
  '',
  'null',
  'none',
  'not_finished',
  'FINISH_REASON_UNSPECIFIED',
  'stop',
  'nones',
  'finished',
  'finished_x',
  'unfinished',
];
const flags =
  'done stop final is_final is_finished finished isFinal isFinished is_end isEnd end xdone ended turnComplete generationComplete interrupted complete error';
const indexNames =
  'index output_index content_index summary_index contentBlockIndex messageId partId response_id item_id id other';

const typed = (type: string, fields: Event) => ({ type, ...fields });

/** Blocks for all shapes and tables. */
export function eventBlocks(): Made[] {
  const types = typeNames.split(' ');
  const paths = places.split(' ');
  const flagged = (name: string, value: Event) =>
    endSign(ndjson({ text: 'to [EM' }), ndjson({ [name]: value }), 'ndjson') +
    endSign(
      ndjson({ choices: [{ index: 0, text: '[EM' }] }),
      ndjson({ choices: [{ index: 0, [name]: value }] }),
      'ndjson',
    ) +
    endSign(
      ndjson({ choices: [{ index: 0, text: '[EM' }] }),
      ndjson({ choices: [{ index: 1, [name]: value }] }),
      'ndjson',
    ) +
    endSign(ndjson({ x: { text: '[EM' } }), ndjson({ x: { [name]: value } }), 'ndjson');
  return [
    ...[...shapes, ...serviceShapes].map((shape) => ({ name: shape.name, make: () => shapeBlock(shape) })),
    ...eventScripts.map(([name, events]) => ({
      name,
      make: () =>
        [
          name,
          ...(Array.isArray(events[0]) ? played('sse', events.map(named)) : played('ndjson', events.map(ndjson))),
        ].join('\n'),
    })),
    ...chunkScripts.map(([name, kind, chunks]) => ({ name, make: () => [name, ...played(kind, chunks)].join('\n') })),
    ...messageScripts.map(([name, messages]) => ({ name, make: () => [name, ...exchanged(messages)].join('\n') })),
    grid('a piece of a text, by the type of its event', types, (type) =>
      nested.map((place) => heldSign(typed(type, documentAt(place, 'to [EM')))).join(''),
    ),
    grid('a piece of a text, by its place: without a type, with two', paths, (place) =>
      [{}, { type: 'x' }, { type: 'x.delta' }]
        .map(
          (more) =>
            heldSign({ ...more, ...documentAt(place, 'to [EM') }) + heldSign({ ...more, ...documentAt(place, '[EM') }),
        )
        .join(''),
    ),
    grid('the end of a text, by the type of an event', types, (type) =>
      ['content_block_delta', 'x.delta', 'response.output_text.delta']
        .flatMap((own) => [
          endSign(ndjson(typed(own, { text: '[EM' })), ndjson(typed(type, {})), 'ndjson'),
          endSign(ndjson(typed(own, { index: 0, text: '[EM' })), ndjson(typed(type, { index: 0 })), 'ndjson'),
          endSign(
            ndjson(typed(own, { output_index: 0, text: '[EM' })),
            ndjson(typed(type, { output_index: 1 })),
            'ndjson',
          ),
          endSign(named([own, { text: '[EM' }]), named([type, {}]), 'sse'),
          endSign(named([own, { type: 'answer', text: '[EM' }]), named([type, { type: 'answer' }]), 'sse'),
          endSign(named([own, { text: '[EM' }]), `event: ${type}\ndata: x\n\n`, 'sse'),
        ])
        .join(''),
    ),
    grid('the end of a text, by a reason', finishNames.split(' '), (name) =>
      finishValues.map((value) => flagged(name, value)).join(' '),
    ),
    grid('the end of a text, by a flag', flags.split(' '), (name) =>
      [true, false, 'true', 1].map((value) => flagged(name, value)).join(' '),
    ),
    grid('one text or two, by an index', indexNames.split(' '), (name) => {
      const place = (at: number) => [{ type: 'x.delta', [name]: at }, { [name]: at }, { event: 'x', [name]: at }];
      const events = (at: number) => [
        ...place(at).map((more) => (text: string) => ({ ...more, text })),
        (text: string) => ({ choices: [{ [name]: at, text }] }),
        (text: string) => ({ delta: { [name]: at, text } }),
      ];
      const second = events(1);
      return events(0)
        .map((event, i) =>
          played('ndjson', [ndjson(event('[EM')), ndjson(second[i]?.('AIL-1]'))])
            .join()
            .includes('@')
            ? '1'
            : '2',
        )
        .join('');
    }),
  ];
}
