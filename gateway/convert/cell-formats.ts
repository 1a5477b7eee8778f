/** Which cells of a workbook show their number as a date (ECMA-376-1 §18.8.30), and that date as people write it. */
import { dayMs } from '../durations.ts';
import { elementsOf } from './xml-elements.ts';

/** Formats that every workbook has: dates and times, those of East Asian versions among them; 45 to 47 are durations. */
const builtIn: readonly [from: number, to: number][] = [
  [14, 17],
  [22, 22],
  [27, 31],
  [36, 36],
  [50, 54],
  [57, 58],
];

/** For each style of a cell (`s`), whether it is that of a day. */
export function dateStyles(styles: string): readonly boolean[] {
  const own = new Map<number, string>();
  for (const [tag] of styles.matchAll(/<numFmt\b[^<>]*>/g)) {
    own.set(Number(/\bnumFmtId="(\d+)"/.exec(tag)?.[1]), /\bformatCode="([^"]*)"/.exec(tag)?.[1] ?? '');
  }
  const [{ inside: list = '' } = {}] = elementsOf(styles, 'cellXfs');
  return [...list.matchAll(/<xf\b[^<>]*>/g)].map(([tag]) => {
    const id = Number(/\bnumFmtId="(\d+)"/.exec(tag)?.[1] ?? 0);
    const code = own.get(id);
    return code === undefined ? builtIn.some(([from, to]) => id >= from && id <= to) : isDateCode(code);
  });
}

/** A format with a year or a day in it; what stands in quotes, brackets or behind a backslash are not its letters. */
function isDateCode(code: string): boolean {
  return /[yde]/i.test(
    code.replaceAll(/&quot;.*?&quot;|"[^"]*"|\[[^\][]*\]|\\.|_.|General/gi, '').replace(/E[+-]/g, ''),
  );
}

/**
 * A serial number as `1980-01-31`, with its time where it has one; the number itself where it is no day.
 * @param epoch1904 whether the workbook counts from 1904, as those of old Macintosh programs do
 */
export function dateText(serial: string, epoch1904: boolean): string {
  const number = Number(serial);
  if (serial.trim() === '' || !(number >= 1 && number < 2_958_466)) return serial;
  // Excel has a 29 February 1900 that never was.
  const days = epoch1904 ? number + 1462 : number < 60 ? number + 1 : number;
  const text = new Date(Math.round(((days - 25_569) * dayMs) / 1000) * 1000).toISOString();
  const time = text.slice(11, 19);
  return time === '00:00:00' ? text.slice(0, 10) : `${text.slice(0, 10)} ${time.replace(/:00$/, '')}`;
}
