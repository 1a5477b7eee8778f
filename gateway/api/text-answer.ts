/** A response that returns a text of the call. */

/**
 * Puts the field with the text first. If the call's JSON contained no escapes, no character of the text needs escaping
 * in the response: searching 1 KiB for some takes longer than the rest of the response's JSON.
 */
export class TextAnswer {
  readonly #name: string;
  readonly #text: string;
  readonly #rest: Readonly<Record<string, unknown>>;

  /** `text`: the call's text with parts replaced by tokens. */
  constructor(name: string, text: string, rest: Readonly<Record<string, unknown>>) {
    this.#name = name;
    this.#text = text;
    this.#rest = rest;
  }

  toJSON(): Record<string, unknown> {
    return { [this.#name]: this.#text, ...this.#rest };
  }

  /** The response as JSON; `isPlain`: the call's JSON contains no backslash. */
  json(isPlain: boolean): string {
    // A lone surrogate must be escaped; a call cannot contain one, but a token may replace the other half of a pair.
    if (!isPlain || !this.#text.isWellFormed()) return JSON.stringify(this);
    return `{"${this.#name}":"${this.#text}",${JSON.stringify(this.#rest).slice(1)}`;
  }
}
