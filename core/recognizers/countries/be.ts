import { numberAt, remainderOf } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const beIdentifiers: readonly IdentifierType[] = [
  {
    type: 'BE_NN',
    kind: 'national-id',
    form: /\d{2}\.?\d{2}\.?\d{2}[- ]?\d{3}[-. ]?\d{2}/,
    length: 11,
    check: (d) => [d, `2${d}`].some((all) => 97 - remainderOf(all.slice(0, -2), 97) === numberAt(d, 9, 11)),
    alone: /\d{2}\.\d{2}\.\d{2}-\d{3}[.-]\d{2}/,
    labels: [
      'rijksregisternummer',
      'rijksregisternr.',
      'INSZ',
      'RRN',
      'numéro national',
      'numéro de registre national',
      'NISS',
      'Belgian national number',
    ],
  },
  {
    type: 'BE_VAT',
    kind: 'vat',
    form: /(?:BE ?)?[01]\d{3}\.?\d{3}\.?\d{3}/,
    length: [10, 12],
    check: (d) => [d.replace('BE', '')].every((b) => 97 - (numberAt(b, 0, 8) % 97) === numberAt(b, 8, 10)),
    alone: /BE ?[01]\d{3}\.?\d{3}\.?\d{3}/,
    labels: ['BTW', 'ondernemingsnummer', 'KBO', 'TVA', "numéro d'entreprise", 'VAT number'],
  },
];
