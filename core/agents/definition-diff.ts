/** The changes between two definitions of a tool, shown to the approver. */
import { parseJson } from '../parsing.ts';

/** A member whose value differs; null if missing in that definition. */
export type DefinitionChange = { readonly path: string; readonly before: string | null; readonly after: string | null };

const changesMax = 50;
const valueMax = 4_000;

/** The changes from one canonical text to another. A truncated text is compared as a whole. */
export function definitionDiff(before: string, after: string): DefinitionChange[] {
  const changes: DefinitionChange[] = [];
  const [a, b] = [parseJson(before), parseJson(after)];
  if (a === undefined || b === undefined)
    return before === after ? [] : [{ path: '', before: shown(before), after: shown(after) }];
  compare(a, b, '', changes);
  return changes.slice(0, changesMax);
}

function compare(a: unknown, b: unknown, path: string, changes: DefinitionChange[]): void {
  if (changes.length >= changesMax || Object.is(a, b)) return;
  if (isContainer(a) && isContainer(b) && Array.isArray(a) === Array.isArray(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const below = Array.isArray(a) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
      compare(a[key], b[key], below, changes);
    }
    return;
  }
  changes.push({ path, before: shown(a), after: shown(b) });
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function shown(value: unknown): string | null {
  if (value === undefined) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > valueMax ? `${text.slice(0, valueMax)}…` : text;
}
