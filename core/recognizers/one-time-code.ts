/** One-time codes and PINs, recognised by the words before or after them. */
import type { ContextType } from '../context/context-type.ts';
import { wordsOfType } from '../context/type-words.ts';

export const oneTimeCode: ContextType = {
  name: 'one-time-code',
  type: 'OTP_CODE',
  forms: [/[0-9]{6}/, /[0-9]{4}/, /[0-9]{3}[- ][0-9]{3}/, /[0-9]{5}|[0-9]{7,8}/, /[A-Z]-[0-9]{5,6}/],
  words: wordsOfType('OTP_CODE'),
  samples: {
    match: [
      ['OTP: 582913', '582913'],
      ['482913 is your verification code', '482913'],
      ['the code they texted was 993 201', '993 201'],
      ['认证验证码是：482913', '482913'],
    ],
    noMatch: ['HTTP status code 404', 'Your verification code expires in 3600 seconds', 'area code 2025'],
  },
};
