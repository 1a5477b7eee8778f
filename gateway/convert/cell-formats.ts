/** How cells of a workbook show their number (ECMA-376-1 §18.8.30, §18.8.31): as a day, or as digits in groups. */
import { dayMs } from '../durations.ts';
import { decodeXml } from './xml-characters.ts';
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

/** What a style makes of a number: a day, or digits in groups (its code); undefined for any other. */
export type CellFormat = 'date' | { readonly code: string } | undefined;

/** For each style of a cell (`s`), how it shows a number. */
export function cellFormats(styles: string): readonly CellFormat[] {
  const own = new Map<number, string>();
  for (const [tag] of styles.matchAll(/<numFmt\b[^<>]*>/g)) {
    own.set(Number(/\bnumFmtId="(\d+)"/.exec(tag)?.[1]), /\bformatCode="([^"]*)"/.exec(tag)?.[1] ?? '');
  }
  const [{ inside: list = '' } = {}] = elementsOf(styles, 'cellXfs');
  return [...list.matchAll(/<xf\b[^<>]*>/g)].map(([tag]) => {
    const id = Number(/\bnumFmtId="(\d+)"/.exec(tag)?.[1] ?? 0);
    const code = own.get(id);
    const isDate = code === undefined ? builtIn.some(([from, to]) => id >= from && id <= to) : isDateCode(code);
    return isDate ? 'date' : code === undefined ? undefined : { code };
  });
}

/** A format with a year or a day in it; what stands in quotes, brackets or behind a backslash are not its letters. */
function isDateCode(code: string): boolean {
  return /[yde]/i.test(
    code.replaceAll(/&quot;.*?&quot;|"[^"]*"|\[[^\][]*\]|\\.|_.|General/gi, '').replace(/E[+-]/g, ''),
  );
}

/** A condition, and signs of a telephone number among the places of digits; no places of thousands, no fractions. */
const digitSection = /^(?:\[([<>=]{1,2})(\d+)\])?([0#\-()+ ]+)$/;
/** Thousands with a blank between them. */
const thousands = /^(?:#{1,3} )?(?:### )*##0$/;

/** The digits of a whole number as their format shows them; as they are where it shows anything else than digits. */
export function formattedDigits(digits: string, format: CellFormat): string {
  if (typeof format !== 'object' || format.code.length > 128) return digits;
  const code = decodeXml(format.code).replaceAll(/\\(.)|"([^"]*)"/g, (_, one = '', quoted = '') => one + quoted);
  for (const section of code.split(';')) {
    const [, sign = '', bound = '', places] = digitSection.exec(section) ?? [];
    if (places === undefined || thousands.test(places)) return digits;
    if (sign === '' || isMet(Number(digits), sign, Number(bound))) return filled(places, digits);
  }
  return digits;
}

function isMet(value: number, sign: string, bound: number): boolean {
  if (sign === '<>') return value !== bound;
  return (
    (sign.includes('=') && value === bound) ||
    (sign.includes('<') && value < bound) ||
    (sign.includes('>') && value > bound)
  );
}

/** No telephone number with its groups in other places is longer; a card would not be known by them. */
const foreignMax = 12;

/**
 * Digits in their places, from the right; those that have none stand in the first one. As they are where the format is not
 * meant for so many.
 */
function filled(places: string, digits: string): string {
  const first = places.search(/[0#]/);
  const isForeign = digits.length > foreignMax && !places.includes('+');
  if (isForeign && digits.length > places.replaceAll(/[^0#]/g, '').length) return digits;
  if (first === -1) return digits;
  let rest = digits;
  let text = '';
  for (let i = places.length - 1; i >= 0; i--) {
    const place = places[i] ?? '';
    if (place !== '0' && place !== '#') text = place + text;
    else if (i === first) text = (rest || (place === '0' ? '0' : '')) + text;
    else {
      text = (rest.slice(-1) || (place === '0' ? '0' : '')) + text;
      rest = rest.slice(0, -1);
    }
  }
  return text;
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
