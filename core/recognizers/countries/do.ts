import { isLuhn } from '../../checksums.ts';
import type { IdentifierType } from '../identifier.ts';

export const doIdentifiers: readonly IdentifierType[] = [
  {
    type: 'DO_CEDULA',
    kind: 'national-id',
    form: /\d{3}-?\d{7}-?\d/,
    length: 11,
    check: (d) => isLuhn(d),
    alone: /\d{3}-\d{7}-\d/,
    labels: ['cédula', 'cédula de identidad', 'No. de cédula', 'cedula'],
  },
];
