import { valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const thIdentifiers: readonly IdentifierType[] = [
  {
    type: 'TH_ID',
    kind: 'national-id',
    form: /[1-8][- ]?\d{4}[- ]?\d{5}[- ]?\d{2}[- ]?\d/,
    length: 13,
    check: (d) =>
      (11 - (weighted(d.slice(0, 12), 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2) % 11)) % 10 === valueAt(d, 12),
    alone: /[1-8][- ]\d{4}[- ]\d{5}[- ]\d{2}[- ]\d/,
    labels: ['เลขประจำตัวประชาชน', 'เลขบัตรประชาชน', 'บัตรประชาชน', 'รหัสประจำตัวประชาชน', 'Thai ID', 'national ID number'],
  },
];
