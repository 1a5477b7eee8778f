/** The result of restoring an event. */
import type { Continuation, ResumePoint } from './numbered-events.ts';

/** An event inserted before another one, made from the last event of its run. */
export type SynthesizedEvent = {
  readonly json: string;
  readonly name: string | undefined;
  /** True if `json` is a piece of plain text. */
  readonly isText?: boolean;
  /** The event whose text it continues. */
  readonly continues?: Continuation | undefined;
};

/** The result for an event; `json` is undefined when the original bytes can be sent. */
export type RestoredEvent = {
  readonly before: readonly SynthesizedEvent[];
  readonly json: string | undefined;
  /** The event's number, in streams that number events in their JSON. */
  readonly place?: ResumePoint | undefined;
};

/** The result for an event that stays as it is. */
export const unchanged: RestoredEvent = { before: [], json: undefined };

/** The result for an event that is not JSON. */
export const brokenEvent: RestoredEvent = { before: [], json: undefined };
