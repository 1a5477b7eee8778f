/**
 * Parts of one message that hold a text each: `content: [{ text: "anna@exam" }, { text: "ple.com" }]`. A model may read them as
 * one text, so a value may be cut over them.
 */
import type { Detection } from '../recognizer.ts';
import type { JsonMember, JsonNode } from './json-strings.ts';

/** Positions of texts that adjoin, in order. */
export type AdjoiningTexts = readonly number[];

/** Collects the texts of a document that adjoin, as its members are read. */
export class AdjoiningParts {
  readonly #into: { adjoining?: number[][] };
  #list: JsonNode | undefined;
  #position = -1;
  #at = -1;
  #run: number[] | undefined;

  constructor(into: { adjoining?: number[][] }) {
    this.#into = into;
  }

  /** A member whose text is at this position of the texts. */
  add({ key, node }: JsonMember, at: number): void {
    const list = node.parent;
    if (key !== 'text' || !list?.isArray) return;
    if (list !== this.#list || node.position !== this.#position + 1) this.#run = undefined;
    else if (this.#run) this.#run.push(at);
    else {
      this.#run = [this.#at, at];
      this.#into.adjoining ??= [];
      this.#into.adjoining.push(this.#run);
    }
    this.#list = list;
    this.#position = node.position;
    this.#at = at;
  }
}

/** Characters searched on each side of a border. */
const reach = 64;
/** Values without a form of their own, such as names, would often be found where two texts only happen to meet. */
const scoreMin = 0.9;

/**
 * Calls `found` with the piece of each value that is cut over adjoining texts, and the position of its text. All pieces have the
 * whole value, so they get one token. Texts with a blank at their border are not joined by it.
 */
export function findCutValues(
  texts: readonly string[],
  runs: readonly AdjoiningTexts[],
  detect: (text: string) => readonly Detection[],
  found: (at: number, piece: Detection) => void,
): void {
  for (const run of runs) {
    const parts = run.map((at) => texts[at] as string);
    const whole = parts.join('');
    let border = 0;
    let done = 0;
    for (const part of parts.slice(0, -1)) {
      border += part.length;
      if (border < done || /\s/.test(whole.slice(border - 1, border + 1))) continue;
      const from = Math.max(0, border - reach);
      for (const one of detect(whole.slice(from, border + reach))) {
        const [start, end] = [from + one.start, from + one.end];
        if (one.score < scoreMin || start >= border || end <= border || start < done) continue;
        done = end;
        let partStart = 0;
        for (const [i, { length }] of parts.entries()) {
          const piece = { ...one, start: Math.max(0, start - partStart), end: Math.min(length, end - partStart) };
          if (piece.start < piece.end) found(run[i] as number, piece);
          partStart += length;
        }
      }
    }
  }
}
