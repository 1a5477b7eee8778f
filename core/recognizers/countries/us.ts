import { valueAt, weighted } from '../../check-digits.ts';
import { isLuhn } from '../../checksums.ts';
import type { IdentifierType } from '../identifier.ts';

export const usIdentifiers: readonly IdentifierType[] = [
  {
    type: 'US_NPI',
    kind: 'health',
    form: /[12]\d{9}/,
    length: 10,
    check: (d) => isLuhn(`80840${d}`),
    labels: ['NPI', 'National Provider Identifier', 'NPI #'],
  },
  {
    type: 'US_DEA',
    kind: 'national-id',
    form: /[ABFGMPRX][A-Z9]\d{7}/,
    length: 9,
    check: (d) => weighted(d.slice(2, 8), 1, 2) % 10 === valueAt(d, 8),
    labels: ['DEA', 'DEA number', 'DEA No', 'DEA #'],
  },
  {
    type: 'US_ABA',
    kind: 'bank',
    form: /(?:0\d|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)\d{7}|\d{4}-\d{4}-\d/,
    length: 9,
    check: (d) => weighted(d, 3, 7, 1) % 10 === 0,
    labels: ['routing number', 'ABA', 'ABA number', 'RTN', 'routing transit number'],
  },
];
