import type { IdentifierType } from '../identifier.ts';

export const alIdentifiers: readonly IdentifierType[] = [
  {
    type: 'AL_NID',
    kind: 'national-id',
    form: /[A-T]\d[0156]\d[0-3]\d{4}[A-Z]/,
    length: 10,
    labels: ['NID', 'numri personal', 'Albanian ID'],
  },
];
