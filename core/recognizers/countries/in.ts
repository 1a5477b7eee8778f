import { isVerhoeff, valueAt } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const inIdentifiers: readonly IdentifierType[] = [
  {
    type: 'IN_AADHAAR',
    kind: 'national-id',
    form: /[2-9]\d{3}[ -]?\d{4}[ -]?\d{4}/,
    length: 12,
    check: (d) => isVerhoeff(d) && d !== [...d].reverse().join(''),
    labels: ['Aadhaar', 'Aadhaar number', 'Aadhar no', 'UIDAI', 'आधार', 'आधार संख्या'],
  },
  {
    type: 'IN_VID',
    kind: 'national-id',
    form: /[2-9]\d{3}[ -]?\d{4}[ -]?\d{4}[ -]?\d{4}/,
    length: 16,
    check: (d) => isVerhoeff(d),
    labels: ['VID', 'Virtual ID'],
  },
  {
    type: 'IN_PAN',
    kind: 'tax-id',
    form: /[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]/,
    length: 10,
    alone: true,
    labels: ['PAN', 'PAN number', 'PAN No', 'Permanent Account Number', 'PAN Card'],
  },
  {
    type: 'IN_GSTIN',
    kind: 'company',
    form: /[0-3]\d[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]/,
    length: 15,
    check: isIndianGst,
    alone: true,
    labels: ['GSTIN', 'GST No', 'GSTIN/UIN', 'GST number'],
  },
  {
    type: 'IN_VOTER_ID',
    kind: 'id-card',
    form: /[A-Z]{3}\d{7}/,
    length: 10,
    labels: ['Voter ID', 'EPIC No', 'EPIC number', 'Election card', 'voter ID'],
  },
];

const base36 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** GSTIN: base 36, weights 1 and 2 in turn, quotient and remainder by 36 added up. */
function isIndianGst(d: string): boolean {
  let sum = 0;
  for (let i = 0; i < 14; i++) {
    const product = valueAt(d, i) * (i % 2 === 0 ? 1 : 2);
    sum += Math.floor(product / 36) + (product % 36);
  }
  return base36[(36 - (sum % 36)) % 36] === d[14];
}
