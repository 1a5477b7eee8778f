import { valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const brIdentifiers: readonly IdentifierType[] = [
  {
    type: 'BR_CPF',
    kind: 'national-id',
    form: /\d{3}[. ]?\d{3}[. ]?\d{3}[- /]?\d{2}/,
    length: 11,
    check: isBrazilianPersonNumber,
    alone: /\d{3}\.\d{3}\.\d{3}-\d{2}/,
    labels: ['CPF', 'CPF nº', 'C.P.F.', 'cadastro de pessoa física'],
  },
  {
    type: 'BR_CNPJ',
    kind: 'company',
    form: /[A-Z0-9]{2}\.?[A-Z0-9]{3}\.?[A-Z0-9]{3}\/?[A-Z0-9]{4}-?\d{2}/,
    length: 14,
    check: isBrazilianCompanyNumber,
    alone: /[A-Z\d]{2}\.[A-Z\d]{3}\.[A-Z\d]{3}\/[A-Z\d]{4}-\d{2}/,
    labels: ['CNPJ', 'C.N.P.J.'],
  },
  {
    type: 'BR_PIS',
    kind: 'social-security',
    form: /\d{3}\.?\d{5}\.?\d{2}-?\d/,
    length: 11,
    check: (d) => ((11 - (weighted(d.slice(0, 10), 3, 2, 9, 8, 7, 6, 5, 4, 3, 2) % 11)) % 11) % 10 === valueAt(d, 10),
    alone: /\d{3}\.\d{5}\.\d{2}-\d/,
    labels: ['PIS', 'PIS/PASEP', 'NIS', 'NIT'],
  },
  {
    type: 'BR_RG',
    kind: 'id-card',
    form: /\d{1,2}\.?\d{3}\.?\d{3}-?[\dXx]/,
    length: [8, 9],
    labels: ['RG', 'R.G.', 'identidade', 'registro geral'],
  },
  {
    type: 'DRIVER_LICENSE',
    kind: 'driver',
    form: /\d{11}/,
    length: 11,
    labels: ['CNH', 'habilitação', 'nº registro CNH', 'driver licence'],
  },
];

function mod11(d: string, length: number, top: number): number {
  let sum = 0;
  for (let i = 0; i < length; i++) sum += (d.charCodeAt(i) - 48) * (((length - 1 - i) % top) + 2);
  return sum % 11 < 2 ? 0 : 11 - (sum % 11);
}

/** CPF: two mod 11 digits, weights 10 to 2 and 11 to 2; eleven equal digits are never issued. */
function isBrazilianPersonNumber(d: string): boolean {
  return !/^(\d)\1+$/.test(d) && mod11(d, 9, 10) === valueAt(d, 9) && mod11(d, 10, 11) === valueAt(d, 10);
}

/** CNPJ: the same with weights 2 to 9; since July 2026 letters count as their code minus 48. */
function isBrazilianCompanyNumber(d: string): boolean {
  return mod11(d, 12, 8) === valueAt(d, 12) && mod11(d, 13, 8) === valueAt(d, 13);
}
