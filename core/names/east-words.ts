import { WordTable } from './tables.ts';
import words from './words-east.json' with { type: 'json' };

/** What the dictionaries of Japanese and Chinese say of a word, and which characters of Chinese are the same. */

/** Kinds of words. */
export const wordKind = { noun: 1, place: 2, proper: 3, affix: 4, other: 5, person: 6, family: 7 } as const;

type EastWords = { readonly table: WordTable; readonly simplified: Uint16Array };
let loaded: EastWords | undefined;

function load(): EastWords {
  const simplified = new Uint16Array(0x10000);
  for (let code = 0; code < simplified.length; code++) simplified[code] = code;
  for (let at = 0; at < words.traditional.length; at++)
    simplified[words.traditional.charCodeAt(at)] = words.simplified.charCodeAt(at);
  return { table: new WordTable(words), simplified };
}

/** The words by hash: {@link wordKind} (3 bits) and how common (2 bits) in Japanese, then the same in Chinese. */
export function eastWords(): WordTable {
  loaded ??= load();
  return loaded.table;
}

/** The simplified form of a Chinese character. */
export function simplify(code: number): number {
  loaded ??= load();
  return loaded.simplified[code] as number;
}
