/** Base64 (RFC 4648 §4 and §5) in bodies: on its own, in `data:` URLs (RFC 2397), within texts. */
import { anyOf } from '../patterns.ts';
import { bytesToChars, readText, readWideText } from './body-text.ts';

// Tables, not patterns: a pattern stores a backtracking step per character, and five million overflow the stack.
const isCoded = tableOf(/[A-Za-z0-9+/_-]/);
const isHex = tableOf(/[\da-f]/i);

function tableOf(characters: RegExp): Uint8Array {
  return new Uint8Array(128).map((_, code) => Number(characters.test(String.fromCharCode(code))));
}

function endOf(table: Uint8Array, text: string, from: number): number {
  let end = from;
  while (table[text.charCodeAt(end)]) end++;
  return end;
}

function isOneLine(value: string): boolean {
  const end = endOf(isCoded, value, 0);
  return end >= 8 && /^={0,2}\s*$/.test(value.slice(end));
}

/** Shorter lines may be words in a column. */
const lineMin = 32;

/** True for base64 on one line, or in lines of equal length as in mail and the output of `base64` (RFC 2045 §6.8). */
export function isBase64(value: string): boolean {
  const first = value.trimEnd().indexOf('\n');
  if (first === -1) return isOneLine(value);
  const [start = '', ...more] = value.trimEnd().split(/\r?\n/);
  if (start.length < lineMin || start.length % 4 !== 0) return false;
  const last = more.pop() ?? '';
  if (last.length > start.length || more.some((line) => line.length !== start.length)) return false;
  return isOneLine(start + more.join('') + last);
}

// Programs add file names, and spaces between the parameters.
const dataHead = /^\s*data:\s*([^\s;,]*)\s*(?:;[^,;]*)*;\s*base64\s*,/i;
const dataHeadMax = 1024;
const dataBody = /^[A-Za-z0-9+/_=\r\n-]*$/;

/** A base64 `data:` URL: its declared type, and where its content starts. */
export type DataUrl = { readonly mediaType: string | undefined; readonly start: number };

/** Parses a text that is one base64 `data:` URL; other texts may also start with "data:". */
export function dataUrlOf(value: string): DataUrl | undefined {
  const c = value.charCodeAt(0) | 0x20;
  // "d", or whitespace before it.
  if (c !== 0x64 && c > 0x2d) return undefined;
  const head = dataHead.exec(value.slice(0, dataHeadMax));
  if (head === null || !dataBody.test(value.slice(head[0].length).trimEnd())) return undefined;
  return { mediaType: head[1] || undefined, start: head[0].length };
}

