import { isDayOfYear, numberAt } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const czIdentifiers: readonly IdentifierType[] = [
  {
    type: 'CZ_RC',
    kind: 'national-id',
    form: /\d{2}[0-8]\d[0-3]\d\/?\d{3,4}/,
    length: [9, 10],
    check: isBirthNumber,
    alone: /\d{2}[0-8]\d[0-3]\d\/\d{3,4}/,
    labels: ['rodné číslo', 'r.č.', 'RČ', 'rod. č.', 'Czech birth number'],
  },
];

/** Czech and Slovak birth numbers: divisible by 11 since 1954; women have 50 added to the month, full days another 20. */
export function isBirthNumber(d: string): boolean {
  const month = numberAt(d, 2, 4) % 50;
  if (!isDayOfYear(month > 20 ? month - 20 : month, numberAt(d, 4, 6))) return false;
  const remainder = numberAt(d, 0, 9) % 11;
  return d.length === 9 || numberAt(d, 0, 10) % 11 === 0 || (remainder === 10 && d[9] === '0');
}
