import { valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const irIdentifiers: readonly IdentifierType[] = [
  {
    type: 'IR_NATIONAL_ID',
    kind: 'national-id',
    form: /\d{3}-?\d{6}-?\d/,
    length: 10,
    check: (d) =>
      [weighted(d.slice(0, 9), 10, 9, 8, 7, 6, 5, 4, 3, 2) % 11].every((r) => (r < 2 ? r : 11 - r) === valueAt(d, 9)),
    labels: ['کد ملی', 'شماره ملی', 'national code'],
  },
];
