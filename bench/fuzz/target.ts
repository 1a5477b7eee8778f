/** The interface of fuzz targets. */
import { seedOf } from './random.ts';

/** A violated property of a target. */
export class Fault extends Error {}

/** @throws Fault with the message unless `holds` */
export function must(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Fault(sentence);
}

/** @throws Fault unless both are the same string or the same JSON */
export function mustEqual(actual: unknown, expected: unknown, what: string): void {
  const text = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined'));
  if (text(actual) !== text(expected)) {
    throw new Fault(`${what}: ${text(actual).slice(0, 300)} instead of ${text(expected).slice(0, 300)}`);
  }
}

/** @throws Fault if the verdict on a prefix, unless it is open, changes with more bytes */
export function mustBeSettled<T>(input: Buffer, read: (bytes: Buffer) => T, isOpen: (answer: T) => boolean): void {
  const whole = read(input);
  const cut = seedOf(input) % (input.length + 1);
  const early = read(input.subarray(0, cut));
  if (!isOpen(early)) mustEqual(early, whole, `settled at ${cut} bytes`);
}

/** Tries an input. Throws a fault; a new returned text counts as progress, like a new branch. */
export type Try = (input: Buffer) => undefined | string | Promise<undefined | string>;

export type FuzzTarget = {
  /** Initial inputs. */
  readonly seeds: () => readonly (string | Uint8Array)[];
  /** Words that mutations may insert, in addition to the strings of the modules. */
  readonly words?: readonly string[];
  /** Maximum input length; default 4,096. */
  readonly bytesMax?: number;
  /** Maximum time of a try in milliseconds; longer is a fault. Default 2,000. */
  readonly msMax?: number;
  readonly run: Try;
  /** Called once before the first try, and once after the last. */
  readonly open?: () => Promise<void>;
  readonly close?: () => Promise<void>;
};
