/** Converts between body bytes and the string that payload functions take, without loss. */

import { PrivetError } from '../errors.ts';
import { utf8Text } from '../parsing.ts';

/**
 * The string form of a body: UTF-8 text, or one character per byte for kinds that may be binary ({@link isBytewise}).
 * Throws `undecodable_body` for invalid UTF-8, because it could not be sent on unchanged.
 */
export function bodyText(kind: string, bytes: Uint8Array): string {
  if (isBytewise(kind)) return bytesToChars(bytes);
  const text = utf8Text(bytes);
  if (text === undefined) throw new PrivetError('undecodable_body', 'The body is not valid UTF-8.');
  return text;
}

/** The bytes of a body in the string form of {@link bodyText}. */
export function bodyBytes(kind: string, text: string): Uint8Array {
  return isBytewise(kind) ? charsToBytes(text) : new TextEncoder().encode(text);
}

/** True for body kinds that may contain binary data and are read with one character per byte. */
export function isBytewise(kind: string): boolean {
  return kind === 'multipart' || kind === 'content';
}

/** One character (U+0000 to U+00FF) per byte. TextDecoder('latin1') is windows-1252 and would change bytes. */
export function bytesToChars(bytes: Uint8Array): string {
  let result = '';
  // The stack limits the number of arguments; 8 Ki is safe in every engine.
  for (let at = 0; at < bytes.length; at += 8192) result += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return result;
}

/** Reverse of {@link bytesToChars}. */
export function charsToBytes(chars: string): Uint8Array {
  const bytes = new Uint8Array(chars.length);
  for (let at = 0; at < chars.length; at++) bytes[at] = chars.charCodeAt(at);
  return bytes;
}

/** A decoded text, and a function that encodes another text in the same way. */
export type EncodedText = { readonly text: string; encode(text: string): string };

const markLittle = '\xff\xfe';
const markBig = '\xfe\xff';
const wideControl = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;

const isPlain = (code: number) => (code >= 0x20 && code < 0x7f) || (code >= 9 && code <= 13);

/**
 * Decodes bytes (one character each) as UTF-16: with a byte order mark, or if at least half of the result is ASCII,
 * which is rare for other bytes. Undefined if they are not UTF-16.
 */
export function readWideText(chars: string): EncodedText | undefined {
  if (chars.length % 2 !== 0 || !(chars.includes('\0') || chars.startsWith(markLittle) || chars.startsWith(markBig)))
    return undefined;
  for (const encoding of ['utf-16le', 'utf-16be'] as const) {
    const isLittle = encoding === 'utf-16le';
    let text: string;
    try {
      text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(charsToBytes(chars));
    } catch {
      continue;
    }
    let plain = 0;
    for (let i = 0; i < text.length; i++) if (isPlain(text.charCodeAt(i))) plain++;
    const hasMark = text.startsWith('\ufeff');
    if ((!hasMark && 2 * plain < text.length) || wideControl.test(text)) continue;
    const encode = (changed: string) => {
      const view = new DataView(new ArrayBuffer(2 * changed.length));
      for (let i = 0; i < changed.length; i++) view.setUint16(2 * i, changed.charCodeAt(i), isLittle);
      return bytesToChars(new Uint8Array(view.buffer));
    };
    return { text, encode };
  }
  return undefined;
}

/** ISO-2022-JP (RFC 1468) encodes text in ASCII bytes. */
const japaneseEscape = /\x1b\$[@B]/;

/** Decodes bytes (one character each) as UTF-8; undefined if they are invalid. */
export function readText(chars: string): string | undefined {
  return chars.includes('\0') || japaneseEscape.test(chars) ? undefined : utf8Text(charsToBytes(chars));
}

/** The rest of a letter at the beginning of a piece of UTF-8, and the beginning of one at its end (RFC 3629 §4). */
const cutStart = /^[\x80-\xbf]{1,3}/;
const cutEnd = /(?:[\xc2-\xf4]|[\xe0-\xf4][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{2})$/;

/**
 * {@link readText}, with the way back to bytes. Large files are uploaded in parts of a fixed size, so a letter may be cut at
 * both ends of a text; its bytes stay as they are.
 */
export function readNarrowText(chars: string): EncodedText | undefined {
  const start = cutStart.exec(chars)?.[0] ?? '';
  const end = cutEnd.exec(chars.slice(-3))?.[0] ?? '';
  const text = readText(chars.slice(start.length, chars.length - end.length));
  if (text === undefined || (start + end !== '' && (text === '' || wideControl.test(text)))) return undefined;
  return { text, encode: (changed) => start + bytesToChars(new TextEncoder().encode(changed)) + end };
}
