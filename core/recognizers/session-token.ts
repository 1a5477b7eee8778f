/** Session cookies, and signatures of links that work for anyone who has them. */

import { lineEndWithin, matchesIn, type ScanText } from '../detect/scan.ts';
import names from '../lexicon/session-cookies.json' with { type: 'json' };
import { patternsOf } from '../pattern-data.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';

const { pair, member } = patternsOf('session-token');

const name = 'session-token';
const cookies: ReadonlySet<string> = new Set(names.cookies.map((cookie) => cookie.toLowerCase()));
const lineMax = 4_096;

/** Checks the line after each `cookie`. */
export const sessionToken: Recognizer = {
  name,
  type: 'SESSION_TOKEN',
  anchors: ['cookie'],
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    let done = 0;
    for (const { end } of text.keywords.anchors(name)) {
      if (end < done) continue;
      const lineEnd = lineEndWithin(text.shadow, end, lineMax);
      for (const pattern of [pair, member]) {
        for (const { start, groups } of matchesIn(text.shadow, pattern, { start: end, end: lineEnd, after: 0 })) {
          const value = groups.at(-1) as string;
          if (!isSessionCookie(groups[1] as string)) continue;
          const from = start + groups[0].lastIndexOf(value);
          found.push(
            detectionAt(text, from, from + value.length, { type: 'SESSION_TOKEN', score: 0.9, recognizer: name }),
          );
        }
      }
      done = lineEnd;
    }
    return found.sort((a, b) => a.start - b.start);
  },
};

function isSessionCookie(written: string): boolean {
  const cookie = written.replace(/^__(?:Host|Secure)-/i, '').toLowerCase();
  return cookies.has(cookie) || /(?:_|\.)session$|^remember_web_|-auth-token$|^wordpress_logged_in_/.test(cookie);
}
