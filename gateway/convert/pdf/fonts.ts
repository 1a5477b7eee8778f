/** Fonts whose text hides what the page shows. */
import { PDFDict, PDFRawStream } from '@cantoo/pdf-lib';
import { decoded } from './streams.ts';
import { entryOf, isNamed, nameOf } from './values.ts';

const standardEncodings = ['WinAnsiEncoding', 'MacRomanEncoding', 'StandardEncoding'];
/** The standard fonts of every reader (ISO 32000-1 §9.6.2.2), without the two symbol fonts. */
const standardFonts = /^(?:Helvetica|Arial|Times|TimesNewRoman|Courier|CourierNew)\b/;
/** `<61> <0078>` for a single code (ISO 32000-1 §9.10.3), with a third one for a range. */
const mapping = /<([\da-f]{2})>\s*(?:<([\da-f]{2})>\s*)?<((?:[\da-f]{4})+)>/gi;
const valueLetter = /[\p{L}\p{N}@]/u;

/**
 * True if `ToUnicode` maps to another letter than the one drawn: the text then hides what the page shows. Detectable
 * only if the code itself identifies the letter: a simple font with a standard encoding, or a standard font without
 * one.
 */
export function isFontDisguised(dict: PDFDict): boolean {
  if (!isNamed(dict, 'Type', ['Font']) || !isNamed(dict, 'Subtype', ['Type1', 'TrueType', 'MMType1'])) return false;
  const map = entryOf(dict, 'ToUnicode');
  if (!(map instanceof PDFRawStream) || !isAscii(dict)) return false;
  const text = decoded(map)?.toString('latin1') ?? '';
  for (const [, from = '', to = from, unicode = ''] of text.matchAll(mapping)) {
    const shown = Number.parseInt(from, 16);
    const last = Math.min(Number.parseInt(to, 16), 0x7e);
    const mapped = Buffer.from(unicode, 'hex').swap16().toString('utf16le');
    for (let code = shown; code <= last; code++) {
      const letter = String.fromCharCode(code);
      // A range counts up from its first letter.
      const copied = mapped.slice(0, -1) + String.fromCharCode(mapped.charCodeAt(mapped.length - 1) + code - shown);
      if (code > 0x20 && valueLetter.test(letter) && !copied.normalize('NFKC').includes(letter)) return true;
    }
  }
  return false;
}

/** True if codes 32 to 126 draw their ASCII character. */
function isAscii(dict: PDFDict): boolean {
  const encoding = entryOf(dict, 'Encoding');
  if (encoding instanceof PDFDict) {
    return entryOf(encoding, 'Differences') === undefined && isNamed(encoding, 'BaseEncoding', standardEncodings);
  }
  if (encoding !== undefined) return isNamed(dict, 'Encoding', standardEncodings);
  return entryOf(dict, 'FontDescriptor') === undefined && standardFonts.test(nameOf(entryOf(dict, 'BaseFont')) ?? '');
}
