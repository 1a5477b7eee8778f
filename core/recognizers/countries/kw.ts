import { valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const kwIdentifiers: readonly IdentifierType[] = [
  {
    type: 'KW_CIVIL_ID',
    kind: 'national-id',
    form: /[23]\d{2}[01]\d[0-3]\d\d{5}/,
    length: 12,
    check: (d) => 11 - (weighted(d.slice(0, 11), 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2) % 11) === valueAt(d, 11),
    labels: ['الرقم المدني', 'البطاقة المدنية', 'Civil ID'],
  },
];
