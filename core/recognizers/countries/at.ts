import { valueAt, weighted, weightedDigits } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const atIdentifiers: readonly IdentifierType[] = [
  {
    type: 'AT_SVNR',
    kind: 'social-security',
    form: /\d{4} ?[0-3]\d(?:0[1-9]|1[0-5])\d{2}/,
    length: 10,
    check: (d) => weighted(d, 3, 7, 9, 0, 5, 8, 4, 2, 1, 6) % 11 === valueAt(d, 3),
    labels: [
      'SVNR',
      'Sozialversicherungsnummer',
      'SV-Nr.',
      'Versicherungsnummer',
      'VSNR',
      'Austrian social security number',
    ],
  },
  {
    type: 'AT_VAT',
    kind: 'vat',
    form: /ATU\d{8}/,
    length: 11,
    check: (d) => (10 - ((weightedDigits(d.slice(3, 10), 1, 2) + 4) % 10)) % 10 === valueAt(d, 10),
    alone: true,
    labels: ['UID-Nummer', 'UID', 'USt-IdNr.', 'VAT number'],
  },
];
