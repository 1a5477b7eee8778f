/** What closes and opens addresses of the Commonwealth: postal codes that no other number looks like, flats and blocks. */
import words from '../lexicon/street-words.json' with { type: 'json' };
import { afterSigns } from './address-reading.ts';
import { namedStart } from './address-start.ts';

const ukCode = '[A-Z]{1,2}[0-9][0-9A-Z]? [0-9][A-Z]{2}';
const canadianCode = '[A-CEGHJ-NPR-TVXY][0-9][A-Z] [0-9][A-Z][0-9]';
const australianCode = '(?:NSW|VIC|QLD|SA|WA|TAS|ACT|NT),? [0-9]{4}';
/** Up to five words of a street and its town, then such a code. */
const streetAndCode = new RegExp(
  `^(?:(?:,|\\.)? ?\\r?\\n?[ \\t]{0,8}\\p{Lu}[\\p{L}'’.-]{1,24}){0,6}[ ,\\r\\n]{1,4}(?:${ukCode}|${canadianCode}|${australianCode}|(?:Singapore|S)\\(? ?[0-9]{6}\\)?)(?![0-9A-Za-z])`,
  'u',
);

/** Behind the postal code that ends the address whose first words end here; undefined without one. */
export function behindCode(text: string, end: number): number | undefined {
  // Most sentences go on with a small letter.
  const first = text.charCodeAt(afterSigns(text, text.charCodeAt(end) === 0x2e ? end + 1 : end));
  if (first < 0x41 || (first > 0x5a && first < 0x80)) return undefined;
  const match = streetAndCode.exec(text.slice(end, end + 112));
  return match === null ? undefined : end + match[0].length;
}

/** Words of Indian addresses. */
const indianWord = new RegExp(`(?<!\\p{L})(?:${words.india.join('|')})(?!\\p{L})`, 'iu');
const townBefore = /\p{Lu}[\p{L}.]{2,20}(?: \p{Lu}[\p{L}.]{1,20})?,? ?(?:[-\u2013] ?)?$/u;
/** What an address stands behind. */
const openingSign = /[:;"|>=]\s{0,3}|[a-z]\.\s{1,2}(?=[A-Z])|\b(?:at|to|of|is|in) (?=[A-Z0-9#])/g;
const indianReach = 160;
const segmentsMin = 3;

/**
 * Start of the Indian address that a number of six digits (PIN) ends: at least three parts set apart by commas or lines, one
 * of them with a number and one with a word of such addresses. Undefined when there is none.
 */
export function indianStart(text: string, pin: number): number | undefined {
  if (!townBefore.test(text.slice(Math.max(0, pin - 46), pin))) return undefined;
  const near = text.slice(Math.max(0, pin - indianReach), pin);
  let body = near.slice(near.lastIndexOf('\n\n') + 1);
  const opening = [...body.matchAll(openingSign)].at(-1);
  if (opening !== undefined) body = body.slice(opening.index + opening[0].length);
  const parts = body.split(/,|\n/).filter((part) => part.trim() !== '');
  // A line that opens with a name is no part of it: the first part holds a number, or the second one.
  const first = parts.findIndex((part) => /[0-9]/.test(part));
  if (first < 0 || first > 1 || parts.length - first < segmentsMin || !indianWord.test(body)) return undefined;
  const part = parts[first] as string;
  const start = pin - body.length + body.indexOf(part);
  return namedStart(text, start + part.length - part.trimStart().length, start + part.trimEnd().length);
}
