import { numberAt, remainderOf, valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const ruIdentifiers: readonly IdentifierType[] = [
  {
    type: 'RU_INN',
    kind: 'tax-id',
    form: /\d{12}|\d{10}/,
    length: [10, 12],
    check: isRussianTaxNumber,
    labels: ['ИНН', 'ИНН физлица', 'INN', 'Russian taxpayer number'],
  },
  {
    type: 'RU_SNILS',
    kind: 'social-security',
    form: /\d{3}[- ]?\d{3}[- ]?\d{3}[- ]?\d{2}/,
    length: 11,
    check: (d) => (weighted(d.slice(0, 9), 9, 8, 7, 6, 5, 4, 3, 2, 1) % 101) % 100 === numberAt(d, 9, 11),
    alone: /\d{3}-\d{3}-\d{3}[ -]\d{2}/,
    labels: ['СНИЛС', 'страховой номер', 'номер СНИЛС', 'SNILS'],
  },
  {
    type: 'RU_PASSPORT',
    kind: 'passport',
    form: /\d{2} ?\d{2} ?№? ?\d{6}/,
    length: 10,
    labels: ['паспорт', 'серия и номер паспорта', 'паспорт РФ', 'паспортные данные', 'Russian passport'],
  },
  {
    type: 'RU_OGRN',
    kind: 'company',
    form: /\d{13}|\d{15}/,
    length: [13, 15],
    check: (d) => remainderOf(d.slice(0, -1), d.length - 2) % 10 === valueAt(d, d.length - 1),
    labels: ['ОГРН', 'ОГРНИП', 'OGRN'],
  },
];

/** INN of a person (twelve digits) or a company (ten). */
function isRussianTaxNumber(d: string): boolean {
  const digit = (from: number, ...weights: number[]) => (weighted(d.slice(0, from), ...weights) % 11) % 10;
  if (d.length === 10) return digit(9, 2, 4, 10, 3, 5, 9, 4, 6, 8) === valueAt(d, 9);
  return (
    digit(10, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8) === valueAt(d, 10) &&
    digit(11, 3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8) === valueAt(d, 11)
  );
}
