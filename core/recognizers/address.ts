/**
 * Postal addresses in Latin script: number and street with unit, town, state and postal code, post boxes, military addresses.
 */
import { isDigit } from '../characters.ts';
import { patternsOf } from '../detect/patterns.ts';
import type { ScanText } from '../detect/scan.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import { numberFirst } from './address-number-first.ts';
import { buildingStart } from './address-start.ts';
import { streetFirst } from './address-street-first.ts';
import { type AddressSpan, countryAndCode } from './address-tail.ts';
import { isUnitWord, wordBefore } from './address-words.ts';

const { cornerBefore, cornerBehind } = patternsOf('address');

const numberDigitsMax = 6;

/** Checks every number that may be a house number, a box or a postal code. */
export const address: Recognizer = {
  name: 'address',
  type: 'ADDRESS',
  anchors: ['corner of'],
  trigger: ({ numbers }) => numbers.length > 0,
  find(text: ScanText): Detection[] {
    const { shadow } = text;
    const found: Detection[] = [];
    let done = 0;
    const hasCorner = text.keywords.anchors('address').length > 0;
    for (const start of text.numbers) {
      if (start < done) continue;
      const end = digitsEnd(shadow, start);
      if (end - start > numberDigitsMax) continue;
      const corner = hasCorner ? cornerAt(shadow, start, done) : undefined;
      const span = corner ?? addressAt(shadow, start, end, done, found.length > 0);
      if (span === undefined) continue;
      const { score, context } = span;
      const unitBefore = found.at(-1);
      const isUnitBefore =
        unitBefore !== undefined &&
        isUnitWord(unitBefore.context ?? '') &&
        /^,?[ \n]{1,2}$/.test(shadow.slice(done, span.start));
      const from = isUnitBefore ? unitBefore.start : buildingStart(shadow, span.start, done);
      if (isUnitBefore) found.pop();
      found.push(detectionAt(text, from, span.end, { type: 'ADDRESS', score, recognizer: 'address', context }));
      done = span.end;
    }
    return found;
  },
};

function digitsEnd(text: string, start: number): number {
  let end = start + 1;
  while (isDigit(text.charCodeAt(end))) end++;
  return end;
}

function addressAt(
  text: string,
  start: number,
  end: number,
  floor: number,
  isAfterAddress: boolean,
): AddressSpan | undefined {
  const before = text.charCodeAt(start - 1);
  const after = text.charCodeAt(end);
  if (isDigit(after) || after === 0x2e || after === 0x25) {
    // Excludes decimals, versions and percentages, but a house number may end a sentence.
    if (after !== 0x2e || isDigit(text.charCodeAt(end + 1))) return undefined;
  }
  const previous = before === 0x20 ? wordBefore(text, start - 1, floor) : undefined;
  if (previous !== undefined) {
    const span = streetFirst(text, previous, start, end, floor);
    if (span !== undefined) return span;
  }
  const street = numberFirst(text, start, end, previous);
  if (street !== undefined) return street;
  return isAfterAddress ? countryAndCode(text, start, end, floor) : undefined;
}

/** The corner of two streets: `the corner of Auenweg 85 and Kesä Street`. */
function cornerAt(text: string, start: number, floor: number): AddressSpan | undefined {
  const near = text.slice(Math.max(floor, start - 48), start);
  if (!near.includes('corner of')) return undefined;
  const before = cornerBefore.exec(near);
  const behind = before === null ? null : cornerBehind.exec(text.slice(start, start + 80).replace(/^[0-9]+/, ''));
  if (before === null || behind === null) return undefined;
  const digits = /^[0-9]+/.exec(text.slice(start, start + 6))?.[0].length ?? 0;
  return { start: start - before[0].length, end: start + digits + behind[0].length, score: 0.7, context: 'corner of' };
}
