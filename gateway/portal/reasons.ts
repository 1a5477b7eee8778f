/** The meaning of the shipped registry's reasons; administrators write their own sentences. */
import { wordingIn } from '../../core/wording/names.ts';
import type { Language } from './words.ts';

const meanings: Readonly<Record<string, string>> = {
  'adult-content': 'it is made for adult content',
  aggregator: 'it passes requests on to many other services',
  'anonymous-access': 'it is used without an account, so nobody can be held to its terms',
  'autonomous-agent': 'it acts on its own with the rights of the person',
  biometric: 'it processes faces or voices of people',
  'browser-extension': 'its extension can read every page in the browser',
  companion: 'it is a companion app that invites personal conversations',
  'covert-use': 'it is made to be used in secret',
  deepfake: 'it makes pictures, voices or videos of real people',
  'detection-evasion': 'it is made to hide that a text comes from an AI',
  entertainment: 'it is for entertainment',
  'jurisdiction-cn': 'its operator is subject to the law of China',
  'jurisdiction-ru': 'its operator is subject to the law of Russia',
  'mailbox-access': 'it reads the whole mailbox',
  'public-prompts': 'what is typed can be seen by everybody',
  reseller: 'it resells access to the models of others',
  uncensored: 'its models have no safeguards',
  'unclear-data-terms': 'its terms do not say what happens to the data',
  undress: 'it makes intimate pictures of people without their consent',
  'volunteer-compute': 'requests are computed on the machines of strangers',
  wrapper: 'it passes requests on to the model of another company',
};

/** The reason as people read it: a code of the registry in words, a sentence of the gateway in the language, any other text as it is. */
export function reasonText(reason: string, language: Language): string {
  const english = Object.hasOwn(meanings, reason) ? (meanings[reason] ?? reason) : reason;
  return wordingIn(language).sentence(english);
}

/** The codes with an explanation. */
export const knownReasons: readonly string[] = Object.keys(meanings);
