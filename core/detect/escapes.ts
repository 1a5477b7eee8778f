/**
 * Escape sequences in texts that are not decoded as a whole: JSON in prose, source code, logs. Without this the `n` of
 * `"Card:\n4111 1111 1111 1111"` would look like part of a serial.
 */
import { percentEscapes } from '../payload/percent.ts';
import { quotedEscapes } from '../payload/quoted-printable.ts';
import { patternsOf } from './patterns.ts';

/** Named references (https://html.spec.whatwg.org/#named-character-references) inside numbers and addresses. */
const named: Readonly<Record<string, string>> = {
  ...{ nbsp: '\u00a0', commat: '@', period: '.', plus: '+', hyphen: '-', dash: '-', lowbar: '_', colon: ':' },
  ...{ shy: '\u00ad', zwnj: '\u200c', zwj: '\u200d', ZeroWidthSpace: '\u200b' },
};

/**
 * `escapedBreak`: before the start of a value, name or label, not in `C:\temp`. `colour`: of terminals (ECMA-48 §8.3.117).
 * `address`: in URLs only percent signs are escapes. The others have a number in their second group: `octal` is printable, because
 * `C:\200` is a path; browsers need no semicolon after `decimal`; a page in a page has its ampersands escaped.
 */
const patterns = patternsOf('escapes', { names: Object.keys(named) });
const { escapedBreak, colour, address, octets, reference, punctuation, idnDot, ...numbered } = patterns;
const radixes: Readonly<Record<string, number>> = { octal: 8, decimal: 10 };

/** Ranges to read as spaces: alternating starts and ends. */
export function escapeRanges(text: string): number[] {
  const places: number[] = [];
  if (text.includes('\\'))
    for (const { 0: found, index } of text.matchAll(escapedBreak)) {
      const end = index + found.length;
      places.push(end - 2, end);
    }
  if (text.includes('\u001b'))
    for (const { 0: found, index } of text.matchAll(colour)) places.push(index, index + found.length);
  return places;
}

/** Overwrites the ranges with spaces. */
export function blankOut(units: Uint8Array | Uint16Array, places: readonly number[]): void {
  for (let i = 0; i < places.length; i += 2) units.fill(0x20, places[i], places[i + 1]);
}

/**
 * A text with escapes of source code (`\\u0040`, `\\u{40}`, `\\x40`, `\\100`), references to characters (`&#64;`, `&#x40;`,
 * `&nbsp;`), Markdown's backslashes (CommonMark §2.4), percent-encoding of addresses, dots of other scripts in host names
 * (RFC 3490 §3.1) and quoted-printable decoded, with the offsets of its code units and its end in the original.
 */
export type Decoded = {
  readonly text: string;
  readonly starts: Int32Array;
  /** Text after a value and before the next code unit is not part of the value. */
  readonly endsBehindLast?: boolean;
};

type Escape = { readonly start: number; readonly end: number; readonly character: string };

/** Decodes a text; undefined if it has no such escapes. */
export function decodeUnits(text: string): Decoded | undefined {
  const escapes: Escape[] = [];
  for (const [name, pattern] of /[\\#]/.test(text) ? Object.entries(numbered) : [])
    for (const { 0: found, 1: whole = '', 2: digits = '', index } of text.matchAll(pattern)) {
      const code = Number.parseInt(digits, radixes[name] ?? 16);
      const isValid = name === 'unit' || (code <= 0x10ffff && (code < 0xd800 || code >= 0xe000));
      const end = index + found.length;
      if (isValid) escapes.push({ start: end - whole.length, end, character: String.fromCodePoint(code) });
    }
  if (text.includes('\\'))
    for (const { 0: found, index } of text.matchAll(punctuation))
      escapes.push({ start: index, end: index + found.length, character: '' });
  if (text.includes('@') && /[\u3002\uff61]/.test(text))
    for (const { index } of text.matchAll(idnDot)) escapes.push({ start: index, end: index + 1, character: '.' });
  if (text.includes('&'))
    for (const { 0: found, 1: name = '', index } of text.matchAll(reference))
      escapes.push({ start: index, end: index + found.length, character: named[name] as string });
  for (const { 0: found, index } of text.includes('%') && octets.test(text) ? text.matchAll(address) : [])
    for (const { start, end, character } of percentEscapes(found))
      escapes.push({ start: index + start, end: index + end, character });
  if (text.includes('=')) for (const found of quotedEscapes(text)) escapes.push(found);
  escapes.sort((a, b) => a.start - b.start);
  return escapes.length === 0 ? undefined : rewritten(text, escapes);
}

/** A text with pieces replaced by other characters, or by nothing. */
export function rewritten(text: string, pieces: readonly Escape[]): Decoded {
  const starts = new Int32Array(text.length + 1);
  let decoded = '';
  let from = 0;
  for (const { start, end, character } of [...pieces, { start: text.length, end: text.length, character: '' }]) {
    for (let i = from; i < start; i++) starts[decoded.length + i - from] = i;
    decoded += text.slice(from, start);
    starts.fill(start, decoded.length, decoded.length + character.length);
    decoded += character;
    from = end;
  }
  starts[decoded.length] = text.length;
  return { text: decoded, starts };
}
