/** How a name is written. */
export type NameForm = 'full' | 'single' | 'title' | 'last-first' | 'initials' | 'kana' | 'romaji' | 'mention';

/** A person's name in a text; titles and honorifics are not part of it. Offsets are UTF-16 code units. */
export type NameSpan = {
  readonly start: number;
  readonly end: number;
  /** 0 to 1: how sure the tagger is. */
  readonly score: number;
  readonly form: NameForm;
  /** What spoke for it, in words. */
  readonly why: readonly string[];
};
