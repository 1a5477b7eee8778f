/** Translates the gateway's English sentences and codes into the language of the page. */
import { errorInJapanese } from '../../core/wording/japanese-errors.ts';
import { type Wording, wordingIn } from '../../core/wording/names.ts';
import { usePreferences } from './preferences.ts';

/** Translations for the current language; `error` translates the English message or hint of an error. */
export function useSentences(): Wording & { readonly error: (english: string) => string } {
  const { language } = usePreferences();
  return { ...wordingIn(language), error: language === 'ja' ? errorInJapanese : (english) => english };
}

/** What the server says of an error. */
export type Said = { readonly message: string; readonly hint?: string; readonly details?: unknown };

/** The problem with its sentences in Japanese, including those about fields. */
export function problemInJapanese<T extends Said>(problem: T): T {
  const { message, hint, details } = problem;
  return {
    ...problem,
    message: errorInJapanese(message),
    ...(hint === undefined ? {} : { hint: errorInJapanese(hint) }),
    ...(Array.isArray(details) ? { details: details.map(detailInJapanese) } : {}),
  };
}

function detailInJapanese(detail: unknown): unknown {
  const { message } = (detail ?? {}) as { message?: unknown };
  return typeof message === 'string' ? { ...(detail as object), message: errorInJapanese(message) } : detail;
}
