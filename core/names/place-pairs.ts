import { mix } from './hash.ts';
import { kindBits, tables } from './tables.ts';
import { gapKind, shape, type Words } from './tokens.ts';

/** Mixed with the hashes of two adjacent words of a place name. */
export const pairTemplate = 200;

/** Whether a word and the next one are adjacent in a place name. */
export function isPlacePair(words: Words, first: number): boolean {
  if (first < 0 || first + 1 >= words.count || words.shape[first] === shape.lower) return false;
  const gap = words.gap[first + 1];
  if (gap !== gapKind.space && gap !== gapKind.hyphen) return false;
  const key = mix(pairTemplate, words.hash[first] as number, words.hash[first + 1] as number);
  return (kindBits(tables().words.get(key)) & 1) !== 0;
}
