/** Determines the kind of a file by its bytes, then by its name and type. */

import { mediaTypeOf } from '../../core/payload/media-type.ts';

/** Supported kinds, and `unknown`. */
export type DocumentKind = 'pdf' | 'package' | 'html' | 'csv' | 'md' | 'json' | 'txt' | 'unknown';

/** The kind of a file; `package` is any zip. Only the content distinguishes text from binary. */
export function documentKind(bytes: Uint8Array, hints: { name?: string; contentType?: string } = {}): DocumentKind {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1100)).toString('latin1');
  if (head.startsWith('PK\x03\x04')) return 'package';
  if (head.includes('%PDF-')) return 'pdf';
  if (head.startsWith('{\\rtf') || head.startsWith('\xd0\xcf\x11\xe0')) return 'unknown';
  if (!isUtf16(head) && bytes.includes(0)) return 'unknown';
  return textKind(hints);
}

/** True if a file starts with the PDF header. Readers accept it anywhere in the first lines. */
export function startsAsPdf(bytes: Uint8Array): boolean {
  return /^(?:\xef\xbb\xbf)?\s*%PDF-/.test(Buffer.from(bytes.subarray(0, 64)).toString('latin1'));
}

/** The kind of a text file, known only from its name and type. */
export function textKind(hints: { name?: string; contentType?: string }): DocumentKind {
  const extension = /\.(\w+)$/.exec(hints.name ?? '')?.[1]?.toLowerCase();
  const hint = `${extension ?? ''} ${hints.contentType?.toLowerCase() ?? ''}`;
  if (/html/.test(hint)) return 'html';
  if (/\b(?:csv|tsv)\b/.test(hint)) return 'csv';
  if (/\bmd\b|markdown/.test(hint)) return 'md';
  if (/json/.test(hint)) return 'json';
  return 'txt';
}

/** The content of a text file: UTF-8, or UTF-16 with a byte order mark; undefined if it is neither. */
export function fileText(bytes: Uint8Array): string | undefined {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString('latin1');
  const label = mark === '\xff\xfe' ? 'utf-16le' : mark === '\xfe\xff' ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The document kind by file name, or by type if the extension is unknown; never a text kind. */
export function promisedKind(hints: { name?: string; contentType?: string }): string | undefined {
  const extension = /\.(\w+)$/.exec(hints.name ?? '')?.[1]?.toLowerCase();
  if (extension !== undefined) return extensions.has(extension) ? extension : undefined;
  return types.get(mediaTypeOf(hints.contentType));
}

/** True for a file with the name or type of a text. */
export function isNamedText(hints: { name?: string; contentType?: string }): boolean {
  const type = hints.contentType?.toLowerCase() ?? '';
  return /\.(?:txt|text|csv|tsv|md|markdown|json|html?|log)$/i.test(hints.name ?? '') || /^text\/|[/+]json/.test(type);
}

/**
 * The kind of a Compound File (MS-CFB): `old` for Word 97, `encrypted` for a modern document in a stream named
 * EncryptedPackage (MS-OFFCRYPTO §2.3.4). Undefined for other files.
 */
export function compoundFileKind(bytes: Uint8Array): 'encrypted' | 'old' | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!file.subarray(0, 4).equals(compoundFileMark)) return undefined;
  return file.includes(encryptedStream) ? 'encrypted' : 'old';
}

const compoundFileMark = Buffer.from('d0cf11e0', 'hex');
const encryptedStream = Buffer.from('EncryptedPackage', 'utf16le');
const extensions = new Set(['pdf', 'docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'epub']);
const openXml = 'application/vnd.openxmlformats-officedocument';
const types: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'pdf'],
  [`${openXml}.wordprocessingml.document`, 'docx'],
  [`${openXml}.spreadsheetml.sheet`, 'xlsx'],
  [`${openXml}.presentationml.presentation`, 'pptx'],
  ['application/vnd.oasis.opendocument.text', 'odt'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'ods'],
  ['application/vnd.oasis.opendocument.presentation', 'odp'],
  ['application/epub+zip', 'epub'],
]);

function isUtf16(head: string): boolean {
  return head.startsWith('\xff\xfe') || head.startsWith('\xfe\xff');
}
