/**
 * The user's own patterns: exact texts, found anywhere, or regular expressions in the form `/pattern/flags` with the flags i, m
 * and s (g and u are accepted and always on). A pattern without slashes that looks like an expression (`PRJ-\d{4}`) counts as
 * both, because the contract's syntax does not distinguish them. Full-width and half-width characters match each other.
 *
 * Regular expressions have the syntax of RE2 (github.com/google/re2/wiki/Syntax): that of JavaScript without look-around and
 * back-references, which cannot run in linear time.
 */

import { type ScanText, scanText } from '../detect/scan.ts';
import { PrivetError } from '../errors.ts';
import { patternsOf } from '../pattern-data.ts';
import type { Detection, Recognizer } from '../recognizer.ts';
import { checkLabel, isLabel } from '../tokens/token-types.ts';
import { LinearPattern, PatternSet, WorkBudget, WorkExceeded } from './pattern.ts';
import { PhraseMatcher } from './phrases.ts';

const { bareExpression } = patternsOf('dictionary');

/** A dictionary entry. The label names the token: `[LABEL_1]`. */
export type DictionaryEntry = { readonly label: string; readonly pattern: string };

/** A problem with an entry. `position` is the UTF-16 offset in the field; the message contains no user text. */
export type DictionaryProblem = {
  readonly index: number;
  readonly field?: 'label' | 'pattern';
  readonly position?: number;
  readonly message: string;
};

/** Maximum number of entries. */
export const dictionaryEntriesMax = 1_000;
/** Maximum pattern length, in UTF-16 code units. */
export const patternLengthMax = 500;
/** Maximum size of all regular expressions, in program steps: the worst-case cost per character. */
const patternSizeSumMax = 5_000;

/** All problems with the entries, in order; empty if they are valid. */
export function dictionaryProblems(entries: readonly DictionaryEntry[]): DictionaryProblem[] {
  return compile(entries).problems;
}

/**
 * One recognizer for all entries. Linear time: exact texts in one pass, regular expressions within a budget of work.
 * Its `find` throws PrivetError `invalid_input` where a regular expression needs more than that on a text.
 * @throws PrivetError `invalid_input` that names the first wrong entry, its field and the position, in `details.problems`
 *   all of them.
 */
export function dictionaryRecognizer(entries: readonly DictionaryEntry[]): Recognizer {
  const { phrases, patterns } = read(entries);
  const matcher = phrases.length === 0 ? undefined : new PhraseMatcher(phrases.map(({ folded }) => folded));
  const expressions = patterns.length === 0 ? undefined : new Expressions(patterns);
  return {
    name: 'dictionary',
    type: 'DICTIONARY',
    find: (scan) => {
      const found: Detection[] = [];
      matcher?.find(scan.shadow, (start, end, phrase) =>
        Boolean(found.push(detectionOf(scan, (phrases[phrase] as Phrase).label, start, end))),
      );
      expressions?.find(scan, found);
      return found;
    },
  };
}

type Phrase = { readonly label: string; readonly folded: string };
type Pattern = {
  readonly index: number;
  readonly label: string;
  /** For the shadow text. */
  readonly folded: LinearPattern;
  /** For the original text, when the pattern names a character that the shadow text lacks, such as `\\u3000` or an en dash. */
  readonly written?: LinearPattern;
};
type Compiled = {
  readonly phrases: Phrase[];
  readonly patterns: Pattern[];
  readonly problems: DictionaryProblem[];
};

/** The regular expressions of a dictionary. */
class Expressions {
  readonly #patterns: readonly Pattern[];
  readonly #folded: PatternSet;
  readonly #written: readonly Pattern[];

  constructor(patterns: readonly Pattern[]) {
    this.#patterns = patterns;
    this.#folded = new PatternSet(patterns.map(({ folded }) => folded));
    this.#written = patterns.filter(({ written }) => written !== undefined);
  }

  find(scan: ScanText, found: Detection[]): void {
    const budget = new WorkBudget(scan.original.length);
    for (const i of this.#folded.matching(scan.shadow)) {
      const pattern = this.#patterns[i] as Pattern;
      findOne(scan, pattern, { expression: pattern.folded, text: scan.shadow, budget }, found);
    }
    if (scan.original === scan.shadow) return;
    for (const pattern of this.#written) {
      const expression = pattern.written ?? pattern.folded;
      findOne(scan, pattern, { expression, text: scan.original, budget }, found);
    }
  }
}

type Search = { readonly expression: LinearPattern; readonly text: string; readonly budget: WorkBudget };

