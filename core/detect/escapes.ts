/**
 * Escape sequences in texts that are not decoded as a whole: JSON in prose, source code, logs. Without this the `n` of
 * `"Card:\n4111 1111 1111 1111"` would look like part of a serial.
 */
import data from '../lexicon/escapes.json' with { type: 'json' };
import { groupsOf, patternsOf } from '../pattern-data.ts';
import { foldsIn } from '../payload/folded-lines.ts';
import { percentEscapes } from '../payload/percent.ts';
import { quotedEscapes } from '../payload/quoted-printable.ts';

const { signs, rare, accents } = data;
/** Named references (https://html.spec.whatwg.org/#named-character-references), and what other patterns stand for. */
const named: Readonly<Record<string, string>> = data.named;

/**
 * `blank`: a line break before the start of a value, name or label, not in `C:\temp`; a colour. The groups of the others: a number,
 * a name, or a letter and its accent. `octal` is printable, because `C:\200` is a path; browsers need no semicolon after a number; a
 * page in a page has its ampersands escaped; JSON in JSON, its backslashes.
 */
const patterns = patternsOf('escapes', { names: Object.keys(named) });

/** What only a text with rare escapes has, found with the other keywords. */
export const rareEscapes = { name: 'escape', anchors: data.anchors };

/** Ranges to read as spaces: alternating starts and ends. */
export function escapeRanges(text: string): number[] {
  const places: number[] = [];
  for (const { 0: found, index } of text.includes('\\') || text.includes('\u001b') ? text.matchAll(patterns.blank) : [])
    places.push(index, index + found.length);
  return places;
}

/** Overwrites the ranges with spaces. */
export function blankOut(units: Uint8Array | Uint16Array, places: readonly number[]): void {
  for (let i = 0; i < places.length; i += 2) units.fill(0x20, places[i], places[i + 1]);
}

/**
 * A text with escapes of source code (`\u0040`, `\u{40}`, `\x40`, `\100`), references to characters (`&#64;`, `&#x40;`,
 * `&nbsp;`), Markdown's backslashes (CommonMark §2.4), LaTeX's accents, colours of terminals (ECMA-48 §8.3.117), percent-encoding of
 * addresses, dots of other scripts in host names (RFC 3490 §3.1), brackets against links (`mail[.]example`), quoted-printable and
 * folded lines decoded, with the offsets of its code units, and its end, in the original.
 */
export type Decoded = {
  readonly text: string;
  readonly starts: Int32Array;
  /** The end of each code unit, if not the one after its start: what stands between two of them belongs to neither. */
  readonly ends?: Int32Array;
};

type Escape = { readonly start: number; readonly end: number; readonly character: string };

/** Decodes a text; undefined if it has no such escapes. `isRare`: whether it may have rare ones ({@link rareEscapes}). */
export function decodeUnits(text: string, isRare = true): Decoded | undefined {
  const escapes: Escape[] = [];
  const names = new Set(isRare ? rare : []);
  for (const [sign, all] of Object.entries(signs)) if (text.includes(sign)) for (const name of all) names.add(name);
  for (const name of names)
    for (const match of text.matchAll(patterns[name as keyof typeof patterns])) {
      const { 0: found, index } = match;
      const groups = groupsOf(patterns[name as keyof typeof patterns], match);
      const character = characterOf(name, groups);
      const end = index + found.length;
      if (character !== undefined) escapes.push({ start: end - (groups.whole ?? found).length, end, character });
    }
  const others = [...percentEscapes(text), ...(isRare ? [...quotedEscapes(text), ...foldsIn(text)] : [])];
  for (const found of others) escapes.push(found);
  escapes.sort((a, b) => a.start - b.start || b.end - a.end);
  return escapes.length === 0 ? undefined : rewritten(text, escapes);
}

/** The character that a match of a pattern stands for; undefined if there is none. */
function characterOf(pattern: string, groups: Readonly<Record<string, string | undefined>>): string | undefined {
  const { unit, hex, octal, decimal, letter, accent = '' } = groups;
  if (letter !== undefined) {
    const character = (letter + accents[accent as keyof typeof accents]).normalize('NFC');
    return character.length === 1 ? character : undefined;
  }
  const digits = unit ?? hex ?? octal ?? decimal;
  if (digits === undefined) return named[groups.name ?? pattern] ?? '';
  const code = Number.parseInt(digits, octal === undefined ? (decimal === undefined ? 16 : 10) : 8);
  const isValid = unit !== undefined || (code <= 0x10ffff && code >> 11 !== 0x1b);
  return isValid ? String.fromCodePoint(code) : undefined;
}

/** A text with pieces replaced by other characters, or by nothing. A piece inside another counts as part of it. */
export function rewritten(text: string, pieces: readonly Escape[]): Decoded {
  const length = pieces.reduce((sum, { character }) => sum + character.length, text.length);
  const starts = new Int32Array(length + 1);
  const ends = new Int32Array(length);
  let decoded = '';
  let from = 0;
  for (const { start, end, character } of [...pieces, { start: text.length, end: text.length, character: '' }]) {
    if (start < from) continue;
    for (let i = from, to = decoded.length; i < start; i++, to++) {
      starts[to] = i;
      ends[to] = i + 1;
    }
    decoded += text.slice(from, start);
    starts.fill(start, decoded.length, decoded.length + character.length);
    ends.fill(end, decoded.length, decoded.length + character.length);
    decoded += character;
    from = end;
  }
  starts[decoded.length] = text.length;
  return { text: decoded, starts, ends };
}
