/** Plates told letter by letter: `Kilo Victor six eight, Mike Tango Golf`, `K-V-6-8-M-T-G`. */
import type { KeywordHit } from '../keywords.ts';
import { matchesIn } from '../shadow.ts';

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

/** Adds the plates that are told letter by letter behind a word for plates; starts and ends. */
export function addDictated(shadow: string, labels: readonly KeywordHit[], found: [number, number][]): void {
  let done = 0;
  for (const { end, nextStart } of labels) {
    const from = Math.max(end, done);
    const to = Math.min(end + reach, Math.max(nextStart, end + 12));
    if (from >= to) continue;
    for (const place of matchesIn(shadow, told, { start: from, end: to, before: 1, after: reach })) {
      const written = shadow.slice(place.start, place.end);
      if ((written.match(spelled)?.length ?? 0) < 2 || !hasDigit.test(written)) continue;
      found.push([place.start, place.end]);
      done = place.end;
    }
    for (const place of matchesIn(shadow, byOne, { start: Math.max(from, done), end: to, before: 1, after: 16 })) {
      found.push([place.start, place.end]);
      done = place.end;
    }
    done = Math.max(done, to);
  }
}
