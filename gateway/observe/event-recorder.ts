/**
 * Stores audit events for later queries. Events are collected briefly and written together, so that requests never wait
 * for the store. While the store is unavailable a limited number waits; beyond that the oldest are dropped and counted.
 */
import { Allowances } from '../allowances.ts';
import type { EventStore, StoredEvent } from '../stores/events.ts';
import { countedAs } from './counted.ts';
import type { Log } from './log.ts';

const flushMs = 500;
const retryMs = 2_000;
const waitingMax = 20_000;
const batchMax = 1_000;
/** Aborted requests of one client that are recorded: a burst, then a rate per second. */
const abandoned = { burst: 100, perSecond: 0.1 };
const clientLeft = 499;

export type EventRecorderOptions = {
  readonly events: Pick<EventStore, 'append'>;
  readonly log: Log;
  /** Called with the number of dropped events. */
  readonly onDropped?: (events: number) => void;
};

export class EventRecorder {
  readonly #options: EventRecorderOptions;
  #waiting: StoredEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #isFailing = false;
  readonly #abandoned = new Allowances(abandoned);

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  /**
   * Takes the fields of an audit event (`auditFields`); never blocks and never throws. The store keeps a limited number
   * of events, so aborted requests of one client are sampled: otherwise they would push out all others.
   */
  take(fields: Readonly<Record<string, unknown>>): void {
    if (fields.status === clientLeft && !this.#abandoned.take(String(fields.subject))) {
      this.#options.onDropped?.(1);
      return;
    }
    this.#waiting.push({
      at: Date.now(),
      subject: String(fields.subject),
      service: String(fields.service ?? ''),
      action: countedAs(fields) ?? String(fields.action ?? 'none'),
      fields,
    });
    if (this.#waiting.length > waitingMax) {
      this.#waiting.splice(0, batchMax);
      this.#options.onDropped?.(batchMax);
    }
    this.#schedule(flushMs);
  }

  /** Writes waiting events; what the store does not accept stays and is retried. */
  async flush(): Promise<void> {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  /** Writes waiting events once, and stops. */
  async close(): Promise<void> {
    await this.flush();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, batchMax);
      try {
        await this.#options.events.append(batch);
        this.#isFailing = false;
      } catch (error) {
        this.#waiting.unshift(...batch);
        if (!this.#isFailing) {
          this.#options.log.warn({ event: 'events_not_stored', error }, 'audit events are waiting for the store');
        }
        this.#isFailing = true;
        this.#schedule(retryMs);
        return;
      }
    }
  }

  #schedule(ms: number): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, ms).unref();
  }
}
