/** Types whose values look like many other numbers, so that the words around a value decide. */

import type { ScanText } from '../detect/scan.ts';

/** A piece of a text. */
export type Span = { readonly start: number; readonly end: number };

/** A candidate with the number of its form, counted after the regular expressions. */
export type FormSpan = Span & { readonly form: number };

/** One type, as data. A type without its own trained weights is scored by the shared ones. */
export type ContextType = {
  readonly type: string;
  /** Name of its recognizer, for settings, explanations and weights. */
  readonly name: string;
  /** Patterns for a whole candidate; the first match is its form. */
  readonly forms: readonly RegExp[];
  /** Verifies a check digit or another rule for the letters and digits in capitals; undefined if none applies. */
  readonly check?: (bare: string) => boolean | undefined;
  /** Further features of a value. */
  readonly describe?: (value: string) => readonly string[];
  /** Candidates other than rows of letters and digits, in the stretches near the words or anywhere. */
  readonly spans?: (text: ScanText, stretches: readonly Span[]) => readonly FormSpan[];
  /** True for a text that may contain such values without any word. */
  readonly mayHold?: (text: ScanText) => boolean;
  /** Words that name the value, and words of its field, in any language. See `KeywordLists` for the notation. */
  readonly words: { readonly labels: readonly string[]; readonly topics: readonly string[] };
};
