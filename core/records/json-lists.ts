/** Lists of JSON: the key before one, and its elements. */
import { isBlank } from '../context/gap.ts';
import { patternsOf } from '../pattern-data.ts';

const { element } = patternsOf('json-tables');

const blanksMax = 4;
const keyMax = 60;

/** A key of JSON, without its quotes. */
export type ListKey = { readonly start: number; readonly end: number };

/** The key whose value starts at a place: `"tags": [`. Pattern matching would try every quote of the text. */
export function listKeyBefore(shadow: string, at: number): ListKey | undefined {
  const colon = beforeBlanks(shadow, at, blanksMax);
  if (shadow.charCodeAt(colon) !== 0x3a) return undefined;
  const end = beforeBlanks(shadow, colon, blanksMax);
  if (shadow.charCodeAt(end) !== 0x22) return undefined;
  for (let i = end - 1; i >= end - 1 - keyMax; i--) {
    const c = shadow.charCodeAt(i);
    if (c === 0x22) return i + 1 < end ? { start: i + 1, end } : undefined;
    if (c === 0x5c || c === 0x0a) return undefined;
  }
  return undefined;
}

/** The index of the last character before a place, skipping up to `max` blanks. */
export function beforeBlanks(shadow: string, at: number, max: number): number {
  let i = at - 1;
  while (i >= at - max && isBlank(shadow.charCodeAt(i))) i--;
  return i;
}

/** Adds the starts and ends of the elements of a flat list, at most `max` or so, and returns its end; undefined if it is none. */
export function listFrom(shadow: string, from: number, cells: number[], max: number): number | undefined {
  element.lastIndex = from;
  for (let found = element.exec(shadow); found !== null && cells.length < 2 * max; found = element.exec(shadow)) {
    const value = found[1] ?? found[2] ?? '';
    const start = found.index + found[0].search(/\S/) + (found[1] === undefined ? 0 : 1);
    cells.push(start, start + value.length);
    if (found[3] === ']') return element.lastIndex;
  }
  return undefined;
}
