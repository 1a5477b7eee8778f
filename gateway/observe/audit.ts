/**
 * The audit trail: one event per decision, as a JSON line in a file of its own, else in the log as event `decision`.
 * It counts PII by type and holds no value, no path, no query and no header.
 */
import { closeSync, fsyncSync, openSync, write, writeSync } from 'node:fs';
import { PrivetError } from '../../core/errors.ts';
import { plainField } from './field.ts';
import type { Log } from './log.ts';

/** One decision and what came of it. Sizes in bytes, as counted on the client's side. */
export type AuditEvent = {
  readonly requestId: string;
  /** Authenticated proxy user, else the client's address. */
  readonly subject: string;
  readonly clientAddress: string;
  readonly kind?: string;
  readonly host: string;
  readonly port?: number;
  /** Id of the service in the registry. */
  readonly service?: string;
  readonly category?: string;
  readonly action?: string;
  readonly inspect?: string;
  readonly rule?: string;
  readonly reason?: string;
  readonly method: string;
  readonly status: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly durationMs: number;
  readonly intercepted: boolean;
  /** PII type → number of detections. */
  readonly piiTypes?: Readonly<Record<string, number>>;
  readonly masked?: number;
  readonly restored?: number;
  readonly unresolved?: number;
  /** Code from the error table. */
  readonly error?: string;
  /** Groups of the user; the first {@link groupsMax}. */
  readonly groups?: readonly string[];
  /** What the first rule in `report_only` would have done, and its name. */
  readonly wouldAction?: string;
  readonly wouldRule?: string;
  /** What a person wrote to confirm the use of a service. */
  readonly justification?: string;
};

/** Bounds of {@link AuditLog}; the defaults are those of the class. */
export type AuditOptions = {
  /** File to append to; null = the log. */
  readonly file: string | null;
  readonly log: Log;
  /** Characters that may wait for a slow or full disk; beyond it events are dropped and counted. 8 Mi. */
  readonly bufferedMax?: number;
  /** Longest time in ms that an event waits for others to be written with. 100. */
  readonly flushMs?: number;
  /** Called with the number of events dropped. */
  readonly onDropped?: (events: number) => void;
  /** Told the fields of every event, for another place that keeps them. */
  readonly onEvent?: (fields: Readonly<Record<string, unknown>>) => void;
};

const retryMs = 1_000;
const groupsMax = 20;

/** Writes audit events in groups; at most one write is under way, and what waits is bounded. */
export class AuditLog {
  readonly #log: Log;
  readonly #bufferedMax: number;
  readonly #flushMs: number;
  readonly #onDropped: (events: number) => void;
  readonly #onEvent: AuditOptions['onEvent'];
  readonly #file: string | null;
  #descriptor: number | undefined;
  #lines: string[] = [];
  #length = 0;
  /** Bytes taken from the buffer and not on disk yet. */
  #writing: Buffer | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;
  #dropped = 0;

  /** Throws PrivetError `unavailable` when the file cannot be opened. */
  constructor(options: AuditOptions) {
    this.#log = options.log;
    this.#file = options.file;
    this.#bufferedMax = options.bufferedMax ?? 8 * 1024 * 1024;
    this.#flushMs = options.flushMs ?? 100;
    this.#onDropped = options.onDropped ?? (() => {});
    this.#onEvent = options.onEvent;
    this.#descriptor = this.#open();
  }

  /** Events dropped since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Takes one event; never blocks and never throws. */
  write(event: AuditEvent): void {
    const fields = auditFields(event);
    this.#onEvent?.(fields);
    if (this.#descriptor === undefined) {
      this.#log.info({ event: 'decision', ...fields }, 'decision');
      return;
    }
    if (this.#length >= this.#bufferedMax) {
      this.#dropped++;
      this.#onDropped(1);
      return;
    }
    const line = `{"ts":"${new Date().toISOString()}","event":"decision",${JSON.stringify(fields).slice(1)}\n`;
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#timer === undefined && this.#writing === undefined) this.#schedule(this.#flushMs);
  }

