/** Searches for many exact texts in one pass (Aho and Corasick, "Efficient string matching", CACM 1975). */

/** Takes or leaves a match; `phrase` is its index in the given list. */
export type TakesPhrase = (start: number, end: number, phrase: number) => boolean;

/** The end of a phrase, or of a piece that phrases have in common. */
type Node = {
  /** Index of the phrase that is complete here, -1 for none. */
  phrase: number;
  readonly next: Map<number, Node>;
  /** The longest other piece that the text read so far ends with, and the first of these with a phrase. */
  fallback: Node | undefined;
  shorter: Node | undefined;
};

/** Finds a fixed list of phrases. Text and phrases are read backwards, so that a state is what starts at a place. */
export class PhraseMatcher {
  readonly #phrases: readonly string[];
  readonly #root = newNode();

  /** Empty phrases are ignored; the first of equal ones counts. */
  constructor(phrases: readonly string[]) {
    this.#phrases = phrases;
    for (const [i, phrase] of phrases.entries()) {
      let node = this.#root;
      for (let at = phrase.length - 1; at >= 0; at--) {
        const unit = phrase.charCodeAt(at);
        const next = node.next.get(unit) ?? newNode();
        node.next.set(unit, next);
        node = next;
      }
      if (phrase !== '' && node.phrase < 0) node.phrase = i;
    }
    // Level by level, because a fallback is on a level above.
    const queue = [this.#root];
    for (const node of queue)
      for (const [unit, child] of node.next) {
        child.fallback = node.fallback === undefined ? node : stepFrom(node.fallback, unit);
        child.shorter = child.fallback.phrase < 0 ? child.fallback.shorter : child.fallback;
        queue.push(child);
      }
  }

  /** Hands out the matches in order, at each place the longest first; the search goes on behind a match that is taken. */
  find(text: string, takes: TakesPhrase): void {
    const found: { readonly start: number; readonly node: Node }[] = [];
    let node = this.#root;
    for (let start = text.length - 1; start >= 0; start--) {
      node = stepFrom(node, text.charCodeAt(start));
      if (node.phrase >= 0 || node.shorter !== undefined) found.push({ start, node });
    }
    let done = 0;
    for (const { start, node } of found.reverse())
      for (let one: Node | undefined = node; one !== undefined && start >= done; one = one.shorter) {
        const end = start + (this.#phrases[one.phrase]?.length ?? 0);
        if (one.phrase >= 0 && takes(start, end, one.phrase)) done = end;
      }
  }
}

function newNode(): Node {
  return { phrase: -1, next: new Map(), fallback: undefined, shorter: undefined };
}

function stepFrom(from: Node, unit: number): Node {
  for (let node = from; ; node = node.fallback) {
    const next = node.next.get(unit);
    if (next !== undefined) return next;
    if (node.fallback === undefined) return node;
  }
}
