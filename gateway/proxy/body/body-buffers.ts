/**
 * Limits for buffered request bodies: a minimum rate, because a client that trickles bytes would pin the buffer
 * forever; and a total size, so that buffered bodies use only part of the memory, however many clients stall.
 */
import { PrivetError } from '../../../core/errors.ts';

/** The slowest consumer links are ten times as fast; web servers use similar limits. */
const bytesPerSecondMin = 500;
/** Maximum credit of a fast start: it allows a pause of one minute, not of hours. */
const aheadBytesMax = 60 * bytesPerSecondMin;
const rateMs = 1_000;
/** Check interval; in between, a fast sender cannot exceed the limit by much. */
const tickMs = 100;

/** `onEnd`: called once if the body is given up. */
type Body = {
  readonly received: () => number;
  readonly onEnd: (error: PrivetError) => void;
  counted: number;
  ahead: number;
  dueAt: number;
};

/** Watches all buffered bodies. */
export class BodyBuffers {
  readonly #graceMs: number;
  readonly #bytesMax: number;
  readonly #bodies = new Set<Body>();
  #timer: NodeJS.Timeout | undefined;

  /** `graceMs`: how long a body may arrive at any rate; `bytesMax`: limit for all together. */
  constructor(options: { readonly graceMs: number; readonly bytesMax: number }) {
    this.#graceMs = options.graceMs;
    this.#bytesMax = options.bytesMax;
  }

  /**
   * Calls `onEnd` once if the body is slower than the minimum rate, or is the largest when the total limit is exceeded.
   * `received` returns the number of buffered bytes. The result stops watching.
   */
  watch(received: () => number, onEnd: (error: PrivetError) => void): () => void {
    const body: Body = { received, onEnd, counted: 0, ahead: 0, dueAt: performance.now() + this.#graceMs };
    this.#bodies.add(body);
    this.#timer ??= setTimeout(this.#check, tickMs);
    return () => void this.#bodies.delete(body);
  }

  readonly #check = (): void => {
    const now = performance.now();
    let held = 0;
    for (const body of this.#bodies) {
      held += body.received();
      if (now - body.dueAt >= rateMs && !isInTime(body, now))
        this.#end(body, new PrivetError('request_timeout', 'Step read: the body arrives too slowly.'));
    }
    if (held > this.#bytesMax) this.#makeRoom();
    this.#timer = this.#bodies.size > 0 ? setTimeout(this.#check, tickMs) : undefined;
  };

  #makeRoom(): void {
    const bySize = [...this.#bodies].sort((a, b) => b.received() - a.received());
    let held = bySize.reduce((sum, { received }) => sum + received(), 0);
    for (const body of bySize) {
      if (held <= this.#bytesMax) return;
      held -= body.received();
      this.#end(body, new PrivetError('unavailable', 'Step read: there is not enough memory for another body.'));
    }
  }

  #end(body: Body, error: PrivetError): void {
    this.#bodies.delete(body);
    body.onEnd(error);
  }
}

/** True if enough has arrived since the last check. */
function isInTime(body: Body, now: number): boolean {
  const size = body.received();
  body.ahead =
    Math.min(body.ahead + size - body.counted, aheadBytesMax) - ((now - body.dueAt) / 1_000) * bytesPerSecondMin;
  body.counted = size;
  body.dueAt = now;
  return body.ahead >= 0;
}
