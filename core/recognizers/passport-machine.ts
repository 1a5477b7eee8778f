/** The number in the lower line of a passport that machines read (ICAO Doc 9303 part 4, 4.2.2). */
import { matchesIn, type ScanText } from '../shadow.ts';

/** Number and its digit, nationality, birth and its digit, sex, end of validity. */
const lowerLine = /(?<![0-9A-Z<])([A-Z0-9]{6,9})<{0,3}[0-9<](?:[A-Z]{3}|[A-Z]<<)[0-9]{6}[0-9][MFX<][0-9]{7}/g;
/** The upper line is 44 characters long. */
const reach = 120;

/** Numbers in the lower line behind each `P<` of an upper one. */
export function passportsOfMachine({ shadow }: ScanText, starts: readonly number[]): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let done = 0;
  for (const at of starts) {
    const from = Math.max(at, done);
    for (const { start, groups } of matchesIn(shadow, lowerLine, {
      start: from,
      end: at + reach,
      before: 1,
      after: 40,
    })) {
      done = start + (groups[1] as string).length;
      found.push({ start, end: done });
    }
  }
  return found;
}
