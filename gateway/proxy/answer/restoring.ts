/** Restores responses with text as their bytes arrive. */
import type { Transform } from 'node:stream';
import { comesInPieces } from '../../../core/stream/json-part.ts';
import { type StreamKind, StreamRestorer } from '../../../core/stream/stream-restorer.ts';
import type { AnswerGuard } from '../../agents/answer-guard.ts';
import { GuardedStream, guardedDocument } from '../../agents/guarded-stream.ts';
import { slicesOf } from '../../http1/slices.ts';
import { decodeStreams } from '../body/content-coding.ts';
import { isCodedFile } from './coded-files.ts';
import { CollectedBody, collectionIsFull, countedWhile } from './collected-body.ts';
import { DocumentDepth, hasLines } from './document-depth.ts';
import type { RestorePlan } from './restore-plan.ts';
import type { Sink } from './sink.ts';
import { type RestoreCounts, type RestoreOptions, restoredAside, restoredWhole } from './whole-bodies.ts';

export { restoreFileName } from './file-name.ts';
export { planRestore, type RestorePlan } from './restore-plan.ts';

/** After this silence a held suffix is released: a model may really end with "[" (wire formats, hold-back). */
const silenceMs = 2_000;
/** After this silence of the origin, an event stream gets a comment, so that clients do not give it up. */
const keepAliveMs = 15_000;
const keepAlive = Buffer.from(': keep-alive\n\n');
/** A complete document whose response continues is the first of several (NDJSON under a generic type). */
const secondDocumentMs = 40;

export type BodyRestorerOptions = RestoreOptions & {
  readonly plan: Exclude<RestorePlan, 'pass'>;
  readonly contentEncoding: string | undefined;
  /** Length of the text if stated; a document is sent once that much has arrived. */
  readonly length?: number | undefined;
  /** The last event that the client has received of a stream read from its start. */
  readonly resumesAfter?: number | string | undefined;
  readonly sink: Sink;
  /** Checks tool calls and responses of MCP servers before anything is restored. */
  readonly guard?: AnswerGuard | undefined;
  /** Maximum size of a collected document; a larger one passes unchanged. */
  readonly bytesMax: number;
  /** Silence of the origin before a comment is inserted into an event stream; default 15 seconds. */
  readonly keepAliveMs?: number;
};

/** Larger documents are restored in a thread, because others would wait for tens of milliseconds or more. */
const shortDocumentMax = 262_144;
/** The longest field name of an event stream, with its colon. */
const sniffedMin = 6;
/** How much of a file without line ends is read to decide. */
const fileHeadMax = 1024;
/**
 * Restores one response: `push` takes encoded bytes as they arrive, `end` ends the body, output goes to the sink.
 * Content that cannot be parsed passes unchanged, tokens included.
 */
export class BodyRestorer {
  readonly counts: RestoreCounts = { restored: 0, unresolved: 0, unreadable: 0 };
  private readonly options: BodyRestorerOptions;
  private readonly sink: Sink;
  private plan: Exclude<RestorePlan, 'pass' | 'sniffed'>;
  private readonly decoder: Transform | undefined;
  private readonly first: Transform | undefined;
  private stream: StreamRestorer | undefined;
  private guarded: GuardedStream | undefined;
  private isRefused = false;
  private readonly collected = new CollectedBody();
  /** True once encoded bytes have arrived. */
  private isBegun = false;
  /** Length of the text that has arrived. */
  private received = 0;
  private overflow = false;
  /** True if a file's text is encoded or not UTF-8; undefined before its first bytes. */
  private isCoded: boolean | undefined;
  /** Data of a response whose kind is undecided; undefined afterwards. */
  private head: Buffer | undefined;
  private depth = new DocumentDepth();
  private silence: NodeJS.Timeout | undefined;
  private keeper: NodeJS.Timeout | undefined;
  private second: NodeJS.Timeout | undefined;
  private onReady: (() => void) | undefined;
  private onDrained: (() => void) | undefined;
  private onBroken: (() => void) | undefined;
  /** Actions that wait for a document in a thread; undefined if there is none. */
  private later: (() => void)[] | undefined;
  private isClosed = false;
  /** Aborts thread work when the client disconnects; created on demand, because it costs more than a short response. */
  private gone: AbortController | undefined;
  /** True while sending a complete document, whose length is known. */
  isWhole = false;

  /** Undefined for an unknown content coding: the body must then pass unchanged. */
  static create(options: BodyRestorerOptions): BodyRestorer | undefined {
    const decoders = options.contentEncoding === undefined ? [] : decodeStreams(options.contentEncoding);
    return decoders && new BodyRestorer(options, decoders);
  }

