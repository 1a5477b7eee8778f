import type { IdentifierType } from '../identifier.ts';

export const tnIdentifiers: readonly IdentifierType[] = [
  {
    type: 'TN_CIN',
    kind: 'id-card',
    form: /[01]\d{7}/,
    length: 8,
    labels: ['CIN', "carte d'identité nationale", 'رقم بطاقة التعريف', 'Tunisian ID'],
  },
];
