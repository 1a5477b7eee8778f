/**
 * Postal addresses of Europe, Latin America and India. Two clues make an address (street word, house number, postal code with
 * town); a town alone does not.
 */
import { isCapital, isDigit } from '../characters.ts';
import { patternsOf } from '../detect/patterns.ts';
import { matchesIn, type ScanText } from '../detect/scan.ts';
import words from '../lexicon/street-words.json' with { type: 'json' };
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import { buildingStart, namedStart, partBeforeAt, partEndingAt, streetStart } from './address-start.ts';

const name = 'address-world';
/** The words in lower case and capitalized. */
const written = (list: readonly string[]) =>
  list
    .flatMap((word) => [word, word.charAt(0).toUpperCase() + word.slice(1)])
    .map((word) => word.replace(/[./]/g, '\\$&'));

const patterns = patternsOf('address-world', {
  before: written(words.before),
  uk: written(words.uk),
  india: written(words.india),
});

const reach = 90;
const lineBreaksMax = 4;
const partsMax = 5;

/** Checks possible postal codes, and street words. */
export const addressWorld: Recognizer = {
  name,
  type: 'ADDRESS',
  // `via` is too common in other languages to check everywhere.
  anchors: words.before.filter((word) => (word.length > 2 && word !== 'via') || word.endsWith('/')),
  trigger: ({ digitStarts }) => digitStarts.length > 0,
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    const add = (start: number, end: number, score: number) => {
      found.push(detectionAt(text, start, end, { type: 'ADDRESS', score, recognizer: name }));
    };
    const { shadow } = text;
    let done = 0;
    for (const at of text.digitStarts) {
      if (at < done) continue;
      const digits = digitsAt(shadow, at);
      const address =
        digits === 4 || digits === 5
          ? atPostalCode(shadow, at, done)
          : digits === 3 || digits === 6
            ? atIndianPin(shadow, at, done)
            : digits < 3 && isCapital(shadow.charCodeAt(at - 1))
              ? atUkPostcode(shadow, at, done)
              : undefined;
      if (address === undefined) continue;
      add(...address, 0.85);
      done = address[1];
    }
    for (const { start } of text.keywords.anchors(name)) {
      if (/[\p{L}\d]/u.test(shadow[start - 1] ?? ' ')) continue;
      const range = { start: Math.max(0, start - 9), end: start + 1, before: 1, after: reach };
      const match = matchesIn(shadow, patterns.streetWordFirst, range).find((one) => one.end > start);
      if (match === undefined || !/[\p{Lu}#]/u.test(match.groups[0])) continue;
      patterns.partsBehind.lastIndex = match.end;
      add(match.start, match.end + (patterns.partsBehind.exec(shadow)?.[0].length ?? 0), 0.75);
    }
    return found.sort((a, b) => a.start - b.start);
  },
};

/** The number of digits from `at`, up to seven. */
function digitsAt(shadow: string, at: number): number {
  let i = at;
  while (i < at + 7 && isDigit(shadow.charCodeAt(i))) i++;
  return i - at;
}

type Span = [start: number, end: number];

function atPostalCode(shadow: string, at: number, floor: number): Span | undefined {
  const start = at - (/(?<![A-Z])[A-Z]{1,2}-$/.exec(shadow.slice(Math.max(0, at - 4), at))?.[0].length ?? 0);
  patterns.place.lastIndex = start;
  const match = patterns.place.exec(shadow);
  if (match === null) return undefined;
  const street = streetBefore(shadow, start, Math.max(floor, start - reach));
  return street === undefined ? undefined : [buildingStart(shadow, street, floor), start + match[0].length];
}

/** The street with its number in one of the parts before a postal code. */
function streetBefore(shadow: string, code: number, floor: number): number | undefined {
  let at = code;
  for (let count = 0; count < partsMax; count++) {
    const part = partBeforeAt(shadow, at, floor);
    if (part === undefined) return undefined;
    at = part.start;
    const written = shadow.slice(part.start, part.end);
    for (const { index } of written.matchAll(/(?<![\p{L}\d])\d/gu)) {
      const number = part.start + index;
      // `am 3. Mai`
      if (/^\d+\. /.test(shadow.slice(number, number + 8))) continue;
      if (patterns.numberedStreet.test(shadow.slice(number, part.end + 1))) return number;
      const start = streetStart(shadow, number, floor);
      if (start !== undefined) return start;
    }
    if (patterns.openStreet.test(written)) {
      const number = patterns.numberBeforePart.exec(shadow.slice(Math.max(floor, at - 12), at));
      if (number !== null) return at - number[0].length;
    }
    // A number in a part of its own: `Keizersgracht, 12`.
    if (/^\d/.test(written)) at = part.start;
  }
  return undefined;
}

/** The parts before a UK postcode, back to a number or the name of a house. */
function atUkPostcode(shadow: string, at: number, floor: number): Span | undefined {
  let start = at;
  while (start > at - 2 && /[A-Z]/.test(shadow[start - 1] ?? '')) start--;
  patterns.ukPostcode.lastIndex = start;
  const match = patterns.ukPostcode.exec(shadow);
  if (match === null) return undefined;
  return withParts(shadow, start, start + match[0].length, { floor, words: patterns.ukStreet });
}

function atIndianPin(shadow: string, at: number, floor: number): Span | undefined {
  patterns.indianPin.lastIndex = at;
  const match = patterns.indianPin.exec(shadow);
  if (
    match === null ||
    !/(?:\p{L}{3}\)?[ ]?[-–:,]? ?|PIN(?: code)?[ :]{1,2})$/iu.test(shadow.slice(Math.max(0, at - 12), at))
  )
    return undefined;
  return withParts(shadow, at, at + match[0].length, { floor, words: patterns.indianWord });
}

/** The parts before a postal code, back to the first with a number or one of the words. */
function withParts(
  shadow: string,
  at: number,
  end: number,
  of: { readonly floor: number; readonly words: RegExp },
): Span | undefined {
  const floor = Math.max(of.floor, at - reach);
  let best: { start: number; end: number } | undefined;
  let lines = 0;
  let hasWord = false;
  let hasNumber = false;
  for (let from = at; ; ) {
    // The town may be next to its code.
    const part =
      from === at
        ? (partBeforeAt(shadow, at, floor) ?? partEndingAt(shadow, at - 1, floor))
        : partBeforeAt(shadow, from, floor);
    if (part === undefined) break;
    if (shadow.slice(part.end, from).includes('\n') && ++lines > lineBreaksMax) break;
    const written = shadow.slice(part.start, part.end);
    const holdsWord = of.words.test(written);
    hasWord ||= holdsWord;
    const hasDigit = /\d/.test(written);
    if (hasNumber && !holdsWord && !hasDigit) break;
    if (hasWord && (holdsWord || hasDigit)) best = part;
    hasNumber ||= hasWord && hasDigit;
    from = part.start;
  }
  return best === undefined ? undefined : [namedStart(shadow, best.start, best.end), end];
}
