import { englishLevel, familyLevel, givenLevel, otherLevel } from './tables.ts';
import { gapKind, type Words } from './tokens.ts';

/** The words of a block with what the lists say of them. */
type ListedWords = { readonly words: Words; readonly names: ArrayLike<number>; readonly common: ArrayLike<number> };

/** The other words in the chain of a word, as in `Rota, Fumagalli, Chen`; counted once per chain. */
export class Company {
  private first = -1;
  private names = 0;
  private commas = 0;

  /** Forgets the chain; for a new block. */
  clear(): void {
    this.first = -1;
  }

  /** How many of the other words look like names (2 bits), how many commas there are (2 bits), and whether there are more words. */
  of(reader: ListedWords, i: number, first: number, last: number): number {
    if (this.first !== first) this.count(reader, first, last);
    const others = last - first;
    const named = this.names - (looksLikeName(reader, i) ? 1 : 0);
    const share = named === 0 ? 0 : named * 2 < others ? 1 : named < others ? 2 : 3;
    return share | (Math.min(this.commas, 2) << 2) | ((others > 1 ? 1 : 0) << 4);
  }

  private count(reader: ListedWords, first: number, last: number): void {
    this.first = first;
    this.names = 0;
    this.commas = 0;
    for (let k = first; k <= last; k++) {
      if (looksLikeName(reader, k)) this.names++;
      if (k > first && reader.words.gap[k] === gapKind.comma) this.commas++;
    }
  }
}

/** Whether the lists have a word as a name and not as a common word. */
export function looksLikeName(reader: ListedWords, i: number): boolean {
  const entry = reader.names[i] as number;
  const common = reader.common[i] as number;
  return (givenLevel(entry) > 2 || familyLevel(entry) > 2) && englishLevel(common) < 2 && otherLevel(common) < 2;
}
