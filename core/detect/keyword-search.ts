/**
 * Searches a text with a keyword automaton. Each function owns its table, because a loop over arrays that the compiler knows is
 * twice as fast as one over arguments (V8 13.6); so there is one function for ASCII and one for other text.
 */

/** Lowest bit of an entry: words end here. The other bits are the state. */
export const outputBit = 1;
/** Entries per row of the wide and the ASCII table, as powers of two. */
export const wideShift = 8;
export const asciiShift = 6;

/** Classes by code unit, and entries by state and class. */
export type Automaton = {
  /** 65,536 classes for the wide search, 256 for ASCII. */
  readonly classes: Uint8Array;
  readonly table: Uint16Array;
  /** 1 for each state that only ends whole Latin words, none of which precedes a lower-case letter other than `s`. */
  readonly wholeOnly: Uint8Array;
};

/** The ends of words in the first `length` units, each followed by its state; in order. Undefined for none. */
export type Search<Units> = (units: Units, length: number) => readonly number[] | undefined;

/** The search in the ASCII table, which fits the CPU cache. */
export function newAsciiSearch({ classes, table, wholeOnly }: Automaton): Search<Uint8Array> {
  return (units, length) => {
    let found: number[] | undefined;
    let entry = 0;
    for (let i = 0; i < length; i++) {
      entry = table[((entry & -2) << (asciiShift - 1)) | (classes[units[i] as number] as number)] as number;
      if ((entry & outputBit) !== 0 && !isInside(wholeOnly, units, i, entry)) found = withEnd(found, i, entry);
    }
    return found;
  };
}

/** The search for non-ASCII text. */
export function newWideSearch({ classes, table, wholeOnly }: Automaton): Search<Uint16Array> {
  return (units, length) => {
    let found: number[] | undefined;
    let entry = 0;
    for (let i = 0; i < length; i++) {
      entry = table[((entry & -2) << (wideShift - 1)) | (classes[units[i] as number] as number)] as number;
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
