import { isDayOfYear, isVerhoeff, numberAt } from '../../check-digits.ts';
import { isLuhn } from '../../checksums.ts';
import type { IdentifierType } from '../identifier.ts';

export const luIdentifiers: readonly IdentifierType[] = [
  {
    type: 'LU_MATRICULE',
    kind: 'national-id',
    form: /(?:19|20)\d{2}[01]\d[0-3]\d ?\d{3} ?\d{2}/,
    length: 13,
    check: (d) =>
      isDayOfYear(numberAt(d, 4, 6), numberAt(d, 6, 8)) && isLuhn(d.slice(0, 12)) && isVerhoeff(d.slice(0, 11) + d[12]),
    alone: true,
    labels: ['matricule', 'numéro de matricule', "n° d'identification national", 'CNS', 'Luxembourg national number'],
  },
];
