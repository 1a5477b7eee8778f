/** The entries of a document's objects, which may be of any type. */
import { PDFArray, PDFDict, PDFHexString, PDFName, PDFNumber, type PDFObject, PDFString } from '@cantoo/pdf-lib';

/** A dictionary's entry, which may be a reference. */
export function rawEntryOf(value: unknown, key: string): PDFObject | undefined {
  return value instanceof PDFDict ? value.get(PDFName.of(key)) : undefined;
}

/** A dictionary's entry. */
export function entryOf(value: unknown, key: string): PDFObject | undefined {
  return value instanceof PDFDict ? value.lookup(PDFName.of(key)) : undefined;
}

/** The text of a name. */
export function nameOf(value: unknown): string | undefined {
  return value instanceof PDFName ? value.decodeText() : undefined;
}

/** True if a dictionary's entry is one of these names. */
export function isNamed(dict: PDFDict, key: string, names: readonly string[]): boolean {
  return names.includes(nameOf(entryOf(dict, key)) ?? '');
}

/** The objects of a list; a single object is a list of one. */
export function listOf(dict: PDFDict, value: PDFObject | undefined): (PDFObject | undefined)[] {
  return value instanceof PDFArray ? value.asArray().map((one) => dict.context.lookup(one)) : [value];
}

/** The numbers of a list; undefined for anything else. */
export function numbersOf(dict: PDFDict, value: PDFObject | undefined): number[] | undefined {
  if (!(value instanceof PDFArray)) return undefined;
  return listOf(dict, value).map((one) => (one instanceof PDFNumber ? one.asNumber() : Number.NaN));
}

/** A page or field inherits entries from its parents (ISO 32000-1 §7.7.3.4, §12.7.3.1). */
const parentsMax = 50;

/** The entry of a page or field, or of its parents. */
export function inherited(dict: PDFDict, key: string): PDFObject | undefined {
  let from: PDFObject | undefined = dict;
  for (let i = 0; i < parentsMax; i++) {
    const value = entryOf(from, key);
    if (value !== undefined) return value;
    from = entryOf(from, 'Parent');
  }
  return undefined;
}

/** The text of a string; undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  return value instanceof PDFString || value instanceof PDFHexString ? decodedText(value.asBytes()) : undefined;
}

/** Decodes a text string (ISO 32000-1 §7.9.2.2) as Latin-1, which is PDFDocEncoding in names and addresses. */
export function decodedText(bytes: Uint8Array): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  const isUtf8 = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isUtf8 ? new TextDecoder().decode(bytes) : Buffer.from(bytes).toString('latin1');
}

/** The end of a literal string; if it is not nested, it contains no brackets. */
export function literalEnd(content: string, from: number, isNested: boolean): number | undefined {
  let depth = 1;
  for (let i = from; i < content.length; i++) {
    const sign = content[i];
    if (sign === '\\') i++;
    else if (sign === ')' && --depth === 0) return i;
    else if (sign === '(') {
      if (!isNested) return undefined;
      depth++;
    }
  }
  return undefined;
}
