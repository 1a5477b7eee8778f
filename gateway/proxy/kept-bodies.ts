/**
 * Bodies that are kept until they are whole. They have to come: a drop now and then would hold their memory for ever. And
 * all of them together may hold a part of the memory only, however many clients begin one and stop.
 */
import { PrivetError } from '../../core/errors.ts';

/** The slowest links of people bring ten times as much; servers of the web ask for about the same. */
const bytesPerSecondMin = 500;
/** What came faster lets a body pause for a minute, not for the hours in which its length would make up for it. */
const aheadBytesMax = 60 * bytesPerSecondMin;
const rateMs = 1_000;
/** Often enough that a fast sender does not get far beyond the limit in between. */
const tickMs = 100;

/** `onEnd`: is told once when the body is given up. */
type Body = {
  readonly received: () => number;
  readonly onEnd: (error: PrivetError) => void;
  counted: number;
  ahead: number;
  dueAt: number;
};

/** Watches them all. */
export class KeptBodies {
  readonly #graceMs: number;
  readonly #bytesMax: number;
  readonly #bodies = new Set<Body>();
  #timer: NodeJS.Timeout | undefined;

  /** `graceMs`: how long a body may come as slowly as it likes; `bytesMax`: what all may hold. */
  constructor(options: { readonly graceMs: number; readonly bytesMax: number }) {
    this.#graceMs = options.graceMs;
    this.#bytesMax = options.bytesMax;
  }

  /**
   * Calls `onEnd` once when less of a body comes than the least rate asks for, or when there is no room for all bodies and
   * this is the largest. `received` tells how many bytes of it are kept. The result ends the watch.
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
        this.#end(body, new PrivetError('request_timeout', 'Step read: the body comes too slowly.'));
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
      this.#end(body, new PrivetError('unavailable', 'Step read: there is no memory for another body now.'));
    }
  }

  #end(body: Body, error: PrivetError): void {
    this.#bodies.delete(body);
    body.onEnd(error);
  }
}

/** Whether as much has come since the last time as has to. */
function isInTime(body: Body, now: number): boolean {
  const size = body.received();
  body.ahead =
    Math.min(body.ahead + size - body.counted, aheadBytesMax) - ((now - body.dueAt) / 1_000) * bytesPerSecondMin;
  body.counted = size;
  body.dueAt = now;
  return body.ahead >= 0;
}
