/** Japanese individual numbers (マイナンバー): twelve digits, the last a check digit. */
import { isMyNumber } from '../checksums.ts';
import { contextOf } from '../context.ts';
import type { Detection, Recognizer } from '../recognizer.ts';
import { matchesIn, type ScanText } from '../shadow.ts';

const left = '(?<![0-9A-Za-z_])(?<![0-9A-Za-z][-./])(?<![0-9] )';
const right = '(?![0-9A-Za-z_])(?![-./][0-9A-Za-z])(?! [0-9])';
const pattern = new RegExp(`${left}[0-9]{4}([- ]?)[0-9]{4}\\1[0-9]{4}${right}`, 'g');
const keyword = /マイ ?ナンバー|個人番号|\bmy ?number\b|\bindividual number\b/i;

/** Looks at runs of twelve and more digits. Twelve digits are common: grouping or a keyword must speak for them too. */
export const myNumber: Recognizer = {
  name: 'my-number',
  type: 'MY_NUMBER',
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    for (const run of text.digitRuns) {
      if (run.digits < 12) continue;
      for (const { start, end, groups } of matchesIn(text.shadow, pattern, { ...run, after: 3 })) {
        const isGrouped = groups[1] !== '';
        if (!isMyNumber(groups[0].replace(/[ -]/g, ''))) continue;
        const context = contextOf(text, start, end, keyword);
        if (!isGrouped && context === undefined) continue;
        found.push({
          type: 'MY_NUMBER',
          value: text.original.slice(start, end),
          start,
          end,
          score: context === undefined ? 0.7 : 1,
          recognizer: 'my-number',
          checksum: true,
          ...(context === undefined ? {} : { context }),
        });
      }
    }
    return found;
  },
  samples: {
    match: [
      ['マイナンバー 1234 5678 9018', '1234 5678 9018'],
      ['個人番号：123456789018', '123456789018'],
      ['１２３４－５６７８－９０１８', '１２３４－５６７８－９０１８'],
    ],
    noMatch: [
      'マイナンバー 123456789012',
      '123456789018',
      '注文番号 202411200001',
      '1234 5678 9018 1111',
      '4901234567894',
    ],
  },
};
