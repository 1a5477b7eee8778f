import type { IdentifierType } from '../identifier.ts';

export const phIdentifiers: readonly IdentifierType[] = [
  {
    type: 'PH_TIN',
    kind: 'tax-id',
    form: /\d{3}-?\d{3}-?\d{3}(?:-?\d{3,5})?/,
    length: [9, 12, 13, 14],
    labels: ['TIN', 'TIN No', 'Tax Identification Number', 'BIR TIN'],
  },
  {
    type: 'PH_SSS',
    kind: 'social-security',
    form: /\d{2}-?\d{7}-?\d|\d{4}-?\d{7}-?\d/,
    length: [10, 12],
    labels: ['SSS number', 'SSS No', 'UMID CRN', 'GSIS'],
  },
  {
    type: 'PH_PHILHEALTH',
    kind: 'health',
    form: /\d{2}-?\d{9}-?\d|\d{4}-?\d{4}-?\d{4}/,
    length: 12,
    labels: ['PhilHealth No', 'PIN', 'Pag-IBIG MID', 'PhilHealth'],
  },
  {
    type: 'PH_PHILSYS',
    kind: 'national-id',
    form: /\d{4}-?\d{4}-?\d{4}-?\d{4}/,
    length: 16,
    labels: ['PhilSys Card Number', 'PCN', 'PSN', 'National ID', 'PhilID'],
  },
];
