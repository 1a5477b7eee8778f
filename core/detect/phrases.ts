/** Searches for many exact texts in one pass (Aho and Corasick, "Efficient string matching", CACM 1975). */

/** A match; `phrase` is its index in the given list. */
export type PhraseMatch = { readonly start: number; readonly end: number; readonly phrase: number };

/**
 * Finds a fixed list of phrases. Text and phrases are read backwards, so that the state at an offset is the longest phrase that
 * starts there; leftmost-longest matches then take one linear sweep.
 */
export class PhraseMatcher {
  readonly #lengths: readonly number[];
  /** First transitions by code unit, 0 = none; the most frequent lookup. */
  readonly #first: Uint32Array;
  readonly #firstNodes: number[] = [];
  /** Other transitions by node and code unit. */
  readonly #steps = new Map<number, number>();
  readonly #fallback: number[] = [0];
  /** The longest phrase that ends (read backwards) at a node, -1 = none. */
  readonly #phrase: number[] = [-1];

  /** Empty phrases are ignored; the first of equal ones counts. */
  constructor(phrases: readonly string[]) {
    this.#lengths = phrases.map((phrase) => phrase.length);
    let largest = 0;
    for (const phrase of phrases) if (phrase !== '') largest = Math.max(largest, phrase.charCodeAt(phrase.length - 1));
    this.#first = new Uint32Array(largest + 1);
    for (const [i, phrase] of phrases.entries()) if (phrase !== '') this.#add(phrase, i);
    this.#link();
  }

  /** Leftmost-longest matches in order, without overlaps. */
  find(text: string): PhraseMatch[] {
    const starts: number[] = [];
    const phrases: number[] = [];
    const first = this.#first;
    let node = 0;
    for (let i = text.length - 1; i >= 0; i--) {
      const unit = text.charCodeAt(i);
      node = node === 0 ? (unit < first.length ? (first[unit] as number) : 0) : this.#next(node, unit);
      if (node === 0) continue;
      const phrase = this.#phrase[node] as number;
      if (phrase < 0) continue;
      starts.push(i);
      phrases.push(phrase);
    }
    const found: PhraseMatch[] = [];
    let done = 0;
    for (let k = starts.length - 1; k >= 0; k--) {
      const start = starts[k] as number;
      if (start < done) continue;
      const phrase = phrases[k] as number;
      done = start + (this.#lengths[phrase] as number);
      found.push({ start, end: done, phrase });
    }
    return found;
  }

  #add(phrase: string, index: number): void {
    let node = 0;
    for (let i = phrase.length - 1; i >= 0; i--) {
      const unit = phrase.charCodeAt(i);
      let next = this.#child(node, unit);
      if (next === 0) {
        next = this.#phrase.push(-1) - 1;
        if (node === 0) {
          this.#first[unit] = next;
          this.#firstNodes.push(next);
        } else this.#steps.set(stepKey(node, unit), next);
      }
      node = next;
    }
    if (this.#phrase[node] === -1) this.#phrase[node] = index;
  }

  #child(node: number, unit: number): number {
    return (node === 0 ? this.#first[unit] : this.#steps.get(stepKey(node, unit))) ?? 0;
  }

  #next(from: number, unit: number): number {
    let node = from;
    for (;;) {
      const next = this.#child(node, unit);
      if (next !== 0 || node === 0) return next;
      node = this.#fallback[node] as number;
    }
  }

  /** Sets the fallback of each node, level by level, because it depends on the level above. */
  #link(): void {
    const children: [unit: number, node: number][][] = [];
    for (const [key, node] of this.#steps) {
      const parent = Math.floor(key / 65_536);
      const siblings = children[parent];
      if (siblings === undefined) children[parent] = [[key % 65_536, node]];
      else siblings.push([key % 65_536, node]);
    }
    const queue = [...this.#firstNodes];
    for (const node of queue) this.#fallback[node] = 0;
    for (let k = 0; k < queue.length; k++) {
      const parent = queue[k] as number;
      for (const [unit, node] of children[parent] ?? []) {
        const fallback = this.#next(this.#fallback[parent] as number, unit);
        this.#fallback[node] = fallback;
        if (this.#phrase[node] === -1) this.#phrase[node] = this.#phrase[fallback] as number;
        queue.push(node);
      }
    }
  }
}

function stepKey(node: number, unit: number): number {
  return node * 65_536 + unit;
}
