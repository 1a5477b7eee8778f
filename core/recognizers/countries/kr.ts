import { isDayOfYear, numberAt, valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const krIdentifiers: readonly IdentifierType[] = [
  {
    type: 'KR_RRN',
    kind: 'national-id',
    form: /\d{2}[01]\d[0-3]\d-?[0-9]\d{6}/,
    length: 13,
    check: (d) => isDayOfYear(numberAt(d, 2, 4), numberAt(d, 4, 6)),
    alone: /\d{2}[01]\d[0-3]\d-[1-8]\d{6}/,
    labels: ['주민등록번호', '주민번호', '외국인등록번호', 'Resident Registration Number', 'RRN'],
  },
  {
    type: 'KR_BRN',
    kind: 'company',
    form: /\d{3}-?\d{2}-?\d{5}/,
    length: 10,
    check: (d) =>
      (10 - ((weighted(d.slice(0, 9), 1, 3, 7, 1, 3, 7, 1, 3, 5) + Math.floor((5 * valueAt(d, 8)) / 10)) % 10)) % 10 ===
      valueAt(d, 9),
    labels: ['사업자등록번호', '사업자번호', 'business registration number'],
  },
];
