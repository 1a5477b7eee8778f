/** Bank account numbers of Japan, the United States and the world, and US routing numbers. */
import { isAbaRouting } from '../checksums.ts';
import type { ContextType } from '../context/context-type.ts';
import { wordsOfType } from '../context/type-words.ts';

export const bankAccount: ContextType = {
  name: 'bank-account',
  type: 'BANK_ACCOUNT',
  forms: [
    /[0-9]{6,18}|[0-9]{20}/,
    // Grouped numbers: Singapore, Hong Kong, New Zealand, Canada, Norway, Brazil and others.
    /[0-9]{1,6}(?:-[0-9]{1,12}){1,4}/,
    /[0-9]{1,5}(?: [0-9]{1,7}){1,5}/,
    /[0-9]{4}\.[0-9]{2}\.[0-9]{5}/,
    /[0-9]{4,5}/,
    /[0-9]{3,6}[- ][0-9]{3,4} [0-9]{6,9}/,
  ],
  check: (bare) => (/^[0-9]{9}$/.test(bare) ? isAbaRouting(bare) : undefined),
  words: wordsOfType('BANK_ACCOUNT'),
};
