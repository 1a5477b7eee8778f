import { isDayOfYear, numberAt } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const fiIdentifiers: readonly IdentifierType[] = [
  {
    type: 'FI_HETU',
    kind: 'national-id',
    form: /[0-3]\d[01]\d{3}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y]/,
    length: [10, 11],
    check: (d) =>
      '0123456789ABCDEFHJKLMNPRSTUVWXY'[numberAt(d.replace(/[^0-9]/, ''), 0, 9) % 31] === d.at(-1) &&
      isDayOfYear(numberAt(d, 2, 4), numberAt(d, 0, 2)),
    keepsSigns: true,
    alone: true,
    labels: [
      'henkilötunnus',
      'hetu',
      'HETU',
      'sosiaaliturvatunnus',
      'personbeteckning',
      'sotu',
      'Finnish personal identity code',
    ],
  },
  {
    type: 'FI_VERONUMERO',
    kind: 'tax-id',
    form: /\d{12}/,
    length: 12,
    labels: ['veronumero', 'skattenummer', 'Finnish tax number'],
  },
];
