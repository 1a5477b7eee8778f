/** Passport numbers: Japan, the United States and other countries. */
import type { ContextType } from '../context/context-type.ts';
import { wordsOfType } from '../context/type-words.ts';

export const passport: ContextType = {
  name: 'passport',
  type: 'PASSPORT',
  forms: [
    /[A-Z]{2}[0-9]{7}/,
    /[A-Z][0-9]{8}/,
    /[0-9]{9}/,
    /[A-Z]{1,3} ?[0-9]{6,8}/,
    /[0-9]{7,8}/,
    /(?=(?:.*[0-9]){2})[CFGHJKLMNPRTVWXYZ0-9]{9,10}/,
    /(?=(?:.*[0-9]){4})[A-Z0-9]{6,10}/,
    /[0-9]{2} [0-9]{7}|[A-Z][0-9]{2} [0-9]{5,6}/,
    /[a-z]{1,2}[0-9]{7,8}/,
  ],
  words: wordsOfType('PASSPORT'),
};
