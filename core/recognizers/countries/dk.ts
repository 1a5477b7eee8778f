import { isDayOfYear, numberAt } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const dkIdentifiers: readonly IdentifierType[] = [
  {
    type: 'DK_CPR',
    kind: 'national-id',
    form: /[0-3]\d[01]\d{3}[- ]?\d{4}/,
    length: 10,
    check: (d) => isDayOfYear(numberAt(d, 2, 4), numberAt(d, 0, 2)),
    labels: ['CPR-nummer', 'CPR', 'CPR-nr.', 'personnummer', 'Danish CPR number'],
  },
];
