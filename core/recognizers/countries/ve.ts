import { valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const veIdentifiers: readonly IdentifierType[] = [
  {
    type: 'VE_RIF',
    kind: 'tax-id',
    form: /[VEJPG]-?\d{8}-?\d/,
    length: 10,
    check: (d) =>
      [11 - ((weighted(d.slice(1, 9), 3, 2, 7, 6, 5, 4, 3, 2) + 4 * ('VEJPG'.indexOf(d.charAt(0)) + 1)) % 11)].every(
        (c) => (c > 9 ? 0 : c) === valueAt(d, 9),
      ),
    alone: /[VEJPG]-\d{8}-\d/,
    labels: ['RIF', 'R.I.F.', 'cédula'],
  },
];
