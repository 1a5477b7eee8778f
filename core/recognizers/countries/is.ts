import { valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const isIdentifiers: readonly IdentifierType[] = [
  {
    type: 'IS_KENNITALA',
    kind: 'national-id',
    form: /[0-7]\d[01]\d{3}-?\d{4}/,
    length: 10,
    check: (d) =>
      (11 - (weighted(d.slice(0, 8), 3, 2, 7, 6, 5, 4, 3, 2) % 11)) % 11 === valueAt(d, 8) && /[089]$/.test(d),
    labels: ['kennitala', 'kt.', 'kt', 'Icelandic ID'],
  },
];
