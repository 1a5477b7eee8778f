import type { IdentifierType } from '../identifier.ts';

export const crIdentifiers: readonly IdentifierType[] = [
  {
    type: 'CR_CEDULA',
    kind: 'national-id',
    form: /[1-9]-?\d{4}-?\d{4}/,
    length: 9,
    labels: ['cédula', 'cédula física', 'cedula'],
  },
];
