import { valueAt } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const clIdentifiers: readonly IdentifierType[] = [
  {
    type: 'CL_RUT',
    kind: 'national-id',
    form: /\d{1,2}\.?\d{3}\.?\d{3}-?[\dKk]/,
    length: [8, 9],
    check: isChileanNumber,
    alone: /\d{1,2}(?:\.\d{3}\.\d{3}|\d{6})-[\dKk]/,
    labels: ['RUT', 'R.U.T.'],
  },
];

/** RUT: weights 2 to 7 from the right, mod 11; K stands for ten. */
function isChileanNumber(d: string): boolean {
  let sum = 0;
  for (let i = 0; i < d.length - 1; i++) sum += valueAt(d, d.length - 2 - i) * ((i % 6) + 2);
  return '0K987654321'[sum % 11] === d.at(-1);
}
