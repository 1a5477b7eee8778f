/**
 * Custom recognizers: patterns, a check, context words, and values to ignore. They become ordinary recognizers, so the rest of
 * detection treats them alike.
 */
import { isMod97 } from '../check-digits.ts';
import { isEan, isLuhn } from '../checksums.ts';
import { type ScanText, scanText } from '../detect/scan.ts';
import { PrivetError } from '../errors.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import { isLabel } from '../tokens/token-types.ts';
import { LinearPattern, WorkBudget, WorkExceeded } from './pattern.ts';

/** Named check digits for configuration files. */
const checks = { luhn: isLuhn, mod97: isMod97, ean: isEan } as const;
/** Names of the checks. */
export const checkNames = Object.keys(checks) as (keyof typeof checks)[];

/** One custom type and its patterns. */
export type CustomRecognizer = {
  /** A label such as `EMPLOYEE_ID`, or a built-in type with additional patterns. */
  readonly type: string;
  /** Exact texts, or regular expressions as `/E-\d{6}/` with the flags i, m or s; the syntax is that of RE2. */
  readonly forms: readonly string[];
  /** The check that a match must pass. A named one checks the digits of the value. */
  readonly check?: keyof typeof checks | ((value: string) => boolean);
  /** Words within 60 characters that raise the score. */
  readonly context?: readonly string[];
  /** Requires a context word nearby. Default false. */
  readonly contextNeeded?: boolean;
  /** Score from 0 to 1 without a context word, which adds 0.3. Default 0.6, with a check 0.8. */
  readonly score?: number;
  /** Values to ignore: exact texts or regular expressions for the whole value. */
  readonly allow?: readonly string[];
};

/** Maximum number of recognizers, and of entries in each of their lists. */
export const customRecognizersMax = 100;
export const customFormsMax = 50;
/** Maximum length of a pattern or word, in UTF-16 code units. */
const formLengthMax = 500;
/** Maximum size of all regular expressions of one recognizer, in program steps. */
const sizeSumMax = 5_000;
/** Maximum distance of a context word, in UTF-16 code units. */
const contextReach = 60;
const contextBonus = 0.3;

/** The recognizers, in their order. @throws PrivetError `invalid_input` that names the first wrong field */
export function customRecognizers(given: readonly CustomRecognizer[]): Recognizer[] {
  if (!Array.isArray(given))
    throw wrong('recognizers', 'must be a list', "Use [{ type: 'EMPLOYEE_ID', forms: ['/E-\\\\d{6}/'] }].");
  if (given.length > customRecognizersMax) throw wrong('recognizers', `must have at most ${customRecognizersMax}`);
  return given.map((one, i) => compile(one, `recognizers[${i}]`));
}

const names: ReadonlySet<string> = new Set(['type', 'forms', 'check', 'context', 'contextNeeded', 'score', 'allow']);

function compile(given: CustomRecognizer, path: string): Recognizer {
  const unknown = Object.keys(given ?? {}).find((name) => !names.has(name));
  if (unknown !== undefined)
    throw wrong(`${path}.${unknown.slice(0, 40)}`, 'is not a known field', `Use ${[...names].join(', ')}.`);
  const { type, context = [], contextNeeded = false, allow = [] } = given;
  if (typeof type !== 'string' || !isLabel(type)) {
    throw wrong(`${path}.type`, 'must be a label', 'Use capitals, digits and single underscores, like EMPLOYEE_ID.');
  }
  const check = checkOf(given.check, path);
  const { score = check === undefined ? 0.6 : 0.8 } = given;
  if (typeof score !== 'number' || !(score >= 0 && score <= 1))
    throw wrong(`${path}.score`, 'must be a number from 0 to 1');
  const words = textsOf(context, `${path}.context`).map((word) => scanText(word).shadow.toLowerCase());
  if (contextNeeded && words.length === 0) throw wrong(`${path}.context`, 'contextNeeded needs context words');
  const forms = patternsOf(given.forms, `${path}.forms`);
  if (forms.length === 0) throw wrong(`${path}.forms`, 'must have at least one form');
  const allowed = patternsOf(allow, `${path}.allow`);

  const find = (scan: ScanText): Detection[] => {
    const text = scan.shadow;
    const budget = new WorkBudget(text.length);
    const found: Detection[] = [];
    let lower: string | undefined;
    for (const { start, end } of matches(forms, text, budget, path)) {
      const value = text.slice(start, end);
      if (!isWhole(text, start, end) || check?.(value) === false || isAllowed(value, allowed, budget, path)) continue;
      if (words.length > 0) lower ??= text.toLowerCase();
      const near = words.find((word) => isNear(lower as string, word, start, end));
      if (contextNeeded && near === undefined) continue;
      const sure = near === undefined ? score : Math.min(1, Math.round((score + contextBonus) * 100) / 100);
      found.push(
        detectionAt(scan, start, end, {
          type,
          score: sure,
          recognizer: 'custom',
          context: near,
          ...(check === undefined ? {} : { checksum: true }),
        }),
      );
    }
    return found.sort((a, b) => a.start - b.start);
  };
  return { name: 'custom', type, find };
}

