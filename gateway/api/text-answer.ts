/** An answer that gives back a text of the call. */

/**
 * The field with the text comes first. Where the JSON of the call escaped nothing, no character of that text has to be
 * escaped in the answer: looking for some in 1 KiB takes longer than all else of the answer's JSON.
 */
export class TextAnswer {
  readonly #name: string;
  readonly #text: string;
  readonly #rest: Readonly<Record<string, unknown>>;

  /** `text`: what the call sent, parts of it replaced by tokens. */
  constructor(name: string, text: string, rest: Readonly<Record<string, unknown>>) {
    this.#name = name;
    this.#text = text;
    this.#rest = rest;
  }

  toJSON(): Record<string, unknown> {
    return { [this.#name]: this.#text, ...this.#rest };
  }

  /** The answer as JSON; `isPlain`: the JSON of the call holds no backslash. */
  json(isPlain: boolean): string {
    // Half a surrogate pair is escaped; a call cannot send one in another way, but a token may stand in for the other half.
    if (!isPlain || !this.#text.isWellFormed()) return JSON.stringify(this);
    return `{"${this.#name}":"${this.#text}",${JSON.stringify(this.#rest).slice(1)}`;
  }
}
