/** Searches for many exact texts in one pass (Aho and Corasick, "Efficient string matching", CACM 1975). */

/** Accepts or rejects a match; `phrase` is its index in the list. */
export type TakesPhrase = (start: number, end: number, phrase: number) => boolean;

/** Finds a fixed list of phrases. Reads text and phrases backwards, so that a state knows the phrases that start at a place. */
export class PhraseMatcher {
  readonly #phrases: readonly string[];
  /** The next state by state and code unit. */
  readonly #steps = new Map<number, number>();
  /** By state: the complete phrase, or -1. */
  readonly #phrase: number[] = [-1];
  /** By state: the fallback, which is the state of the longest proper suffix, and the first fallback with a phrase. */
  readonly #fallback: number[] = [0];
  readonly #shorter: number[] = [0];

  /** Empty phrases are ignored; of equal ones the first counts. */
  constructor(phrases: readonly string[]) {
    this.#phrases = phrases;
    const states = phrases.map(() => 0);
    let open = [...phrases.keys()].filter((i) => phrases[i] !== '');
    // One character of all phrases at a time, because a fallback has fewer characters.
    for (let depth = 1; open.length > 0; depth++) {
      open = open.filter((i) => {
        const phrase = phrases[i] as string;
        const state = this.#added(states[i] as number, phrase.charCodeAt(phrase.length - depth));
        states[i] = state;
        if (phrase.length === depth && this.#phrase[state] === -1) this.#phrase[state] = i;
        return phrase.length > depth;
      });
    }
  }

  #added(from: number, unit: number): number {
    const known = this.#steps.get(stepKey(from, unit));
    if (known !== undefined) return known;
    const fallback = from === 0 ? 0 : this.#next(this.#fallback[from] as number, unit);
    const state = this.#phrase.push(-1) - 1;
    this.#steps.set(stepKey(from, unit), state);
    this.#fallback.push(fallback);
    this.#shorter.push(this.#phrase[fallback] === -1 ? (this.#shorter[fallback] as number) : fallback);
    return state;
  }

  #next(from: number, unit: number): number {
    for (let state = from; ; state = this.#fallback[state] as number) {
      const next = this.#steps.get(stepKey(state, unit));
      if (next !== undefined || state === 0) return next ?? 0;
    }
  }

  /** Passes on the matches in order, the longest first at each place; continues after a match that is taken. */
  find(text: string, takes: TakesPhrase): void {
    const starts: number[] = [];
    const states: number[] = [];
    let state = 0;
    for (let start = text.length - 1; start >= 0; start--) {
      state = this.#next(state, text.charCodeAt(start));
      if (this.#phrase[state] === -1 && this.#shorter[state] === 0) continue;
      starts.push(start);
      states.push(state);
    }
    let done = 0;
    for (let k = starts.length - 1; k >= 0; k--) {
      const start = starts[k] as number;
      for (let one = states[k] as number; one !== 0 && start >= done; one = this.#shorter[one] as number) {
        const phrase = this.#phrase[one] as number;
        const end = start + (this.#phrases[phrase]?.length ?? 0);
        if (phrase >= 0 && takes(start, end, phrase)) done = end;
      }
    }
  }
}

function stepKey(state: number, unit: number): number {
  return state * 65_536 + unit;
}

/** 1 where a pair of code units may start a phrase of the current search, by a hash of twelve bits. */
const pairs = new Uint8Array(1 << 12);
/** Phrases tried per character of a text before the automaton takes over. */
const triesMax = 2;

/**
 * Finds phrases of at least two characters that rarely occur, without building an automaton first: tries those whose first
 * two characters match. A text with many such pairs is searched by {@link PhraseMatcher}.
 */
export class RarePhrases {
  readonly #phrases: readonly string[];
  /** By the first two code units, longest first. */
  readonly #byPair = new Map<number, number[]>();
  #matcher: PhraseMatcher | undefined;

  /** All phrases differ. */
  constructor(phrases: readonly string[]) {
    this.#phrases = phrases;
    for (const [i, phrase] of phrases.entries()) {
      const pair = stepKey(phrase.charCodeAt(0), phrase.charCodeAt(1));
      const known = this.#byPair.get(pair);
      if (known === undefined) this.#byPair.set(pair, [i]);
      else known.push(i);
    }
    const length = (i: number) => this.#phrases[i]?.length ?? 0;
    for (const some of this.#byPair.values()) if (some.length > 1) some.sort((a, b) => length(b) - length(a));
  }

  /** As {@link PhraseMatcher.find}. */
  find(text: string, takes: TakesPhrase): void {
    const matches = this.#matches(text);
    if (matches === undefined) {
      this.#matcher ??= new PhraseMatcher(this.#phrases);
      this.#matcher.find(text, takes);
      return;
    }
    let done = 0;
    for (const { start, end, phrase } of matches) if (start >= done && takes(start, end, phrase)) done = end;
  }

  /** Undefined when too many phrases would have to be tried. */
  #matches(text: string): { start: number; end: number; phrase: number }[] | undefined {
    const matches: { start: number; end: number; phrase: number }[] = [];
    pairs.fill(0);
    for (const pair of this.#byPair.keys()) pairs[pairHash(pair >>> 16, pair & 0xffff)] = 1;
    let left = triesMax * text.length + 1_000;
    let second = text.charCodeAt(0);
    for (let start = 0; start + 1 < text.length; start++) {
      const first = second;
      second = text.charCodeAt(start + 1);
      if (pairs[pairHash(first, second)] === 0) continue;
      const some = this.#byPair.get(stepKey(first, second));
      if (some === undefined) continue;
      left -= some.length;
      if (left < 0) return undefined;
      for (const phrase of some) {
        const wanted = this.#phrases[phrase] as string;
        if (text.startsWith(wanted, start)) matches.push({ start, end: start + wanted.length, phrase });
      }
    }
    return matches;
  }
}

/** Longer texts are searched without this test. */
const askedMax = 2_000;
/** 1 where three code units may start a phrase, by a hash of ten bits. */
const starts = new Uint8Array(1 << 10);

/**
 * Tests by its first three characters whether a lower-case phrase may be in one of a few short texts; valid until the next
 * call. Undefined for longer texts, which contain nearly any three.
 */
export function mayStartIn(texts: readonly string[]): ((phrase: string) => boolean) | undefined {
  let left = askedMax;
  for (const { length } of texts) left -= length;
  if (left < 0) return undefined;
  starts.fill(0);
  for (const text of texts.map((one) => one.toLowerCase()))
    for (let i = 0; i + 2 < text.length; i++) starts[startHash(text, i)] = 1;
  return (phrase) => phrase.length < 3 || starts[startHash(phrase, 0)] === 1;
}

function startHash(text: string, at: number): number {
  const first = Math.imul(text.charCodeAt(at), 0x9e3b) ^ text.charCodeAt(at + 1);
  return (Math.imul(first, 0x85eb) ^ text.charCodeAt(at + 2)) & (starts.length - 1);
}

function pairHash(first: number, second: number): number {
  return (Math.imul(first, 0x9e3b) ^ second) & (pairs.length - 1);
}
