/** Content in base64 (RFC 4648 §4 and §5) as found in bodies: alone, in `data:` addresses (RFC 2397), within texts. */
import { anyOf } from '../patterns.ts';
import { bytesToChars, readText, readWideText } from './body-text.ts';

// Tables instead of patterns, which store a backtracking step per character of a group: five million fill the stack.
const isCoded = tableOf(/[A-Za-z0-9+/_-]/);
const isHex = tableOf(/[\da-f]/i);

function tableOf(characters: RegExp): Uint8Array {
  return new Uint8Array(128).map((_, code) => Number(characters.test(String.fromCharCode(code))));
}

/** The end of the run of characters in the table. */
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

/** True for base64 in one piece, or in lines of one length, as mail and `base64` write it (RFC 2045 §6.8). */
export function isBase64(value: string): boolean {
  const first = value.trimEnd().indexOf('\n');
  if (first === -1) return isOneLine(value);
  const [start = '', ...more] = value.trimEnd().split(/\r?\n/);
  if (start.length < lineMin || start.length % 4 !== 0) return false;
  const last = more.pop() ?? '';
  if (last.length > start.length || more.some((line) => line.length !== start.length)) return false;
  return isOneLine(start + more.join('') + last);
}

// Programs write file names, and blanks between the parameters.
const dataHead = /^\s*data:\s*([^\s;,]*)\s*(?:;[^,;]*)*;\s*base64\s*,/i;
const dataHeadMax = 1024;
const dataBody = /^[A-Za-z0-9+/_=\r\n-]*$/;

/** A `data:` URL in base64: its declaration, and where its content starts. */
export type DataUrl = { readonly mediaType: string | undefined; readonly start: number };

/** Reads a text that is a `data:` address in base64 as a whole; a text may begin with the word "data:" as well. */
export function dataUrlOf(value: string): DataUrl | undefined {
  const c = value.charCodeAt(0) | 0x20;
  // "d", or white space before it.
  if (c !== 0x64 && c > 0x2d) return undefined;
  const head = dataHead.exec(value.slice(0, dataHeadMax));
  if (head === null || !dataBody.test(value.slice(head[0].length).trimEnd())) return undefined;
  return { mediaType: head[1] || undefined, start: head[0].length };
}

const mark = ';base64,';
const headBefore = /data:(?:[\w.+-]+\/[\w.+-]+)?(?:;[\w.+-]+=[^\s,;:"'<>()]*)*$/i;
const headBeforeMax = 256;
const contentMin = 16;
/** The beginnings of PDF, zip (all newer office files), RTF and old office files. */
const fileMagic = /^(?:JVBERi|UEsDB|e1xydGY|0M8R4K)/;
/** People write examples into texts; a document is never this short. */
const documentMin = 1024;

/** True for an encoded text file, whatever the member's name. */
export function isDocument(encoded: string, lengthMin = 64): boolean {
  return encoded.length >= lengthMin && fileMagic.test(encoded) && isBase64(encoded);
}

/**
 * `data:` addresses of texts and documents within a text, in order. Any others, and what only looks like one, stay part
 * of the text: pictures in Markdown, fonts in style sheets, examples of how an address is written.
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
/** Text that precedes a secret: the next word is the secret itself and is not decoded. */
const secretWords = anyOf(
  String.raw`basic bearer token key secret passw\w* pwd auth\w* credentials? cookie session sig\w* hash digest`,
);
const beforeSecret = new RegExp(String.raw`${secretWords}["'\s:=]*$`, 'i');
/** Matches text, but no hashes and ids. */
const tellsSomething = /[@ \n]|\d{7}|[^\0-\x7f]/;

/** The bytes of a word in hexadecimal, one character each, if they are text in UTF-8 or UTF-16; undefined for hashes, ids and the like. */
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

/** Words of a text that encode text in base64 or hexadecimal: models can read them. */
export function codedWordsIn(text: string): { readonly start: number; readonly end: number }[] {
  const found: { start: number; end: number }[] = [];
  // Searches backwards from where the shortest word would end; after a non-letter the next word may begin.
  for (let next = 0; next + wordMin <= text.length; ) {
    const start = next;
    next += wordMin;
    while (next > start && isCoded[text.charCodeAt(next - 1)]) next--;
    if (next > start) continue;
    let end = endOf(isCoded, text, start + wordMin);
    next = end;
    while (text[end] === '=') end++;
    // Parts of a JWT, a path or an address are not words, and `data:` URLs are found separately.
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
/** UTF-8 letters (RFC 3629 §4), one character per byte; the frequent ids and hashes fail within a few bytes. */
const utf8 = /^(?:[\t\n\r\x20-\x7e]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})*/;
const headChars = 96;

/**
 * True for base64 of a text in UTF-8 or UTF-16, whatever the member's name. An ordinary word of 24 letters almost never
 * matches: half of its decoded bytes are not ASCII, and adjacent ones would have to form UTF-8 characters.
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

/** Whether bytes may begin a text in UTF-16: a byte order mark, or a letter of ASCII. */
function mayBeWide(head: string): boolean {
  return /^(?:\xff\xfe|\xfe\xff)/.test(head) || head.slice(0, 16).includes('\0');
}

/** The bytes of base64 in either alphabet, one character each; undefined when it is damaged. */
export function decodedBase64(encoded: string): string | undefined {
  try {
    return atob(/[-_]/.test(encoded) ? encoded.replaceAll('-', '+').replaceAll('_', '/') : encoded);
  } catch {
    return undefined;
  }
}
