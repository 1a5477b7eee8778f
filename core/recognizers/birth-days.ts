/** All days in a text that somebody living may have been born on. */
import type { ScanText } from '../shadow.ts';
import { birthYear, date, yearNow } from './birth-dates.ts';
import { isYearInWords, leadMax, wordsMax } from './birth-numbers.ts';
import type { Stretch } from './stretch.ts';

export type Day = Stretch & { readonly written: string; readonly year: number };

/** Nobody is older. */
const yearsMax = 125;
/** Days longer than this have a remark. */
const dateMax = 36;

/** The days at the openings, in order. */
export function daysOf({ shadow, bytes }: ScanText, openings: readonly Stretch[]): readonly Day[] {
  const days: Day[] = [];
  const oldest = yearNow() - yearsMax;
  let done = 0;
  for (const { start: first, end } of openings) {
    if (first < done) continue;
    const lead = end - first === 4 && isYearInWords(shadow, bytes, first) ? wordsMax : leadMax;
    const from = Math.max(done, first - lead);
    const before = Math.min(from, 3);
    date.lastIndex = before;
    const groups = date.exec(shadow.slice(from - before, first + dateMax));
    if (groups === null) continue;
    const start = from - before + groups.index;
    if (start > first) continue;
    const written = groups[0];
    done = start + written.length;
    const born = isLoose(written) ? undefined : birthYear(written);
    if (born !== undefined && born >= oldest) days.push({ start, end: done, written, year: born });
  }
  return days;
}

/** `1 2 34` is no day without a word. */
const isLoose = (written: string) => /^[0-9]{1,2} [0-9]{1,2} [0-9]{2,4}$/.test(written);
