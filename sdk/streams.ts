/** Restores answers that arrive in pieces: bytes of a response, pieces of text, or the event objects of an AI package. */
import { type RestoreCount, restoreJsonBody } from '../core/payload/response.ts';
import { restoreText } from '../core/restore.ts';
import { MessageRestorer } from '../core/stream/message-restorer.ts';
import { type StreamKind, StreamRestorer, streamKind } from '../core/stream/stream-restorer.ts';
import { isEventStream, prefixedLine } from '../core/stream/stream-start.ts';
import { TextRun } from '../core/stream/text-run.ts';
import type { TokenMap } from '../core/vault.ts';
import { readFields, showFields } from './own-fields.ts';

/** Framing of an answer; undefined when it is left as it is. In pages values are written as entities, as the gateway does. */
export function answerKind(contentType: string | null | undefined, path?: string): StreamKind | undefined {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (/^text\/(?:css|javascript)/.test(type)) return undefined;
  const kind = streamKind(type, path);
  return kind === 'text' && /html|xml/.test(type) ? 'html' : kind;
}

/** JSON, lines of it, or events with data and an end. */
function mayBeFramed(text: string): boolean {
  const start = text.trimStart();
  return /^[{[]/.test(start) || prefixedLine.test(start) || isEventStream(start, true) === true;
}

/** A whole answer of text with values in place of tokens. */
export function restoreAnswerText(kind: StreamKind, text: string, map: TokenMap): string {
  const whole = kind === 'json' ? restoreJsonBody(text, map) : undefined;
  if (whole && !whole.isUnreadable) return whole.body;
  if (kind === 'text' && !mayBeFramed(text)) return restoreText(text, map).restored;
  const restorer = new StreamRestorer({ kind, map });
  const parts = [restorer.push(new TextEncoder().encode(text)), restorer.end()];
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode();
}

/** A value, with objects of any class in it, with values in place of tokens in all of its texts. */
export function restoreValue<T>(value: T, map: TokenMap): T {
  if (map.size === 0) return value;
  const { json, aside } = showFields({ value });
  const restored = restoreAnswerText('json', json, map);
  return restored === json ? value : (readFields(restored, aside) as { value: T }).value;
}

/** Items as a web stream; a reader that leaves ends the source. */
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

/** After this silence a held-back suffix is released: a model may really end with "[". */
const silenceMs = 2_000;

/** Restores bytes as they come, and hands over after a silence what was held back. */
export class ByteRestorer {
  readonly #restorer: StreamRestorer;
  readonly #onSilence: (bytes: Uint8Array) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #chunks = 0;

  /** `onSilence` takes what can be sent although nothing came. */
  constructor(kind: StreamKind, map: TokenMap, onSilence: (bytes: Uint8Array) => void) {
    this.#restorer = new StreamRestorer({ kind, map });
    this.#onSilence = onSilence;
  }

  /** Returns what can be sent now, perhaps nothing. */
  push(chunk: Uint8Array): Uint8Array {
    this.#chunks++;
    if (this.#timer === undefined) this.#watch();
    return this.#restorer.push(chunk);
  }

  /** Returns what is left. */
  end(): Uint8Array {
    this.stop();
    return this.#restorer.end();
  }

  /** Nothing is to be sent any more. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  /** One timer for the whole stream: it looks back at whether anything came since it was set. */
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
    // In Node a timer keeps the process alive unless told otherwise.
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

/** The stream of a reader, restored; `first` is what was read of it already. One stream, where a pipe would take three. */
export function restoredBody(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  options: { readonly kind: StreamKind; readonly map: TokenMap; readonly first?: Uint8Array },
): ReadableStream<Uint8Array> {
  let { first } = options;
  let restorer: ByteRestorer;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        restorer = new ByteRestorer(options.kind, options.map, (bytes) => enqueue(controller, bytes));
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
  /** The objects in the item before, of which an event that is put in is made. */
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
