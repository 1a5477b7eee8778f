/**
 * Message parts with a text each: `content: [{ text: "anna@exam" }, { text: "ple.com" }]`. A model may read them as one
 * text, so a value may be split across them.
 */
import type { Detection } from '../recognizer.ts';
import type { JsonMember, JsonNode } from './json-strings.ts';

/** Indexes of texts that adjoin, in order. */
export type AdjoiningTexts = readonly number[];

/** Lists in which services send the texts of one message. */
const listOfTexts = /^(?:parts|content)$/;

/** Collects adjoining texts while a document's members are read. */
export class AdjoiningParts {
  readonly #into: { adjoining?: number[][] };
  #list: JsonNode | undefined;
  #position = -1;
  #at = -1;
  #run: number[] | undefined;

  constructor(into: { adjoining?: number[][] }) {
    this.#into = into;
  }

  /** Adds a member whose text has this index. */
  add({ key, node, position: own }: JsonMember, at: number): void {
    const isItem = node.isArray && listOfTexts.test(node.key);
    const list = isItem ? node : node.parent;
    const position = isItem ? own : node.position;
    if (!list?.isArray || !(isItem || key === 'text')) return;
    if (list !== this.#list || position !== this.#position + 1) this.#run = undefined;
    else if (this.#run) this.#run.push(at);
    else {
      this.#run = [this.#at, at];
      this.#into.adjoining ??= [];
      this.#into.adjoining.push(this.#run);
    }
    this.#list = list;
    this.#position = position;
    this.#at = at;
  }
}

/** Characters searched before and after a border. Addresses and numbers are never longer, keys rarely. */
const reach = 256;
/** Nearby borders are searched together, up to this many characters. */
const searchedMax = 16_384;
/** Values without a distinctive format, such as names, would cause false positives where unrelated texts meet. */
const scoreMin = 0.9;

/**
 * Calls `found` with each piece of a value split across adjoining texts, and the index of its text. Each piece carries
 * the complete value, so all get one token. Texts with whitespace at their border are not joined there.
 */
export function findCutValues(
  texts: readonly string[],
  runs: readonly AdjoiningTexts[],
  detect: (text: string) => readonly Detection[],
  found: (at: number, piece: Detection) => void,
): void {
  for (const run of runs) {
    const joined = run.map((at) => texts[at]).join('');
    let end = 0;
    const ends = run.map((at) => (end += (texts[at] as string).length));
    const joins = (border: number) => border < end && !/\s/.test(joined.slice(border - 1, border + 1));
    let part = 0;
    let done = 0;
    for (const [from, to] of searched(ends.filter(joins))) {
      for (const detection of detect(joined.slice(from, to))) {
        const value = { ...detection, start: from + detection.start, end: from + detection.end };
        if (value.score < scoreMin || value.start < done) continue;
        while ((ends[part] as number) <= value.start) part++;
        const pieces = piecesOf(value, ends, part);
        if (!pieces.some(({ border }) => border < value.end && joins(border))) continue;
        done = value.end;
        for (const [i, { piece }] of pieces.entries()) found(run[part + i] as number, piece);
      }
    }
  }
}

/** The ranges to search around borders. */
function searched(borders: readonly number[]): [from: number, to: number][] {
  const ranges: [number, number][] = [];
  for (const border of borders) {
    const from = Math.max(0, border - reach);
    const last = ranges.at(-1);
    if (last && from <= last[1] && border + reach - last[0] <= searchedMax) last[1] = border + reach;
    else ranges.push([from, border + reach]);
  }
  return ranges;
}

/** The pieces of a value that starts in a part, given the ends of all parts. */
function piecesOf(value: Detection, ends: readonly number[], first: number) {
  const pieces: { readonly piece: Detection; readonly border: number }[] = [];
  for (let i = first; ; i++) {
    const [before, border] = [ends[i - 1] ?? 0, ends[i] as number];
    const [start, end] = [Math.max(0, value.start - before), Math.min(border, value.end) - before];
    pieces.push({ piece: { ...value, start, end }, border });
    if (border >= value.end) return pieces;
  }
}
