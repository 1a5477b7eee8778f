import { valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const ieIdentifiers: readonly IdentifierType[] = [
  {
    type: 'IE_PPS',
    kind: 'social-security',
    form: /\d{7}[A-W][A-IW]?/,
    length: [8, 9],
    check: (d) =>
      'WABCDEFGHIJKLMNOPQRSTUV'[
        (weighted(d.slice(0, 7), 8, 7, 6, 5, 4, 3, 2) +
          (d[8] === undefined || d[8] === 'W' ? 0 : 9 * (valueAt(d, 8) - 9))) %
          23
      ] === d[7],
    labels: ['PPS number', 'PPSN', 'PPS no', 'RSI number', 'Uimhir PSP', 'Personal Public Service number'],
  },
];
