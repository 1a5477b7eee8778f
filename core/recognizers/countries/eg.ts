import { isDayOfYear, numberAt } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const egIdentifiers: readonly IdentifierType[] = [
  {
    type: 'EG_ID',
    kind: 'national-id',
    form: /[23]\d{2}[01]\d[0-3]\d(?:0[1-4]|[12][1-9]|3[1-5]|88)\d{5}/,
    length: 14,
    check: (d) => isDayOfYear(numberAt(d, 3, 5), numberAt(d, 5, 7)),
    labels: ['الرقم القومي', 'رقم قومي', 'الرقم القومى', 'Egyptian national ID'],
  },
];
