/** Plates told letter by letter: `Kilo Victor six eight, Mike Tango Golf`, `K-V-6-8-M-T-G`. */
import { isAsciiLetter } from '../characters.ts';
import type { KeywordHit } from '../keywords.ts';
import { matchesIn, type ScanText } from '../shadow.ts';
import type { PlatePlaces } from './plate-places.ts';

/** The spelling alphabet of the ICAO (Annex 10, volume II, 5.2.1.3). */
const letters =
  'alfa|alpha|bravo|charlie|delta|echo|foxtrot|golf|hotel|india|juliett?|kilo|lima|mike|november|oscar|papa|quebec|romeo|sierra|tango|uniform|victor|whiske?y|x-?ray|yankee|zulu';
const digits = 'zero|oh|one|two|three|four|five|six|seven|eight|niner?|double|triple|dash';
const told = new RegExp(
  `(?<![0-9A-Za-z])(?=(?:(?:${digits}|[0-9]{1,4}|[A-Z])[ ,-]{1,2}){0,5}(?:${letters})[ ,-])(?:(?:${letters}|${digits})|[0-9]{1,4}|[A-Z])(?:[ ,-]{1,2}(?:${letters}|${digits}|[0-9]{1,4}|[A-Z])){3,9}(?![0-9A-Za-z])`,
  'gi',
);
const hasDigit = new RegExp(`[0-9]|(?<![a-z])(?:${digits})(?![a-z])`, 'i');
const spelled = new RegExp(`(?<![a-z])(?:${letters})(?![a-z])`, 'gi');
/** Letters and digits with a joint behind each. */
const byOne =
  /(?<![0-9A-Za-z-])(?=(?:[0-9][ -])*[A-Z])(?=(?:[A-Z][ -])*[0-9])[A-Z0-9](?:([ -])[A-Z0-9])(?:\1[A-Z0-9]){3,6}(?![0-9A-Za-z-])/g;
/** Anything but a plate's own words before a spelled one is of something else. */
const reach = 90;

/** The first and the last letter and the length of the words for letters, of `x-ray` those of its end. */
const spelledSigns = new Set(
  'alfa alpha bravo charlie delta echo foxtrot golf hotel india juliet juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whisky whiskey xray ray yankee zulu'
    .split(' ')
    .map((word) => signOf(word.charCodeAt(0), word.charCodeAt(word.length - 1), word.length)),
);
const spelledMax = 8;

function signOf(first: number, last: number, length: number): number {
  return ((first & 0x1f) << 9) | ((last & 0x1f) << 4) | length;
}

/** True when two words between the places may be words for letters. */
function mayBeSpelled(bytes: Uint8Array, from: number, to: number): boolean {
  let count = 0;
  for (let at = from; at < to; at++) {
    const start = at;
    while (isAsciiLetter(bytes[at] as number)) at++;
    const length = at - start;
    if (length < 3 || length > spelledMax) continue;
    if (spelledSigns.has(signOf(bytes[start] as number, bytes[at - 1] as number, length)) && ++count > 1) return true;
  }
  return false;
}

/** Plates that are told letter by letter behind a word for plates; starts and ends. */
export function dictatedPlaces(
  { shadow, bytes }: ScanText,
  labels: readonly KeywordHit[],
  places: PlatePlaces,
): [number, number][] {
  const found: [number, number][] = [];
  let done = 0;
  for (const { end, nextStart } of labels) {
    const from = Math.max(end, done);
    const to = Math.min(end + reach, Math.max(nextStart, end + 12));
    if (from >= to) continue;
    if (mayBeSpelled(bytes, from, to + reach)) {
      for (const place of matchesIn(shadow, told, { start: from, end: to, before: 1, after: reach })) {
        const written = shadow.slice(place.start, place.end);
        if ((written.match(spelled)?.length ?? 0) < 2 || !hasDigit.test(written)) continue;
        found.push([place.start, place.end]);
        done = place.end;
      }
    }
    for (const place of places.matches(byOne, { start: Math.max(from, done), end: to, before: 1, after: 16 })) {
      found.push([place.start, place.end]);
      done = place.end;
    }
    done = Math.max(done, to);
  }
  return found;
}
