/** Applies a guard to a response, as events or as one document. Unchanged parts keep their bytes. */
import type { Refusal } from '../../core/formats/agents.ts';
import { wireFormats } from '../../core/formats/index.ts';
import {
  type EventStreamFrame,
  EventStreamFraming,
  eventOf,
  formatFrame,
  formatHeaders,
  isOfBytes,
  readFrame,
} from '../../core/stream/aws-event-stream.ts';
import { joinBytes } from '../../core/stream/frame.ts';
import { type ArrayFrame, JsonArrayFraming } from '../../core/stream/json-array.ts';
import { NdjsonFraming } from '../../core/stream/ndjson.ts';
import { formatSseData, parseSseEvent, SseFraming } from '../../core/stream/sse.ts';
import type { StreamKind } from '../../core/stream/stream-restorer.ts';
import { beginsEventStream } from '../../core/stream/stream-start.ts';
import type { AnswerGuard, EventVerdict } from './answer-guard.ts';

const framings = {
  sse: () => new SseFraming(),
  ndjson: () => new NdjsonFraming(),
  jsonl: () => new NdjsonFraming(),
  json: () => new JsonArrayFraming(),
  'json-array': () => new JsonArrayFraming(),
  'event-stream': () => new EventStreamFraming(),
} as const;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const nothing = new Uint8Array(0);
const utf8Mark = Buffer.from('\ufeff');

/** The document to send, or the error that replaces it. */
export function guardedDocument(
  body: Buffer,
  guard: AnswerGuard | undefined,
): { readonly body: Buffer; readonly refusal?: Uint8Array } {
  if (guard === undefined) return { body };
  const text = body.toString();
  if (guard.skips(text)) return { body };
  const verdict = guard.judge(text);
  if (verdict.what === 'refuse') return { body, refusal: encoder.encode(JSON.stringify(verdict.error)) };
  const json = verdict.what === 'hold' ? undefined : verdict.json;
  // The response of a server that answers a batch with one message; other documents are errors of HTTP.
  if (guard.added.length > 0 && text.includes('"jsonrpc"'))
    return { body: Buffer.from(`[${[...guard.added, json ?? text].join()}]`) };
  return { body: json === undefined ? body : Buffer.from(json) };
}

