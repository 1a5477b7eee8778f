/**
 * Runs user-supplied regular expressions in linear time with re2js, which only this file imports. They never reach the
 * JavaScript engine, which may take exponential time.
 * Importing re2js takes 6 to 9 ms.
 */
import { RE2JS, RE2JSException, RE2JSSyntaxException, RE2Set } from 're2js';

/** Why a pattern is invalid: a message without user text, and the UTF-16 offset. */
export type PatternProblem = { readonly message: string; readonly position: number };

/** Larger programs are too slow per character even in one pass: `/(a?){500}/` has 1,000 instructions. */
const patternSizeMax = 500;

/** The work limit of one or more patterns on a text; a dictionary shares one. */
export class WorkBudget {
  /** Characters read, times the size of the pattern. */
  left: number;

  /**
   * A single pass needs about twice the pattern size per character. The rest is for alternatives that look far ahead and then
   * match less: `/a.*b|a/` reads the rest of the line for every `a`.
   */
  constructor(textLength: number) {
    this.left = 10_000_000 + 1_000 * textLength;
  }
}

/** Cost of a match in steps, so that patterns that match everywhere cannot fill the memory. */
const matchWork = 500;

/** Thrown when a {@link WorkBudget} is used up. */
export class WorkExceeded extends Error {}

/**
 * A text that counts its reads, passed to re2js as a `String` object. Not a subclass: extending `String` makes `charCodeAt`
 * three times slower in the whole process (V8 13.6).
 */
class CountedText {
  readonly length: number;
  readonly #text: string;
  #readsLeft: number;

  constructor(text: string, readsMax: number) {
    this.length = text.length;
    this.#text = text;
    this.#readsLeft = readsMax;
  }

  get [Symbol.toStringTag](): string {
    return 'String';
  }

  get readsLeft(): number {
    return this.#readsLeft;
  }

  charCodeAt(index: number): number {
    if (--this.#readsLeft < 0) throw new WorkExceeded();
    return this.#text.charCodeAt(index);
  }

  indexOf(part: string, from: number): number {
    return this.#text.indexOf(part, from);
  }
}

/** One compiled pattern. */
export class LinearPattern {
  readonly #compiled: RE2JS;
  /** Number of instructions: the maximum cost of one character. */
  readonly size: number;

  private constructor(compiled: RE2JS) {
    this.#compiled = compiled;
    this.size = compiled.matcher('').programSize();
  }

  /** Compiles a pattern, or returns its problem. Flags are any of `gimsu`; `g` and `u` always apply. */
  static compile(source: string, flags: string): LinearPattern | PatternProblem {
    const early = unsupportedIn(source);
    if (early !== undefined) return early;
    try {
      const pattern = new LinearPattern(RE2JS.compile(RE2JS.translateRegExp(source), flagBits(flags)));
      if (pattern.size <= patternSizeMax) return pattern;
      return { message: `is too large: ${pattern.size} steps, at most ${patternSizeMax}`, position: 0 };
    } catch (error) {
      if (!(error instanceof RE2JSException)) throw error;
      return problemOf(source, error);
    }
  }

  /** The compiled source, for a {@link PatternSet}. */
  get translated(): { readonly source: string; readonly bits: number } {
    return { source: this.#compiled.pattern(), bits: this.#compiled.flags() };
  }

  /**
   * Non-empty matches in order.
   * @throws WorkExceeded when the budget is used up.
   */
  find(text: string, budget: WorkBudget): { start: number; end: number }[] {
    const readsMax = Math.floor(budget.left / this.size);
    const counted = new CountedText(text, readsMax);
    const matcher = this.#compiled.matcher(counted as unknown as string);
    const found: { start: number; end: number }[] = [];
    const matchesMax = budget.left / matchWork;
    while (matcher.find()) {
      if (found.length > matchesMax) throw new WorkExceeded();
      const start = matcher.start();
      const end = matcher.end();
      if (end > start) found.push({ start, end });
    }
    budget.left -= (readsMax - counted.readsLeft) * this.size + found.length * matchWork;
    return found;
  }
}

/**
 * Finds which of many patterns match a text at all, in one pass. Most texts match none, so this is much cheaper than searching
 * for each (100 patterns: 100 MB/s instead of 1).
 */
export class PatternSet {
  /** One set per combination of flags, with the indexes of its patterns. */
  readonly #sets = new Map<number, { readonly set: RE2Set; readonly indexes: number[] }>();

