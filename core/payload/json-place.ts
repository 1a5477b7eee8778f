/** Locates a value in a JSON text without parsing all of it. */

import { endOfString } from './json-weight.ts';

/** Raw offsets of a value; `end` is exclusive. */
export type JsonPlace = { readonly start: number; readonly end: number };

/**
 * The value at a path of names and positions; undefined if there is none. Of members with the same name the last one
 * counts, as in JSON.parse. The text must be valid JSON.
 */
export function placeOf(json: string, keys: readonly (string | number)[]): JsonPlace | undefined {
  let start = skipSpace(json, 0);
  for (const key of keys) {
    const found = typeof key === 'string' ? memberAt(json, start, key) : elementAt(json, start, key);
    if (found === undefined) return undefined;
    start = found;
  }
  return { start, end: endOfValue(json, start) };
}

/** The elements of an array; none for any other value. The text must be valid JSON. */
export function elementsOf(json: string, array: JsonPlace): JsonPlace[] {
  const elements: JsonPlace[] = [];
  if (json[array.start] !== '[') return elements;
  for (let at = skipSpace(json, array.start + 1); at < array.end - 1; ) {
    const end = endOfValue(json, at);
    elements.push({ start: at, end });
    at = skipSpace(json, end);
    if (json[at] === ',') at = skipSpace(json, at + 1);
  }
  return elements;
}

/** A member of an object: its name, and the offsets of the member and its value. */
type Member = { readonly name: string; readonly start: number; readonly value: number; readonly end: number };

/** The members of the object at an offset, in order; none for other values. The text must be valid JSON. */
export function* membersOf(json: string, object: number): Generator<Member> {
  if (json[object] !== '{') return;
  for (let at = skipSpace(json, object + 1); json[at] === '"'; ) {
    const nameEnd = endOfValue(json, at);
    const value = skipSpace(json, skipSpace(json, nameEnd) + 1);
    const end = endOfValue(json, value);
    yield { name: JSON.parse(json.slice(at, nameEnd)) as string, start: at, value, end };
    at = skipSpace(json, end);
    if (json[at] === ',') at = skipSpace(json, at + 1);
  }
}

function memberAt(json: string, object: number, key: string): number | undefined {
  let found: number | undefined;
  for (const { name, value } of membersOf(json, object)) if (name === key) found = value;
  return found;
}

function elementAt(json: string, array: number, position: number): number | undefined {
  if (json[array] !== '[') return undefined;
  let at = skipSpace(json, array + 1);
  for (let i = 0; json[at] !== ']' && at < json.length; i++) {
    if (i === position) return at;
    at = skipSpace(json, endOfValue(json, at));
    if (json[at] === ',') at = skipSpace(json, at + 1);
  }
  return undefined;
}

function skipSpace(json: string, from: number): number {
  let at = from;
  while (at < json.length && json.charCodeAt(at) <= 0x20) at++;
  return at;
}

const pieces = /["[\]{}]/g;
const scalar = /[^\s,\]}]*/y;

function endOfValue(json: string, start: number): number {
  const first = json[start];
  if (first === '"') return endOfString(json, start + 1) + 1;
  if (first !== '{' && first !== '[') {
    scalar.lastIndex = start;
    return start + (scalar.exec(json)?.[0].length ?? 0);
  }
  pieces.lastIndex = start;
  let depth = 0;
  for (let match = pieces.exec(json); match !== null; match = pieces.exec(json)) {
    if (match[0] === '"') pieces.lastIndex = endOfString(json, pieces.lastIndex) + 1;
    else if (match[0] === '{' || match[0] === '[') depth++;
    else depth--;
    if (depth === 0) return pieces.lastIndex;
  }
  return json.length;
}
