/** A person's name in a text; titles and honorifics are not part of it. Offsets are UTF-16 code units. */
export type NameSpan = {
  readonly start: number;
  readonly end: number;
  /** 0 to 1: how sure the tagger is. */
  readonly score: number;
  /** Written in katakana or hiragana alone. */
  readonly isKana: boolean;
};
