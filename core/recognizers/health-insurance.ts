/** Health insurance numbers: US Medicare and plans, UK NHS, Japanese insurers and members, Canada, Australia. */
import { isInsurerNumber, isNhsNumber } from '../checksums.ts';
import type { ContextType } from '../context/context-type.ts';
import { wordsOfType } from '../context/type-words.ts';
import { matchesIn } from '../detect/scan.ts';

/** A card symbol of a word and a number: `横3`, `公立 35`. */
const sign = /(?<![\u3400-\u9fff])[\u3400-\u9fff]{1,3}[ァ-ヶ]? ?[0-9]{1,4}(?![0-9-])/g;
const mbi =
  /[1-9][AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y][0-9]-?[AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y][0-9]-?[AC-HJKMNP-RT-Y]{2}[0-9]{2}/;

export const healthInsurance: ContextType = {
  name: 'health-insurance',
  type: 'HEALTH_INSURANCE',
  forms: [
    mbi,
    /[0-9]{3}([- ])[0-9]{3}\1[0-9]{4}/,
    /[0-9]{8}/,
    /[0-9]{9,12}|[0-9]{20}/,
    /[A-Z]{1,4}[- ]?[0-9]{6,12}(?:-[0-9]{1,2})?/,
    /[0-9]{1,8}[-・][0-9]{1,8}(?:[-・][0-9]{1,2})?/,
    /(?=(?:.*[0-9]){4})[0-9A-Z]{2,6}(?:[- ][0-9A-Z]{1,6}){1,4}/,
    /(?=(?:.*[0-9]){4})[0-9A-Z]{6,14}/,
    /[0-9]{2,7}/,
    /[a-z]{1,4}[0-9]{6,12}|[1-9][a-z][0-9a-z][0-9]-?[a-z][0-9a-z][0-9]-?[a-z]{2}[0-9]{2}/,
  ],
  check: (bare) => {
    if (/^[0-9]{10}$/.test(bare)) return isNhsNumber(bare);
    return /^[0-9]{8}$/.test(bare) ? isInsurerNumber(bare) : undefined;
  },
  spans: ({ shadow, hasJapanese }, stretches) =>
    (hasJapanese ? stretches : []).flatMap(({ start, end }) =>
      matchesIn(shadow, sign, { start, end, before: 1, after: 6 }).map((found) => ({
        start: found.start,
        end: found.end,
        form: 0,
      })),
    ),
  words: wordsOfType('HEALTH_INSURANCE'),
};