function checkOf(check: CustomRecognizer['check'], path: string): ((value: string) => boolean) | undefined {
  if (check === undefined || typeof check === 'function') return check;
  if (!Object.hasOwn(checks, check))
    throw wrong(`${path}.check`, 'is not a known check', `Use ${checkNames.join(', ')} or a function.`);
  const isRight = checks[check];
  return (value) => isRight(value.replace(/[^0-9A-Za-z]/g, ''));
}

/** Exact texts become patterns too: one search, one work limit. */
function patternsOf(list: unknown, path: string): LinearPattern[] {
  let size = 0;
  return textsOf(list, path).map((form, i) => {
    const [, source = escaped(scanText(form).shadow), flags = ''] = /^\/(.+)\/([gimsu]*)$/s.exec(form) ?? [];
    const pattern = LinearPattern.compile(source, flags);
    if (!(pattern instanceof LinearPattern))
      throw wrong(`${path}[${i}]`, `at position ${pattern.position + 1} ${pattern.message}`);
    size += pattern.size;
    if (size > sizeSumMax) throw wrong(`${path}[${i}]`, 'the regular expressions are too large in total');
    return pattern;
  });
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

function textsOf(list: unknown, path: string): readonly string[] {
  const isRight =
    Array.isArray(list) &&
    list.length <= customFormsMax &&
    list.every((text) => typeof text === 'string' && text !== '' && text.length <= formLengthMax);
  if (isRight) return list as string[];
  throw wrong(path, `must be a list of at most ${customFormsMax} texts of 1 to ${formLengthMax} characters`);
}

function matches(patterns: readonly LinearPattern[], text: string, budget: WorkBudget, path: string) {
  try {
    return patterns.flatMap((pattern) => pattern.find(text, budget));
  } catch (error) {
    if (!(error instanceof WorkExceeded)) throw error;
    throw wrong(
      path,
      'this takes too many steps on this text',
      'Write the regular expression so that it does not look far ahead.',
    );
  }
}

function isAllowed(value: string, allowed: readonly LinearPattern[], budget: WorkBudget, path: string): boolean {
  if (allowed.length === 0) return false;
  return matches(allowed, value, budget, path).some(({ start, end }) => start === 0 && end === value.length);
}

/** True at the boundaries of a word or number. */
function isWhole(text: string, start: number, end: number): boolean {
  const goesOn = (a: string | undefined, b: string | undefined) => /^[0-9A-Za-z_]{2}$/.test(`${a ?? ' '}${b ?? ' '}`);
  return !goesOn(text[start - 1], text[start]) && !goesOn(text[end - 1], text[end]);
}

function isNear(lower: string, word: string, start: number, end: number): boolean {
  const before = lower.slice(Math.max(0, start - contextReach - word.length), start);
  return before.includes(word) || lower.slice(end, end + contextReach + word.length).includes(word);
}

function wrong(path: string, what: string, hint?: string): PrivetError {
  return new PrivetError('invalid_input', `${path}: ${what}.`, hint === undefined ? {} : { hint });
}
