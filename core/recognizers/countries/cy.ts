import type { IdentifierType } from '../identifier.ts';

export const cyIdentifiers: readonly IdentifierType[] = [
  {
    type: 'CY_TIC',
    kind: 'tax-id',
    form: /\d{8}[A-Z]/,
    length: 9,
    labels: ['ΑΦΤ', 'ΑΦΜ', 'Cyprus TIC'],
  },
];
