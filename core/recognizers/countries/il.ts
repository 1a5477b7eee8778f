import { isLuhn } from '../../checksums.ts';
import type { IdentifierType } from '../identifier.ts';

export const ilIdentifiers: readonly IdentifierType[] = [
  {
    type: 'IL_ID',
    kind: 'national-id',
    form: /\d{8}-?\d/,
    length: 9,
    check: (d) => isLuhn(d),
    labels: ['מספר זהות', 'ת.ז.', 'ת"ז', 'תעודת זהות', 'Israeli ID', 'teudat zehut'],
  },
];
