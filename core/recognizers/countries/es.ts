import { numberAt, remainderOf, weightedDigits } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const esIdentifiers: readonly IdentifierType[] = [
  {
    type: 'ES_DNI',
    kind: 'national-id',
    form: /\d{8}[- ]?[A-Z]|\d{1,2}\.\d{3}\.\d{3}[- ]?[A-Z]/,
    length: [8, 9],
    check: (d) => 'TRWAGMYFPDXBNJZSQVHLCKE'[numberAt(d, 0, 8) % 23] === d[8],
    alone: /\d{8}-?[A-Z]/,
    labels: ['DNI', 'NIF', 'documento nacional de identidad', 'D.N.I.', 'N.I.F.', 'nº de DNI', 'Spanish ID number'],
  },
  {
    type: 'ES_NIE',
    kind: 'national-id',
    form: /[XYZ][- ]?\d{7}[- ]?[A-Z]/,
    length: 9,
    check: (d) => 'TRWAGMYFPDXBNJZSQVHLCKE'[Number('XYZ'.indexOf(d.charAt(0)) + d.slice(1, 8)) % 23] === d[8],
    alone: true,
    labels: [
      'NIE',
      'número de identidad de extranjero',
      'N.I.E.',
      'nº NIE',
      'permiso de residencia',
      'Spanish foreigner ID',
    ],
  },
  {
    type: 'ES_CIF',
    kind: 'company',
    form: /[ABCDEFGHJNPQRSUVW][- ]?\d{7}[- ]?[0-9A-J]/,
    length: 9,
    check: isSpanishCompany,
    labels: ['CIF', 'NIF', 'C.I.F.', 'código de identificación fiscal', 'company tax number'],
  },
  {
    type: 'ES_NSS',
    kind: 'social-security',
    form: /\d{2}[ /-]?\d{8}[ /-]?\d{2}/,
    length: 12,
    check: (d) =>
      remainderOf(numberAt(d, 2, 10) < 10_000_000 ? d.slice(0, 2) + d.slice(3, 10) : d.slice(0, 10), 97) ===
      numberAt(d, 10, 12),
    labels: [
      'número de la Seguridad Social',
      'NSS',
      'nº Seguridad Social',
      'NAF',
      'número de afiliación',
      'NUSS',
      'Spanish social security number',
    ],
  },
];

/** Spanish company number: Luhn-like over the seven digits; the check is a digit, a letter or either by kind of entity. */
function isSpanishCompany(d: string): boolean {
  const check = (10 - (weightedDigits(d.slice(1, 8), 2, 1) % 10)) % 10;
  const isLetter = d[8] === 'JABCDEFGHI'[check] && !'ABEH'.includes(d.charAt(0));
  return isLetter || (d[8] === String(check) && !'PQRSNW'.includes(d.charAt(0)));
}
