/** What is left of a file without the values that its schema refuses, so that the rest can be looked at all the same. */
import type { z } from 'zod';
import type { KeyPath } from './document.ts';

/** The rest, with defaults where something was taken out. Entries of its lists may have had other positions in the file. */
export type Remainder<T> = { readonly data: T; readonly pathInFile: (path: KeyPath) => KeyPath };

type Issue = z.core.$ZodIssue;

/** Undefined where nothing is left. `value` is what the schema said `issues` of; it stays as it is. */
export function remainderOf<T>(
  schema: z.ZodType<T>,
  value: unknown,
  issues: readonly Issue[],
): Remainder<T> | undefined {
  // Entries that are taken out leave holes, by which the others are found again.
  const rest = copyOf(value);
  for (let found = issues; ; ) {
    const refused = found.flatMap(pathsOf).map(pathsIn(rest));
    const taken = new Set(refused.map((path) => JSON.stringify(path)));
    const hasLess = [...taken].map((path) => takeOut(rest, JSON.parse(path))).some((isTaken) => isTaken);
    if (!hasLess) return undefined;
    const { success, data, error } = schema.safeParse(copyOf(rest));
    if (success) return { data, pathInFile: pathsIn(rest) };
    found = error.issues;
  }
}

function pathsOf(issue: Issue): KeyPath[] {
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
}

/** A copy of its own, lists without their holes. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return Object.values(value).map(copyOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, copyOf(child)]));
}

/** Turns paths in the copy into those in the original, as long as that does not change. */
function pathsIn(value: unknown): (path: KeyPath) => KeyPath {
  const positions = new Map<unknown[], string[]>();
  const positionsIn = (list: unknown[]): string[] => {
    const known = positions.get(list) ?? Object.keys(list);
    positions.set(list, known);
    return known;
  };
  return (path) => {
    let at = value;
    return path.map((key) => {
      const next = Array.isArray(at) ? Number(positionsIn(at)[Number(key)] ?? key) : key;
      at = (at as Record<PropertyKey, unknown> | null | undefined)?.[next];
      return next;
    });
  };
}

/** Takes a value out, of one that is missing what it is missing in. Whether there was something to take. */
function takeOut(value: unknown, path: KeyPath): boolean {
  const key = path.at(-1);
  if (key === undefined) return false;
  let parent = value as Record<PropertyKey, unknown> | undefined;
  for (const step of path.slice(0, -1)) parent = parent?.[step] as typeof parent;
  // It went with something else.
  if (typeof parent !== 'object' || parent === null) return false;
  if (!Object.hasOwn(parent, key)) return takeOut(value, path.slice(0, -1));
  delete parent[key];
  return true;
}
