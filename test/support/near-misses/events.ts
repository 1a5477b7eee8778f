/** Near misses of events: which strings are pieces of one text, what ends it, and which events are inserted. */
import { joinBytes } from '../../../core/stream/frame.ts';
import { MessageRestorer } from '../../../core/stream/message-restorer.ts';
import { type StreamKind, StreamRestorer } from '../../../core/stream/stream-restorer.ts';
import { eventsIn, framesOf, type Shape, shapes } from '../../core/stream/provider-shapes.ts';
import { serviceShapes } from '../../core/stream/service-shapes.ts';
import { type Event, tokenMap } from '../../core/stream/wire-fixtures.ts';
import { chunkScripts, eventScripts, messageScripts } from './event-scripts.ts';
import { addTo, sampled } from './golden.ts';
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

function linesOf(shape: Shape): string[] {
  const pieces = shape.isJson ? ['{"to":"[EMA', 'IL-1]","n":"[NAME-1]"}'] : ['to [EMA', 'IL-1] or [NAME-1].'];
  const cut = shape.isJson ? ['{"to":', '"[EMA'] : ['to ', '[EMA'];
  return [...outcome(shape, pieces), 'cut:', ...outcome(shape, cut)];
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
  const lines = events.map((event) => line(restorer.push(encoder.encode(event)), event));
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

/** `1` if held text is released with the event, `.` if it keeps waiting. */
function endSign(first: string, last: string, kind: StreamKind): string {
  const restorer = new StreamRestorer({ kind, map });
  restorer.push(encoder.encode(first));
  restorer.push(encoder.encode(last));
  return restorer.isHolding ? '.' : '1';
}

const typeNames =
  'x.delta x_delta x-delta delta x content_block_delta response.output_text.delta response.x.y response.completed response.done response.cancelled ' +
  'x.done x_done x-done x.completed x.added x.created x.in_progress x.incomplete x.failed x.start x.started x.stop x.end x.error x.queued x.xdone ' +
  'messageStart contentBlockStop partCompleted Completed error replaceText titleUpdate suggestedFollowups ' +
  'message_stop message-end messageStop done stream-end end_of_stream message_stream_complete end close finish complete final xfinal finals ' +
  'conversation.chat.completed conversation.message.completed interaction.complete run.expired turn.failed thread.run.cancelled a.response.error x.response response.output_item.done response.content_part.done';
const typed = (type: string, fields: Event) => ({ type, ...fields });

/** A row for the types of events that release the same held texts, with a sign for each of those. */
function endsByType(): string {
  const groups = new Map<string, string[]>();
  for (const type of typeNames.split(' ')) {
    const signs = ['content_block_delta', 'x.delta', 'response.output_text.delta'].flatMap((own) => [
      endSign(ndjson(typed(own, { text: '[EM' })), ndjson(typed(type, {})), 'ndjson'),
      endSign(ndjson(typed(own, { index: 0, text: '[EM' })), ndjson(typed(type, { index: 0 })), 'ndjson'),
      endSign(ndjson(typed(own, { output_index: 0, text: '[EM' })), ndjson(typed(type, { output_index: 1 })), 'ndjson'),
      endSign(named([own, { text: '[EM' }]), named([type, {}]), 'sse'),
      endSign(named([own, { type: 'answer', text: '[EM' }]), named([type, { type: 'answer' }]), 'sse'),
      endSign(named([own, { text: '[EM' }]), `event: ${type}\ndata: x\n\n`, 'sse'),
    ]);
    addTo(groups, signs.join(''), type);
  }
  return [...groups].map(([signs, equal]) => `${signs} ${equal.join(' ')}`).join('\n');
}

const block = (name: string, lines: () => readonly string[]): Made => ({
  name,
  make: () => [name, ...lines()].join('\n'),
});

/** Blocks for the shapes, the scripts and the types of events. */
export function eventBlocks(): Made[] {
  return [
    ...sampled([...shapes, ...serviceShapes]).map((shape) => block(shape.name, () => linesOf(shape))),
    ...eventScripts.map(([name, events]) =>
      block(name, () =>
        Array.isArray(events[0]) ? played('sse', events.map(named)) : played('ndjson', events.map(ndjson)),
      ),
    ),
    ...chunkScripts.map(([name, kind, chunks]) => block(name, () => played(kind, chunks))),
    ...messageScripts.map(([name, messages]) => block(name, () => exchanged(messages))),
    block('the end of a text, by the type of an event', () => [endsByType()]),
  ];
}
