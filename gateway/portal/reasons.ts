/** Explanations of the shipped registry's reasons; administrators write their own sentences. */
import { wordingIn } from '../../core/wording/names.ts';
import type { Language } from './words.ts';

const meanings: Readonly<Record<string, string>> = {
  'adult-content': 'it is made for adult content',
  aggregator: 'it forwards requests to many other services',
  'anonymous-access': 'it works without an account, so no contract protects the data',
  'autonomous-agent': 'it acts on its own with the permissions of the user',
  biometric: 'it processes faces or voices of people',
  'browser-extension': 'its extension can read every page in the browser',
  companion: 'it is a companion app that invites personal conversations',
  'covert-use': 'it is designed to be used in secret',
  deepfake: 'it generates images, voices or videos of real people',
  'detection-evasion': 'it is designed to hide that AI wrote a text',
  entertainment: 'it is for entertainment',
  'jurisdiction-cn': 'its operator is subject to the law of China',
  'jurisdiction-ru': 'its operator is subject to the law of Russia',
  'mailbox-access': 'it reads the whole mailbox',
  'public-prompts': 'anyone can see what users enter',
  reseller: 'it resells access to models of other companies',
  uncensored: 'its models have no safeguards',
  'unclear-data-terms': 'its terms do not say what happens to the data',
  undress: 'it generates intimate images of people without their consent',
  'volunteer-compute': 'third-party computers process the requests',
  wrapper: 'it forwards requests to a model of another company',
};

/**
 * The displayed reason: a registry code in words, a sentence of the gateway in the language, other text unchanged. In
 * English it also follows a colon, so it keeps its first letter.
 */
export function reasonText(reason: string, language: Language): string {
  const english = Object.hasOwn(meanings, reason) ? (meanings[reason] ?? reason) : reason;
  return language === 'en' ? english : wordingIn(language).sentence(english);
}

/** The codes with an explanation. */
export const knownReasons: readonly string[] = Object.keys(meanings);
