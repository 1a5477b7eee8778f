/** Japanese basic pension numbers (基礎年金番号, four and six digits) and foreign pension numbers; none has a check digit. */
import type { ContextType } from '../context/context-type.ts';
import { wordsOfType } from '../context/type-words.ts';

export const pensionNumber: ContextType = {
  name: 'pension-number',
  type: 'PENSION_NUMBER',
  forms: [
    /[0-9]{4}[- ][0-9]{6}/,
    /[0-9]{10}/,
    /[0-9]{4}[- ]?[0-9]{6}[- ]?[0-9]{4}/,
    /[A-Z]{1,4}[ /-]?[0-9]{5,9}/,
    /(?=(?:.*[0-9]){6})[A-Z0-9]{2,12}(?:[-/ ][A-Z0-9]{1,8}){0,5}/,
  ],
  words: wordsOfType('PENSION_NUMBER'),
};
