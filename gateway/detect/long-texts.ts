/**
 * Long texts are searched and checked in a thread of their own, so that the other requests of the process need not wait: the
 * whole text at once, so that what is found is the same.
 */
import type { DetectorOptions } from '../../core/detection.ts';
import {
  type AllInjections,
  detectAllInjections,
  detectInjection,
  detectSqlInjection,
  type InjectionOptions,
  type InjectionResult,
} from '../../core/injection/index.ts';
import type { Detection } from '../../core/recognizer.ts';
import { ThreadPool } from '../threads/thread-pool.ts';

/** What a text can be checked for; see {@link checked}. */
export type InjectionChecks = { prompt: InjectionResult; sql: InjectionResult; all: AllInjections };
type Check = keyof InjectionChecks;

/** What the thread is asked: what to look for, and where. */
export type LongText =
  | { readonly options: DetectorOptions; readonly text: string }
  | { readonly check: Check; readonly options: InjectionOptions; readonly text: string };

/** Texts up to so many code units are searched at once: that takes up to some ten milliseconds. */
export const shortTextMax = 262_144;
/** Ordinary text takes a second for 50 MB. */
const timeMs = 60_000;

// Starts no thread before the first long text.
const pool = new ThreadPool<LongText, Detection[] | InjectionChecks[Check]>({
  script: new URL('./thread.ts', import.meta.url),
  timeMs: () => timeMs,
  sentences: {
    tooMany: 'Too many long texts are being searched.',
    tooLong: 'The text takes too long to search.',
    tooLarge: 'The text takes too much memory to search.',
    failed: 'The text cannot be searched.',
    hint: 'Send the text in smaller parts.',
  },
});

/**
 * What a detector with these options finds in the text, found elsewhere.
 * @throws PrivetError as a detector does, `body_too_large` when the search takes too long or too much memory, `unavailable`
 * when too many wait.
 */
export function detectAside(options: DetectorOptions, text: string): Promise<Detection[]> {
  return pool.run({ options, text }) as Promise<Detection[]>;
}

/** The checks by name. */
export const injectionChecks: { [K in Check]: (text: string, options: InjectionOptions) => InjectionChecks[K] } = {
  prompt: detectInjection,
  sql: detectSqlInjection,
  all: detectAllInjections,
};

/**
 * What a check for injections says of a text; a long one is looked at elsewhere.
 * @throws PrivetError as {@link detectAside}.
 */
export function checked<K extends Check>(
  check: K,
  text: string,
  options: InjectionOptions = {},
): InjectionChecks[K] | Promise<InjectionChecks[K]> {
  if (text.length <= shortTextMax) return injectionChecks[check](text, options);
  return pool.run({ check, options, text }) as Promise<InjectionChecks[K]>;
}