const mark = ';base64,';
const headBefore = /data:(?:[\w.+-]+\/[\w.+-]+)?(?:;[\w.+-]+=[^\s,;:"'<>()]*)*$/i;
const headBeforeMax = 256;
const contentMin = 16;
/** The first characters of PDF, zip (all newer office files), RTF and old office files. */
const fileMagic = /^(?:JVBERi|UEsDB|e1xydGY|0M8R4K)/;
/** Minimum length within a text: users write short examples, and documents are longer. */
const documentMin = 1024;

/** True for an encoded text file, whatever the member's name. */
export function isDocument(encoded: string, lengthMin = 64): boolean {
  return encoded.length >= lengthMin && fileMagic.test(encoded) && isBase64(encoded);
}

/**
 * Finds `data:` URLs of texts and documents within a text, in order. All others stay part of the text: images in
 * Markdown, fonts in style sheets, examples of the syntax.
 */
export function dataUrlsIn(text: string): { readonly start: number; readonly end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) {
    const from = at + mark.length;
    const head = headBefore.exec(text.slice(Math.max(0, at - headBeforeMax), at))?.[0];
    if (head === undefined) continue;
    let end = endOf(isCoded, text, from);
    if (end - from < contentMin) continue;
    for (let signs = 0; signs < 2 && text[end] === '='; signs++) end++;
    const encoded = text.slice(from, end);
    if (isTextInBase64(encoded) || isDocument(encoded, documentMin)) found.push({ start: at - head.length, end });
  }
  return found;
}

const wordMin = 24;
/** Text before a secret. The word after it is the secret and is not decoded. */
const secretWords = anyOf(
  String.raw`basic bearer token key secret passw\w* pwd auth\w* credentials? cookie session sig\w* hash digest`,
);
const beforeSecret = new RegExp(String.raw`${secretWords}["'\s:=]*$`, 'i');
/** Matches text, but neither hashes nor ids. */
const tellsSomething = /[@ \n]|\d{7}|[^\0-\x7f]/;

/** The bytes of a hexadecimal word, one character each, if they are text in UTF-8 or UTF-16; undefined for hashes and ids. */
export function textInHex(word: string): string | undefined {
  const from = /^0x/i.test(word) ? 2 : 0;
  const length = word.length - from;
  if (length < wordMin || length % 2 === 1 || endOf(isHex, word, from) < word.length) return undefined;
  const codeAt = (i: number) => Number.parseInt(word.slice(from + 2 * i, from + 2 * i + 2), 16);
  const bytes = bytesToChars(Uint8Array.from({ length: length / 2 }, (_, i) => codeAt(i)));
  return isText(bytes) || readWideText(bytes) !== undefined ? bytes : undefined;
}

function isText(bytes: string): boolean {
  return !control.test(bytes) && readText(bytes) !== undefined;
}

/** Finds words that encode text in base64 or hexadecimal, which models can read. */
export function codedWordsIn(text: string): { readonly start: number; readonly end: number }[] {
  const found: { start: number; end: number }[] = [];
  // Search backwards from the end of the shortest possible word; after a non-letter the next word may start.
  for (let next = 0; next + wordMin <= text.length; ) {
    const start = next;
    next += wordMin;
    while (next > start && isCoded[text.charCodeAt(next - 1)]) next--;
    if (next > start) continue;
    let end = endOf(isCoded, text, start + wordMin);
    next = end;
    while (text[end] === '=') end++;
    // Parts of a JWT, path or URL are not words, and `data:` URLs are found separately.
    if (
      /[.%:@~]$|;base64,$/.test(text.slice(Math.max(0, start - 8), start)) ||
      /^(?:[.@]\w|[%~])/.test(text.slice(end, end + 2))
    )
      continue;
    const word = text.slice(start, end);
    const bytes = textInHex(word) ?? (fileMagic.test(word) || !isTextInBase64(word) ? '' : decodedBase64(word));
    const read = bytes && (readWideText(bytes)?.text ?? bytes);
    if (read === undefined || !(tellsSomething.test(read) || isTextInBase64(read))) continue;
    if (!beforeSecret.test(text.slice(Math.max(0, start - 40), start))) found.push({ start, end });
  }
  return found;
}

const textHead = /^[A-Za-z0-9+/_-]{24}/;
/** Characters that no text contains. */
const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;
/** UTF-8 letters (RFC 3629 §4), one character per byte; ids and hashes usually fail within a few bytes. */
const utf8 = /^(?:[\t\n\r\x20-\x7e]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})*/;
const headChars = 96;

/**
 * True for base64 of UTF-8 or UTF-16 text. An ordinary word of 24 letters almost never matches: half of its decoded
 * bytes are not ASCII, and adjacent ones would have to form UTF-8 characters.
 */
export function isTextInBase64(value: string): boolean {
  if (!textHead.test(value)) return false;
  const encoded = value.slice(0, headChars).replace(/\s/g, '');
  const head = decodedBase64(encoded.slice(0, encoded.length & ~3)) ?? '';
  // The last character may be truncated.
  const isNarrow = (utf8.exec(head)?.[0].length ?? 0) >= head.length - 3;
  if (!(isNarrow || mayBeWide(head)) || !isBase64(value)) return false;
  const bytes = decodedBase64(value);
  if (bytes === undefined) return false;
  return isNarrow ? isText(bytes) : readWideText(bytes) !== undefined;
}

/** True if bytes may start a UTF-16 text: a byte order mark, or an ASCII letter. */
function mayBeWide(head: string): boolean {
  return /^(?:\xff\xfe|\xfe\xff)/.test(head) || head.slice(0, 16).includes('\0');
}

/** The bytes of base64 in either alphabet, one character each; undefined if it is invalid. */
export function decodedBase64(encoded: string): string | undefined {
  try {
    return atob(/[-_]/.test(encoded) ? encoded.replaceAll('-', '+').replaceAll('_', '/') : encoded);
  } catch {
    return undefined;
  }
}
