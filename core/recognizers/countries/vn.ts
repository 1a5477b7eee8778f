import { valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const vnIdentifiers: readonly IdentifierType[] = [
  {
    type: 'VN_CCCD',
    kind: 'national-id',
    form: /0\d{11}|\d{9}/,
    length: [9, 12],
    labels: ['CCCD', 'số CCCD', 'căn cước công dân', 'số căn cước', 'CMND', 'CMND/CCCD', 'citizen ID'],
  },
  {
    type: 'VN_MST',
    kind: 'tax-id',
    form: /\d{10}(?:-?\d{3})?/,
    length: [10, 13],
    check: (d) => 10 - (weighted(d.slice(0, 9), 31, 29, 23, 19, 17, 13, 7, 5, 3) % 11) === valueAt(d, 9),
    labels: ['mã số thuế', 'MST', 'tax code'],
  },
];
