/**
 * Word classes, compiled for a single pass: words by 32-bit hash (no string is built per word), phrases by the hashes
 * of their words, and terms of scripts without spaces in a trie.
 */

/** Start value of the word hash (FNV-1a). */
export const hashSeed = 0x811c9dc5 | 0;

/** Adds one character code to the word hash. */
export function hashStep(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

/** The hash of a lower-case word; apostrophes are ignored ("dont" equals "don't"). */
export function hashWord(word: string): number {
  let hash = hashSeed;
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i);
    if (code !== 0x27) hash = hashStep(hash, code);
  }
  return hash;
}

/** A letter's share of a word's signature. Shares are added, so the order of inner letters does not matter. */
export function letterMix(code: number): number {
  return Math.imul(code * code + 12_345, 0x9e3779b1) | 0;
}

/** The signature of a word, equal when inner letters are swapped: "ignore" and "ingore". */
export function signature(sum: number, first: number, last: number, length: number): number {
  return (Math.imul(sum, 31) + Math.imul(first, 7919) + Math.imul(last, 104_729) + length) | 0;
}

/** Shorter words have too many neighbours. */
export const shuffledMin = 5;

/** Maximum length of the first piece of a split word, and minimum length of the complete word. */
export const pieceMax = 6;
export const cutWordMin = 6;

export type Phrase = {
  /** Hashes of the words after the first. */
  readonly rest: readonly number[];
  readonly classes: readonly number[];
  /** True if the words of this phrase have no class of their own ("command prompt"). */
  readonly masks: boolean;
};

export type WordEntry = {
  classes: number[];
  /** Phrases that start with this word, longest first, by the hash of their second word. */
  phrases: Map<number, Phrase[]> | undefined;
};

/** Terms by their characters. Nodes are numbers, the root is 0. */
export class Trie {
  /** The next node by node and code unit. One map, because one for each node takes 1.5 MB. */
  readonly #steps = new Map<number, number>();
  /** By node, the classes of the term that ends there; none for a mask. */
  readonly #classes: (readonly number[] | undefined)[] = [undefined];

  /** Adds a term; without a class number it is a mask, which is skipped. */
  add(term: string, number: number | undefined): void {
    let node = 0;
    for (let i = 0; i < term.length; i++) {
      const key = node * 0x10000 + term.charCodeAt(i);
      let next = this.#steps.get(key);
      if (next === undefined) {
        next = this.#classes.push(undefined) - 1;
        this.#steps.set(key, next);
      }
      node = next;
    }
    const classes = this.#classes[node] ?? [];
    this.#classes[node] = number === undefined || classes.includes(number) ? classes : [...classes, number];
  }

  step(node: number, code: number): number | undefined {
    return this.#steps.get(node * 0x10000 + code);
  }

  classesAt(node: number): readonly number[] | undefined {
    return this.#classes[node];
  }
}

export type Lexicon = {
  readonly words: ReadonlyMap<number, WordEntry>;
  /** Hashes of all words that occur in an entry. */
  readonly known: ReadonlySet<number>;
  /** Hashes of the first letters of long known words, where a split word may start. */
  readonly beginnings: ReadonlySet<number>;
  /** Known words by signature, to recognise typing errors ("ingore"). */
  readonly shuffled: ReadonlyMap<number, number>;
  readonly trie: Trie;
  /** Class name to class number. */
  readonly classOf: ReadonlyMap<string, number>;
  readonly classNames: readonly string[];
};

/** Entries by class name: words, phrases, or terms of scripts without spaces. `mask` lists phrases to ignore. */
export type Vocabulary = Readonly<Record<string, string>>;

const spaceless = /[\u1100-\u11ff\u3005-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7af]/;

/**
 * Compiles vocabularies into one lexicon; entries are separated by `|`.
 * @throws Error on an entry without letters (a mistake in our own tables)
 */
export function compileLexicon(vocabularies: readonly Vocabulary[]): Lexicon {
  const words = new Map<number, WordEntry>();
  const shuffled = new Map<number, number>();
  const known = new Set<number>();
  const beginnings = new Set<number>();
  const trie = new Trie();
  const classOf = new Map<string, number>();
  const classNames: string[] = [];
  const phrases = new Map<string, { rest: number[]; classes: number[]; masks: boolean }>();

  const entryOf = (word: string): WordEntry => {
    const hash = hashWord(word);
    let entry = words.get(hash);
    if (entry === undefined) {
      entry = { classes: [], phrases: undefined };
      words.set(hash, entry);
    }
    return entry;
  };

  for (const vocabulary of vocabularies) {
    for (const [name, list] of Object.entries(vocabulary)) {
      const masks = name === 'mask';
      let number = classOf.get(name);
      if (number === undefined) {
        number = classNames.length;
        classOf.set(name, number);
        classNames.push(name);
      }
      for (const raw of list.split('|')) {
        const term = raw.trim();
        if (term === '') continue;
        if (spaceless.test(term)) {
          trie.add(term.toLowerCase(), masks ? undefined : number);
          continue;
        }
        const parts = term.split(/[\s-]+/);
        for (const part of parts) {
          known.add(hashWord(part));
          if (part.length >= cutWordMin) addBeginnings(beginnings, part);
          if (part.length >= shuffledMin && /^[a-z]+$/.test(part)) shuffled.set(signatureOf(part), hashWord(part));
        }
        const entry = entryOf(parts[0] ?? '');
        if (parts.length === 1) {
          if (!masks && !entry.classes.includes(number)) entry.classes.push(number);
          continue;
        }
        let phrase = phrases.get(term);
        if (phrase === undefined) {
          phrase = { rest: parts.slice(1).map(hashWord), classes: [], masks: false };
          phrases.set(term, phrase);
          entry.phrases ??= new Map();
          const second = phrase.rest[0] ?? 0;
          entry.phrases.set(second, [...(entry.phrases.get(second) ?? []), phrase]);
        }
        if (masks) phrase.masks = true;
        else if (!phrase.classes.includes(number)) phrase.classes.push(number);
      }
    }
  }
  for (const { phrases: bySecond } of words.values()) {
    for (const list of bySecond?.values() ?? []) list.sort((a, b) => b.rest.length - a.rest.length);
  }
  return { words, known, beginnings, shuffled, trie, classOf, classNames };
}

function addBeginnings(beginnings: Set<number>, word: string): void {
  let hash = hashSeed;
  for (let i = 0; i < pieceMax; i++) {
    const code = word.charCodeAt(i);
    if (code !== 0x27) hash = hashStep(hash, code);
    beginnings.add(hash);
  }
}

function signatureOf(word: string): number {
  let sum = 0;
  for (let i = 0; i < word.length; i++) sum = (sum + letterMix(word.charCodeAt(i))) | 0;
  return signature(sum, word.charCodeAt(0), word.charCodeAt(word.length - 1), word.length);
}
