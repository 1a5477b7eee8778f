/** US Social Security numbers, excluding those that are never assigned. */

import { isOtherNumber } from '../detect/other-numbers.ts';
import { matchesIn, type ScanText } from '../detect/scan.ts';
import type { Detection, Recognizer } from '../recognizer.ts';
import { labelFor } from '../records/labels.ts';
import { labelsOf } from './label-words.ts';

const name = 'ssn';

const left = '(?<![0-9A-Za-z_])(?<![0-9][-./])(?<![A-Za-z][-.])';
const right = '(?![0-9A-Za-z_])(?![-./][0-9A-Za-z])';
// A number with spaces next to another group of digits may be part of a longer one.
const grouped = new RegExp(`${left}([0-9]{3})([-.])([0-9]{2})\\2([0-9]{4})${right}`, 'g');
const groupedBySpaces = new RegExp(`${left}(?<![0-9] )([0-9]{3})( )([0-9]{2}) ([0-9]{4})(?! [0-9])${right}`, 'g');
const bare = new RegExp(`${left}([0-9]{3})()([0-9]{2})([0-9]{4})${right}`, 'g');
const groupedOnly = [grouped, groupedBySpaces];
const all = [grouped, groupedBySpaces, bare];
const serialLength = 4;
const bareLength = 9;
/** Checks runs of nine or more digits. */
export const ssn: Recognizer = {
  name,
  type: 'SSN',
  labels: labelsOf(name),
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    for (const run of text.digitRuns) {
      if (run.digits < 9 || run.longest < serialLength) continue;
      for (const pattern of run.longest < bareLength ? groupedOnly : all) {
        for (const { start, end, groups } of matchesIn(text.shadow, pattern, { ...run, after: 3 })) {
          const [, area = '', , group, serial] = groups;
          if (/^(?:000|666|9)/.test(area) || group === '00' || serial === '0000') continue;
          const context = labelFor(text, name, start, end)?.context;
          if (context === undefined && (text.lang === 'ja' || (groups[2] !== '-' && groups[2] !== ' '))) continue;
          if (context === undefined && isOtherNumber(text.shadow, start)) continue;
          found.push({
            type: 'SSN',
            value: text.original.slice(start, end),
            start,
            end,
            score: context === undefined ? 0.8 : 1,
            recognizer: name,
            ...(context === undefined ? {} : { context }),
          });
        }
      }
    }
    return found;
  },
};
