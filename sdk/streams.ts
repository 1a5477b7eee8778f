/** Restores streamed responses: bytes, text chunks, or the event objects of an AI package. */
import { type RestoreCount, restoreJsonBody } from '../core/payload/response.ts';
import { restoreText } from '../core/restore.ts';
import { MessageRestorer } from '../core/stream/message-restorer.ts';
import { type StreamKind, StreamRestorer, streamKind } from '../core/stream/stream-restorer.ts';
import { isEventStream, prefixedLine } from '../core/stream/stream-start.ts';
import { TextRun } from '../core/stream/text-run.ts';
import type { TokenMap } from '../core/vault.ts';
import { readFields, showFields } from './own-fields.ts';

/** The framing of a response; undefined if it is not restored. Values in HTML are escaped, as in the gateway. */
export function answerKind(contentType: string | null | undefined, path?: string): StreamKind | undefined {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (/^text\/(?:css|javascript)/.test(type)) return undefined;
  const kind = streamKind(type, path);
  return kind === 'text' && /html|xml/.test(type) ? 'html' : kind;
}

/** JSON, JSON lines, or server-sent events. */
function mayBeFramed(text: string): boolean {
  const start = text.trimStart();
  return /^[{[]/.test(start) || prefixedLine.test(start) || isEventStream(start, true) === true;
}

/** A complete text response with tokens restored. */
export function restoreAnswerText(
  kind: StreamKind,
  text: string,
  map: TokenMap,
  numbers?: ReadonlySet<string>,
): string {
  const whole = kind === 'json' ? restoreJsonBody(text, map, undefined, { numbers }) : undefined;
  if (whole && !whole.isUnreadable) return whole.body;
  if (kind === 'text' && !mayBeFramed(text)) return restoreText(text, map).restored;
  const restorer = new StreamRestorer({ kind, map, numbers });
  const parts = [restorer.push(new TextEncoder().encode(text)), restorer.end()];
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode();
}

/** A value with the tokens in all its texts restored; objects in it may be of any class. */
export function restoreValue<T>(value: T, map: TokenMap): T {
  if (map.size === 0) return value;
  const { json, aside } = showFields({ value });
  const restored = restoreAnswerText('json', json, map);
  return restored === json ? value : (readFields(restored, aside) as { value: T }).value;
}

/** Items as a web stream; cancelling it ends the source. */
export function streamOf<T>(items: AsyncGenerator<T, void>): ReadableStream<T> {
  return new ReadableStream<T>(
    {
      async pull(controller) {
        const { done, value } = await items.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await items.return();
      },
    },
    { highWaterMark: 0 },
  );
}

/** A held-back suffix is released after this silence: a model may really end with "[". */
const silenceMs = 2_000;

/** Restores bytes as they arrive, and releases held-back ones after a silence. */
export class ByteRestorer {
  readonly #restorer: StreamRestorer;
  readonly #onSilence: (bytes: Uint8Array) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #chunks = 0;

  /** `onSilence` receives bytes that can be sent although none arrived. */
  constructor(kind: StreamKind, map: TokenMap, onSilence: (bytes: Uint8Array) => void, numbers?: ReadonlySet<string>) {
    this.#restorer = new StreamRestorer({ kind, map, numbers });
    this.#onSilence = onSilence;
  }

  /** Returns the bytes that can be sent now, possibly none. */
  push(chunk: Uint8Array): Uint8Array {
    this.#chunks++;
    if (this.#timer === undefined) this.#watch();
    return this.#restorer.push(chunk);
  }

  /** Returns the rest. */
  end(): Uint8Array {
    this.stop();
    return this.#restorer.end();
  }

  /** Stops the timer; nothing more will be sent. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  /** One timer for the stream; when it fires, it checks for data since. */
  #watch(): void {
    const seen = this.#chunks;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#chunks !== seen) {
        this.#watch();
        return;
      }
      const held = this.#restorer.flushHeld();
      if (held.length > 0) this.#onSilence(held);
    }, silenceMs);
    // In Node a timer would keep the process alive.
    (this.#timer as { unref?: () => void }).unref?.();
  }
}

/** Bytes in, bytes out; `kind` is the framing of the stream. */
export function restoreBytes(kind: StreamKind, map: Promise<TokenMap>): TransformStream<Uint8Array, Uint8Array> {
  let restorer: ByteRestorer;
  return new TransformStream<Uint8Array, Uint8Array>({
    async start(controller) {
      restorer = new ByteRestorer(kind, await map, (bytes) => enqueue(controller, bytes));
    },
    transform(chunk, controller) {
      enqueue(controller, restorer.push(chunk));
    },
    flush(controller) {
      enqueue(controller, restorer.end());
    },
  });
}

/** The restored stream of a reader whose `first` piece was already read. One stream, where a pipe would need three. */
export function restoredBody(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  options: {
    readonly kind: StreamKind;
    readonly map: TokenMap;
    readonly numbers?: ReadonlySet<string> | undefined;
    readonly first?: Uint8Array;
  },
): ReadableStream<Uint8Array> {
  let { first } = options;
  let restorer: ByteRestorer;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const { kind, map, numbers } = options;
        restorer = new ByteRestorer(kind, map, (bytes) => enqueue(controller, bytes), numbers);
      },
      async pull(controller) {
        for (;;) {
          const { done, value } = first === undefined ? await reader.read() : { done: false, value: first };
          first = undefined;
          if (done) {
            enqueue(controller, restorer.end());
            controller.close();
            return;
          }
          const bytes = restorer.push(value as Uint8Array);
          enqueue(controller, bytes);
          if (bytes.length > 0) return;
        }
      },
      cancel(reason) {
        restorer.stop();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function enqueue(controller: { enqueue(bytes: Uint8Array): void }, bytes: Uint8Array): void {
  if (bytes.length === 0) return;
  try {
    controller.enqueue(bytes);
  } catch {
    // The reader has left.
  }
}

/** Restores text chunks. Empty chunks, while a token is incomplete, are left out. */
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
 * Restores the stream of an AI package. Items are texts, or event objects as sent by the provider; an unchanged event
 * is passed on as the same object. Text still held back at the end of the stream becomes an additional event.
 */
export async function* restoreItems<T>(source: AsyncIterable<T>, map: Promise<TokenMap>): AsyncGenerator<T, void> {
  const tokens = await map;
  const run = newRun(tokens);
  const events = new MessageRestorer({ map: tokens });
  /** The objects of the previous item, the template for an additional event. */
  let last: readonly unknown[] = [];
  for await (const item of source) {
    if (typeof item === 'string') {
      const text = run.push(item);
      if (text !== '') yield text as T;
    } else if (typeof item !== 'object' || item === null) {
      yield item;
    } else {
      const { json, aside } = showFields(item);
      const messages = events.push(json);
      for (const [i, message] of messages.entries()) {
        const isNew = i < messages.length - 1;
        yield message === json ? item : (readFields(message, isNew ? last : aside, isNew) as T);
      }
      last = aside;
    }
  }
  const rest = run.push('', true);
  if (rest !== '') yield rest as T;
  for (const message of events.end()) yield readFields(message, last, true) as T;
}
