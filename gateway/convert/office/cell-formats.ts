/** How workbook cells display numbers (ECMA-376-1 §18.8.30, §18.8.31): as dates, or as grouped digits. */
import { dayMs } from '../../durations.ts';
import { decodeXml } from './xml-characters.ts';
import { elementsOf } from './xml-elements.ts';

/** Built-in date and time formats, including those of East Asian versions; 45 to 47 are durations. */
const builtIn: readonly [from: number, to: number][] = [
  [14, 17],
  [22, 22],
  [27, 31],
  [36, 36],
  [50, 54],
  [57, 58],
];

/** How a style displays a number: as a date, or as grouped digits (the format code); otherwise undefined. */
export type CellFormat = 'date' | { readonly code: string } | undefined;

/** The formats of the cell styles (`s`), by index. */
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

/** True for a format with a year or day; text in quotes, in brackets or after a backslash is ignored. */
function isDateCode(code: string): boolean {
  return /[yde]/i.test(
    code.replaceAll(/&quot;.*?&quot;|"[^"]*"|\[[^\][]*\]|\\.|_.|General/gi, '').replace(/E[+-]/g, ''),
  );
}

/** A condition, and phone number signs among digit placeholders, without thousands and fractions. */
const digitSection = /^(?:\[([<>=]{1,2})(\d+)\])?([0#\-()+ ]+)$/;
/** Thousands separated by spaces. */
const thousands = /^(?:#{1,3} )?(?:### )*##0$/;

/** A whole number's digits as displayed; unchanged if the format displays anything but digits. */
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

/** Maximum length of a foreign phone number; a regrouped card number would not be recognised. */
const foreignMax = 12;

/** Fills the digits into the placeholders from the right; unchanged if the format is not meant for that many. */
function filled(places: string, digits: string): string {
  const first = places.search(/[0#]/);
  const isForeign = digits.length > foreignMax && !places.includes('+');
  if (isForeign && digits.length > places.replaceAll(/[^0#]/g, '').length) return digits;
  if (first === -1) return digits;
  let remaining = digits;
  let text = '';
  for (let i = places.length - 1; i >= 0; i--) {
    const place = places[i] ?? '';
    if (place !== '0' && place !== '#') text = place + text;
    else if (i === first) text = (remaining || (place === '0' ? '0' : '')) + text;
    else {
      text = (remaining.slice(-1) || (place === '0' ? '0' : '')) + text;
      remaining = remaining.slice(0, -1);
    }
  }
  return text;
}

/**
 * A serial number as `1980-01-31`, with its time if any; unchanged if it is not a date.
 * @param epoch1904 true if the workbook counts from 1904, as on old Macintosh computers
 */
export function dateText(serial: string, epoch1904: boolean): string {
  const number = Number(serial);
  if (serial.trim() === '' || !(number >= 1 && number < 2_958_466)) return serial;
  // Excel has a 29 February 1900, which did not exist.
  const days = epoch1904 ? number + 1462 : number < 60 ? number + 1 : number;
  const text = new Date(Math.round(((days - 25_569) * dayMs) / 1000) * 1000).toISOString();
  const time = text.slice(11, 19);
  return time === '00:00:00' ? text.slice(0, 10) : `${text.slice(0, 10)} ${time.replace(/:00$/, '')}`;
}
