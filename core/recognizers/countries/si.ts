import { isDayOfYear, numberAt, valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const siIdentifiers: readonly IdentifierType[] = [
  {
    type: 'SI_EMSO',
    kind: 'national-id',
    form: /[0-3]\d[01]\d[09]\d{2}50\d{4}/,
    length: 13,
    check: isMasterNumber,
    alone: true,
    labels: ['EMŠO', 'matična številka občana', 'EMSO'],
  },
];

/** Unique master citizen number of the countries of former Yugoslavia: mod 11, with a date in front. */
export function isMasterNumber(d: string): boolean {
  const check = (11 - (weighted(d.slice(0, 12), 7, 6, 5, 4, 3, 2) % 11)) % 11;
  return check === valueAt(d, 12) && isDayOfYear(numberAt(d, 2, 4), numberAt(d, 0, 2));
}
