import { isLuhn } from '../../checksums.ts';
import type { IdentifierType } from '../identifier.ts';

export const ecIdentifiers: readonly IdentifierType[] = [
  {
    type: 'EC_CI',
    kind: 'national-id',
    form: /(?:0[1-9]|1\d|2[0-4]|30)[0-6]\d{6}-?\d/,
    length: 10,
    check: (d) => isLuhn(d.slice(0, 10)),
    labels: ['cédula', 'C.I.', 'cédula de identidad', 'CI', 'cedula'],
  },
];
