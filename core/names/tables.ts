import { inflateSync } from 'fflate';
import names from './names.json' with { type: 'json' };
import words from './words.json' with { type: 'json' };

/**
 * Lists of names and common words, as hash tables with 24 bits per slot: 12 of the word's hash and 12 of its entry. About one
 * in a thousand unlisted words is mistaken for a listed one.
 */

/**
 * A stored hash table, deflated: a bit for each slot, set if it is in use; then, for the slots in use, one byte per field:
 * all first fields, all second fields, and so on.
 */
export type PackedTable = { readonly bits: number; readonly rows: number; readonly data: string };

/** The number of bits of each field of a slot, lowest first. */
export const wordFields = [8, 8, 8];

/** Two characters encode 13 bits: 92 printable ones that JSON does not escape, `#` to `~` with `!` for the backslash. */
export const packing = { characters: 92, bits: 13, first: 0x23, backslash: 0x5c, instead: 0x21 } as const;

/** The value of each character of {@link packing}. */
const digits = Uint8Array.from(
  { length: 0x80 },
  (_, c) => (c === packing.instead ? packing.backslash : c) - packing.first,
);

/** Decodes bytes that were deflated and written in printable characters. */
export function unpackBytes(packed: string, size: number): Uint8Array {
  // Decoded in place, one or two bytes at a time.
  const bytes = new TextEncoder().encode(packed);
  const { length } = bytes;
  let held = 0;
  let count = 0;
  let end = 0;
  for (let at = 0; at + 1 < length; at += 2) {
    const pair =
      (digits[bytes[at] as number] as number) + (digits[bytes[at + 1] as number] as number) * packing.characters;
    held |= pair << count;
    count += packing.bits;
    bytes[end] = held;
    bytes[end + 1] = held >>> 8;
    end += count >> 3;
    held >>>= count & ~7;
    count &= 7;
  }
  return inflated(bytes.subarray(0, end), size);
}

/** Node inflates ten times as fast as the library, which serves browsers. */
function inflated(bytes: Uint8Array, size: number): Uint8Array {
  const zlib = globalThis.process?.getBuiltinModule?.('node:zlib');
  return zlib?.inflateRawSync(bytes, { chunkSize: size + 1 }) ?? inflateSync(bytes, { out: new Uint8Array(size) });
}

/** Decodes a stored table. */
function unpackTable({ bits, rows, data }: PackedTable): Int32Array {
  const slots = new Int32Array(1 << bits);
  const first = slots.length >> 3;
  const bytes = unpackBytes(data, first + rows * wordFields.length);
  for (let slot = 0, at = first; slot < slots.length; slot++) {
    // No branch, which would be mispredicted for every other slot.
    const isUsed = ((bytes[slot >> 3] as number) >> (slot & 7)) & 1;
    const entry =
      (bytes[at] as number) | ((bytes[at + rows] as number) << 8) | ((bytes[at + 2 * rows] as number) << 16);
    slots[slot] = entry & -isUsed;
    at += isUsed;
  }
  return slots;
}

export class WordTable {
  private readonly slots: Int32Array;
  private readonly mask: number;

  constructor(packed: PackedTable) {
    this.slots = unpackTable(packed);
    this.mask = this.slots.length - 1;
  }

  /** The 12 bits of a word, or 0 when the list lacks it. */
  get(hash: number): number {
    const print = (hash >>> 20) << 12;
    for (let slot = hash & this.mask; ; slot = (slot + 1) & this.mask) {
      const entry = this.slots[slot] as number;
      if (entry === 0) return 0;
      if ((entry & 0xfff000) === print) return entry & 0xfff;
    }
  }
}

/** How often a word is a given name: 0 (never) to 7. */
export const givenLevel = (entry: number): number => entry & 7;
/** How often a word is a family name: 0 to 7. */
export const familyLevel = (entry: number): number => (entry >>> 3) & 7;
/** How common a word is in lower-case English: 0 to 7. */
export const englishLevel = (entry: number): number => entry & 7;
/** How common a word is in the other languages: 0 to 7. */
export const otherLevel = (entry: number): number => (entry >>> 3) & 7;
/** Whether a word is a place (1), or a word that is capitalised but names no person (2). */
export const kindBits = (entry: number): number => (entry >>> 6) & 3;

/** Sets of languages that share a word, by their number in an entry: `de`, `fr`, `es`, `it`, `pt`, `nl`, pairs of them, or more. */
export const languageSets: readonly string[] = [
  ...['', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'de fr es it pt nl'],
  ...['es pt', 'es it', 'it pt', 'fr it', 'fr es', 'de nl', 'es it pt', 'fr nl'],
];
/** The number of the set of languages in which a word is common, an index into {@link languageSets}. */
export const languageSet = (entry: number): number => entry >>> 8;

type Tables = { readonly names: WordTable; readonly words: WordTable };
let loaded: Tables | undefined;

/** The lists, decoded when they are first used. */
export function tables(): Tables {
  loaded ??= { names: new WordTable(names), words: new WordTable(words) };
  return loaded;
}
