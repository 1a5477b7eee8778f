import type { IdentifierType } from '../identifier.ts';
import { isMasterNumber } from './si.ts';

export const rsIdentifiers: readonly IdentifierType[] = [
  {
    type: 'RS_JMBG',
    kind: 'national-id',
    form: /[0-3]\d[01]\d[09]\d{2}\d{6}/,
    length: 13,
    check: isMasterNumber,
    alone: true,
    labels: ['JMBG', 'ЈМБГ', 'jedinstveni matični broj', 'unique master citizen number'],
  },
];
