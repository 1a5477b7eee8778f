/**
 * Decodes a part: UTF-16, UTF-8, or else the declared encoding (XML 1.0 appendix F). Parts converted to UTF-8 often
 * keep an old declaration, and bytes in other encodings are rarely valid UTF-8.
 */
import { TextDecoder } from 'node:util';
import { damaged } from '../refusals.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const xmlLabel = /^(\uFEFF?\s*<\?xml\b[^<>]*?\sencoding\s*=\s*)(?:"([^"<>]*)"|'([^'<>]*)')/;
const metaLabel = /(<meta\b[^<>]{0,400}?\bcharset\s*=\s*["']?)([\w.:-]+)/i;
/** Where an HTML page declares its encoding; browsers check the first 1024 bytes. */
const metaBytesMax = 4096;
/** Declarations of UTF-8, or of encodings that the first bytes would show. */
const unicode = /^(?:utf-?8|utf-?16(?:le|be)?|(?:us-)?ascii|ucs-2|iso-10646-ucs-2|unicode)$/i;

/**
 * Decodes a part. A changed part is written as UTF-8, so the declaration in the text is adjusted.
 * @throws PrivetError `invalid_input` for unknown encodings and invalid bytes
 */
export function decodePart(data: Uint8Array, isHtml = false): string {
  const text = read(data, isHtml);
  if (text.includes('\0')) throw damaged('A part of the document is neither UTF-8 nor UTF-16.');
  return labelled(text, isHtml);
}

function read(data: Uint8Array, isHtml: boolean): string {
  // The byte order mark, or the `<` that starts a part without one.
  const mark = Buffer.from(data.subarray(0, 3)).toString('hex');
  if (/^(?:fffe|3c00)/.test(mark)) return decode(data, new TextDecoder('utf-16le', { fatal: true }));
  if (/^(?:feff|003c)/.test(mark)) return decode(data, new TextDecoder('utf-16be', { fatal: true }));
  if (mark === 'efbbbf') return decode(data, utf8);
  const head = Buffer.from(data.subarray(0, Math.max(metaBytesMax, data.indexOf(0x3e) + 1))).toString('latin1');
  const declared = xmlLabel.exec(head);
  const label = (declared?.[2] ?? declared?.[3] ?? (isHtml ? metaLabel.exec(head)?.[2] : undefined))?.trim();
  if (label === undefined || unicode.test(label)) return decode(data, utf8);
  if (!hasShifts(data, label)) {
    try {
      return utf8.decode(data);
    } catch {}
  }
  return decode(data, decoderOf(label));
}

/** True if ASCII may encode other characters: after an escape (ISO-2022), in UTF-7 and in HZ. */
function hasShifts(data: Uint8Array, label: string): boolean {
  if (data.includes(0x1b)) return true;
  const shift = /utf-?7|65000|^u7$/i.test(label) ? /\+[\w/+]{3}/ : /^hz/i.test(label) ? /~\{/ : undefined;
  return shift?.test(Buffer.from(data).toString('latin1')) ?? false;
}

/** Adjusts the declarations to the encoding of a changed part. */
function labelled(text: string, isHtml: boolean): string {
  const declared = text.replace(xmlLabel, (whole, before: string, double?: string, single?: string) =>
    /^utf-8$/i.test(double ?? single ?? '') ? whole : `${before}"UTF-8"`,
  );
  if (!isHtml) return declared;
  return declared.replace(metaLabel, (whole, before: string, label: string) =>
    /^utf-8$/i.test(label) ? whole : `${before}UTF-8`,
  );
}

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label, { fatal: true });
  } catch (cause) {
    throw damaged('A part of the document is in an encoding that cannot be read.', cause);
  }
}

function decode(data: Uint8Array, decoder: TextDecoder): string {
  try {
    return decoder.decode(data);
  } catch (cause) {
    const encodings = decoder.encoding.startsWith('utf') ? 'neither UTF-8 nor UTF-16' : 'not in its declared encoding';
    throw damaged(`A part of the document is ${encodings}.`, cause);
  }
}
