import { valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const uaIdentifiers: readonly IdentifierType[] = [
  {
    type: 'UA_RNOKPP',
    kind: 'tax-id',
    form: /\d{10}/,
    length: 10,
    check: (d) => (((weighted(d.slice(0, 9), -1, 5, 7, 9, 4, 6, 10, 5, 7) % 11) + 11) % 11) % 10 === valueAt(d, 9),
    labels: ['РНОКПП', 'ІПН', 'ідентифікаційний код', 'ідентифікаційний номер', 'податковий номер', 'Ukrainian tax ID'],
  },
  {
    type: 'UA_PASSPORT',
    kind: 'passport',
    form: /[А-ЯІЇЄ]{2} ?\d{6}|\d{9}/,
    length: [8, 9],
    labels: ['паспорт', 'серія та номер паспорта', 'ID-картка', 'Ukrainian passport'],
  },
];
