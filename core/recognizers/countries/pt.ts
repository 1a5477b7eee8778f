import { valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const ptIdentifiers: readonly IdentifierType[] = [
  {
    type: 'PT_NIF',
    kind: 'tax-id',
    form: /\d{3} ?\d{3} ?\d{3}/,
    length: 9,
    check: (d) => ((11 - (weighted(d.slice(0, 8), 9, 8, 7, 6, 5, 4, 3, 2) % 11)) % 11) % 10 === valueAt(d, 8),
    labels: [
      'NIF',
      'contribuinte',
      'nº de contribuinte',
      'número de identificação fiscal',
      'NIPC',
      'Portuguese tax number',
    ],
  },
  {
    type: 'PT_CC',
    kind: 'id-card',
    form: /\d{8} ?\d ?[A-Z0-9]{2}\d/,
    length: 12,
    check: isPortugueseCard,
    alone: /\d{8} ?\d ?[A-Z]{2}\d/,
    labels: [
      'Cartão de Cidadão',
      'nº CC',
      'n.º do cartão de cidadão',
      'documento de identificação',
      'citizen card number',
    ],
  },
  {
    type: 'PT_NISS',
    kind: 'social-security',
    form: /[12]\d{10}/,
    length: 11,
    check: (d) => 9 - (weighted(d.slice(0, 10), 29, 23, 19, 17, 13, 11, 7, 5, 3, 2) % 10) === valueAt(d, 10),
    labels: ['NISS', 'número de segurança social', 'nº Segurança Social', 'nº beneficiário', 'social security number'],
  },
];

/** Cartão de Cidadão: every second character from the right doubled, minus nine above nine; the sum ends in zero. */
function isPortugueseCard(d: string): boolean {
  let sum = 0;
  for (let i = 0; i < d.length; i++) {
    const value = valueAt(d, d.length - 1 - i) * (i % 2 === 1 ? 2 : 1);
    sum += i % 2 === 1 && value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
