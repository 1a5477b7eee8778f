import { isDayOfYear, numberAt, valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const bgIdentifiers: readonly IdentifierType[] = [
  {
    type: 'BG_EGN',
    kind: 'national-id',
    form: /\d{2}[0-5]\d[0-3]\d\d{4}/,
    length: 10,
    check: (d) =>
      (weighted(d.slice(0, 9), 2, 4, 8, 5, 10, 9, 7, 3, 6) % 11) % 10 === valueAt(d, 9) &&
      isDayOfYear(numberAt(d, 2, 4) % 20, numberAt(d, 4, 6)),
    labels: ['ЕГН', 'ЕГН №', 'единен граждански номер', 'EGN'],
  },
];
