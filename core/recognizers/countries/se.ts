import { isDayOfYear, numberAt } from '../../check-digits.ts';
import { isLuhn } from '../../checksums.ts';
import type { IdentifierType } from '../identifier.ts';

export const seIdentifiers: readonly IdentifierType[] = [
  {
    type: 'SE_PERSONNUMMER',
    kind: 'national-id',
    form: /(?:19|20)?\d{6}[-+]?\d{4}/,
    length: [10, 12],
    check: (d) => isLuhn(d.slice(-10)) && isDayOfYear(numberAt(d.slice(-10), 2, 4), numberAt(d.slice(-10), 4, 6) % 60),
    alone: /(?:19|20)?\d{6}[-+]\d{4}/,
    labels: ['personnummer', 'pnr', 'pers.nr', 'personnr', 'samordningsnummer', 'Swedish personal identity number'],
  },
  {
    type: 'SE_ORGNR',
    kind: 'company',
    form: /\d{2}[2-9]\d{3}-?\d{4}/,
    length: 10,
    check: (d) => isLuhn(d),
    labels: ['organisationsnummer', 'org.nr', 'orgnr', 'organisation number'],
  },
];
