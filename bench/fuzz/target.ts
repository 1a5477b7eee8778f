/** What can be fuzzed. */
import { seedOf } from './random.ts';

/** A fault: what a target promises and an input shows to be untrue. */
export class Fault extends Error {}

/** @throws Fault with the sentence unless `holds` */
export function must(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Fault(sentence);
}

/** @throws Fault unless both have the same JSON, or are the same string */
export function mustEqual(actual: unknown, expected: unknown, what: string): void {
  const text = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined'));
  if (text(actual) !== text(expected)) {
    throw new Fault(`${what}: ${text(actual).slice(0, 300)} in place of ${text(expected).slice(0, 300)}`);
  }
}

/** @throws Fault when what was said of the first bytes, unless they leave it open, changes with more of them */
export function mustBeSettled<T>(input: Buffer, read: (bytes: Buffer) => T, isOpen: (answer: T) => boolean): void {
  const whole = read(input);
  const cut = seedOf(input) % (input.length + 1);
  const early = read(input.subarray(0, cut));
  if (!isOpen(early)) mustEqual(early, whole, `settled at ${cut} bytes`);
}

/** Tries one input. Throws what is wrong; a text that is returned and new counts as progress, like a new branch. */
export type Try = (input: Buffer) => undefined | string | Promise<undefined | string>;

/** One thing to try inputs on. */
export type FuzzTarget = {
  /** Inputs to begin with. */
  readonly seeds: () => readonly (string | Uint8Array)[];
  /** Words that a mutation may put in, beside the strings of the modules. */
  readonly words?: readonly string[];
  /** Longest input; default 4,096. */
  readonly bytesMax?: number;
  /** Longest time of one try in milliseconds before it counts as a fault; default 2,000. */
  readonly msMax?: number;
  readonly run: Try;
  /** Called once before the first try, and after the last. */
  readonly open?: () => Promise<void>;
  readonly close?: () => Promise<void>;
};
