/** Japanese individual numbers (マイナンバー): twelve digits, the last a check digit. */
import { isMyNumber } from '../checksums.ts';
import { isOtherNumber } from '../detect/other-numbers.ts';
import { matchesIn, type ScanText } from '../detect/scan.ts';
import type { Detection, Recognizer } from '../recognizer.ts';
import { labelFor } from '../records/labels.ts';
import { labelsOf } from './label-words.ts';

const name = 'my-number';

const left = '(?<![0-9A-Za-z_])(?<![0-9A-Za-z][-./])';
const right = '(?![0-9A-Za-z_])(?![-./][0-9A-Za-z])';
// A number with spaces next to another group of digits may be part of a longer one.
const patterns = [
  new RegExp(`${left}[0-9]{4}(-?)[0-9]{4}\\1[0-9]{4}${right}`, 'g'),
  new RegExp(`${left}(?<![0-9] )[0-9]{4}( )[0-9]{4} [0-9]{4}(?! [0-9])${right}`, 'g'),
];
/** Checks runs of 12 or more digits. They are common, so a grouping or a context word is required. */
export const myNumber: Recognizer = {
  name,
  type: 'MY_NUMBER',
  labels: labelsOf(name),
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    for (const run of text.digitRuns) {
      if (run.digits < 12 || run.longest < 4) continue;
      const places = patterns.flatMap((pattern) => matchesIn(text.shadow, pattern, { ...run, after: 3 }));
      for (const { start, end, groups } of places) {
        const isGrouped = groups[1] !== '';
        if (!isMyNumber(groups[0].replace(/[ -]/g, ''))) continue;
        const context = labelFor(text, name, start, end)?.context;
        if (context === undefined && (!isGrouped || isOtherNumber(text.shadow, start))) continue;
        found.push({
          type: 'MY_NUMBER',
          value: text.original.slice(start, end),
          start,
          end,
          score: context === undefined ? 0.7 : 1,
          recognizer: name,
          checksum: true,
          ...(context === undefined ? {} : { context }),
        });
      }
    }
    return found;
  },
};
