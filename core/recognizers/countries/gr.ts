import { isDayOfYear, numberAt, valueAt, weighted } from '../../check-digits.ts';
import { isLuhn } from '../../checksums.ts';
import type { IdentifierType } from '../identifier.ts';

export const grIdentifiers: readonly IdentifierType[] = [
  {
    type: 'GR_AMKA',
    kind: 'social-security',
    form: /[0-3]\d[01]\d{3}[ -]?\d{5}/,
    length: 11,
    check: (d) => isLuhn(d) && isDayOfYear(numberAt(d, 2, 4), numberAt(d, 0, 2)),
    labels: ['ΑΜΚΑ', 'Α.Μ.Κ.Α.', 'αριθμός ΑΜΚΑ', 'AMKA'],
  },
  {
    type: 'GR_AFM',
    kind: 'tax-id',
    form: /(?:EL ?)?\d{9}/,
    length: [9, 11],
    check: (d) => (weighted(d.slice(-9, -1), 256, 128, 64, 32, 16, 8, 4, 2) % 11) % 10 === valueAt(d, d.length - 1),
    alone: /EL ?\d{9}/,
    labels: ['ΑΦΜ', 'Α.Φ.Μ.', 'αριθμός φορολογικού μητρώου', 'AFM', 'Greek tax number'],
  },
  {
    type: 'GR_ID_CARD',
    kind: 'id-card',
    form: /[ΑΒΕΖΗΙΚΜΝΟΡΤΥΧABEZHIKMNOPTYX]{2}[- ]?\d{6}/,
    length: 8,
    labels: ['αριθμός ταυτότητας', 'ΑΔΤ', 'Α.Δ.Τ.', 'δελτίο ταυτότητας', 'Greek ID card'],
  },
];
