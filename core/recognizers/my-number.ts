/** Japanese individual numbers (マイナンバー): twelve digits, the last a check digit. */
import { isMyNumber } from '../checksums.ts';
import { isOtherNumber } from '../detect/other-numbers.ts';
import { matchesIn, type ScanText } from '../detect/scan.ts';
import type { Detection, Recognizer } from '../recognizer.ts';
import { labelFor } from '../records/labels.ts';

const name = 'my-number';

const left = '(?<![0-9A-Za-z_])(?<![0-9A-Za-z][-./])';
const right = '(?![0-9A-Za-z_])(?![-./][0-9A-Za-z])';
// Beside a blank and more digits a number with blanks in it may be a part of a longer one.
const patterns = [
  new RegExp(`${left}[0-9]{4}(-?)[0-9]{4}\\1[0-9]{4}${right}`, 'g'),
  new RegExp(`${left}(?<![0-9] )[0-9]{4}( )[0-9]{4} [0-9]{4}(?! [0-9])${right}`, 'g'),
];
/** Looks at runs of twelve and more digits. Twelve digits are common: grouping or a keyword must speak for them too. */
export const myNumber: Recognizer = {
  name,
  type: 'MY_NUMBER',
  labels: [
    'マイナンバー',
    'マイ ナンバー',
    'マイナンバーカード',
    '個人番号',
    '個人番号カード',
    'my number',
    'mynumber',
    'individual number',
  ],
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
  samples: {
    match: [
      ['マイナンバー 1234 5678 9018', '1234 5678 9018'],
      ['個人番号：123456789018', '123456789018'],
      ['個人番号 1234-5678-9018 1985年4月1日', '1234-5678-9018'],
      ['１２３４－５６７８－９０１８', '１２３４－５６７８－９０１８'],
    ],
    noMatch: [
      'マイナンバー 123456789012',
      '123456789018',
      '注文番号 202411200001',
      '1234 5678 9018 1111',
      '4901234567894',
      '伝票番号 4012-3456-7890',
    ],
  },
};
