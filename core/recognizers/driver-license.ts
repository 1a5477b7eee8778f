/** Driving licence numbers: Japan, North America, Europe, India, Australia and similar forms. */
import { isJapaneseLicense } from '../checksums.ts';
import type { ContextType } from '../context/context-type.ts';
import { wordsOfType } from '../context/type-words.ts';

export const driverLicense: ContextType = {
  name: 'driver-license',
  type: 'DRIVER_LICENSE',
  forms: [
    /[A-Z9]{5} ?[0-9]{6} ?[A-Z9]{2}[0-9A-Z]{3}(?: ?[0-9]{2})?/,
    /[0-9]{12}|[0-9]{4}([- ])[0-9]{4}\1[0-9]{4}/,
    /[A-Z]{2}[0-9]{2}[- ]?(?:19|20)[0-9]{2}[- ]?[0-9]{7}/,
    /[A-Z][0-9]{2,4}(?:(?:-| - | )[0-9]{2,6}){2,5}(?:[- ][0-9])?/,
    /[A-Z]{1,3}[- ]?[0-9]{4,14}/,
    /[A-Z]{5}[- ]?[A-Z]{0,2}[0-9]{3,9}[A-Z]{0,2}/,
    /[0-9]{2,5}(?:[- /][0-9]{2,7}){1,4}/,
    /[0-9]{7,11}|[0-9]{13}/,
    /[0-9]{5,6}/,
    /[0-9]{2,10}[A-Z]{1,3}[0-9]{0,6}/,
    /(?=(?:.*[0-9]){2})[A-Z0-9]{7,16}/,
    /[A-Z]{1,3}[0-9]{2,4}(?:[- ][0-9A-Z]{1,7}){1,4}/,
    /(?=(?:.*[0-9]){3})[A-Z0-9]{2,6}(?:[- ][A-Z0-9]{2,6}){1,4}/,
    /(?=(?:.*[0-9]){4})[A-Za-z][a-z0-9]{5,15}/,
  ],
  check: (bare) => (/^[0-9]{12}$/.test(bare) ? isJapaneseLicense(bare) : undefined),
  words: wordsOfType('DRIVER_LICENSE'),
};
