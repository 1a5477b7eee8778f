import { valueAt } from '../../check-digits.ts';
import { isLuhn } from '../../checksums.ts';
import type { IdentifierType } from '../identifier.ts';

export const itIdentifiers: readonly IdentifierType[] = [
  {
    type: 'IT_FISCAL_CODE',
    kind: 'tax-id',
    form: /[A-Z]{3} ?[A-Z]{3} ?[\dLMNP-V]{2}[A-EHLMPRST][\dLMNP-V]{2} ?[A-Z][\dLMNP-V]{3}[A-Z]/,
    length: 16,
    check: isItalianFiscalCode,
    alone: true,
    labels: ['codice fiscale', 'C.F.', 'cod. fisc.', 'CF', 'Codice Fiscale', 'Italian tax code'],
  },
  {
    type: 'IT_ID_CARD',
    kind: 'id-card',
    form: /[A-Z]{2} ?\d{5}[A-Z]{2}|[A-Z]{2} ?\d{7}|\d{7}[A-Z]{2}/,
    length: 9,
    labels: ["carta d'identità", 'CI', 'CIE', "n. carta d'identità", 'documento', 'Italian ID card'],
  },
  {
    type: 'IT_VAT',
    kind: 'vat',
    form: /(?:IT ?)?\d{11}/,
    length: [11, 13],
    check: (d) => isLuhn(d.replace('IT', '')),
    alone: /IT ?\d{11}/,
    labels: ['partita IVA', 'P.IVA', 'P. IVA', 'p.iva', 'PI', 'VAT number'],
  },
];

const oddValues = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

/** Codice fiscale (D.M. 23/12/1976): odd places through a table, even places as they are; the sum mod 26 is the letter. */
function isItalianFiscalCode(d: string): boolean {
  let sum = 0;
  for (let i = 0; i < 15; i++) {
    const value = valueAt(d, i) % 10 === valueAt(d, i) ? valueAt(d, i) : valueAt(d, i) - 10;
    sum += i % 2 === 0 ? (oddValues[value] as number) : value;
  }
  return valueAt(d, 15) - 10 === sum % 26;
}
