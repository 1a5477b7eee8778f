import type { IdentifierType } from '../identifier.ts';

export const maIdentifiers: readonly IdentifierType[] = [
  {
    type: 'MA_CIN',
    kind: 'id-card',
    form: /[A-Z]{1,2}\d{5,6}/,
    length: [6, 7, 8],
    labels: ['CIN', 'CNIE', 'carte nationale', 'رقم البطاقة الوطنية', 'Moroccan ID'],
  },
];
