import { hashWord } from './lexicon.ts';

/** A span whose text encodes another text. */
export type DecodedRun = { readonly start: number; readonly end: number; readonly text: string };

/** Limits per text that keep the cost linear in its length. */
const runsMax = 8;
const decodedBytesMax = 16_384;

const encodedMin = 24;
const triesMax = 64;
const spacedHex = /(?:[0-9a-fA-F]{2}[ :]){11,}[0-9a-fA-F]{2}/g;

/**
 * Decodes runs of base64, base64url and hex that contain readable text, one level deep. Skips images (`data:image/`)
 * and JSON web tokens. `words` gives the offsets of long words; nothing else is scanned.
 */
export function decodedRuns(
  text: string,
  words: { readonly longWords: readonly number[]; readonly digitPairs: number },
): DecodedRun[] {
  const found: DecodedRun[] = [];
  let bytesLeft = decodedBytesMax;
  const take = (start: number, end: number, bytes: Uint8Array): void => {
    const plain = readable(bytes);
    if (plain === undefined) return;
    bytesLeft -= bytes.length;
    found.push({ start, end, text: plain });
  };
  let tries = 0;
  let done = 0;
  for (const word of words.longWords) {
    if (found.length >= runsMax || bytesLeft <= 0 || tries >= triesMax) break;
    if (word < done) continue;
    let start = word;
    while (start > done && base64Value(text.charCodeAt(start - 1)) >= 0) start--;
    let end = word;
    while (end < text.length && base64Value(text.charCodeAt(end)) >= 0) end++;
    done = end;
    if (end - start < encodedMin) continue;
    const run = text.slice(start, end);
    if (/^[0-9a-f]+$/i.test(run) && run.length % 2 === 0) {
      tries++;
      take(start, end, hexBytes(run, bytesLeft));
    } else if (looksEncoded(run, text.charCodeAt(end)) && !isJsonWebToken(text, start, run) && !isImage(text, start)) {
      tries++;
      take(start, end, base64Bytes(run, bytesLeft));
    }
  }
  if (words.digitPairs < encodedMin / 4) return found;
  for (const match of text.matchAll(spacedHex)) {
    if (found.length >= runsMax || bytesLeft <= 0) break;
    take(match.index, match.index + match[0].length, hexBytes(match[0].replace(/[ :]/g, ''), bytesLeft));
  }
  return found;
}

/** Paths and long words have no capital in the middle and no digit; encoded text has both, or padding. */
function looksEncoded(run: string, next: number): boolean {
  return next === 0x3d || (/[a-z][A-Z0-9]/.test(run) && /[A-Z]/.test(run) && /[0-9a-z]/.test(run));
}

function isJsonWebToken(text: string, start: number, run: string): boolean {
  return (
    run.startsWith('eyJ') ||
    (text.charCodeAt(start - 1) === 0x2e && text.slice(Math.max(0, start - 2048), start).includes('eyJ'))
  );
}

function isImage(text: string, start: number): boolean {
  return /data:(?:image|font|audio|video)\/[\w.+-]{1,40};base64,$/.test(text.slice(Math.max(0, start - 64), start));
}

function base64Value(code: number): number {
  if (code >= 65 && code <= 90) return code - 65;
  if (code >= 97 && code <= 122) return code - 71;
  if (code >= 48 && code <= 57) return code + 4;
  if (code === 0x2b || code === 0x2d) return 62;
  return code === 0x2f || code === 0x5f ? 63 : -1;
}

function base64Bytes(run: string, most: number): Uint8Array {
  const bytes = new Uint8Array(Math.min(most, Math.floor((run.length * 3) / 4)));
  let length = 0;
  let bits = 0;
  let held = 0;
  for (let i = 0; i < run.length && length < bytes.length; i++) {
    const value = base64Value(run.charCodeAt(i));
    if (value < 0) break;
    bits = ((bits << 6) | value) & 0xffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[length++] = (bits >> held) & 0xff;
    }
  }
  return bytes.subarray(0, length);
}

function hexBytes(digits: string, most: number): Uint8Array {
  const length = Math.min(most, digits.length >> 1);
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = Number.parseInt(digits.slice(i * 2, i * 2 + 2), 16);
  return bytes;
}

/** The bytes as text if they are valid UTF-8, nearly all printable, and contain a space or Japanese letters. */
function readable(bytes: Uint8Array): string | undefined {
  if (bytes.length < 12) return undefined;
  let text: string;
  try {
    text = utf8.decode(trimmed(bytes));
  } catch {
    return undefined;
  }
  const strange = text.match(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]/g)?.length ?? 0;
  return strange * 20 <= text.length && /[ \u3040-\u30ff\u4e00-\u9fff]/.test(text) ? text : undefined;
}

/** Drops a trailing character that the limit cut in two. */
function trimmed(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && end > bytes.length - 4 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--;
  const lead = bytes[end - 1] ?? 0;
  const need = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return need > bytes.length - end + 1 ? bytes.subarray(0, end - 1) : bytes;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

const percentEscape = /%[0-9a-f]{2}/i;
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  num: '#',
  lpar: '(',
  rpar: ')',
  equals: '=',
  semi: ';',
};

