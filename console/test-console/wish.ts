/** Options of detection and masking. */
import type { DictionaryEntry } from './dictionary.ts';

export type Wish = {
  /** Only these types; empty: all. */
  readonly types: readonly string[];
  readonly lang: '' | 'en' | 'ja';
  readonly minScore: number;
  readonly tokenFormat: 'counter' | 'secured';
  /** True to continue the last response's session, so that equal values keep their tokens. */
  readonly goesOn: boolean;
};

export const plainWish: Wish = { types: [], lang: '', minScore: 0, tokenFormat: 'counter', goesOn: false };

/** The body fields of the options; defaults are left out. */
export function fieldsOf(
  wish: Wish,
  call: {
    readonly isMask: boolean;
    readonly isSandbox: boolean;
    readonly sessionId?: string | undefined;
    readonly entries: readonly DictionaryEntry[];
  },
): Record<string, unknown> {
  const { types, lang, minScore, tokenFormat, goesOn } = wish;
  return {
    ...(types.length === 0 ? {} : { types }),
    ...(lang === '' ? {} : { lang }),
    ...(minScore === 0 ? {} : { minScore }),
    ...(call.isMask && !call.isSandbox && tokenFormat !== 'counter' ? { tokenFormat } : {}),
    ...(call.isMask && goesOn && call.sessionId !== undefined ? { sessionId: call.sessionId } : {}),
    ...(call.entries.length === 0 ? {} : { dictionary: call.entries }),
  };
}
