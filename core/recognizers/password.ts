/** Passwords, passphrases, PINs and lock codes, by context. */
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
};