  private constructor(options: BodyRestorerOptions, decoders: Transform[]) {
    this.options = options;
    this.sink = options.sink;
    this.plan = options.plan === 'sniffed' ? 'document' : options.plan;
    if (options.plan === 'sniffed') this.head = Buffer.alloc(0);
    if (this.plan !== 'document') this.openStream(this.plan);
    // Without tokens the stream is not parsed, so event boundaries are unknown.
    if (this.plan === 'sse' && options.map.size > 0) {
      this.keeper = setInterval(() => this.keepAlive(), options.keepAliveMs ?? keepAliveMs).unref();
    }
    let last: Transform | undefined;
    for (const decoder of decoders) {
      decoder.on('error', () => {
        this.stop();
        this.flush();
        if (this.onBroken) this.onBroken();
        else this.sink.fail();
      });
      last = last ? last.pipe(decoder) : decoder;
    }
    this.first = decoders[0];
    this.decoder = last;
    this.decoder?.on('data', (chunk: Buffer) => {
      if (!this.text(chunk)) this.decoder?.pause();
    });
    this.decoder?.on('end', () => this.finish());
    this.first?.on('drain', () => this.onReady?.());
  }

  /** True for a JSON document, whose length is known only at its end; it may turn out to be a stream. */
  get isDocument(): boolean {
    return this.plan === 'document';
  }

  /** Adds a piece of the body as received; if false, the caller must wait for `ready`. */
  push(chunk: Buffer, ready: () => void): boolean {
    if (!this.first) return this.text(chunk);
    this.isBegun ||= chunk.length > 0;
    this.onReady = ready;
    return this.first.write(chunk);
  }

  /** Called when the client accepts more. */
  resume(): void {
    this.onDrained?.();
    this.decoder?.resume();
  }

  /** Completes the body. An empty body is valid in every coding, as clients treat it. */
  end(): void {
    if (this.first && this.isBegun) this.first.end();
    else this.finish();
  }

  /** Handles a broken body: flushes held text, then calls `cut`, which closes the connection. */
  abort(cut: () => void): void {
    this.stop();
    this.onBroken = cut;
    this.decoder?.resume();
    // The decoder may still output data; it then ends, or fails because its input is truncated.
    if (this.first && !this.first.writableEnded) this.first.end();
    else {
      this.flush();
      this.after(cut);
    }
  }

  /** Called when the client has left: nothing more is sent. */
  close(): void {
    this.isClosed = true;
    this.gone?.abort();
    this.stop();
    this.first?.destroy();
    this.decoder?.destroy();
  }

  private text(chunk: Buffer): boolean {
    if (this.isRefused) return true;
    if (this.plan === 'file' && !this.overflow && this.isCoded !== false) return this.fileText(chunk);
    if (this.stream && !this.overflow) {
      const out = this.stream.push(this.guarded === undefined ? chunk : this.guarded.push(chunk));
      if (this.guarded?.isRefused) return this.refuseStream(out);
      this.watchSilence();
      return this.send(out);
    }
    if (this.overflow) return this.send(chunk);
    if (this.head !== undefined) return this.sniff(Buffer.concat([this.head, chunk]));
    const { length } = this.options;
    this.received += chunk.length;
    if (length !== undefined && this.received > length) {
      // The announced length is complete: later data is not part of the response (RFC 9113 §8.1.1).
      this.stop();
      this.sink.fail();
      return true;
    }
    if (this.collected.size === 0) {
      const inPieces = comesInPieces(chunk);
      // Some services send blank lines as keep-alives while they compute.
      if (inPieces === undefined) return this.send(chunk);
      if (inPieces) return this.become('json', chunk);
    }
    clearTimeout(this.second);
    if (this.collected.push(chunk) > this.options.bytesMax || collectionIsFull()) return this.passOn();
    const depth = this.depth.push(chunk);
    if (depth === 'several') return this.becomeDocuments(this.collected.takeWhole());
    // In HTTP/2 the end of a message may arrive long after its last byte.
    if (this.received === length) return this.flush(true);
    if (depth === 'complete') this.second = setTimeout(() => this.release(), secondDocumentMs).unref();
    return true;
  }

