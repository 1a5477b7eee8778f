import { isDayOfYear, numberAt, valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const eeIdentifiers: readonly IdentifierType[] = [
  {
    type: 'EE_IK',
    kind: 'national-id',
    form: /[1-8]\d{2}[01]\d[0-3]\d\d{4}/,
    length: 11,
    check: isBalticCode,
    labels: ['isikukood', 'IK', 'ID-kood', 'Estonian personal code'],
  },
];

/** Estonian and Lithuanian codes: mod 11 with a second row of weights when the first gives ten. */
export function isBalticCode(d: string): boolean {
  const first = weighted(d.slice(0, 10), 1, 2, 3, 4, 5, 6, 7, 8, 9, 1) % 11;
  const check = first < 10 ? first : (weighted(d.slice(0, 10), 3, 4, 5, 6, 7, 8, 9, 1, 2, 3) % 11) % 10;
  return check === valueAt(d, 10) && isDayOfYear(numberAt(d, 3, 5), numberAt(d, 5, 7));
}
