/**
 * Many exact texts looked for in one pass (Aho and Corasick, "Efficient string matching", CACM 1975).
 */

/** Where a phrase stands in a text; `phrase` is its index in the list given. */
export type PhraseMatch = { readonly start: number; readonly end: number; readonly phrase: number };

/**
 * Finds a fixed list of phrases. The machine reads text and phrases backwards, because its answer at a place is then the
 * longest phrase that starts there, which makes leftmost-longest matches one sweep: linear in the text for any list.
 */
export class PhraseMatcher {
  readonly #lengths: readonly number[];
  /** First steps by code unit up to the largest, 0 = none; by far the most frequent question. */
  readonly #first: Uint32Array;
  readonly #firstNodes: number[] = [];
  /** Further steps by node and code unit. */
  readonly #steps = new Map<number, number>();
  readonly #fallback: number[] = [0];
  /** The longest phrase that ends (read backwards) at a node, -1 = none. */
  readonly #phrase: number[] = [-1];

  /** Empty phrases are ignored; of equal ones the first counts. */
  constructor(phrases: readonly string[]) {
    this.#lengths = phrases.map((phrase) => phrase.length);
    let largest = 0;
    for (const phrase of phrases) if (phrase !== '') largest = Math.max(largest, phrase.charCodeAt(phrase.length - 1));
    this.#first = new Uint32Array(largest + 1);
    for (const [i, phrase] of phrases.entries()) if (phrase !== '') this.#add(phrase, i);
    this.#link();
  }

  /** Leftmost-longest matches in order; they do not overlap. */
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

  /**
   * Sets where each node falls back to, level by level, because a node needs the fallback of its parent and the whole
   * level above that.
   */
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
