/** Passwords, passphrases, PINs and codes of locks by the words around them. */
import type { ContextType } from '../context/context-type.ts';
import { describeSecret, secretSpans } from '../context/secret-spans.ts';
import { wordsOfType } from '../context/type-words.ts';

export const password: ContextType = {
  name: 'password',
  type: 'PASSWORD',
  forms: [],
  spans: (text, stretches) => secretSpans(text, stretches, text.keywords.labels('password')),
  describe: describeSecret,
  words: wordsOfType('PASSWORD'),
  samples: {
    match: [
      ['password: hunter2!', 'hunter2!'],
      ['"password": "Tr0ub4dor&3"', 'Tr0ub4dor&3'],
      ['初期パスワードはKx7mQ2pです。', 'Kx7mQ2p'],
      ['暗証番号は4821です', '4821'],
      ['user=jo&password=Kx7mQ2p&next=1', 'Kx7mQ2p'],
      ['passphrase: "correct horse battery staple"', 'correct horse battery staple'],
    ],
    noMatch: [
      'password is required',
      'パスワードは必須です',
      'password: string;',
      'password = getPassword()',
      'password: process.env.DB_PASSWORD',
    ],
  },
};
