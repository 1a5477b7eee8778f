/** The options of each call. Unknown ones are rejected: a misspelt option would let through what it should mask. */

import { builtinTypes } from '../core/detect/detector.ts';
import { PrivetError } from '../core/errors.ts';
import { isTokenType, sharedPairs } from '../core/tokens/token-types.ts';
import { checkValues } from './option-values.ts';
import type {
  DetectOptions,
  DpOptions,
  InjectionOptions,
  MaskBodyOptions,
  MaskOptions,
  PrivetOptions,
  RagOptions,
  RestoreCallOptions,
} from './privet-types.ts';

/** All names of an options type. */
const namesOf = <T>(names: Record<keyof T, true>): readonly string[] => Object.keys(names);

const detect = { lang: true, types: true, dictionary: true, recognizers: true, minScore: true, explain: true } as const;
const mask = { ...detect, sessionId: true, tokenFormat: true, actions: true, dpMode: true } as const;
const body = { ...mask, contentType: true, uninspectable: true } as const;

export const privetOptions = namesOf<PrivetOptions>({
  lang: true,
  dpMode: true,
  dictionary: true,
  types: true,
  recognizers: true,
  actions: true,
  hashKey: true,
  onMask: true,
  ttlMs: true,
  vault: true,
  apiKey: true,
  baseUrl: true,
});
export const detectOptions = namesOf<DetectOptions>(detect);
export const maskOptions = namesOf<MaskOptions>(mask);
export const maskBodyOptions = namesOf<MaskBodyOptions>(body);
export const injectionOptions = namesOf<InjectionOptions>({ lang: true, sensitivity: true });
export const restoreOptions = namesOf<RestoreCallOptions>({ lang: true });
export const dpOptions = namesOf<DpOptions>({ epsilon: true, seed: true, sensitivity: true });
export const ragOptions = namesOf<RagOptions>({
  lang: true,
  sessionId: true,
  chunkSize: true,
  overlap: true,
  extraTypes: true,
  signal: true,
  onProgress: true,
});

/** The result of an earlier call may be passed to continue its session, as with `restore`. */
export const resultNames = [
  'masked',
  'tokenMap',
  'detections',
  'numbersChanged',
  'messages',
  'counts',
  'body',
  'chunks',
  'tokenSummary',
] as const;

/**
 * `more`: names allowed in addition.
 * @throws PrivetError `invalid_input` for a non-object, or an option that the call does not have
 */
export function checkOptions(
  call: string,
  given: unknown,
  names: readonly string[],
  more: readonly string[] = [],
): asserts given is object {
  if (typeof given !== 'object' || given === null) {
    throw new PrivetError('invalid_input', `${call}: the options must be an object.`, {
      hint: `Use { ${names.join(', ')} }.`,
    });
  }
  for (const name of Object.keys(given)) {
    if (names.includes(name) || more.includes(name)) continue;
    const nearest = nearestOption(name, names);
    throw new PrivetError('invalid_input', `${call}: there is no option "${name.slice(0, 40)}".`, {
      hint: nearest === undefined ? `Use ${names.join(', ')}.` : `Did you mean ${nearest}?`,
    });
  }
  checkValues(call, given);
}

/** @throws PrivetError `invalid_input` for no or unknown types, which would send everything */
export function checkTypes(types: unknown): void {
  if (types === undefined) return;
  if (Array.isArray(types) && types.length > 0) {
    const missing = types.find((type) => isTokenType(type) && !builtinTypes.includes(type));
    if (missing === undefined) return;
    throw new PrivetError('invalid_input', `types: this entry of the package cannot find ${missing}.`, {
      hint: "Import from 'privet-sdk', which has the lists that it needs.",
    });
  }
  throw new PrivetError('invalid_input', 'types: expected a list of at least one type.', {
    hint: "Name one, like ['EMAIL'], or leave types out: all are detected.",
  });
}

/** @throws PrivetError `invalid_input` for an unknown language */
export function checkLang(lang: unknown): void {
  if (lang === undefined || lang === 'en' || lang === 'ja') return;
  throw new PrivetError('invalid_input', 'lang: this language is not known.', { hint: 'Use en or ja.' });
}

/** @throws PrivetError `invalid_input` if the value is not a number of milliseconds */
export function checkTtl(ttlMs: unknown): void {
  if (Number.isSafeInteger(ttlMs) && Number(ttlMs) >= 0) return;
  throw new PrivetError('invalid_input', 'ttlMs: expected a whole number of milliseconds.', {
    hint: 'Use 3_600_000 for an hour, 0 for no expiry.',
  });
}

/** @throws PrivetError `invalid_input` if the value is not a number, which would drop every detection */
export function checkScore(minScore: unknown): void {
  if (minScore === undefined || (typeof minScore === 'number' && !Number.isNaN(minScore))) return;
  throw new PrivetError('invalid_input', 'minScore: expected a number.', { hint: 'Use a number from 0 to 1.' });
}

/** @throws PrivetError `invalid_input` for an unknown token format */
export function checkTokenFormat(format: unknown): void {
  if (format === undefined || format === 'counter' || format === 'secured') return;
  throw new PrivetError('invalid_input', 'tokenFormat: this format is not known.', { hint: 'Use counter or secured.' });
}

/** The option that a wrong name probably means. */
function nearestOption(name: string, names: readonly string[]): string | undefined {
  const wanted = lettersOf(name.slice(0, 40));
  let best: string | undefined;
  let bestShare = 0.5;
  for (const known of names) {
    const letters = lettersOf(known);
    const isHead = wanted.length > 2 && (letters.startsWith(wanted) || wanted.startsWith(letters));
    const share = isHead ? 1 : sharedPairs(wanted, letters);
    if (share <= bestShare) continue;
    best = known;
    bestShare = share;
  }
  return best;
}

const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');
