/**
 * The search of a keyword automaton through a text. Each table is known to the function that reads it, because a loop over
 * arrays that the compiler knows is twice as fast as one over arrays that it is handed (V8 13.6); so there is one function for
 * ASCII and one for all else, though they do the same.
 */

/** Lowest bit of an entry: words end there. The other bits are the state. */
export const outputBit = 1;
/** A row of the table for all characters has this many entries, as a power of two; so has one for ASCII alone. */
export const wideShift = 8;
export const asciiShift = 6;

/** Code unit → class, and state and class → entry. */
export type Automaton = {
  /** 65,536 classes for the wide search, 256 for ASCII. */
  readonly classes: Uint8Array;
  readonly table: Uint16Array;
  /** By state: 1 where only whole words of Latin letters end, none of which ends before a small letter other than `s`. */
  readonly wholeOnly: Uint8Array;
  /** Length of the longest word. */
  readonly longest: number;
};

/** The places in the first `length` units where words end, each followed by its state; in order, in at most four pieces. */
export type Search<Units> = (units: Units, length: number) => readonly (readonly number[] | undefined)[];

/** Below so many of its longest words a text is not cut. */
const wordsInPiece = 16;

/** The search in a table as wide as ASCII: it fits a cache. */
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

  /** The entry before `at`: no word is longer than the stretch that is read for it. */
  function entryAt(units: Uint8Array, at: number): number {
    let entry = 0;
    for (let i = at - longest; i < at; i++)
      entry = table[((entry & -2) << (asciiShift - 1)) | (classes[units[i] as number] as number)] as number;
    return entry;
  }

  return (units, length) => {
    if (length < longest * wordsInPiece) return [endsFrom(units, 0, length, 0, undefined)];
    // Each step waits for the one before, so four stretches of the text are searched at once.
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
      // Nothing is called in here, so that the compiler need not ask for the array again at every step.
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

/** The search for texts with other characters, too. */
export function newWideSearch(automaton: Automaton): Search<Uint16Array> {
  const { classes, table, wholeOnly, longest } = automaton;
  function endsFrom(units: Uint16Array, from: number, to: number, before: number, ends: number[] | undefined) {
    let found = ends;
    let entry = before;
    for (let i = from; i < to; i++) {
      entry = table[((entry & -2) << (wideShift - 1)) | (classes[units[i] as number] as number)] as number;
      if ((entry & outputBit) !== 0) found = isInside(wholeOnly, units, i, entry) ? found : withEnd(found, i, entry);
    }
    return found;
  }

  function entryAt(units: Uint16Array, at: number): number {
    let entry = 0;
    for (let i = at - longest; i < at; i++)
      entry = table[((entry & -2) << (wideShift - 1)) | (classes[units[i] as number] as number)] as number;
    return entry;
  }

  return (units, length) => {
    if (length < longest * wordsInPiece) return [endsFrom(units, 0, length, 0, undefined)];
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
      // Nothing is called in here, so that the compiler need not ask for the array again at every step.
      for (; i < piece; i++) {
        a = table[((a & -2) << (wideShift - 1)) | (classes[units[i] as number] as number)] as number;
        b = table[((b & -2) << (wideShift - 1)) | (classes[units[i + piece] as number] as number)] as number;
        c = table[((c & -2) << (wideShift - 1)) | (classes[units[i + second] as number] as number)] as number;
        d = table[((d & -2) << (wideShift - 1)) | (classes[units[i + third] as number] as number)] as number;
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

/** True when the word that ends here goes on: most hits of short words, such as `acc` in `account`. */
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
