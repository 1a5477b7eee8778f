/** What a file is, by its bytes first and its name and type second. */

/** Kinds that can be opened, and `unknown`. */
export type DocumentKind = 'pdf' | 'package' | 'html' | 'csv' | 'md' | 'json' | 'txt' | 'unknown';

/** Kind of a file; `package` is any zip. Text is told from binary by its content, never by its name. */
export function documentKind(bytes: Uint8Array, hints: { name?: string; contentType?: string } = {}): DocumentKind {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1100)).toString('latin1');
  if (head.startsWith('PK\x03\x04')) return 'package';
  if (head.includes('%PDF-')) return 'pdf';
  if (head.startsWith('{\\rtf') || head.startsWith('\xd0\xcf\x11\xe0')) return 'unknown';
  if (!isUtf16(head) && bytes.includes(0)) return 'unknown';
  const extension = /\.(\w+)$/.exec(hints.name ?? '')?.[1]?.toLowerCase();
  const hint = `${extension ?? ''} ${hints.contentType?.toLowerCase() ?? ''}`;
  if (/html/.test(hint)) return 'html';
  if (/\b(?:csv|tsv)\b/.test(hint)) return 'csv';
  if (/\bmd\b|markdown/.test(hint)) return 'md';
  if (/json/.test(hint)) return 'json';
  return 'txt';
}

/** The text of a text file: UTF-8, or UTF-16 with its byte order mark; undefined when it is neither. */
export function fileText(bytes: Uint8Array): string | undefined {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString('latin1');
  const label = mark === '\xff\xfe' ? 'utf-16le' : mark === '\xfe\xff' ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isUtf16(head: string): boolean {
  return head.startsWith('\xff\xfe') || head.startsWith('\xfe\xff');
}
