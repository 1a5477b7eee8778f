/** MAC addresses (EUI-48): six pairs with colons or hyphens, or three groups of four with full stops. */

import { codesOf } from '../detect/code-set.ts';
import { matchesIn, type ScanText } from '../detect/scan.ts';
import { patternsOf } from '../pattern-data.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import { labelledValues } from '../records/labels.ts';
import { labelsOf } from './label-words.ts';

const { pairs, dotted, labelled } = patternsOf('mac-address');

const name = 'mac-address';
const addressLength = 17;
const groupLength = 4;
const colonCode = 0x3a;

/** Checks colons and hyphens between pairs, and full stops five apart. */
export const macAddress: Recognizer = {
  name,
  type: 'MAC_ADDRESS',
  labels: labelsOf(name),
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    let done = 0;
    const search = (pattern: RegExp, start: number, length: number) => {
      if (start < done) return;
      for (const match of matchesIn(text.shadow, pattern, { start, end: start + 1, before: 3, after: length + 1 })) {
        if (/^(?:[0:.-]+|[f:.-]+)$/i.test(match.groups[0])) continue;
        done = match.end;
        found.push(detectionAt(text, match.start, match.end, { type: 'MAC_ADDRESS', score: 0.95, recognizer: name }));
      }
    };
    for (const colon of text.hexColons) {
      if (colon < done || text.shadow.charCodeAt(colon + 3) !== colonCode) continue;
      // Only the first pair of a run, so that a long run is checked once.
      if (!isPair(text.shadow, colon - 2) || !isPair(text.shadow, colon + 1)) continue;
      const isInside = text.shadow.charCodeAt(colon - 3) === colonCode && isPair(text.shadow, colon - 5);
      if (isInside && !/[A-Za-z]/.test(text.shadow[colon - 6] ?? '')) continue;
      search(pairs, colon - 2, addressLength);
    }
    for (const dot of text.dotPairs) search(dotted, dot - groupLength, 3 * groupLength + 2);
    done = 0;
    for (const { start, end } of text.longWords) {
      // The address may end a word: `mac=00-1a-…`.
      const first = end - addressLength;
      if (first < start || text.shadow[first + 2] !== '-' || text.shadow[first + 14] !== '-') continue;
      search(pairs, first, addressLength);
    }
    for (const { start, end, groups, context } of labelledValues(text, name, labelled, { back: 0 })) {
      if (/^[0:. -]+$/.test(groups[0])) continue;
      found.push(detectionAt(text, start, end, { type: 'MAC_ADDRESS', score: 0.95, recognizer: name, context }));
    }
    return found.sort((a, b) => a.start - b.start);
  },
};

function isPair(text: string, start: number): boolean {
  return isHex(text.charCodeAt(start)) && isHex(text.charCodeAt(start + 1));
}

const isHex = codesOf('0-9A-Fa-f');
