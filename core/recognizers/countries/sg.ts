import { weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const sgIdentifiers: readonly IdentifierType[] = [
  {
    type: 'SG_NRIC',
    kind: 'national-id',
    form: /[STFGM]\d{7}[A-Z]/,
    length: 9,
    check: isSingaporeNumber,
    alone: true,
    labels: ['NRIC', 'NRIC No', 'FIN', 'FIN No', 'IC No', 'NRIC/FIN'],
  },
  {
    type: 'SG_UEN',
    kind: 'company',
    form: /\d{8}[A-Z]|(?:19|20)\d{7}[A-Z]|[RST]\d{2}[A-Z]{2}\d{4}[A-Z]/,
    length: [9, 10],
    labels: ['UEN', 'ACRA no', 'Company Reg No'],
  },
];

const letters = { S: 'JZIHGFEDCBA', T: 'JZIHGFEDCBA', F: 'XWUTRQPNMLK', G: 'XWUTRQPNMLK', M: 'XWUTRQPNJLK' };

/** NRIC and FIN: weights 2 7 6 5 4 3 2, mod 11; T and G add four, M adds three. */
function isSingaporeNumber(d: string): boolean {
  const prefix = d.charAt(0) as keyof typeof letters;
  const sum = weighted(d.slice(1, 8), 2, 7, 6, 5, 4, 3, 2) + (prefix === 'M' ? 3 : 'TG'.includes(prefix) ? 4 : 0);
  return letters[prefix][sum % 11] === d[8];
}
