/**
 * Returned files whose tokens are encoded: texts not in UTF-8, mail and contacts with encoded parts, and files
 * compressed before upload. They are restored as a whole and keep their encoding.
 */

import { gunzipSync, gzipSync } from 'node:zlib';
import { type AllowsHost, UrlGuard } from '../../../core/guard/url-guard.ts';
import { utf8Text } from '../../../core/parsing.ts';
import { bytesToChars } from '../../../core/payload/body-text.ts';
import { openMail } from '../../../core/payload/mail.ts';
import { mediaTypeOfBytes, noTextByte } from '../../../core/payload/media.ts';
import type { RestoreCount } from '../../../core/payload/response.ts';
import { restoreText } from '../../../core/restore.ts';
import { StreamRestorer } from '../../../core/stream/stream-restorer.ts';
import type { TokenMap } from '../../../core/vault.ts';
import { replaceInLegacyText } from '../../convert/office/legacy-file.ts';

/** Headers of mail, of a mailbox, of a contact or calendar. */
const headerName = String.raw`[A-Za-z][\w-]*:`;
const mailStart = new RegExp(
  String.raw`^(?:\xef\xbb\xbf)?(?:begin:v(?:card|calendar)\r?\n|From \S+ .*\r?\n${headerName}|${headerName}(?:[ \t]|\r?\n[ \t]))`,
  'i',
);
/** Contacts and calendars, whose programs load pictures by themselves from addresses that extend over lines. */
const foldedStart = /^\uFEFF?begin:v(?:card|calendar)\r?\n/i;
const headMax = 4_096;
/** Larger files are returned with their tokens. */
const unzippedBytesMax = 64 * 1024 * 1024;
/** Text rarely expands this much; a bomb would keep a thread busy. */
const expansionMax = 50;
const expansionFloorBytes = 4 * 1024 * 1024;

/** True if a file may be encoded, by its first bytes. */
export function isCodedFile(first: Uint8Array): boolean {
  const chars = bytesToChars(first.subarray(0, headMax));
  if (/^(?:\xff\xfe|\xfe\xff|\x1f\x8b\x08)/.test(chars)) return true;
  if (noTextByte.test(chars) || mediaTypeOfBytes(chars) !== undefined) return false;
  return mailStart.test(chars) || !isUtf8Start(first);
}

/** True for valid UTF-8, which may end within a character. */
function isUtf8Start(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** The file, and the inputs of restoring. */
export type CodedFile = {
  readonly bytes: Uint8Array;
  readonly map: TokenMap;
  readonly allowsHost: AllowsHost | undefined;
  readonly count: RestoreCount;
};

/** Restores the tokens of the file. */
export function restoreCodedFile(file: CodedFile): Uint8Array {
  const { bytes, map, allowsHost, count } = file;
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return restoreZipped(file);
  const restored = (text: string, onEdit?: (start: number, end: number, text: string) => void) => {
    const guard = new UrlGuard(allowsHost, foldedStart.test(text));
    const result = restoreText(text, map, { guard, ...(onEdit && { onEdit }) });
    count.restored += result.restoredCount;
    count.unresolved += result.unresolved.length;
    return result.restored;
  };
  const text = utf8Text(bytes);
  if (text === undefined) {
    const changed = replaceInLegacyText(bytes, (found) => {
      const spans: { start: number; end: number; text: string }[] = [];
      restored(found, (start, end, value) => spans.push({ start, end, text: value }));
      return spans;
    });
    return changed ?? bytes;
  }
  const findings = { leaves: [] as string[], sealed: [], uninspectable: [] };
  const mail = openMail(text, findings, 0);
  if (mail === undefined) return new TextEncoder().encode(restored(text));
  const texts = findings.leaves.map((leaf) => restored(leaf));
  let at = 0;
  const next = () => {
    const changed = texts[at] === findings.leaves[at] ? undefined : texts[at];
    at++;
    return changed;
  };
  const changed = mail.rewrite({ text: next, part: () => undefined });
  return changed === undefined ? bytes : new TextEncoder().encode(changed);
}

/** Restores a compressed file of any kind; unchanged if it cannot be opened. */
function restoreZipped(file: CodedFile): Uint8Array {
  const { map, allowsHost, count } = file;
  let bytes: Uint8Array;
  try {
    const expanded = Math.max(expansionFloorBytes, file.bytes.length * expansionMax);
    bytes = gunzipSync(file.bytes, { maxOutputLength: Math.min(unzippedBytesMax, expanded) });
  } catch {
    return file.bytes;
  }
  const before = count.restored;
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isZipped && isCodedFile(bytes)) bytes = restoreCodedFile({ ...file, bytes });
  else {
    const stream = new StreamRestorer({
      kind: 'file',
      map,
      allowsHost,
      onCount: ({ restored, unresolved }) => {
        count.restored += restored;
        count.unresolved += unresolved;
      },
    });
    bytes = Buffer.concat([stream.push(bytes), stream.end()]);
  }
  return count.restored === before ? file.bytes : gzipSync(bytes);
}
