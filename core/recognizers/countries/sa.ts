import { isLuhn } from '../../checksums.ts';
import type { IdentifierType } from '../identifier.ts';

export const saIdentifiers: readonly IdentifierType[] = [
  {
    type: 'SA_ID',
    kind: 'national-id',
    form: /[12]\d{9}/,
    length: 10,
    check: (d) => isLuhn(d),
    labels: ['رقم الهوية الوطنية', 'رقم الهوية', 'رقم الإقامة', 'هوية وطنية', 'National ID', 'Iqama number'],
  },
];
