import { isLuhn } from '../../checksums.ts';
import type { IdentifierType } from '../identifier.ts';

export const caIdentifiers: readonly IdentifierType[] = [
  {
    type: 'CA_SIN',
    kind: 'social-security',
    form: /\d{3}[- ]?\d{3}[- ]?\d{3}/,
    length: 9,
    check: (d) => isLuhn(d),
    labels: ['NAS', "numéro d'assurance sociale", 'SIN', 'Social Insurance Number', 'SIN #'],
  },
  {
    type: 'CA_HEALTH',
    kind: 'health',
    form: /\d{4}[- ]?\d{3}[- ]?\d{3}(?:[- ]?[A-Z]{2})?|[A-Z]{4} ?\d{4} ?\d{4}/,
    length: [10, 12],
    labels: ['RAMQ', 'carte soleil', 'health card', 'OHIP', 'PHN'],
  },
  {
    type: 'DRIVER_LICENSE',
    kind: 'driver',
    form: /[A-Z]\d{4}-?\d{5}-?\d{5}|[A-Z]\d{4}-?\d{6}-?\d{2}/,
    length: [13, 15],
    alone: /[A-Z]\d{4}-\d{5}-\d{5}|[A-Z]\d{4}-\d{6}-\d{2}/,
    labels: ['permis de conduire', "driver's licence"],
  },
];
