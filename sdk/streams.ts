/** Restores answers that arrive in pieces: bytes of a response, pieces of text, or the event objects of an AI package. */
import type { RestoreCount } from '../core/payload/response.ts';
import { MessageRestorer } from '../core/stream/message-restorer.ts';
import { type StreamKind, StreamRestorer } from '../core/stream/stream-restorer.ts';
import { TextRun } from '../core/stream/text-run.ts';
import type { TokenMap } from '../core/vault.ts';

/** After this silence a held-back suffix is released: a model may really end with "[". */
const silenceMs = 2_000;

/** Bytes in, bytes out; `kind` is the framing of the stream. */
export function restoreBytes(
  kind: StreamKind,
  map: TokenMap | Promise<TokenMap>,
): TransformStream<Uint8Array, Uint8Array> {
  let restorer: StreamRestorer;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return new TransformStream<Uint8Array, Uint8Array>({
    async start() {
      restorer = new StreamRestorer({ kind, map: await map });
    },
    transform(chunk, controller) {
      clearTimeout(timer);
      send(restorer.push(chunk), controller);
      timer = setTimeout(() => {
        try {
          send(restorer.flushHeld(), controller);
        } catch {
          // The reader has left.
        }
      }, silenceMs);
      // In Node a timer keeps the process alive unless told otherwise.
      (timer as { unref?: () => void }).unref?.();
    },
    flush(controller) {
      clearTimeout(timer);
      send(restorer.end(), controller);
    },
  });
}

function send(bytes: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>): void {
  if (bytes.length > 0) controller.enqueue(bytes);
}

/** Pieces of text in, pieces of text out. A piece may be empty while a token is being completed; such pieces are left out. */
export function restorePieces(map: Promise<TokenMap>): TransformStream<string, string> {
  let run: TextRun | undefined;
  return new TransformStream<string, string>({
    async start() {
      run = newRun(await map);
    },
    transform(piece, controller) {
      const text = (run as TextRun).push(piece);
      if (text !== '') controller.enqueue(text);
    },
    flush(controller) {
      const text = (run as TextRun).push('', true);
      if (text !== '') controller.enqueue(text);
    },
  });
}

function newRun(map: TokenMap): TextRun {
  const count: RestoreCount = { restored: 0, unresolved: 0 };
  return new TextRun({ map, count, bare: false, plainOnly: true });
}

/**
 * The items of an AI package's stream with values in place of tokens. Items are texts, or event objects as the provider
 * sends them; an event in which nothing changes is handed on as the same object. What was held back when the stream ends
 * comes as an event of its own.
 */
export async function* restoreItems<T>(source: AsyncIterable<T>, map: Promise<TokenMap>): AsyncGenerator<T, void> {
  const tokens = await map;
  const run = newRun(tokens);
  const events = new MessageRestorer({ map: tokens });
  for await (const item of source) {
    if (typeof item === 'string') {
      const text = run.push(item);
      if (text !== '') yield text as T;
    } else if (typeof item !== 'object' || item === null) {
      yield item;
    } else {
      const json = JSON.stringify(item);
      for (const message of events.push(json)) yield message === json ? item : withPrototypeOf(item, message);
    }
  }
  const rest = run.push('', true);
  if (rest !== '') yield rest as T;
  for (const message of events.end()) yield JSON.parse(message) as T;
}

function withPrototypeOf<T extends object>(item: T, json: string): T {
  const changed = JSON.parse(json) as T;
  const prototype = Object.getPrototypeOf(item);
  return prototype === Object.prototype ? changed : Object.setPrototypeOf(changed, prototype);
}
