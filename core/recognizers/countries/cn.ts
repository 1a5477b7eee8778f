import { isDayOfYear, numberAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const cnIdentifiers: readonly IdentifierType[] = [
  {
    type: 'CN_ID',
    kind: 'national-id',
    form: /[1-9]\d{5}(?:18|19|20)\d{2}[01]\d[0-3]\d{4}[\dXx]/,
    length: 18,
    check: (d) =>
      '10X98765432'[weighted(d.slice(0, 17), 7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2) % 11] === d[17] &&
      isDayOfYear(numberAt(d, 10, 12), numberAt(d, 12, 14)),
    alone: true,
    labels: ['身份证号', '身份证号码', '身份证', '公民身份号码', '证件号码', 'Chinese ID number', 'ID card no'],
  },
  {
    type: 'CN_USCC',
    kind: 'company',
    form: /[1-9ANY][1-5]\d{6}[0-9A-HJ-NP-RTUWXY]{10}/,
    length: 18,
    check: isChineseCreditCode,
    alone: true,
    labels: ['统一社会信用代码', '社会信用代码', '税号', 'USCC'],
  },
];

const creditCodeCharacters = '0123456789ABCDEFGHJKLMNPQRTUWXY';
const creditCodeWeights = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28];

/** Unified social credit code (GB 32100-2015): powers of three, mod 31. */
function isChineseCreditCode(d: string): boolean {
  const sum = creditCodeWeights.reduce((all, weight, i) => all + creditCodeCharacters.indexOf(d.charAt(i)) * weight, 0);
  return creditCodeCharacters[(31 - (sum % 31)) % 31] === d[17] && /[A-Z]/.test(d);
}
