/** Streams of providers as recorded, and functions that read the text back from what the gateway would send. */
import { readdirSync, readFileSync } from 'node:fs';
import { readFrame } from '../../../core/stream/aws-event-stream.ts';
import { type StreamKind, StreamRestorer } from '../../../core/stream/stream-restorer.ts';
import { SessionTokens, type TokenMap } from '../../../core/vault.ts';

const folder = new URL('../../fixtures/wire/', import.meta.url);

/** What all fixtures say, and the request of this one. */
export type Meta = {
  tokenMap: Record<string, string>;
  expectText: string;
  expectArgs: unknown;
  contentType?: string;
  path?: string;
  host?: string;
};

/** Recordings with the events of another one, in the framing that was recorded. */
const reframed: Readonly<Record<string, () => string>> = {
  'gemini/stream-array.json': () => {
    const events = eventsOf('sse', fixtureText('gemini/stream.sse'));
    return `[${events.map((event) => JSON.stringify(event, null, 2)).join('\n,\r\n')}\n]\n`;
  },
};

/** The folders of recordings, with the names of their files. */
export const recordings = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => ({
    name,
    files: [...readdirSync(new URL(`${name}/`, folder)), ...Object.keys(reframed)]
      .filter((file) => !file.includes('/') || file.startsWith(`${name}/`))
      .map((file) => file.slice(file.indexOf('/') + 1)),
  }));

const { said, folders } = JSON.parse(readFileSync(new URL('meta.json', folder), 'utf8'));

/**
 * The stream of a recording with one event for many: `{{0..9}}` is each of these pieces of the answer, or with `so far`
 * all up to it; `{{+3}}` is its number plus three.
 */
function spread(text: string, gap: string): string {
  const events = text.split(gap).flatMap((event) => {
    const [mark, from, to, isCumulative] = /\{\{(\d+)\.\.(\d+)( so far)?\}\}/.exec(event) ?? [];
    if (mark === undefined) return event;
    const pieces: readonly string[] = said.pieces.slice(Number(from), Number(to) + 1);
    return pieces.map((piece, i) => {
      const value = isCumulative ? pieces.slice(0, i + 1).join('') : piece;
      return event
        .replace(mark, () => JSON.stringify(value).slice(1, -1))
        .replace(/\{\{\+(\d+)\}\}/g, (_mark, more) => String(Number(from) + i + Number(more)));
    });
  });
  return events.join(gap);
}

export function fixture(name: string): Uint8Array {
  if (name.endsWith('.b64')) return new Uint8Array(Buffer.from(fixtureText(name), 'base64'));
  return new TextEncoder().encode(reframed[name]?.() ?? fixtureText(name));
}

export function fixtureText(name: string): string {
  const text = readFileSync(new URL(name, folder), 'utf8');
  if (name.endsWith('.ndjson')) return spread(text, '\n');
  return name.endsWith('.sse') ? spread(text, text.includes('\r\n\r\n') ? '\r\n\r\n' : '\n\n') : text;
}

export function meta(name: string): Meta {
  if (folders[name] === undefined) throw new Error(`meta.json has no folder ${name}`);
  return { ...said, ...folders[name] };
}

/** A request with a token in place of each value, also where it is percent-encoded. */
export function maskedText(name: string): string {
  const { tokenMap } = meta(name.slice(0, name.indexOf('/')));
  return Object.entries(tokenMap).reduce(
    (text, [token, value]) =>
      text.replaceAll(value, token).replaceAll(encodeURIComponent(value), encodeURIComponent(token)),
    fixtureText(name),
  );
}

export function tokenMap(tokens: Record<string, string>): TokenMap {
  const map = new SessionTokens();
  for (const [token, value] of Object.entries(tokens))
    map.add(token, { type: token.slice(1, token.lastIndexOf('-')), value });
  return map;
}

/** The output of a stream cut into pieces that end at the given offsets. */
export function restoreStream(
  kind: StreamKind,
  map: TokenMap,
  bytes: Uint8Array,
  cuts: readonly number[] = [],
): string {
  const restorer = new StreamRestorer({ kind, map });
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    pieces.push(restorer.push(bytes.slice(from, cut)).slice());
    from = cut;
  }
  pieces.push(restorer.end());
  return Buffer.concat(pieces).toString(encodingOf(kind));
}

/** How an output is represented as a string: bytes of a binary framing as characters. */
export function encodingOf(kind: StreamKind): 'latin1' | 'utf8' {
  return kind === 'event-stream' ? 'latin1' : 'utf8';
}

// biome-ignore lint/suspicious/noExplicitAny: events of many shapes
export type Event = any;

/** The contents of the frames of a binary stream; throws for a wrong checksum. */
export function framesIn(output: Uint8Array): Uint8Array[] {
  const payloads: Uint8Array[] = [];
  const view = new DataView(output.buffer, output.byteOffset, output.length);
  for (let at = 0; at < output.length; ) {
    const length = view.getUint32(at);
    const frame = readFrame(output.subarray(at, at + length));
    if (!frame) throw new Error('wrong checksum');
    payloads.push(frame.payload);
    at += length;
  }
  return payloads;
}

/** The same as JSON. */
export const payloadsIn = (output: Uint8Array): Event[] =>
  framesIn(output).map((payload) => JSON.parse(new TextDecoder().decode(payload)));

/** The events in them, of Amazon or in base64. */
export const binaryEvents = (output: Uint8Array): Event[] =>
  payloadsIn(output).map((payload) =>
    payload.bytes ? JSON.parse(Buffer.from(payload.bytes, 'base64').toString()) : payload,
  );

/** JSON events of an output, without `[DONE]`. */
export function eventsOf(kind: StreamKind, output: string): Event[] {
  if (kind === 'event-stream') return binaryEvents(Buffer.from(output, 'latin1'));
  if (kind === 'json-array') return JSON.parse(output) as Event[];
  const lines =
    kind === 'ndjson' ? output.split('\n') : output.split(/\r\n|\n|\r/).filter((line) => line.startsWith('data:'));
  return lines
    .map((line) => line.replace(/^data: ?/, ''))
    .filter((line) => line !== '' && line !== '[DONE]')
    .map((line) => JSON.parse(line) as Event);
}
