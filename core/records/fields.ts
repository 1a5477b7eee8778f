/** Where the values of records end. */
import { anyOf } from '../patterns.ts';

/** The range of a value after its heading. */
export type Field = { readonly start: number; readonly end: number };

/** Longer values are no fields of records. */
export const valueMax = 120;
const listItem = new RegExp(
  String.raw`\s{0,16}(?:"[0-9]{1,8}"\s{0,4}:\s{0,4})?` +
    String.raw`(?:"([^"\\\n]{0,120})"|([0-9.]{1,32}|null|true|false))\s{0,16}[,\]}]`,
  'y',
);
const itemsMax = 10_000;

const and = anyOf('and und et y e och og en i и');
/** One of several people: `anna, joe & pete`. */
const person = new RegExp(String.raw`(?!${and} )[^\s,;、，&](?:(?! ${and} )[^,;、，&])*(?<!\s)`, 'g');

/** The pieces of fields that list people. */
export function* piecesOf(shadow: string, fields: Iterable<Field>): Generator<Field> {
  for (const { start, end } of fields)
    for (const { 0: piece, index } of shadow.slice(start, end).matchAll(person))
      yield { start: start + index, end: start + index + piece.length };
}

/** The elements of a list, or the members of an object with numeric names. */
export function* itemsFrom(shadow: string, from: number): Generator<Field> {
  let at = from;
  for (let n = 0; n < itemsMax; n++) {
    listItem.lastIndex = at;
    const item = listItem.exec(shadow);
    if (item === null) return;
    const value = item[1] ?? item[2] ?? '';
    const start = at + item[0].indexOf(value, item[1] === undefined ? 0 : item[0].indexOf(`"${value}"`) + 1);
    yield { start, end: start + value.length };
    at += item[0].length;
    if (item[0].at(-1) !== ',') return;
  }
}

export function quotedFrom(shadow: string, start: number, quote: string): Field | undefined {
  const end = shadow.slice(start, start + valueMax + quote.length).indexOf(quote);
  return end < 0 ? undefined : { start, end: start + end };
}

export function bareFrom(shadow: string, start: number): Field | undefined {
  let end = start;
  for (; end < start + valueMax + 1 && end < shadow.length; end++) {
    const c = shadow.charCodeAt(end);
    // A line's end, `<`, `&`, `|`, `;`, `}`, a tab, two blanks.
    if (c === 0x0a || c === 0x3c || c === 0x26 || c === 0x7c || c === 0x3b || c === 0x7d || c === 0x09) break;
    if (c === 0x20 && shadow.charCodeAt(end + 1) === 0x20) break;
    // The end of a CDATA section.
    if (c === 0x5d && shadow.charCodeAt(end + 1) === 0x5d) break;
    if (c === 0x2c && shadow.charCodeAt(end + 1) !== 0x20) break;
  }
  while (end > start && (shadow.charCodeAt(end - 1) <= 0x20 || shadow.charCodeAt(end - 1) === 0x2c)) end--;
  return end > start ? { start, end } : undefined;
}
