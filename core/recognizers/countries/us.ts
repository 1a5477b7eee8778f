import { valueAt, weighted } from '../../check-digits.ts';
import { isLuhn } from '../../checksums.ts';
import type { IdentifierType } from '../identifier.ts';

/** A Medicare beneficiary identifier (CMS): position classes, without the letters S L O I B Z. */
const mbi =
  /[1-9][AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y]\d-?[AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y]\d-?[AC-HJKMNP-RT-Y]{2}\d{2}/;

export const usIdentifiers: readonly IdentifierType[] = [
  {
    type: 'HEALTH_INSURANCE',
    kind: 'health',
    form: mbi,
    length: 11,
    alone: new RegExp(mbi.source.replaceAll('-?', '-')),
    labels: ['Medicare number', 'Medicare ID', 'MBI', 'Medicare beneficiary identifier'],
  },
  {
    type: 'US_NPI',
    kind: 'health',
    form: /[12]\d{9}/,
    length: 10,
    check: (d) => isLuhn(`80840${d}`),
    labels: ['NPI', 'National Provider Identifier', 'NPI #'],
  },
  {
    type: 'US_DEA',
    kind: 'national-id',
    form: /[ABFGMPRX][A-Z9]\d{7}/,
    length: 9,
    check: (d) => weighted(d.slice(2, 8), 1, 2) % 10 === valueAt(d, 8),
    labels: ['DEA', 'DEA number', 'DEA No', 'DEA #'],
  },
  {
    type: 'US_ABA',
    kind: 'bank',
    form: /(?:0\d|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)\d{7}|\d{4}-\d{4}-\d/,
    length: 9,
    check: (d) => weighted(d, 3, 7, 1) % 10 === 0,
    labels: ['routing number', 'ABA', 'ABA number', 'RTN', 'routing transit number'],
  },
];
