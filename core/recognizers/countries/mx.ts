import { isDayOfYear, numberAt, valueAt } from '../../check-digits.ts';
import { isLuhn } from '../../checksums.ts';
import type { IdentifierType } from '../identifier.ts';

export const mxIdentifiers: readonly IdentifierType[] = [
  {
    type: 'MX_CURP',
    kind: 'national-id',
    form: /[A-Z][AEIOUX][A-Z]{2}\d{6}[HMX][A-Z]{2}[B-DF-HJ-NP-TV-Z]{3}[0-9A-Z]\d/,
    length: 18,
    check: isMexicanCurp,
    alone: true,
    labels: ['CURP', 'Clave Única de Registro de Población'],
  },
  {
    type: 'MX_RFC',
    kind: 'tax-id',
    form: /[A-ZÑ&]{3,4}[- ]?\d{6}[- ]?[A-V1-9][A-Z1-9][\dA]/,
    length: [12, 13],
    check: (d) => isDayOfYear(numberAt(d, d.length - 7, d.length - 5), numberAt(d, d.length - 5, d.length - 3)),
    alone: /[A-ZÑ&]{4}\d{6}[A-Z\d]{2}[\dA]/,
    labels: ['RFC', 'R.F.C.', 'Registro Federal de Contribuyentes'],
  },
  {
    type: 'MX_NSS',
    kind: 'social-security',
    form: /\d{2}[- ]?\d{2}[- ]?\d{2}[- ]?\d{4}[- ]?\d/,
    length: 11,
    check: (d) => isLuhn(d),
    labels: ['NSS', 'número de seguridad social', 'IMSS'],
  },
  {
    type: 'MX_CLABE',
    kind: 'bank',
    form: /\d{3} ?\d{3} ?\d{11} ?\d/,
    length: 18,
    check: (d) =>
      (10 -
        ([...d.slice(0, 17)].reduce(
          (sum, c, i) => sum + ((Number(c) * (i % 3 === 0 ? 3 : i % 3 === 1 ? 7 : 1)) % 10),
          0,
        ) %
          10)) %
        10 ===
      valueAt(d, 17),
    alone: true,
    labels: ['CLABE', 'CLABE interbancaria', 'cuenta CLABE'],
  },
];

const curpCharacters = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ';

/** CURP: weights 18 to 2 over an alphabet with Ñ, mod 10. */
function isMexicanCurp(d: string): boolean {
  let sum = 0;
  for (let i = 0; i < 17; i++) sum += curpCharacters.indexOf(d.charAt(i)) * (18 - i);
  return (10 - (sum % 10)) % 10 === valueAt(d, 17) && isDayOfYear(numberAt(d, 6, 8), numberAt(d, 8, 10));
}
