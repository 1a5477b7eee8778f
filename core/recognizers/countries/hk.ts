import { valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const hkIdentifiers: readonly IdentifierType[] = [
  {
    type: 'HK_HKID',
    kind: 'id-card',
    form: /[A-Z]{1,2}\d{6}(?:\([0-9A]\)|[0-9A])/,
    length: [8, 9],
    check: isHongKongCard,
    alone: /[A-Z]{1,2}\d{6}\([0-9A]\)/,
    labels: ['身份證號碼', '香港身份證', '身份證', 'HKID', 'HKID No', 'Hong Kong ID'],
  },
];

/** Hong Kong identity card: letters from A = 10, a blank counts 36, weights 9 to 2, mod 11. */
function isHongKongCard(d: string): boolean {
  const padded =
    d.length === 8
      ? weighted(d.slice(0, 7), 8, 7, 6, 5, 4, 3, 2) + 36 * 9
      : weighted(d.slice(0, 8), 9, 8, 7, 6, 5, 4, 3, 2);
  return (padded + (d.endsWith('A') ? 10 : valueAt(d, d.length - 1))) % 11 === 0;
}
