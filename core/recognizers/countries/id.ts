import { isDayOfYear, numberAt } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const idIdentifiers: readonly IdentifierType[] = [
  {
    type: 'ID_NIK',
    kind: 'national-id',
    form: /[1-9]\d{5}[ .]?[0-7]\d[01]\d{3}[ .]?\d{4}/,
    length: 16,
    check: (d) => isDayOfYear(numberAt(d, 8, 10), numberAt(d, 6, 8) % 40),
    labels: ['NIK', 'No. KTP', 'nomor KTP', 'Nomor Induk Kependudukan', 'No. NIK'],
  },
  {
    type: 'ID_NPWP',
    kind: 'tax-id',
    form: /\d{2}\.?\d{3}\.?\d{3}\.?\d[-.]?\d{3}\.?\d{3}|\d{16}/,
    length: [15, 16],
    alone: /\d{2}\.\d{3}\.\d{3}\.\d-\d{3}\.\d{3}/,
    labels: ['NPWP', 'No. NPWP', 'tax number'],
  },
];