export class GuardedStream {
  readonly #kind: keyof typeof framings;
  readonly #guard: AnswerGuard;
  readonly #framing: {
    push(chunk: Uint8Array, emit: (frame: ArrayFrame) => void): void;
    end(emit: (frame: ArrayFrame) => void): void;
  };
  #held: Uint8Array[] = [];
  /** Errors that precede the first event. */
  #added: readonly string[];
  /** True in an array. */
  #isArray = false;
  /** The stream in frames of bytes, cut anywhere: its beginning, and what guards it once that is known. */
  #inner: { head: Uint8Array; begun: Uint8Array; stream?: GuardedStream | 'other' } | undefined;
  #error: Refusal | undefined;
  /** The event that ends a refused stream. */
  refusal: Uint8Array | undefined;

  /** Undefined for framings without JSON events. */
  static of(kind: StreamKind, guard: AnswerGuard | undefined): GuardedStream | undefined {
    return guard !== undefined && kind in framings
      ? new GuardedStream(kind as keyof typeof framings, guard)
      : undefined;
  }

  private constructor(kind: keyof typeof framings, guard: AnswerGuard) {
    this.#kind = kind;
    this.#guard = guard;
    this.#framing = framings[kind]();
    this.#added = guard.added;
  }

  get isRefused(): boolean {
    return this.refusal !== undefined;
  }

  push(chunk: Uint8Array): Uint8Array {
    const out: Uint8Array[] = [];
    this.#framing.push(chunk, (frame) => this.#frame(frame, out));
    return joinBytes(out);
  }

  /** The rest at the end; a call without an end marker ends with the response. */
  end(): Uint8Array {
    const out: Uint8Array[] = [];
    this.#framing.end((frame) => this.#frame(frame, out));
    if (this.#inner && !this.isRefused) {
      const { begun, stream } = this.#inner;
      this.#writeInner(stream === undefined ? begun : stream === 'other' ? nothing : stream.end(), out);
    }
    this.#add(out);
    if (!this.isRefused && this.#held.length > 0)
      this.#apply(this.#guard.judgeEnd(), new Uint8Array(0), () => new Uint8Array(0), out);
    return joinBytes(out);
  }

  /** Writes the added errors, before the first event or at the end; `isLast`: no element of the array follows. */
  #add(out: Uint8Array[], isLast = false): void {
    if (this.#added.length === 0) return;
    const errors = this.#added;
    this.#added = [];
    if (this.#kind === 'sse') out.push(...errors.map((json) => encoder.encode(`event: message\ndata: ${json}\n\n`)));
    else
      out.push(encoder.encode(errors.join(this.#isArray ? ',' : '\n') + (!this.#isArray ? '\n' : isLast ? '' : ',')));
  }

  #frame({ bytes, isEvent, isTooLarge, closes }: ArrayFrame, out: Uint8Array[]): void {
    if (this.isRefused) return;
    if (isEvent && this.#added.length > 0 && this.#kind === 'sse' && utf8Mark.equals(bytes.subarray(0, 3))) {
      // A byte order mark is skipped only at the beginning of a stream.
      out.push(utf8Mark);
      bytes = bytes.subarray(3);
    }
    if (isEvent || closes) this.#add(out, closes);
    else if (bytes.includes(0x5b)) this.#isArray = this.#kind !== 'sse';
    if (!isEvent) {
      if (isTooLarge) this.#unread(bytes, out);
      else out.push(bytes);
      return;
    }
    if (this.#kind === 'event-stream') {
      this.#binaryFrame(bytes, out);
      return;
    }
    const text = decoder.decode(bytes);
    if (this.#guard.skips(text)) {
      out.push(bytes);
      return;
    }
    if (this.#kind !== 'sse') {
      this.#apply(this.#guard.judge(text), bytes, (json) => encoder.encode(json + /\s*$/.exec(text)?.[0]), out);
      return;
    }
    const event = parseSseEvent(text);
    if (wireFormats.isTerminator(event.data ?? '')) {
      this.#apply(this.#guard.judgeEnd(), bytes, () => bytes, out);
      return;
    }
    if (event.data === undefined) {
      out.push(bytes);
      return;
    }
    const { head, prefix, lineEnd, tail } = event;
    const write = (json: string) => encoder.encode(head + formatSseData(json, lineEnd, prefix) + tail);
    this.#apply(this.#guard.judge(event.data), bytes, write, out);
  }

  /** If calls may be refused, unreadable data must not pass. */
  #unread(bytes: Uint8Array, out: Uint8Array[]): void {
    if (!this.#guard.isEnforcing) {
      out.push(bytes);
      return;
    }
    const finding = { kind: 'not_allowed', tool: 'event', place: 'answer', answer: 'block' } as const;
    this.#refuse(this.#guard.errorOf(finding));
  }

  /** A frame of Amazon's event stream. */
  #binaryFrame(bytes: Uint8Array, out: Uint8Array[]): void {
    const frame = readFrame(bytes);
    if (frame && isOfBytes(frame)) {
      this.#innerFrame(frame, out);
      return;
    }
    const event = frame && eventOf(frame, wireFormats);
    if (frame === undefined) this.#unread(bytes, out);
    else if (event === undefined || this.#guard.skips(event.json)) out.push(bytes);
    else this.#apply(this.#guard.judge(event.json), bytes, event.rewrite, out);
  }

  /** A frame with a piece of another stream, in which an event may begin or end. */
  #innerFrame({ head, payload }: EventStreamFrame, out: Uint8Array[]): void {
    this.#inner ??= { head, begun: nothing };
    const inner = this.#inner;
    inner.head = head;
    let piece = payload;
    if (inner.stream === undefined) {
      piece = joinBytes([inner.begun, payload]);
      inner.begun = piece;
      const kind = kindOf(decoder.decode(piece));
      if (kind === undefined) return;
      inner.stream = kind === 'other' ? kind : new GuardedStream(kind, this.#guard);
    }
    this.#writeInner(inner.stream === 'other' ? piece : inner.stream.push(piece), out);
  }

  #writeInner(bytes: Uint8Array, out: Uint8Array[]): void {
    if (this.#inner === undefined) return;
    const { head, stream } = this.#inner;
    if (bytes.length > 0) out.push(formatFrame(head, bytes));
    if (typeof stream === 'object' && stream.#error !== undefined) this.#refuse(stream.#error);
  }

  #apply(verdict: EventVerdict, bytes: Uint8Array, write: (json: string) => Uint8Array, out: Uint8Array[]): void {
    switch (verdict.what) {
      case 'hold':
        this.#held.push(new Uint8Array(bytes));
        break;
      case 'refuse':
        this.#held = [];
        this.#refuse(verdict.error);
        break;
      case 'release':
        out.push(...this.#held.splice(0), verdict.json === undefined ? bytes : write(verdict.json));
        break;
      default:
        out.push(verdict.json === undefined ? bytes : write(verdict.json));
    }
  }

  #refuse(error: Refusal): void {
    const json = JSON.stringify(error);
    this.#error = error;
    const text = {
      // Clients of providers whose events have no name skip those with one.
      sse: `${error.type === undefined ? '' : 'event: error\n'}data: ${json}\n\n`,
      ndjson: `${json}\n`,
      jsonl: `${json}\n`,
      json,
      'json-array': `,${json}]`,
    };
    this.refusal = this.#kind === 'event-stream' ? errorFrame(error) : encoder.encode(text[this.#kind]);
  }
}

/** The framing of a stream with this beginning; undefined if more is needed to decide. */
function kindOf(text: string): 'sse' | 'json' | 'other' | undefined {
  const begun = text.replace(/^\ufeff?\s*/, '');
  if (/^(?:[[{]\s*)?$/.test(begun)) return undefined;
  if (/^(?:\{\s*["}]|\[\s*["[{\]\d-])/.test(begun)) return 'json';
  const isEvents = beginsEventStream(begun);
  return isEvents === undefined ? undefined : isEvents ? 'sse' : 'other';
}

/** An error that the service has no model of, which every client of Amazon's raises ("Amazon Event Stream specification"). */
function errorFrame({ error }: Refusal): Uint8Array {
  const head = formatHeaders([
    [':message-type', 'error'],
    [':error-code', 'AccessDeniedException'],
    [':error-message', error.message],
  ]);
  return formatFrame(head, new Uint8Array(0));
}
