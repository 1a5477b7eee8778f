import { isDayOfYear, numberAt, valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const noIdentifiers: readonly IdentifierType[] = [
  {
    type: 'NO_FNR',
    kind: 'national-id',
    form: /[0-7]\d[0-9]\d{3} ?\d{5}/,
    length: 11,
    check: isNorwegianNumber,
    alone: true,
    labels: ['fødselsnummer', 'fnr', 'personnummer', 'D-nummer', 'f.nr.', 'Norwegian national identity number'],
  },
  {
    type: 'NO_ORGNR',
    kind: 'company',
    form: /[89]\d{2} ?\d{3} ?\d{3}/,
    length: 9,
    check: (d) => (11 - (weighted(d.slice(0, 8), 3, 2, 7, 6, 5, 4, 3, 2) % 11)) % 11 === valueAt(d, 8),
    labels: ['organisasjonsnummer', 'org.nr.', 'orgnr', 'organisation number'],
  },
];

/** Fødselsnummer and D-nummer: two mod 11 digits. */
function isNorwegianNumber(d: string): boolean {
  const first = (11 - (weighted(d.slice(0, 9), 3, 7, 6, 1, 8, 9, 4, 5, 2) % 11)) % 11;
  const second = (11 - (weighted(d.slice(0, 10), 5, 4, 3, 2, 7, 6, 5, 4, 3, 2) % 11)) % 11;
  const isDay = isDayOfYear(numberAt(d, 2, 4) % 40, numberAt(d, 0, 2) % 40);
  return first === valueAt(d, 9) && second === valueAt(d, 10) && isDay;
}
