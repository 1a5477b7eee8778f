import { weighted, weightedDigits } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const twIdentifiers: readonly IdentifierType[] = [
  {
    type: 'TW_ID',
    kind: 'national-id',
    form: /[A-Z][1289]\d{8}/,
    length: 10,
    check: isTaiwaneseNumber,
    labels: ['身分證字號', '身分證', '身份證字號', '統一證號', 'Taiwan ID', 'national ID'],
  },
  {
    type: 'TW_UBN',
    kind: 'company',
    form: /\d{8}/,
    length: 8,
    check: (d) =>
      [weightedDigits(d, 1, 2, 1, 2, 1, 2, 4, 1)].some((sum) => sum % 5 === 0 || (d[6] === '7' && (sum + 1) % 5 === 0)),
    labels: ['統一編號', '統編', 'UBN', 'tax id'],
  },
];

const placeLetters = 'ABCDEFGHJKLMNPQRSTUVXYWZIO';

/** Taiwanese identity number: the letter stands for 10 to 35 in an order of its own. */
function isTaiwaneseNumber(d: string): boolean {
  const letter = placeLetters.indexOf(d.charAt(0)) + 10;
  return weighted(String(letter) + d.slice(1), 1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1) % 10 === 0;
}
