/**
 * Keeps audit events in the store, for questions later: collected for a moment and written together, so that a request
 * never waits for the store. While the store is away a bounded number waits; beyond it the oldest are dropped and counted.
 */
import { Allowances } from '../allowances.ts';
import type { EventStore, StoredEvent } from '../stores/events.ts';
import type { Log } from './log.ts';

const flushMs = 500;
const retryMs = 2_000;
const waitingMax = 20_000;
const batchMax = 1_000;
/** Requests given up by one client before an answer that are kept at once, and in a second from then on. */
const abandoned = { burst: 100, perSecond: 0.1 };
const clientLeft = 499;

/** Options of {@link EventRecorder}. */
export type EventRecorderOptions = {
  readonly events: Pick<EventStore, 'append'>;
  readonly log: Log;
  /** Called with the number of events dropped. */
  readonly onDropped?: (events: number) => void;
};

/** Writes events to a store. */
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
   * Takes the fields of an audit event (`auditFields`); never blocks and never throws. The store keeps a number of events:
   * those of a client that gives up request after request would push out all others, so only some are taken.
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
      action: String(fields.action ?? 'none'),
      fields,
    });
    if (this.#waiting.length > waitingMax) {
      this.#waiting.splice(0, batchMax);
      this.#options.onDropped?.(batchMax);
    }
    this.#schedule(flushMs);
  }

  /** Writes what waits; what the store does not take stays and is tried again. */
  async flush(): Promise<void> {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  /** Writes what waits, once, and ends. */
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
          this.#options.log.warn({ event: 'events_not_stored', error }, 'audit events wait for the store');
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
