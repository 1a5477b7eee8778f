/** Turns what a schema says about a YAML file into problems that name a line and the right spelling. */
import type { z } from 'zod';
import type { KeyPath, YamlText } from './document.ts';
import { nearestName } from './nearest.ts';
import type { Problem } from './problem.ts';
import { keysAt, pathsOfKey } from './shape.ts';

/** The file that was checked, and the schema it was checked with. */
export type Source = { readonly yaml: YamlText; readonly file: string; readonly schema: z.ZodType };

type Issue = z.core.$ZodIssue;

/** Of the unknown keys of one section so many are looked at by themselves: a file of another kind has thousands. */
const unknownKeysMax = 100;

/** So many problems are told; finding the place and the words of one costs more than finding that it is one. */
const problemsMax = 1_000;

/** The problems of a failed check, in the order of their lines; the last of very many says that there are more. */
export function problemsOfIssues(issues: readonly Issue[], source: Source): Problem[] {
  const found = issues.values().flatMap((issue) => problemsOf(issue, [], source));
  const told = found.take(problemsMax + 1).toArray();
  const problems = told.slice(0, problemsMax).sort((a, b) => a.line - b.line || a.column - b.column);
  const last = problems.at(-1);
  if (last === undefined || told.length === problems.length) return problems;
  return [...problems, { ...last, key: '', message: `there are more faults than these ${problemsMax}` }];
}

/** `policy.rules[0].when`; keys that are no plain word are quoted. */
export function keyText(path: KeyPath): string {
  return path
    .map((key, i) => {
      if (typeof key === 'number') return `[${key}]`;
      if (!/^\w+$/.test(String(key))) return `[${JSON.stringify(String(key))}]`;
      return i === 0 ? String(key) : `.${String(key)}`;
    })
    .join('');
}

function* problemsOf(issue: Issue, above: KeyPath, source: Source): Generator<Problem, void> {
  const path = [...above, ...issue.path];
  const { yaml, file } = source;
  if (issue.code === 'invalid_union') {
    // The alternative that went deepest is the one that was meant: `ports: [443, 70000]` is a list with a wrong entry.
    const deepest = issue.errors.find((issues) => issues.some((inner) => inner.path.length > 0));
    if (deepest !== undefined) {
      for (const inner of deepest) yield* problemsOf(inner, path, source);
      return;
    }
  }
  if (issue.code === 'unrecognized_keys') yield* unknownKeys(issue.keys, path, source);
  else if (issue.code === 'invalid_key') {
    const message = issue.issues[0]?.message ?? 'is not a valid name';
    yield { file, ...yaml.placeOf(path), key: keyText(path), message };
  } else yield { file, ...yaml.placeOfValue(path), key: keyText(path), message: messageOf(issue, path, source) };
}

function* unknownKeys(keys: readonly string[], path: KeyPath, source: Source): Generator<Problem, void> {
  for (const key of keys.slice(0, unknownKeysMax)) yield unknownKey(key, path, source);
  const next = keys[unknownKeysMax];
  if (next === undefined) return;
  const { yaml, file } = source;
  const first = [...path, next];
  const message = `unknown key, and ${keys.length - unknownKeysMax - 1} more here`;
  yield { file, ...yaml.placeOf(first), key: keyText(first), message };
}

function unknownKey(key: string, path: KeyPath, { yaml, file, schema }: Source): Problem {
  const near = nearestName(key, keysAt(schema, path));
  const elsewhere = pathsOfKey(schema, key).map((place) => `"${place}"`);
  const meant = near === undefined ? elsewhere.join(' or ') : `"${near}"`;
  const message = `unknown key${meant === '' ? '' : `; did you mean ${meant}?`}`;
  return { file, ...yaml.placeOf([...path, key]), key: keyText([...path, key]), message };
}

function messageOf(issue: Issue, path: KeyPath, { yaml }: Source): string {
  const given = valueAt(yaml.value, path);
  switch (issue.code) {
    case 'invalid_value': {
      const words = issue.values.map(String);
      const near = meantWord(given, words);
      const list = `${given === undefined ? 'is missing; ' : ''}must be ${words.length > 1 ? 'one of ' : ''}${words.join(', ')}`;
      return near === undefined ? list : `${list}; did you mean "${near}"?`;
    }
    case 'invalid_type':
      if (given === undefined) return 'is missing';
      return isOwnMessage(issue) ? issue.message : `must be ${typeWords[issue.expected] ?? `a ${issue.expected}`}`;
    case 'too_small':
      if (isOwnMessage(issue)) return issue.message;
      if (issue.origin === 'string') return 'must not be empty';
      return `must be at least ${issue.minimum}`;
    case 'too_big':
      if (isOwnMessage(issue)) return issue.message;
      return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`;
    default:
      return issue.message;
  }
}

/** A sentence of the schema, not one that zod makes. */
function isOwnMessage(issue: Issue): boolean {
  return /^(must|is)\b/.test(issue.message);
}

const typeWords: Readonly<Record<string, string>> = {
  object: 'a section with keys',
  record: 'a section with keys',
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
};

/** `true` is meant as `on` where `on` and `off` are the words. */
function meantWord(given: unknown, words: readonly string[]): string | undefined {
  if (typeof given === 'string') return nearestName(given, words);
  return typeof given === 'boolean' ? words.find((word) => word === (given ? 'on' : 'off')) : undefined;
}

function valueAt(value: unknown, path: KeyPath): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}
