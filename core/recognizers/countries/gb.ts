import { isDayOfYear, numberAt, valueAt, weighted } from '../../check-digits.ts';
import { isNhsNumber } from '../../checksums.ts';
import type { IdentifierType } from '../identifier.ts';

export const gbIdentifiers: readonly IdentifierType[] = [
  {
    type: 'UK_NINO',
    kind: 'social-security',
    form: /[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][ -]?\d{2}[ -]?\d{2}[ -]?\d{2}(?:[ -]?[A-D])?/,
    length: [8, 9],
    check: (d) => !/^(?:BG|GB|KN|NK|NT|TN|ZZ)/.test(d),
    alone: /[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]/,
    labels: [
      'National Insurance number',
      'NI number',
      'NINO',
      'NI no',
      'Nat. Ins. no',
      'nino',
      'national insurance',
      'ni no',
    ],
  },
  {
    type: 'UK_UTR',
    kind: 'tax-id',
    form: /\d{5} ?\d{5}K?/,
    length: [10, 11],
    check: (d) => numberAt('21987654321', weighted(d.slice(1, 10), 6, 7, 8, 9, 10, 5, 4, 3, 2) % 11) === valueAt(d, 0),
    labels: ['UTR', 'Unique Taxpayer Reference', 'tax reference', 'Self Assessment reference', 'UTR number'],
  },
  {
    type: 'UK_BANK_ACCOUNT',
    kind: 'bank',
    form: /\d{2}[- ]?\d{2}[- ]?\d{2}[ ,;/]{1,2}\d{7,8}/,
    length: [13, 14],
    alone: /\d{2}-\d{2}-\d{2} \d{8}/,
    labels: ['sort code', 'S/C', 'sort code and account'],
  },
  {
    type: 'UK_VAT',
    kind: 'vat',
    form: /(?:GB ?)?\d{3} ?\d{4} ?\d{2}(?: ?\d{3})?|GB(?:GD|HA)\d{3}/,
    length: [7, 9, 11, 12, 14],
    check: (d) =>
      !/^(?:GB)?\d{9}/.test(d) ||
      [0, 55].some(
        (add) =>
          (weighted(d.replace('GB', '').slice(0, 7), 8, 7, 6, 5, 4, 3, 2) + add + numberAt(d.replace('GB', ''), 7, 9)) %
            97 ===
          0,
      ),
    alone: /GB ?\d{3} ?\d{4} ?\d{2}(?: ?\d{3})?/,
    labels: ['VAT number', 'VAT reg no', 'VAT no', 'VAT registration'],
  },
  {
    type: 'UK_POSTCODE',
    kind: 'address',
    form: /(?:[A-PR-UWYZ][A-HK-Y]?\d[A-Z\d]?|GIR) ?\d[ABD-HJLNP-UW-Z]{2}/,
    length: [5, 6, 7],
    labels: ['postcode', 'post code', 'postal code'],
  },
  {
    type: 'HEALTH_INSURANCE',
    kind: 'health',
    form: /\d{3}[ -]?\d{3}[ -]?\d{4}/,
    length: 10,
    check: isNhsNumber,
    labels: ['NHS number', 'NHS no', 'NHS', 'health service number'],
  },
  {
    type: 'DRIVER_LICENSE',
    kind: 'driver',
    form: /[A-Z9]{5} ?\d[0156]\d[0-3]\d\d ?[A-Z9]{2}[A-Z0-9][A-Z]{2}/,
    length: 16,
    check: (d) => isDayOfYear(numberAt(d, 6, 8) % 50, numberAt(d, 8, 10)) && /[A-Z]/.test(d.charAt(0)),
    alone: true,
    labels: ['driving licence number', 'driving licence', 'driver number', 'DVLA number', 'licence no'],
  },
];
