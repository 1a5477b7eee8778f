/** Searches for many exact texts in one pass. */

/** Takes or leaves a match; `phrase` is its index in the given list. */
export type TakesPhrase = (start: number, end: number, phrase: number) => boolean;

/** Few phrases, longer first; or, by the next character, nodes of those that go on. */
type Node = { readonly phrases: readonly number[]; readonly next: ReadonlyMap<number, Node> | undefined };

/** Up to so many phrases are compared one by one. */
const leafMax = 4;
const startBits = 12;

/** Finds a fixed list of phrases. Linear in the text; a character costs at most as much as the longest phrase. */
export class PhraseMatcher {
  readonly #phrases: readonly string[];
  readonly #root: Node;
  /** 1 where a phrase may start, by a hash of two characters: nearly all places of a text are excluded by it. */
  readonly #starts = new Uint8Array(1 << startBits);

  /** Empty phrases are ignored; the first of equal ones counts. */
  constructor(phrases: readonly string[]) {
    this.#phrases = phrases;
    this.#root = this.#nodeOf(
      [...phrases.keys()].filter((i) => phrases[i] !== ''),
      0,
    );
    for (const phrase of phrases)
      if (phrase.length === 1) this.#starts.fill(1);
      else if (phrase !== '') this.#starts[startOf(phrase.charCodeAt(0), phrase.charCodeAt(1))] = 1;
  }

  #nodeOf(all: readonly number[], depth: number): Node {
    if (all.length <= leafMax)
      return { phrases: [...all].sort((a, b) => this.#lengthOf(b) - this.#lengthOf(a) || a - b), next: undefined };
    const longer = Map.groupBy(
      all.filter((i) => this.#lengthOf(i) > depth),
      (i) => (this.#phrases[i] as string).charCodeAt(depth),
    );
    const next = new Map([...longer].map(([unit, some]) => [unit, this.#nodeOf(some, depth + 1)]));
    return { phrases: all.filter((i) => this.#lengthOf(i) === depth).slice(0, 1), next };
  }

  /** Hands out the matches in order, at each place the longest first; the search goes on behind a match that is taken. */
  find(text: string, takes: TakesPhrase): void {
    for (let start = 0; start < text.length; start++) {
      if (this.#starts[startOf(text.charCodeAt(start), text.charCodeAt(start + 1))] === 0) continue;
      const phrase = this.#phrasesAt(text, start).find((i) => takes(start, start + this.#lengthOf(i), i));
      if (phrase !== undefined) start += this.#lengthOf(phrase) - 1;
    }
  }

  /** The phrases that start at a place, the longest first. */
  #phrasesAt(text: string, start: number): number[] {
    const found: number[] = [];
    let at = start;
    for (let node: Node | undefined = this.#root; node !== undefined; node = node.next?.get(text.charCodeAt(at++)))
      if (node.next !== undefined) found.unshift(...node.phrases);
      else found.unshift(...node.phrases.filter((i) => text.startsWith(this.#phrases[i] as string, start)));
    return found;
  }

  #lengthOf(phrase: number): number {
    return (this.#phrases[phrase] as string).length;
  }
}

function startOf(first: number, second: number): number {
  return (Math.imul(first, 0x9e3b) ^ second) & ((1 << startBits) - 1);
}
