import { inflateSync } from 'fflate';
import names from './names.json' with { type: 'json' };
import words from './words.json' with { type: 'json' };

/**
 * Lists of names and of common words, as hash tables of 24 bits a slot: 12 of the word's hash, 12 that say what it is. A
 * word of no list is taken for one of it about once in a thousand times.
 */

export type PackedTable = { readonly bits: number; readonly data: string };

/** Reads so many bytes that were deflated and written in base64; without Node, so that it runs in a browser too. */
export function unpackBytes(packed: string, size: number): Uint8Array {
  const binary = atob(packed);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
  return inflateSync(bytes, { out: new Uint8Array(size) });
}

export class WordTable {
  private readonly slots: Int32Array;
  private readonly mask: number;

  constructor(packed: PackedTable) {
    const size = 1 << packed.bits;
    const bytes = unpackBytes(packed.data, size * 3);
    this.mask = size - 1;
    this.slots = new Int32Array(size);
    for (let slot = 0, at = 0; slot < size; slot++, at += 3) {
      this.slots[slot] = (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16);
    }
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

type Tables = { readonly names: WordTable; readonly words: WordTable };
let loaded: Tables | undefined;

/** The lists, decoded when they are first used. */
export function tables(): Tables {
  loaded ??= { names: new WordTable(names), words: new WordTable(words) };
  return loaded;
}
