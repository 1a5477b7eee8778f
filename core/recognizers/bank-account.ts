/** Bank account numbers of Japan, the United States and the world, and US routing numbers. */
import { isAbaRouting } from '../checksums.ts';
import type { ContextType } from '../context/context-type.ts';
import { wordsOfType } from '../context/type-words.ts';

export const bankAccount: ContextType = {
  name: 'bank-account',
  type: 'BANK_ACCOUNT',
  forms: [
    /[0-9]{6,18}|[0-9]{20}/,
    // Groups of Singapore, Hong Kong, New Zealand, Canada, Norway and Brazil, and of whoever writes a number in groups.
    /[0-9]{1,6}(?:-[0-9]{1,12}){1,4}/,
    /[0-9]{1,5}(?: [0-9]{1,7}){1,5}/,
    /[0-9]{4}\.[0-9]{2}\.[0-9]{5}/,
    /[0-9]{4,5}/,
    /[0-9]{3,6}[- ][0-9]{3,4} [0-9]{6,9}/,
  ],
  check: (bare) => (/^[0-9]{9}$/.test(bare) ? isAbaRouting(bare) : undefined),
  words: wordsOfType('BANK_ACCOUNT'),
  samples: {
    match: [
      ['振込先：みずほ銀行 渋谷支店 普通 1234567', '1234567'],
      ['口座番号は７６５４３２１です', '７６５４３２１'],
      ['Bank account number: 6143942966', '6143942966'],
      ['"accountNumber":"12345678"', '12345678'],
      ['routing number 021000021', '021000021'],
    ],
    noMatch: ['普通列車 1234567', 'the order 12345678', 'our bank needs the invoice number 48201765'],
  },
};
