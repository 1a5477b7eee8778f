import { isDayOfYear, numberAt, valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const roIdentifiers: readonly IdentifierType[] = [
  {
    type: 'RO_CNP',
    kind: 'national-id',
    form: /[1-9]\d{2}[01]\d[0-3]\d\d{6}/,
    length: 13,
    check: (d) =>
      isDayOfYear(numberAt(d, 3, 5), numberAt(d, 5, 7)) &&
      [weighted(d.slice(0, 12), 2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9) % 11].every(
        (r) => (r === 10 ? 1 : r) === valueAt(d, 12),
      ),
    alone: true,
    labels: ['CNP', 'cod numeric personal', 'C.N.P.', 'personal numeric code'],
  },
];
