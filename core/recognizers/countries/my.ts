import { isDayOfYear, numberAt } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const myIdentifiers: readonly IdentifierType[] = [
  {
    type: 'MY_NRIC',
    kind: 'national-id',
    form: /\d{2}[01]\d[0-3]\d-?\d{2}-?\d{4}/,
    length: 12,
    check: (d) => isDayOfYear(numberAt(d, 2, 4), numberAt(d, 4, 6)),
    alone: /\d{2}[01]\d[0-3]\d-(?:0[1-9]|[1-9]\d)-\d{4}/,
    labels: ['No. Kad Pengenalan', 'no. K/P', 'No. KP', 'MyKad', 'IC number', 'IC No', 'NRIC No'],
  },
];