  /** Opens the file anew, after it was moved away for rotation. */
  reopen(): void {
    this.flush();
    const next = this.#open();
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = next;
  }

  /**
   * Writes all that waits, blocking. Meant for the end of the process; throws nothing, what cannot be written is counted
   * as dropped.
   */
  flush(): void {
    if (this.#descriptor === undefined || this.#writing !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const events = this.#lines.length;
    if (events === 0) return;
    try {
      writeAll(this.#descriptor, this.#take());
    } catch (error) {
      this.#dropped += events;
      this.#onDropped(events);
      this.#fail(error);
    }
  }

  /** Waits for the write under way, writes the rest, syncs and closes the file. Later events go to the log. */
  async close(): Promise<void> {
    for (let waited = 0; this.#writing !== undefined && waited < 5_000; waited += 5) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    this.flush();
    if (this.#descriptor === undefined) return;
    try {
      fsyncSync(this.#descriptor);
    } catch {
      // Pipes and some file systems cannot sync.
    }
    if (this.#writing === undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
    clearTimeout(this.#timer);
  }

  #open(): number | undefined {
    if (this.#file === null) return undefined;
    try {
      return openSync(this.#file, 'a', 0o600);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      throw new PrivetError('unavailable', `The audit log ${this.#file} cannot be opened (${code}).`, { cause: error });
    }
  }

  #schedule(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#writeMore(this.#writing ?? this.#take());
    }, ms);
    this.#timer.unref();
  }

  #take(): Buffer {
    const bytes = Buffer.from(this.#lines.join(''));
    this.#lines = [];
    this.#length = 0;
    return bytes;
  }

  #writeMore(bytes: Buffer): void {
    if (this.#descriptor === undefined || bytes.length === 0) {
      this.#writing = undefined;
      return;
    }
    this.#writing = bytes;
    write(this.#descriptor, bytes, (error, written) => {
      if (error) {
        this.#fail(error);
        this.#schedule(retryMs);
        return;
      }
      this.#isFailing = false;
      if (written < bytes.length) return this.#writeMore(bytes.subarray(written));
      this.#writing = undefined;
      if (this.#lines.length > 0) this.#schedule(this.#flushMs);
    });
  }

  /** One log line per failure, not one per event. */
  #fail(error: unknown): void {
    if (!this.#isFailing) this.#log.error({ event: 'audit_write_failed', error }, 'the audit log cannot be written');
    this.#isFailing = true;
  }
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

/** The event as it is written, without `ts` and its name: bounded, escaped, in a fixed order of fields. */
export function auditFields(event: AuditEvent): Record<string, unknown> {
  const field = (text: string | undefined, max: number) => (text === undefined ? undefined : plainField(text, max));
  return {
    requestId: plainField(event.requestId, 64),
    subject: plainField(event.subject, 256),
    clientAddress: plainField(event.clientAddress, 64),
    kind: field(event.kind, 32),
    host: plainField(event.host, 255),
    port: event.port,
    service: field(event.service, 128),
    category: field(event.category, 32),
    action: field(event.action, 32),
    inspect: field(event.inspect, 32),
    rule: field(event.rule, 200),
    reason: field(event.reason, 500),
    method: plainField(event.method, 32),
    status: event.status,
    bytesIn: event.bytesIn,
    bytesOut: event.bytesOut,
    durationMs: Math.round(event.durationMs * 100) / 100,
    intercepted: event.intercepted,
    piiTypes: event.piiTypes,
    masked: event.masked,
    restored: event.restored,
    unresolved: event.unresolved,
    error: field(event.error, 64),
    groups: event.groups?.slice(0, groupsMax).map((group) => plainField(group, 200)),
    wouldAction: field(event.wouldAction, 32),
    wouldRule: field(event.wouldRule, 200),
    justification: field(event.justification, 500),
  };
}
