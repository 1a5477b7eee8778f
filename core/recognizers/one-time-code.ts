/** One-time codes and PINs, by context. */
import type { ContextType } from '../context/context-type.ts';
import { wordsOfType } from '../context/type-words.ts';

export const oneTimeCode: ContextType = {
  name: 'one-time-code',
  type: 'OTP_CODE',
  forms: [/[0-9]{6}/, /[0-9]{4}/, /[0-9]{3}[- ][0-9]{3}/, /[0-9]{5}|[0-9]{7,8}/, /[A-Z]-[0-9]{5,6}/],
  words: wordsOfType('OTP_CODE'),
};
