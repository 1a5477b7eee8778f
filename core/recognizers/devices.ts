/** Numbers of phones, SIM cards and vehicles. */
import { weighted } from '../check-digits.ts';
import { isLuhn } from '../checksums.ts';
import type { IdentifierType } from './identifier.ts';

export const deviceIdentifiers: readonly IdentifierType[] = [
  {
    type: 'IMEI',
    kind: 'device',
    form: /\d{2}[- ]?\d{6}[- ]?\d{6}[- ]?\d{1,2}/,
    length: [15, 16],
    check: (d) => d.length === 16 || isLuhn(d),
    labels: ['IMEI', 'IMEI/MEID', 'IMEISV', '串号', '端末識別番号'],
  },
  {
    type: 'IMSI',
    kind: 'device',
    form: /[2-7]\d{13,14}/,
    length: [14, 15],
    labels: ['IMSI'],
  },
  {
    type: 'ICCID',
    kind: 'device',
    form: /89\d{2}[ -]?\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{3,4}F?|89\d{17,18}F?/,
    length: [19, 20, 21],
    check: (d) => isLuhn(d.replace('F', '')),
    labels: ['ICCID', 'SIM number', 'SIM card number', 'SIM-Kartennummer', 'numéro de SIM', 'SIM serial'],
  },
  {
    // ISO 3779; the check character is that of 49 CFR 565.15.
    type: 'VIN',
    kind: 'vehicle',
    form: /[A-HJ-NPR-Z0-9]{13}\d{4}/,
    length: 17,
    check: isVin,
    alone: /(?=.*[A-Z].*[A-Z])[A-HJ-NPR-Z0-9]{13}\d{4}/,
    labels: [
      ...['VIN', 'chassis number', 'vehicle identification number', 'Fahrgestellnummer', 'FIN', 'Fahrzeug-Ident-Nr.'],
      ...[
        'numéro de série',
        'numéro de châssis',
        'número de bastidor',
        'bastidor',
        'numero di telaio',
        'telaio',
        'chassi',
      ],
      ...['chassisnummer', '車台番号', '車体番号', '车架号', '차대번호', 'numer VIN', 'номер кузова'],
    ],
  },
];

const vinValues: Readonly<Record<string, number>> = Object.fromEntries(
  [...'ABCDEFGHJKLMNPRSTUVWXYZ'].map((letter, i) => [letter, Number('12345678123457923456789'[i])]),
);

function isVin(bare: string): boolean {
  const digits = [...bare].map((c) => vinValues[c] ?? c).join('');
  const remainder = weighted(digits, 8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2) % 11;
  return bare[8] === (remainder === 10 ? 'X' : String(remainder));
}
