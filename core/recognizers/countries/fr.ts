import { numberAt, remainderOf } from '../../check-digits.ts';
import { isLuhn } from '../../checksums.ts';
import type { IdentifierType } from '../identifier.ts';

export const frIdentifiers: readonly IdentifierType[] = [
  {
    type: 'FR_NIR',
    kind: 'social-security',
    form: /[1-478] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3}[ /-]?\d{2}/,
    length: 15,
    check: (d) => 97 - remainderOf(d.slice(0, 13).replace('2A', '19').replace('2B', '18'), 97) === numberAt(d, 13, 15),
    alone: true,
    labels: [
      'numéro de sécurité sociale',
      'n° de sécu',
      'NIR',
      'n° SS',
      'numéro INSEE',
      'n° Sécurité sociale',
      'French social security number',
    ],
  },
  {
    type: 'FR_NIF',
    kind: 'tax-id',
    form: /[0-3]\d ?\d{2} ?\d{3} ?\d{3} ?\d{3}/,
    length: 13,
    check: (d) => numberAt(d, 0, 10) % 511 === numberAt(d, 10, 13),
    labels: ['numéro fiscal', 'n° fiscal', 'numéro SPI', 'SPI', 'identifiant fiscal', 'French tax number'],
  },
  {
    type: 'FR_SIREN',
    kind: 'company',
    form: /\d{3} ?\d{3} ?\d{3}/,
    length: 9,
    check: (d) => isLuhn(d),
    labels: ['SIREN', 'n° SIREN', 'RCS', 'SIREN number'],
  },
  {
    type: 'FR_SIRET',
    kind: 'company',
    form: /\d{3} ?\d{3} ?\d{3} ?\d{5}/,
    length: 14,
    check: (d) => d.startsWith('356000000') || (isLuhn(d) && isLuhn(d.slice(0, 9))),
    labels: ['SIRET', 'n° SIRET', 'SIRET number'],
  },
  {
    type: 'FR_CNI',
    kind: 'id-card',
    form: /\d{12}|(?=[A-Z0-9]*\d[A-Z0-9]*\d)[A-Z0-9]{9}/,
    length: [9, 12],
    labels: ["carte nationale d'identité", 'CNI', "n° de carte d'identité", 'French ID card'],
  },
  {
    type: 'FR_VAT',
    kind: 'vat',
    form: /FR ?[0-9A-Z]{2} ?\d{3} ?\d{3} ?\d{3}/,
    length: 13,
    check: (d) => !/^FR\d{11}$/.test(d) || (12 + 3 * (numberAt(d, 4, 13) % 97)) % 97 === numberAt(d, 2, 4),
    alone: true,
    labels: ['TVA intracommunautaire', 'n° TVA', 'N° de TVA', 'VAT number'],
  },
];