  /** Decides the kind of a response whose type is ambiguous. */
  private sniff(head: Buffer): boolean {
    const start = head.toString('latin1').replace(/^(?:\s|\xef\xbb\xbf)+/, '');
    if (start === '') {
      // Clients skip any amount of whitespace.
      this.received += head.length;
      this.head = Buffer.alloc(0);
      return this.send(head);
    }
    this.head = head;
    if (start.length < sniffedMin && !/^[[{]/.test(start)) return true;
    this.head = undefined;
    if (/^[[{]/.test(start)) return this.text(head);
    return this.become(/^(?:event|data|id|retry)?:/.test(start) ? 'sse' : 'text', head);
  }

  /** Decides the kind of a file once its first line has arrived. */
  private fileText(chunk: Buffer): boolean {
    const size = this.collected.push(chunk);
    if (this.isCoded === undefined) {
      if (size < fileHeadMax && !chunk.includes(0x0a)) return true;
      return this.openFile(this.collected.takeWhole());
    }
    return (size <= this.options.bytesMax && !collectionIsFull()) || this.passOn();
  }

  private openFile(head: Buffer): boolean {
    this.isCoded = isCodedFile(head);
    return this.text(head);
  }

  /** Sends a complete document whose end is late, unless it has line breaks inside. */
  private release(): void {
    const body = this.collected.takeWhole();
    if (!hasLines(body)) {
      this.becomeDocuments(body);
      return;
    }
    this.depth = new DocumentDepth();
    this.sendDocument(body);
  }

  private sendDocument(body: Buffer): boolean {
    const guarded = guardedDocument(body, this.options.guard);
    if (guarded.refusal === undefined) return this.sendRestored(guarded.body);
    this.isRefused = true;
    this.stop();
    this.sink.refuse?.(guarded.refusal);
    return true;
  }

  /** Sends the text so far and the error that ends the stream. */
  private refuseStream(out: Uint8Array): boolean {
    this.isRefused = true;
    this.stop();
    this.send(out);
    this.send(this.stream?.end() ?? new Uint8Array(0));
    this.send(this.guarded?.refusal ?? new Uint8Array(0));
    this.sink.refuse?.();
    return true;
  }

  /** Over the limit: passes on the collected data unchanged. */
  private passOn(): boolean {
    if (this.options.guard?.isEnforcing) {
      this.stop();
      this.sink.fail();
      return true;
    }
    this.overflow = true;
    this.counts.unreadable++;
    let flowing = true;
    for (const part of this.collected.take()) flowing = this.send(part);
    return flowing;
  }

  /** Handles several documents, one per line or, in some services, directly adjacent. */
  private becomeDocuments(body: Buffer): boolean {
    return this.become(body.includes(0x0a) ? 'ndjson' : 'json', body);
  }

  /** Switches from a document to a stream. */
  private become(kind: StreamKind, chunk: Buffer = this.collected.takeWhole()): boolean {
    this.openStream(kind);
    return this.text(chunk);
  }

  private finish(): void {
    this.stop();
    if (this.isRefused) return;
    this.flush(true);
    if (this.isRefused) return;
    this.after(() => (this.onBroken ? this.onBroken() : this.sink.end()));
  }

  private stop(): void {
    this.collected.uncount();
    clearTimeout(this.silence);
    clearTimeout(this.second);
    clearInterval(this.keeper);
  }

  /** Sends held text; an incomplete document passes unrestored. */
  private flush(isComplete = false): boolean {
    if (this.head !== undefined) this.become('text', this.head);
    if (this.stream && this.guarded) {
      const out = this.stream.push(this.guarded.end());
      if (this.guarded.isRefused) return this.refuseStream(out);
      this.send(out);
    }
    if (this.plan === 'file' && this.isCoded === undefined) this.openFile(this.collected.takeWhole());
    if (this.stream && !this.isCoded) return this.send(this.stream.end(!isComplete || this.onBroken !== undefined));
    if (this.collected.size === 0) return true;
    const body = this.collected.takeWhole();
    if (this.isCoded) return isComplete && !this.onBroken ? this.sendRestored(body) : this.send(body);
    this.isWhole = isComplete && !this.onBroken;
    if (this.isWhole) return this.sendDocument(body);
    // An incomplete call must not reach the client.
    return this.options.guard?.isEnforcing ? true : this.send(body);
  }

  private sendRestored(body: Buffer): boolean {
    // A compressed file may expand enormously.
    if (body.length <= shortDocumentMax && body[0] !== 0x1f)
      return this.send(restoredWhole(body, this.isCoded === true, this.options, this.counts));
    this.after(() => void this.restoreAside(body));
    return true;
  }

  private async restoreAside(body: Buffer): Promise<void> {
    if (this.isClosed) return;
    this.later = [];
    const gone = new AbortController();
    this.gone = gone;
    const bytes = await countedWhile(body.length, () =>
      restoredAside(body, this.isCoded === true, this.options, this.counts, gone.signal),
    );
    for await (const slice of slicesOf(bytes)) {
      if (this.isClosed) return;
      if (!this.sink.write(slice, bytes.length)) await new Promise<void>((drained) => (this.onDrained = drained));
    }
    const { later } = this;
    this.later = undefined;
    if (this.isClosed) return;
    for (const act of later ?? []) this.after(act);
  }

  /** Runs `act` after the document that a thread restores has been sent. */
  private after(act: () => void): void {
    if (this.later) this.later.push(act);
    else act();
  }

  private openStream(kind: StreamKind): void {
    this.plan = kind;
    this.guarded = GuardedStream.of(kind, this.options.guard);
    this.stream = new StreamRestorer({
      kind,
      map: this.options.map,
      allowsHost: this.options.allowsHost,
      documents: this.options.documents,
      numbers: this.options.numbers,
      resumesAfter: this.options.resumesAfter,
      onCount: (count) => {
        this.counts.restored += count.restored;
        this.counts.unresolved += count.unresolved;
        this.counts.unreadable += count.unreadable ?? 0;
      },
    });
  }

  private watchSilence(): void {
    this.keeper?.refresh();
    if (!this.stream?.isHolding) return;
    if (this.silence) this.silence.refresh();
    else this.silence = setTimeout(() => this.stream && this.send(this.stream.flushHeld()), silenceMs).unref();
  }

  private keepAlive(): void {
    if (this.stream?.isBetweenEvents) this.send(keepAlive);
  }

  private send(bytes: Uint8Array): boolean {
    if (this.later) {
      this.later.push(() => this.send(bytes));
      return true;
    }
    return bytes.length === 0 || this.sink.write(bytes);
  }
}
