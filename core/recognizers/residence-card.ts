/** Japanese residence card and special permanent resident numbers: `AB12345678CD`. */

import { isOtherNumber } from '../detect/other-numbers.ts';
import { matchesIn, type ScanText } from '../detect/scan.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import { labelledValues } from '../records/labels.ts';
import { labelsOf } from './label-words.ts';

const name = 'residence-card';
const bare = /(?<![0-9A-Za-z_./+=-])[A-Z]{2}[0-9]{8}[A-Z]{2}(?![0-9A-Za-z_/+=-])(?!\.[0-9A-Za-z])/g;
const labelled = /(?<![0-9A-Za-z_])[A-Z]{2}[ -]?[0-9]{8}[ -]?[A-Z]{2}(?![0-9A-Za-z_])/gi;
/** Part and serial numbers have the same form. */
const otherNumber =
  /(?:型番|品番|部品|製品|商品|注文|伝票|追跡|品名|シリアル|part|serial|sku|model|item|order|lot|tracking|ref|invoice|batch|ticket)[^\n]{0,24}$/i;

/** Checks labelled values, and the bare form in capitals, which is rare. */
export const residenceCard: Recognizer = {
  name,
  type: 'RESIDENCE_CARD',
  labels: labelsOf(name),
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    for (const { start, end, context } of labelledValues(text, name, labelled)) {
      found.push(detectionAt(text, start, end, { type: 'RESIDENCE_CARD', score: 0.95, recognizer: name, context }));
    }
    for (const run of text.digitRuns) {
      if (run.digits !== 8 || run.end - run.start !== 8) continue;
      const range = { start: Math.max(0, run.start - 2), end: run.start, before: 1, after: 13 };
      for (const { start, end } of matchesIn(text.shadow, bare, range)) {
        if (isOtherNumber(text.shadow, start) || otherNumber.test(text.shadow.slice(Math.max(0, start - 40), start)))
          continue;
        found.push(detectionAt(text, start, end, { type: 'RESIDENCE_CARD', score: 0.6, recognizer: name }));
      }
    }
    return found;
  },
};
