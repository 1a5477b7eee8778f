/** E-mail addresses (RFC 5321, 6531; unquoted local part), also with an encoded `@`: `%40` (RFC 3986 §2.1), `&#64;`. */

import { codesOf } from '../detect/code-set.ts';
import { lengthAt, type ScanText } from '../detect/scan.ts';
import files from '../lexicon/named-files.json' with { type: 'json' };
import { patternsOf } from '../pattern-data.ts';
import type { Detection, Recognizer } from '../recognizer.ts';

const { domainPattern, namedFile, imageFile, remotePath, encodedAt, localBefore, firstLabel } = patternsOf(
  'email',
  files,
);

const localLengthMax = 64;
const domainLengthMax = 253;

/** Checks the text around every `@`. */
export const email: Recognizer = {
  name: 'email',
  type: 'EMAIL',
  find(text: ScanText): Detection[] {
    const found = encodedIn(text);
    let done = 0;
    for (const at of text.ats) {
      if (at === 0 || text.shadow[at + 1] === '@') continue;
      const last = text.shadow.charCodeAt(at - 1);
      if (!isLocal(last) && scriptOf(last) === 0) continue;
      if (lengthAt(firstLabel, text.shadow, at + 1) === 0) continue;
      const domain = domainAt(text.shadow, at + 1);
      if (domain === undefined || imageFile.test(domain)) continue;
      const end = at + 1 + domain.length;
      const start = localStart(text.shadow, at, done, text.shadow[end]);
      if (start === undefined) continue;
      if (remotePath.test(text.shadow.slice(end, end + 64))) continue;
      // The user of a URL is no mailbox (`scheme://user:secret@`), unless another `@` follows: `ssh://jo@example.com@host/`.
      const before = text.shadow.slice(Math.max(0, start - 80), start);
      if (text.shadow[end] !== '@' && /:\/\/[^\s/?#@"'<>]*$/.test(before)) continue;
      found.push({ type: 'EMAIL', value: text.original.slice(start, end), start, end, score: 1, recognizer: 'email' });
      done = end;
    }
    return found;
  },
};

/** The domain at `start`, without a file extension. */
function domainAt(text: string, start: number): string | undefined {
  const domain = domainPattern.exec(text.slice(start, start + domainLengthMax))?.[0];
  return domain && (namedFile.exec(domain.replace(/\.tar\.\w+$/i, '.tar'))?.[1] ?? domain);
}

function encodedIn({ shadow, original, marks }: ScanText): Detection[] {
  const found: Detection[] = [];
  for (const at of marks) {
    const next = shadow.charCodeAt(at + 1);
    if (next !== 0x34 && next !== 0x32 && next !== 0x23 && next !== 0x63 && next !== 0x43) continue;
    encodedAt.lastIndex = at;
    const sign = encodedAt.exec(shadow)?.[0];
    if (sign === undefined) continue;
    const local = encodedLocal(shadow, at);
    if (local === undefined || local.endsWith('.') || local.includes('..')) continue;
    const behind = at + sign.length;
    const domain = domainAt(shadow, behind);
    if (domain === undefined || imageFile.test(domain)) continue;
    const [start, end] = [at - local.length, behind + domain.length];
    found.push({ type: 'EMAIL', value: original.slice(start, end), start, end, score: 0.9, recognizer: 'email' });
  }
  return found;
}

/** The local part before an encoded `@`, without the digits of an escape before it. */
function encodedLocal(text: string, at: number): string | undefined {
  const local = localBefore.exec(text.slice(Math.max(0, at - localLengthMax), at))?.[0];
  if (local === undefined || text[at - local.length - 1] !== '%') return local;
  return /^[0-9A-F]{2}(?=[A-Za-z0-9_-])/i.test(local) ? local.slice(2) : undefined;
}

/** The start of a string in code, including Python prefixes: `b'`, `f'`. */
const stringStart: Readonly<Record<string, RegExp>> = {
  "'": /^(?:.*(?<![A-Za-z0-9_])|(?:.*[{}|])?[bfru])'(?=[A-Za-z0-9_])/,
  '`': /^(?:.*(?<![A-Za-z0-9_])|(?:.*[{}|])?[bfru])`(?=[A-Za-z0-9_])/,
};

/**
 * The start of the local part before the `@`; undefined without a valid one. `closing` is the character after the address: only
 * a matching quote opens a string.
 */
function localStart(text: string, at: number, floor: number, closing = ''): number | undefined {
  const lowest = Math.max(floor, at - localLengthMax - 1);
  let start = at;
  const script = scriptOf(text.charCodeAt(at - 1));
  if (script > 0) while (start > lowest && scriptOf(text.charCodeAt(start - 1)) === script) start--;
  while (start > lowest && isLocal(text.charCodeAt(start - 1))) start--;
  const local = text.slice(start, at);
  // RFC 5321 allows these characters in a mailbox, but in practice they end a path, query, assignment, table cell or code.
  let cut = /^.*[=?&/#|^~{]['`]?(?=.*[^!-/:-@[-^`{-~])/.exec(local)?.[0].length ?? 0;
  cut += stringStart[closing]?.exec(local.slice(cut))?.[0].length ?? 0;
  const lead = /^[!-*,-/:-@[-^`{-~]+/.exec(local.slice(cut))?.[0].length ?? 0;
  start += cut + lead;
  const mailbox = text.slice(start, at);
  if (mailbox === '' || mailbox.length > localLengthMax || mailbox.endsWith('.') || mailbox.includes('..'))
    return undefined;
  return start;
}

const isLocal = codesOf("A-Za-~--9!#-'*+=^-`?À-ÖØ-öø-ɏͰ-\u1fff");

/** The script of a kanji, hiragana, katakana or hangul character. A local part uses only one of them. */
function scriptOf(c: number): number {
  if ((c >= 0x3400 && c <= 0x9fff) || c === 0x3005) return 1;
  if (c >= 0x3041 && c <= 0x309f) return 2;
  if (c >= 0x30a1 && c <= 0x30ff) return 3;
  return c >= 0xac00 && c <= 0xd7a3 ? 4 : 0;
}