  constructor(patterns: readonly LinearPattern[]) {
    for (const [i, { translated }] of patterns.entries()) {
      const { source, bits } = translated;
      const known = this.#sets.get(bits) ?? { set: new RE2Set(RE2Set.UNANCHORED, bits), indexes: [] };
      this.#sets.set(bits, known);
      known.set.add(source);
      known.indexes.push(i);
    }
    for (const { set } of this.#sets.values()) set.compile();
  }

  /** The indexes of the patterns that match, in order. */
  matching(text: string): number[] {
    const found: number[] = [];
    for (const { set, indexes } of this.#sets.values()) {
      for (const i of set.match(text)) found.push(indexes[i] as number);
    }
    return found.sort((a, b) => a - b);
  }
}

function flagBits(flags: string): number {
  let bits = 0;
  if (flags.includes('i')) bits |= RE2JS.CASE_INSENSITIVE;
  if (flags.includes('m')) bits |= RE2JS.MULTILINE;
  if (flags.includes('s')) bits |= RE2JS.DOTALL;
  return bits;
}

/** Common syntax that RE2 does not support (github.com/google/re2/wiki/Syntax). */
const unsupported: readonly (readonly [shape: RegExp, message: string])[] = [
  [/\(\?<?[=!]/y, 'uses look-around, which is not supported'],
  [/\(\?>/y, 'uses an atomic group, which is not supported'],
  [/\\(?:[1-9]|k<)/y, 'uses a back-reference, which is not supported'],
];

function unsupportedIn(source: string): PatternProblem | undefined {
  for (const position of elementOffsets(source)) {
    for (const [shape, message] of unsupported) {
      shape.lastIndex = position;
      if (shape.test(source)) return { message, position };
    }
  }
  return undefined;
}

function problemOf(source: string, error: RE2JSException): PatternProblem {
  if (!(error instanceof RE2JSSyntaxException)) return { message: 'cannot be compiled', position: 0 };
  const description = error.getDescription();
  const position = positionOf(source, description, error.getPattern() ?? '');
  return { message: `is not a valid regular expression: ${description}`, position };
}

/**
 * The offset of a syntax error. re2js reports the offending piece but not its offset; it reads from the left, so the shortest
 * prefix that fails in the same way ends with that piece.
 */
function positionOf(source: string, description: string, piece: string): number {
  if (description === 'missing closing )') return openParenthesis(source);
  if (source.endsWith(piece) && description === 'missing closing ]') return source.length - piece.length;
  for (let end = 1; end <= source.length; end++) {
    try {
      RE2JS.compile(RE2JS.translateRegExp(source.slice(0, end)));
    } catch (error) {
      if (!(error instanceof RE2JSSyntaxException) || error.getDescription() !== description) continue;
      const found = error.getPattern() ?? '';
      const isWhole = found.length >= end;
      return isWhole ? end - 1 : end - found.length;
    }
  }
  return 0;
}

/** The last unclosed parenthesis. */
function openParenthesis(source: string): number {
  const open: number[] = [];
  for (const position of elementOffsets(source)) {
    if (source[position] === '(') open.push(position);
    else if (source[position] === ')') open.pop();
  }
  return open.at(-1) ?? 0;
}

/** The offsets of pattern elements; an escape or a class is one element. */
function* elementOffsets(source: string): Generator<number> {
  let isInClass = false;
  for (let i = 0; i < source.length; i++) {
    const c = source[i];
    if (!isInClass) yield i;
    if (c === '\\') i++;
    else if (isInClass) isInClass = c !== ']';
    else isInClass = c === '[';
  }
}
