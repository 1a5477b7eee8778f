/** Removes the values that the schema rejects, so that the rest of a file can still be checked. */
import type { z } from 'zod';
import type { KeyPath } from './document.ts';

/** The remainder, with defaults for what was removed. List entries may have had other positions in the file. */
export type Remainder<T> = { readonly data: T; readonly pathInFile: (path: KeyPath) => KeyPath };

type Issue = z.core.$ZodIssue;

/** Undefined when nothing is left. `value` is the input that caused `issues`; it is not modified. */
export function remainderOf<T>(
  schema: z.ZodType<T>,
  value: unknown,
  issues: readonly Issue[],
): Remainder<T> | undefined {
  // Removed entries leave holes, which map the others back to their original index.
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

/** A deep copy, with holes in lists closed. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return Object.values(value).map(copyOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, copyOf(child)]));
}

/** Converts paths in the copy to paths in the original, as long as the copy is not changed. */
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

/** Removes a value; for a missing value, removes its parent. Returns whether there was something to remove. */
function takeOut(value: unknown, path: KeyPath): boolean {
  const key = path.at(-1);
  if (key === undefined) return false;
  let parent = value as Record<PropertyKey, unknown> | undefined;
  for (const step of path.slice(0, -1)) parent = parent?.[step] as typeof parent;
  // Already removed with something else.
  if (typeof parent !== 'object' || parent === null) return false;
  if (!Object.hasOwn(parent, key)) return takeOut(value, path.slice(0, -1));
  delete parent[key];
  return true;
}
