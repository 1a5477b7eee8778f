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
  /** Length of the longest word. */
  readonly longest: number;
};

/** The ends of words in the first `length` units, each followed by its state; in order, in at most four pieces. */
export type Search<Units> = (units: Units, length: number) => readonly (readonly number[] | undefined)[];

/** Minimum length in longest words for splitting a text. */
const wordsInPiece = 16;

/** The search in the ASCII table, which fits the CPU cache. */
export function newAsciiSearch(automaton: Automaton): Search<Uint8Array> {
  const { classes, table, wholeOnly, longest } = automaton;
  function endsFrom(units: Uint8Array, from: number, to: number, before: number, ends: number[] | undefined) {
    let found = ends;
    let entry = before;
    for (let i = from; i < to; i++) {
      entry = table[((entry & -2) << (asciiShift - 1)) | (classes[units[i] as number] as number)] as number;
      if ((entry & outputBit) !== 0) found = isInside(wholeOnly, units, i, entry) ? found : withEnd(found, i, entry);
    }
    return found;
  }

  /** The entry before `at`; no word is longer than the text read for it. */
  function entryAt(units: Uint8Array, at: number): number {
    let entry = 0;
    for (let i = at - longest; i < at; i++)
      entry = table[((entry & -2) << (asciiShift - 1)) | (classes[units[i] as number] as number)] as number;
    return entry;
  }

  return (units, length) => {
    if (length < longest * wordsInPiece) return [endsFrom(units, 0, length, 0, undefined)];
    // Each step depends on the previous one, so four parts of the text are searched at once.
    const piece = length >>> 2;
    const second = piece * 2;
    const third = piece * 3;
    let inA: number[] | undefined;
    let inB: number[] | undefined;
    let inC: number[] | undefined;
    let inD: number[] | undefined;
    let a = 0;
    let b = entryAt(units, piece);
    let c = entryAt(units, second);
    let d = entryAt(units, third);
    for (let i = 0; i < piece; i++) {
      // No calls here, so that the compiler does not reload the arrays at each step.
      for (; i < piece; i++) {
        a = table[((a & -2) << (asciiShift - 1)) | (classes[units[i] as number] as number)] as number;
        b = table[((b & -2) << (asciiShift - 1)) | (classes[units[i + piece] as number] as number)] as number;
        c = table[((c & -2) << (asciiShift - 1)) | (classes[units[i + second] as number] as number)] as number;
        d = table[((d & -2) << (asciiShift - 1)) | (classes[units[i + third] as number] as number)] as number;
        if (((a | b | c | d) & outputBit) !== 0) break;
      }
      if ((a & outputBit) !== 0) inA = isInside(wholeOnly, units, i, a) ? inA : withEnd(inA, i, a);
      if ((b & outputBit) !== 0) inB = isInside(wholeOnly, units, i + piece, b) ? inB : withEnd(inB, i + piece, b);
      if ((c & outputBit) !== 0) inC = isInside(wholeOnly, units, i + second, c) ? inC : withEnd(inC, i + second, c);
      if ((d & outputBit) !== 0) inD = isInside(wholeOnly, units, i + third, d) ? inD : withEnd(inD, i + third, d);
    }
    return [inA, inB, inC, endsFrom(units, piece * 4, length, d, inD)];
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
    return [found];
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
