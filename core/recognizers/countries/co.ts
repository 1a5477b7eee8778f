import { valueAt } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const coIdentifiers: readonly IdentifierType[] = [
  {
    type: 'CO_NIT',
    kind: 'tax-id',
    form: /\d{3}\.?\d{3}\.?\d{3}-?\d/,
    length: 10,
    check: isColombianNumber,
    labels: ['NIT', 'N.I.T.', 'número de identificación tributaria'],
  },
  {
    type: 'CO_CC',
    kind: 'national-id',
    form: /\d{1,2}\.\d{3}\.\d{3}|1\.\d{3}\.\d{3}\.\d{3}|1\d{9}|\d{6,8}/,
    length: [6, 7, 8, 10],
    labels: ['C.C.', 'cédula de ciudadanía', 'cédula', 'CC', 'cedula'],
  },
];

/** NIT: prime weights from the right, mod 11. */
function isColombianNumber(d: string): boolean {
  const primes = [3, 7, 13, 17, 19, 23, 29, 37, 41, 43, 47, 53, 59, 67, 71];
  let sum = 0;
  for (let i = 0; i < d.length - 1; i++) sum += valueAt(d, d.length - 2 - i) * (primes[i] as number);
  return '01987654321'[sum % 11] === d.at(-1);
}
