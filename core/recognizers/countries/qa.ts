import type { IdentifierType } from '../identifier.ts';

export const qaIdentifiers: readonly IdentifierType[] = [
  {
    type: 'QA_QID',
    kind: 'national-id',
    form: /[23]\d{10}/,
    length: 11,
    labels: ['رقم البطاقة الشخصية', 'QID', 'Qatar ID'],
  },
];
