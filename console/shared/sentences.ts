/** The sentences and codes of the gateway, which are English, in the language of the page. */
import { type Wording, wordingIn } from '../../core/wording/names.ts';
import { usePreferences } from './preferences.ts';

/** How they are called on the page. */
export const useSentences = (): Wording => wordingIn(usePreferences().language);
