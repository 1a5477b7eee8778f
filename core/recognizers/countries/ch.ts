import { isEan } from '../../checksums.ts';
import type { IdentifierType } from '../identifier.ts';

export const chIdentifiers: readonly IdentifierType[] = [
  {
    type: 'CH_AHV',
    kind: 'social-security',
    form: /756[. ]?\d{4}[. ]?\d{4}[. ]?\d{2}/,
    length: 13,
    check: (d) => isEan(d),
    alone: /756\.\d{4}\.\d{4}\.\d{2}/,
    labels: [
      'AHV-Nummer',
      'AHV-Nr.',
      'Sozialversicherungsnummer',
      'N° AVS',
      'NAVS13',
      'numero AVS',
      'Swiss social security number',
    ],
  },
];
