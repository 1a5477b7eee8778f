/** The sentences and codes of the gateway, which are English, in the language of the page. */
import { codeName, ruleName } from '../../core/wording/names.ts';
import { inJapanese } from '../../core/wording/japanese.ts';
import { usePreferences } from './preferences.ts';

export type Sentences = {
  readonly sentence: (english: string) => string;
  /** `upstream_timeout` → `Upstream timeout` */
  readonly code: (code: string) => string;
  /** The name of a rule: its own, or what its step is called. */
  readonly rule: (rule: string) => string;
};

const english: Sentences = { sentence: (text) => text, code: codeName, rule: ruleName };
const japanese: Sentences = {
  sentence: inJapanese,
  code: (code) => inJapanese(codeName(code)),
  rule(rule) {
    const step = ruleName(rule);
    return step === rule ? rule : inJapanese(step);
  },
};

/** How they are called on the page. */
export function useSentences(): Sentences {
  return usePreferences().language === 'ja' ? japanese : english;
}
