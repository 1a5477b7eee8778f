/** Reads what follows a street: units, town, state, postal code. */
import { isAsciiLetter, isDigit } from '../characters.ts';
import { patternsOf } from '../detect/patterns.ts';
import { isPlaceWord } from '../names/word-kinds.ts';
import { isState } from './address-words.ts';

const { unit, segment, smallSegment, regionAndCode, postcode } = patternsOf('address-tail');

const tailSegmentsMax = 7;

/** An address in a text; `context` is its context word. */
export type AddressSpan = {
  readonly start: number;
  readonly end: number;
  readonly score: number;
  readonly context?: string;
};

/** True when a unit follows, possibly on the next line of a quoted address. */
export function hasUnit(text: string, end: number): boolean {
  const near = text.slice(end, end + 24);
  return unit.test(near) || /^\.?\n[>?*|\s-]{1,6}(?:Apt|Apartment|Suite|Ste|Unit)\b/i.test(near);
}

/** True when an address may end or continue here: a unit, a comma and a capital, the end of the line. */
export function hasTail(text: string, end: number): boolean {
  const c = text.charCodeAt(end);
  if (isDigit(c) || isAsciiLetter(c)) return false;
  const near = text.slice(end, end + 24);
  return /^\s*$|^\.?(?:\n|$)|^, ?(?:\p{Lu}|[0-9]{5} \p{Lu})|^[;)"'<]/u.test(near) || unit.test(near);
}

/** The street with the units, town, state, country and postal code after it. */
export function withTail(text: string, start: number, end: number, score: number, context?: string): AddressSpan {
  // A numbered avenue: `Ang Mo Kio Avenue 3 #08-1142`.
  let at = end;
  if (text.charCodeAt(end) === 0x20 && isDigit(text.charCodeAt(end + 1)))
    at += /^ [0-9]{1,3}(?=,? ?#[0-9])/.exec(text.slice(end, end + 6))?.[0].length ?? 0;
  for (let units = 0; units < 3; units++) {
    const match = unit.exec(text.slice(at, at + 28));
    if (match === null) break;
    at += match[0].length;
  }
  const street = text.slice(start, end);
  at = townEnd(text, at, street === street.toLowerCase());
  return context === undefined ? { start, end: at, score } : { start, end: at, score, context };
}

/**
 * The end of the town: after the longest row of segments that ends in a postal code, a state or a known place, else after one
 * segment that ends its line.
 */
function townEnd(text: string, from: number, isSmall: boolean): number {
  let at = from;
  let best = from;
  for (let count = 0; count < tailSegmentsMax; count++) {
    const near = text.slice(at, at + 80);
    const code = postcode.exec(near);
    if (code !== null && (count > 0 || /^[,\n ]/.test(code[0]))) {
      best = at + code[0].length;
      // The town may follow its code: `75002 Paris`.
      if (count > 0) return best;
      at = best;
      continue;
    }
    const region = regionAndCode.exec(near);
    if (region !== null) return at + region[0].length;
    const match = (isSmall ? smallSegment : segment).exec(near);
    if (match === null) break;
    const words = match[0];
    const bare = words.replace(/^[\s,]+/, '').trimEnd();
    if (/\n\s*\n/.test(words) || bare.length > 48 || bare === '') break;
    // Excludes the full stop of the sentence.
    at += words.trimEnd().replace(/(?<=\p{L}{4})\.$/u, '').length;
    const isLine = /^(?:\s*$|[\n.;)"'<])/.test(text.slice(at, at + 4));
    const last = bare.slice(bare.lastIndexOf(' ') + 1).replace(/\.$/, '');
    if (isState(last) && (isSmall || last === last.toUpperCase()) && last.length === 2) best = at;
    else if (isPlaceWord(last)) best = at;
    else if (count === 0 && isLine && words.startsWith(',')) best = at;
  }
  return best;
}

/** A country with a postal code, in the quoted lines after an address. */
export function countryAndCode(text: string, start: number, end: number, floor: number): AddressSpan | undefined {
  if (end - start !== 5 || start - floor > 96 || floor === 0) return undefined;
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  if (!/^[>?*|\s-]{0,6}(?:[\p{L}'-]+ (?:(?:of|the|and) )?){1,4}$/u.test(line)) return undefined;
  const words = line.replace(/^[^\p{L}]+/u, '').split(' ');
  if (!words.some((word) => isPlaceWord(word))) return undefined;
  return { start, end, score: 0.6 };
}
