/**
 * Scans an event's raw bytes to decide whether it can pass without parsing. A typical event is a few hundred bytes with
 * one word of text, so this scan is most of the cost of a stream.
 */
import { wireFormats } from '../formats/index.ts';
import { anyByte, type ByteTable, beginsName } from '../formats/quiet-names.ts';

/**
 * True if no string of the event's JSON contains a character that may start a token, a backslash that escapes another,
 * or a name in `parsed`: of tool calls (their tokens may lack brackets, and quotes must be tracked), of offsets into a
 * text that may have grown, or of patches (which depend on the previous event). In doubt, and for data that is not
 * JSON, false.
 */
export function isQuietEvent(bytes: Uint8Array, parsed: ByteTable = wireFormats.parsedNames): boolean {
  const { thirds } = parsed;
  const length = bytes.length;
  let at = 0;
  // Skip what precedes the document: `event:` lines, `data:`.
  while (at < length && bytes[at] !== 0x7b) {
    const byte = bytes[at] as number;
    if (byte === 0x5b || byte === 0x22) return false;
    at++;
  }
  if (at === length) return false;
  for (; at < length; at++) {
    if (bytes[at] !== 0x22) continue;
    // A string; check its name first.
    at++;
    const first = bytes[at] as number;
    const third = thirds[(first << 8) | (bytes[at + 1] as number)] as number;
    if (third !== 0 && (third === anyByte || third === bytes[at + 2]) && beginsName(parsed, bytes, at)) return false;
    for (let byte = first; byte !== 0x22; byte = bytes[++at] as number) {
      if (byte < 0x5b) {
        if (byte === 0x26 || byte === 0x25) return false;
      } else if (byte === 0x5b) {
        return false;
      } else if (byte === 0x5c) {
        at++;
        const escaped = bytes[at];
        if (escaped === 0x5c || (escaped === 0x75 && !isHarmlessEscape(bytes, at + 1))) return false;
      } else if (byte >= 0xe3) {
        if (byte === 0xe3 && bytes[at + 1] === 0x80 && isBracketByte(bytes[at + 2])) return false;
        if (byte === 0xef && bytes[at + 1] === 0xbc && bytes[at + 2] === 0xbb) return false;
      }
      if (at >= length) return false;
    }
  }
  return true;
}

/** False for `\u00xx`, `\u300x`, `\u301x` and `\uffxx`, which include the opening characters. */
function isHarmlessEscape(bytes: Uint8Array, at: number): boolean {
  const a = bytes[at];
  const b = bytes[at + 1];
  if (a === 0x30) return b !== 0x30;
  if (a === 0x33) return b !== 0x30 || (bytes[at + 2] !== 0x30 && bytes[at + 2] !== 0x31);
  return a !== 0x66 && a !== 0x46;
}

function isBracketByte(byte: number | undefined): boolean {
  return byte === 0x8c || byte === 0x90 || byte === 0x94;
}
