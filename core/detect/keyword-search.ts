/**
 * Searches a text with a keyword automaton. Each function owns its table, because a loop over arrays that the compiler knows is
 * twice as fast as one over arguments (V8 13.6); so there is one function for ASCII and one for other text.
 */

/** Lowest bit of an entry: words end here. The other bits are the state. */
export const outputBit = 1;
/** Entries per row of the table, as a power of two. */
export const rowShift = 6;

/** Classes of ASCII characters, and entries by state and class. */
export type Automaton = {
  readonly classes: Uint8Array;
  /** Fits the CPU cache. */
  readonly table: Uint16Array;
  /** The steps by other characters, of which few states have any. */
  readonly others: OtherSteps;
  /** 1 for each state that only ends whole Latin words, none of which precedes a lower-case letter other than `s`. */
  readonly wholeOnly: Uint8Array;
};

/** Steps by non-ASCII characters, of which most states have none. */
export class OtherSteps {
  /** The state of the longest proper suffix, by state. */
  readonly failures: Uint16Array;
  /** Entries by code unit, from the first state. */
  readonly #roots = new Uint16Array(0x10000);
  /** Entries by state and code unit. */
  readonly #entries = new Map<number, number>();

  constructor(states: number) {
    this.failures = new Uint16Array(states);
  }

  add(from: number, unit: number, entry: number): void {
    if (from === 0) this.#roots[unit] = entry;
    else this.#entries.set(from * 0x10000 + unit, entry);
  }

  /** The entry behind a state; 0 for none. */
  step(from: number, unit: number): number {
    for (let state = from; state !== 0; state = this.failures[state] as number) {
      const entry = this.#entries.get(state * 0x10000 + unit);
      if (entry !== undefined) return entry;
    }
    return this.#roots[unit] as number;
  }
}

/** The small letters of Latin, Greek and Cyrillic capitals. ASCII letters have classes. */
const small = Uint16Array.from({ length: 0x530 }, (_, c) =>
  c > 0x7f ? String.fromCharCode(c).toLowerCase().charCodeAt(0) : c,
);

/** A capital counts as a small letter, and a curly apostrophe as a straight one. */
export function straightened(c: number): number {
  return c < small.length ? (small[c] as number) : c === 0x2019 ? 0x27 : c;
}

/** The ends of words in the first `length` units, each followed by its state; in order. Undefined for none. */
export type Search<Units> = (units: Units, length: number) => readonly number[] | undefined;

/** The search in ASCII text. */
export function newAsciiSearch({ classes, table, wholeOnly }: Automaton): Search<Uint8Array> {
  return (units, length) => {
    let found: number[] | undefined;
    let entry = 0;
    for (let i = 0; i < length; i++) {
      entry = table[((entry & -2) << (rowShift - 1)) | (classes[units[i] as number] as number)] as number;
      if ((entry & outputBit) !== 0 && !isInside(wholeOnly, units, i, entry)) found = withEnd(found, i, entry);
    }
    return found;
  };
}

/** The search in other text. */
export function newWideSearch({ classes, table, others, wholeOnly }: Automaton): Search<Uint16Array> {
  return (units, length) => {
    let found: number[] | undefined;
    let entry = 0;
    for (let i = 0; i < length; i++) {
      const c = straightened(units[i] as number);
      if (c > 0x7f) entry = others.step(entry >>> 1, c);
      else entry = table[((entry & -2) << (rowShift - 1)) | (classes[c] as number)] as number;
      if ((entry & outputBit) !== 0 && !isInside(wholeOnly, units, i, entry)) found = withEnd(found, i, entry);
    }
    return found;
  };
}

/** True when the word continues: most hits of short words, such as `acc` in `account`. */
function isInside(wholeOnly: Uint8Array, units: Uint8Array | Uint16Array, end: number, entry: number): boolean {
  if (wholeOnly[entry >>> 1] === 0) return false;
  const next = units[end + 1] as number;
  return next >= 0x61 && next <= 0x7a && next !== 0x73;
}

function withEnd(ends: number[] | undefined, end: number, entry: number): number[] {
  const state = entry >>> 1;
  if (ends === undefined) return [end, state];
  ends.push(end, state);
  return ends;
}
