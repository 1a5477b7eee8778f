import type { IdentifierType } from '../identifier.ts';

export const pkIdentifiers: readonly IdentifierType[] = [
  {
    type: 'PK_CNIC',
    kind: 'national-id',
    form: /[1-7]\d{4}-?\d{7}-?[1-9]/,
    length: 13,
    alone: /[1-7]\d{4}-\d{7}-[1-9]/,
    labels: ['CNIC', 'CNIC No', 'NICOP', 'NIC number', 'شناختی کارڈ نمبر', 'CNIC number'],
  },
];
