/** The shape of a type whose values look like many other numbers: the words around a value decide. */

import type { ScanText } from '../detect/scan.ts';

/** A piece of a text. */
export type Span = { readonly start: number; readonly end: number };

/** A candidate with the number of its form, which counts on behind the regular expressions. */
export type FormSpan = Span & { readonly form: number };

/** One type, as data. A type without trained weights of its own is scored by the weights that all types share. */
export type ContextType = {
  readonly type: string;
  /** Name of its recognizer, for settings, explanations and weights. */
  readonly name: string;
  /** How a value is written; each is matched against a whole candidate, and the first that matches is its form. */
  readonly forms: readonly RegExp[];
  /** A check digit or another rule over the bare characters in capitals; undefined where none applies. */
  readonly check?: (bare: string) => boolean | undefined;
  /** Further features of a value. */
  readonly describe?: (value: string) => readonly string[];
  /** Candidates that are no row of groups of letters and digits, in the stretches near the words or anywhere. */
  readonly spans?: (text: ScanText, stretches: readonly Span[]) => readonly FormSpan[];
  /** True for a text that may hold some of these without any word. */
  readonly mayHold?: (text: ScanText) => boolean;
  /** Words that name the value, and words of its field; both in any language. See `KeywordLists` for the notation. */
  readonly words: { readonly labels: readonly string[]; readonly topics: readonly string[] };
};
