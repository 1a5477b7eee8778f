/**
 * Restoring of answers: which ones hold text, and how their bytes become the user's text again, as they arrive.
 */
import type { Transform } from 'node:stream';
import { restoreJsonBody } from '../../core/payload/response.ts';
import { type StreamKind, StreamRestorer } from '../../core/stream/stream-restorer.ts';
import type { TokenMap } from '../../core/vault.ts';
import { decodeStreams } from './bodies.ts';

/** How an answer is treated: passed as it is, collected as one JSON document, or restored while it streams. */
export type RestorePlan = 'pass' | 'document' | StreamKind;

const streamKinds: Readonly<Record<string, StreamKind>> = {
  'text/event-stream': 'sse',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'application/x-jsonlines': 'ndjson',
  'application/stream+json': 'ndjson',
  'application/json-seq': 'ndjson',
};

/** Plans by the media type of the answer. */
export function planRestore(contentType: string | undefined): RestorePlan {
  if (contentType === undefined) return 'pass';
  const type = (contentType.split(';', 1)[0] as string).trim().toLowerCase();
  const kind = streamKinds[type];
  if (kind) return kind;
  if (type === 'application/json' || type.endsWith('+json')) return 'document';
  if (type.startsWith('text/') && !/css|javascript/.test(type)) return 'text';
  return 'pass';
}

/** Receives what may be sent to the client; answers false when the client is slow. */
export type Sink = { write(bytes: Uint8Array): boolean; end(): void; fail(): void };

/** After this silence a held-back suffix is released: a model may really end with "[" (wire formats, hold-back). */
const silenceMs = 2_000;

/** Counts of a finished answer. */
export type RestoreCounts = { restored: number; unresolved: number };

/**
 * Restores one answer. `push` takes encoded bytes as they arrive and `end` the end of the body; what comes out goes to
 * the sink. Unparsable content passes unrestored: the user then sees tokens, and nothing leaks.
 */
export class BodyRestorer {
  readonly counts: RestoreCounts = { restored: 0, unresolved: 0 };
  private readonly map: TokenMap;
  private readonly sink: Sink;
  private readonly bytesMax: number;
  private plan: Exclude<RestorePlan, 'pass'>;
  private readonly decoder: Transform | undefined;
  private readonly first: Transform | undefined;
  private stream: StreamRestorer | undefined;
  private collected: Buffer[] = [];
  private size = 0;
  private overflow = false;
  private timer: NodeJS.Timeout | undefined;
  private onReady: (() => void) | undefined;

  /** `undefined` when the content coding is unknown: the body must then pass as it is. */
  static create(options: {
    plan: Exclude<RestorePlan, 'pass'>;
    contentEncoding: string | undefined;
    map: TokenMap;
    sink: Sink;
    bytesMax: number;
  }): BodyRestorer | undefined {
    const decoders = options.contentEncoding === undefined ? [] : decodeStreams(options.contentEncoding);
    return decoders && new BodyRestorer(options, decoders);
  }

  private constructor(
    options: { plan: Exclude<RestorePlan, 'pass'>; map: TokenMap; sink: Sink; bytesMax: number },
    decoders: Transform[],
  ) {
    this.map = options.map;
    this.sink = options.sink;
    this.bytesMax = options.bytesMax;
    this.plan = options.plan;
    if (this.plan !== 'document') this.openStream(this.plan);
    let last: Transform | undefined;
    for (const decoder of decoders) {
      decoder.on('error', () => this.sink.fail());
      last = last ? last.pipe(decoder) : decoder;
    }
    this.first = decoders[0];
    this.decoder = last;
    this.decoder?.on('data', (chunk: Buffer) => this.text(chunk));
    this.decoder?.on('end', () => this.finish());
    this.first?.on('drain', () => this.onReady?.());
  }

  /** True once when the answer is a JSON document whose length is known only at its end. */
  get isDocument(): boolean {
    return this.plan === 'document';
  }

  /** Takes a piece of the body as it came; false asks the caller to wait for `ready`. */
  push(chunk: Buffer, ready: () => void): boolean {
    if (!this.first) return this.text(chunk);
    this.onReady = ready;
    return this.first.write(chunk);
  }

  /** The body is complete. */
  end(): void {
    if (this.first) this.first.end();
    else this.finish();
  }

  /** The body broke off: what is held is flushed, the caller then cuts the connection. */
  abort(): void {
    clearTimeout(this.timer);
    if (this.stream) this.send(this.stream.end());
    for (const chunk of this.collected) this.send(chunk);
    this.collected = [];
    this.first?.destroy();
  }

  private text(chunk: Buffer): boolean {
    if (this.stream) {
      const out = this.stream.push(chunk);
      this.watchSilence();
      return this.send(out);
    }
    if (this.overflow) return this.send(chunk);
    // A JSON array that arrives piece by piece is a stream of its elements (Gemini without alt=sse); the same framing
    // reads the answers of gemini.google.com, which begin with ")]}'".
    const first = this.size === 0 ? firstByte(chunk) : undefined;
    if (first === 0x5b || first === 0x29) {
      this.openStream('json-array');
      return this.text(chunk);
    }
    this.collected.push(chunk);
    this.size += chunk.length;
    if (this.size <= this.bytesMax) return true;
    this.overflow = true;
    let flowing = true;
    for (const part of this.collected) flowing = this.send(part);
    this.collected = [];
    return flowing;
  }

  private finish(): void {
    clearTimeout(this.timer);
    if (this.stream) this.send(this.stream.end());
    else if (this.collected.length > 0) this.send(this.document(Buffer.concat(this.collected, this.size)));
    this.sink.end();
  }

  private document(body: Buffer): Buffer {
    const result = restoreJsonBody(body.toString('utf8'), this.map);
    this.counts.restored += result.restored;
    this.counts.unresolved += result.unresolved;
    return result.restored === 0 ? body : Buffer.from(result.body, 'utf8');
  }

  private openStream(kind: StreamKind): void {
    this.plan = kind;
    this.stream = new StreamRestorer({
      kind,
      map: this.map,
      onCount: (count) => {
        this.counts.restored += count.restored;
        this.counts.unresolved += count.unresolved;
      },
    });
  }

  private watchSilence(): void {
    if (this.timer) this.timer.refresh();
    else {
      this.timer = setTimeout(() => this.stream && this.send(this.stream.flushHeld()), silenceMs);
      this.timer.unref();
    }
  }

  private send(bytes: Uint8Array): boolean {
    return bytes.length === 0 || this.sink.write(bytes);
  }
}

function firstByte(chunk: Buffer): number | undefined {
  for (const byte of chunk) if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte;
  return undefined;
}
