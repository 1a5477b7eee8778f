/** Charsets of texts. All texts are read as UTF-8, so a text that its receiver decodes differently must not pass. */
import { PrivetError } from '../errors.ts';
import { anyOf } from '../patterns.ts';
import { readText } from './body-text.ts';

/**
 * Names of UTF-8, and of charsets in which every byte below 0x80 is ASCII and no percent-encoded byte is half a letter
 * (https://encoding.spec.whatwg.org/#names-and-labels). Their ASCII is searched; their other bytes are not UTF-8.
 */
const readable = /^(?:(?:unicode-1-1-)?utf-?8|(?:us-)?ascii|iso[-_]?8859-?1|latin-?1|l1|(?:windows-|cp|x-cp)1252)?$/i;

/** Charsets that contain ASCII unchanged. UTF-7, HZ and the ISO 2022 family encode other letters in ASCII. */
const asciiBased = new RegExp(
  `^${anyOf(String.raw`
    iso[-_]?8859-?\d{1,2} latin-?\d (?:windows-|cp|x-cp)\d{3,4} ibm866
    (?:x-|ms_?)?(?:shift[-_]?jis|sjis|kanji) windows-31j (?:x-)?euc-?(?:jp|kr)
    gb(?:k|2312|18030) big5(?:-hkscs)? koi8-[ru] (?:x-)?mac[\w-]* tis-620`)}$`,
  'i',
);

const parameter = /[;,\s]charset\s*=\s*["']?\s*([^\s;,"']*)/gi;

/** The charsets named in a Content-Type; readers disagree on which of several applies. */
export function charsetsIn(contentType: string | undefined): string[] {
  if (!contentType?.includes('=')) return [];
  return Array.from(` ${contentType}`.matchAll(parameter), ([, charset = '']) => charset);
}

/** True for a charset whose texts can be searched as UTF-8. */
export function isReadableCharset(charset: string): boolean {
  return readable.test(charset.trim());
}

/** Throws `undecodable_body` for valid UTF-8 (one character per byte) that its receiver decodes differently. */
export function refuseOtherCharset(charsets: readonly string[], chars: string): void {
  for (const charset of charsets) {
    if (isReadableCharset(charset)) continue;
    const isAscii = !/[^\0-\x7f]/.test(chars);
    if (isAscii ? asciiBased.test(charset.trim()) : readText(chars) === undefined) continue;
    throw unreadableCharset(charset);
  }
}

/** The error for a text in an unreadable charset. */
export function unreadableCharset(charset: string): PrivetError {
  const name = /^[\w.:-]{1,40}$/.test(charset) ? `"${charset}"` : 'another charset';
  return new PrivetError('undecodable_body', `Step decode: text in ${name} cannot be read.`, {
    hint: 'Send the text in UTF-8.',
  });
}
