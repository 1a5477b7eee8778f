import { isDayOfYear, numberAt } from '../../check-digits.ts';
import { isLuhn } from '../../checksums.ts';
import type { IdentifierType } from '../identifier.ts';

export const zaIdentifiers: readonly IdentifierType[] = [
  {
    type: 'ZA_ID',
    kind: 'national-id',
    form: /\d{2}[01]\d[0-3]\d ?\d{4} ?[012]\d{2}/,
    length: 13,
    check: (d) => isLuhn(d) && isDayOfYear(numberAt(d, 2, 4), numberAt(d, 4, 6)),
    alone: true,
    labels: ['ID number', 'identity number', 'ID no', 'SA ID', 'ID-nommer', 'South African ID'],
  },
];
