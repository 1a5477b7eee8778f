/** A person's name in a text, without titles and honorifics. Offsets are UTF-16 code units. */
export type NameSpan = {
  readonly start: number;
  readonly end: number;
  /** The tagger's confidence, 0 to 1. */
  readonly score: number;
  /** Written in katakana or hiragana alone. */
  readonly isKana: boolean;
};