function findOne(scan: ScanText, { index, label }: Pattern, search: Search, found: Detection[]): void {
  try {
    for (const { start, end } of search.expression.find(search.text, search.budget)) {
      found.push(detectionOf(scan, label, start, end));
    }
  } catch (error) {
    if (!(error instanceof WorkExceeded)) throw error;
    throw new PrivetError('invalid_input', `dictionary[${index}].pattern takes too many steps on this text.`, {
      hint: 'Write the regular expression so that it does not look far ahead, or send less text.',
      details: { index, field: 'pattern' },
    });
  }
}

function detectionOf({ original }: ScanText, type: string, start: number, end: number): Detection {
  return { type, value: original.slice(start, end), start, end, score: 1, recognizer: 'dictionary' };
}

function read(entries: unknown): Compiled {
  if (!Array.isArray(entries)) {
    throw new PrivetError('invalid_input', 'The dictionary is not a list.', {
      hint: 'Give a list of { label, pattern }.',
    });
  }
  const compiled = compile(entries);
  const first = compiled.problems[0];
  if (first === undefined) return compiled;
  const field = first.field === undefined ? '' : `.${first.field}`;
  const position = first.position === undefined ? '' : ` at position ${first.position}`;
  throw new PrivetError('invalid_input', `dictionary[${first.index}]${field}${position} ${first.message}.`, {
    hint: 'Write a pattern as exact text, or as a regular expression /pattern/flags with the flags i, m or s.',
    details: { ...first, path: `dictionary[${first.index}]${field}`, problems: compiled.problems },
  });
}

function compile(list: readonly unknown[]): Compiled {
  const compiled: Compiled = { phrases: [], patterns: [], problems: [] };
  const { problems } = compiled;
  if (list.length > dictionaryEntriesMax) {
    const message = `exceeds the limit: a dictionary has at most ${dictionaryEntriesMax} entries`;
    return { ...compiled, problems: [{ index: dictionaryEntriesMax, message }] };
  }
  let sizeSum = 0;
  for (const [index, item] of list.entries()) {
    const { label, pattern, ...others } = (typeof item === 'object' && item !== null ? item : {}) as Record<
      string,
      unknown
    >;
    const problem = (field: 'label' | 'pattern', message: string, position?: number) =>
      problems.push({ index, field, message, ...(position === undefined ? {} : { position }) });
    if (Object.keys(others).length > 0) problems.push({ index, message: 'has fields other than label and pattern' });
    if (typeof label !== 'string') problem('label', 'must be a text');
    else if (!isLabel(label)) problem('label', labelProblem(label));
    if (typeof pattern !== 'string') problem('pattern', 'must be a text');
    else if (pattern === '') problem('pattern', 'is empty');
    else if (pattern.length > patternLengthMax) problem('pattern', `is longer than ${patternLengthMax} characters`);
    if (problems.at(-1)?.index === index || typeof label !== 'string' || typeof pattern !== 'string') continue;

    const expression = /^\/(.+)\/([gimsu]*)$/s.exec(pattern);
    if (expression === null) compiled.phrases.push({ label, folded: scanText(pattern).shadow });
    if (expression === null && !bareExpression.test(pattern)) continue;
    const [, source = pattern, flags = ''] = expression ?? [];
    const written = LinearPattern.compile(source, flags);
    if (!(written instanceof LinearPattern)) {
      if (expression !== null) problem('pattern', written.message, written.position + 1);
      continue;
    }
    sizeSum += written.size;
    if (sizeSum > patternSizeSumMax) {
      problem('pattern', 'exceeds the limit: the regular expressions of the dictionary are too large in total');
      return compiled;
    }
    compiled.patterns.push({ index, label, ...foldedForm(source, flags, written) });
  }
  return compiled;
}

function labelProblem(label: string): string {
  try {
    checkLabel(label);
    return 'has the wrong format';
  } catch (error) {
    if (!(error instanceof PrivetError)) throw error;
    return `has the wrong format: ${error.hint.replace(/\.$/, '')}`;
  }
}

/** The forms of a pattern for the shadow text and, where that is not enough, for the original. */
function foldedForm(source: string, flags: string, written: LinearPattern): Pick<Pattern, 'folded' | 'written'> {
  const foldedSource = foldSource(source);
  const folded = foldedSource === source ? written : LinearPattern.compile(foldedSource, flags);
  if (!(folded instanceof LinearPattern)) return { folded: written, written };
  const namesByCode = /\\[uxpPN]/.test(source);
  return folded === written && !namesByCode ? { folded } : { folded, written };
}

/** The source of a pattern as the shadow text is: full-width signs as ASCII, escaped where they would mean something. */
function foldSource(source: string): string {
  const { shadow } = scanText(source);
  if (shadow === source) return source;
  let folded = '';
  for (let i = 0; i < source.length; i++) {
    const c = shadow[i] as string;
    const needsEscape = c !== source[i] && /[^\w\s]/.test(c) && source[i - 1] !== '\\';
    folded += needsEscape ? `\\${c}` : c;
  }
  return folded;
}
