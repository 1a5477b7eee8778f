import type { IdentifierType } from '../identifier.ts';

export const aeIdentifiers: readonly IdentifierType[] = [
  {
    type: 'AE_EID',
    kind: 'national-id',
    form: /784-?\d{4}-?\d{7}-?\d/,
    length: 15,
    check: (d) => /^784(?:19|20)/.test(d),
    alone: true,
    labels: ['رقم الهوية', 'الهوية الإماراتية', 'رقم الهوية الإماراتية', 'Emirates ID', 'EID', 'ID No'],
  },
];
