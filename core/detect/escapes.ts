/**
 * Escape sequences in texts that are not decoded as a whole: JSON in prose, source code, logs. Without this the `n` of
 * `"Card:\n4111 1111 1111 1111"` would look like part of a serial.
 */
import { percentEscapes } from '../payload/percent.ts';
import { quotedEscapes } from '../payload/quoted-printable.ts';

/** `\n`, `\r`, `\t` before the start of a value, name or label; not in `C:\temp`. */
const escapedBreak = /(?<!\\)(?:\\\\)*\\[nrt](?=[0-9+(A-Z\u3041-\u30ff\u4e00-\u9fff])/g;
/** Terminal colors (ECMA-48 §8.3.117). */
const colour = /\u001b\[[0-9;]{0,16}m/g;

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
 * A text with its `\\uXXXX` (RFC 8259 §7), references to characters (`&#64;`, `&#x40;`, `&nbsp;`), percent-encoding of addresses
 * and quoted-printable decoded, with the offsets of its code units and its end in the original.
 */
export type Decoded = {
  readonly text: string;
  readonly starts: Int32Array;
  /** Text after a value and before the next code unit is not part of the value. */
  readonly endsBehindLast?: boolean;
};

const escapedUnit =
  /(?<!\\)(?:\\\\)*\\u([0-9a-fA-F]{4})|&#(\d{1,7});|&#[xX]([0-9a-fA-F]{1,6});|&(nbsp|commat|period);/g;
const anyReference = /&(?:#[\dxX]|nbsp;|commat;|period;)/;
/** Named references (https://html.spec.whatwg.org/#named-character-references) inside numbers and addresses. */
const named: Readonly<Record<string, string>> = { nbsp: '\u00a0', commat: '@', period: '.' };

/** URLs. Only their percent signs are escapes. */
const address = /(?:[a-z]:\/\/|\b(?:mailto|tel|sms):)[^\s"'<>`]+/gi;
const octets = /%[\da-f]{2}/i;

type Escape = { readonly start: number; readonly end: number; readonly character: string };

/** Decodes a text; undefined if it has no such escapes. */
export function decodeUnits(text: string): Decoded | undefined {
  const escapes: Escape[] = [];
  if (text.includes('\\u') || (text.includes('&') && anyReference.test(text)))
    for (const { 0: found, 1: unit, 2: decimal, 3: hex, 4: name, index } of text.matchAll(escapedUnit)) {
      const end = index + found.length;
      const start = unit === undefined ? index : end - 6;
      const character = unit ? String.fromCharCode(Number.parseInt(unit, 16)) : referred(decimal, hex, name);
      if (character !== undefined) escapes.push({ start, end, character });
    }
  if (text.includes('%') && octets.test(text)) {
    for (const { 0: found, index } of text.matchAll(address))
      for (const { start, end, character } of percentEscapes(found))
        escapes.push({ start: index + start, end: index + end, character });
  }
  if (text.includes('=')) for (const found of quotedEscapes(text)) escapes.push(found);
  if (escapes.length === 0) return undefined;
  return rewritten(
    text,
    escapes.sort((a, b) => a.start - b.start),
  );
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

/** The character of a reference; undefined for an invalid number. */
function referred(decimal: string | undefined, hex: string | undefined, name = ''): string | undefined {
  const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : 0;
  if (code === 0) return named[name];
  return code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? undefined : String.fromCodePoint(code);
}