/** The text with `%41`, `\u0041`, `\x41` and `&#65;` decoded; undefined when it has none of them. */
export function unescapedText(text: string): string | undefined {
  let out = text;
  if (text.includes('%') && percentEscape.test(text)) out = unescapedPercent(out);
  if (text.includes('\\u') || text.includes('\\x')) {
    out = out.replace(/\\u\{?([0-9a-f]{4})\}?|\\x([0-9a-f]{2})/gi, (_, wide?: string, narrow?: string) =>
      String.fromCharCode(Number.parseInt(wide ?? narrow ?? '20', 16)),
    );
  }
  if (text.includes('&')) out = unescapedEntities(out);
  return out === text ? undefined : out;
}

/** Decodes percent escapes as UTF-8; a byte that is not UTF-8 becomes the character with that number. */
export function unescapedPercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    // Most runs are a single escape; creating a decoder for each would be expensive.
    if (run.length === 3) return String.fromCharCode(Number.parseInt(run.slice(1), 16));
    const bytes = new Uint8Array(run.length / 3);
    for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(run.slice(i * 3 + 1, i * 3 + 3), 16);
    try {
      return utf8.decode(bytes);
    } catch {
      return new TextDecoder('latin1').decode(bytes);
    }
  });
}

/** Decodes numeric HTML entities, and the named ones that matter to markup and SQL. */
export function unescapedEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|([a-z]{2,6}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
      const code = decimal !== undefined ? Number.parseInt(decimal, 10) : Number.parseInt(hex ?? '20', 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
    },
  );
}

/** Shifts each letter by thirteen. */
export function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (char) => {
    const code = char.charCodeAt(0);
    const base = code >= 97 ? 97 : 65;
    return String.fromCharCode(base + ((code - base + 13) % 26));
  });
}

const apart = /(?<![^\s([{"'`,;:!?/=@.-])[\p{L}\d]([ .\-_*])(?:[\p{L}\d]\1)*[\p{L}\d](?![\p{L}\d])/gu;

/** Joins single separated letters ("i g n o r e", "i.g.n.o.r.e"); two spaces end a word. */
export function lettersJoined(text: string): string {
  return text
    .replace(apart, joined)
    .replace(/ ([.,:;!?)])/g, '$1')
    .replace(/ {2,}/g, ' ');
}

function joined(run: string): string {
  let out = '';
  let take = true;
  for (const char of run) {
    if (take) out += char;
    take = !take;
  }
  return out;
}

const kanaOrKanji = '[\\u3005-\\u30ff\\u3400-\\u9fff]';
const spacedEast = new RegExp(`(?<=${kanaOrKanji})[ \\u3000](?=${kanaOrKanji})`, 'g');

/** Removes single spaces between Japanese letters. */
export function eastJoined(text: string): string {
  return text.replace(spacedEast, '');
}

const digitLetters: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'i',
  '€': 'e',
  '£': 'l',
  '+': 't',
};

const disguisedWord = /[a-z0134578@$!|€£+]{2,40}/gi;
const signForLetter = /[0134578@$!|€£+]/g;
/** Characters that may also replace an "l". */
const signForL = /[1!|]/g;

/** Replaces digits and symbols used as letters; of two possible readings, the known word wins. */
export function digitsAsLetters(text: string, known: ReadonlySet<number>): string {
  return text.replace(disguisedWord, (word) => (/[a-z]/i.test(word) ? lettersOf(word, known) : word));
}

function lettersOf(word: string, known: ReadonlySet<number>): string {
  const tail = /[!+]+$/.exec(word)?.[0] ?? '';
  const body = word.slice(0, word.length - tail.length);
  const letters = (from: string): string => from.replace(signForLetter, (sign) => digitLetters[sign] ?? sign);
  const plain = letters(body);
  if (plain === body || known.has(hashWord(plain.toLowerCase()))) return plain + tail;
  const other = letters(body.replace(signForL, 'l'));
  return (known.has(hashWord(other.toLowerCase())) ? other : plain) + tail;
}

const signBeforeLetter = /[@$!|€£+](?=[a-z])/gi;
const wordPart = /[a-z0-9@$!|€£+]/i;

/** True if a known word is written with symbols ("p@ssword"); checks the first few hundred candidates. */
export function hasSignsForLetters(text: string, known: ReadonlySet<number>): boolean {
  let looked = 0;
  for (const { index } of text.matchAll(signBeforeLetter)) {
    let start = index;
    while (start > 0 && index - start < 16 && wordPart.test(text[start - 1] ?? '')) start--;
    let end = index + 1;
    while (end < text.length && end - index < 16 && wordPart.test(text[end] ?? '')) end++;
    const word = text.slice(start, end);
    if (word.length >= 4 && known.has(hashWord(lettersOf(word, known).toLowerCase()))) return true;
    looked++;
    if (looked >= 256) return false;
  }
  return false;
}
