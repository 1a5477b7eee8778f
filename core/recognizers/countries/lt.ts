import type { IdentifierType } from '../identifier.ts';
import { isBalticCode } from './ee.ts';

export const ltIdentifiers: readonly IdentifierType[] = [
  {
    type: 'LT_AK',
    kind: 'national-id',
    form: /[3-6]\d{2}[01]\d[0-3]\d\d{4}/,
    length: 11,
    check: isBalticCode,
    labels: ['asmens kodas', 'a.k.', 'asm. kodas', 'Lithuanian personal code'],
  },
];
