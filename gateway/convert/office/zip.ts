/** Zip packages (office documents), opened within limits and rewritten with changes. The only user of fflate. */
import { crc32 } from 'node:zlib';
import { unzipSync, type Zippable, zipSync } from 'fflate';
import { PrivetError } from '../../../core/errors.ts';
import type { DocumentLimits } from '../limits.ts';
import { damaged, encrypted, tooLarge, unpackedTooLarge } from '../refusals.ts';

/** The entries of a package in order, without directories. */
export type Entries = Map<string, Uint8Array>;

/** Central directory signature (APPNOTE.TXT 4.3.12); the library does not expose checksums. */
const directorySignature = 0x02014b50;

/** What the packages of a document take of its limits: a small file may contain a package many times. */
export type Taken = { entries: number; bytes: number };

/**
 * Opens a package. Throws `body_too_large` for too many entries, or if the unpacked size exceeds the limit or any
 * honest compression ratio; `invalid_input` for a damaged or encrypted zip, and for duplicate names.
 */
export function openZip(bytes: Uint8Array, limits: DocumentLimits, taken: Taken): Entries {
  const names = new Set<string>();
  let files: Record<string, Uint8Array>;
  try {
    files = unzipSync(bytes, {
      filter: (file) => {
        taken.entries++;
        taken.bytes += file.originalSize;
        if (taken.entries > limits.entriesMax) throw tooLarge('The document has too many parts.');
        // Deflate reaches about 1,032 to 1; text of office documents stays below 100 to 1.
        if (taken.bytes > limits.unpackedBytesMax || file.originalSize > 4096 + file.size * 1100) {
          throw unpackedTooLarge();
        }
        if (names.has(file.name)) throw broken();
        names.add(file.name);
        return !file.name.endsWith('/');
      },
    });
  } catch (cause) {
    if (cause instanceof PrivetError) throw cause;
    throw broken(cause);
  }
  checkSums(bytes, files);
  return new Map(Object.entries(files));
}

/** Verifies that we unpacked what other programs will unpack: sizes in a zip can lie. */
function checkSums(bytes: Uint8Array, files: Record<string, Uint8Array>): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) throw broken();
  let at = view.getUint32(end + 16, true);
  let seen = 0;
  while (at + 46 <= bytes.length && view.getUint32(at, true) === directorySignature) {
    const flags = view.getUint16(at + 8, true);
    const sum = view.getUint32(at + 16, true);
    const nameLength = view.getUint16(at + 28, true);
    const raw = bytes.subarray(at + 46, at + 46 + nameLength);
    const name = (flags & 0x800) === 0 ? Buffer.from(raw).toString('latin1') : Buffer.from(raw).toString('utf8');
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    const data = files[name];
    if ((flags & 1) !== 0) throw encrypted();
    if (data === undefined) continue;
    seen++;
    if (crc32(data) !== sum) throw broken();
  }
  if (seen !== Object.keys(files).length) throw broken();
}

/** Writes a package. `mimetype` is stored first and uncompressed, as OpenDocument requires. */
export function writeZip(entries: Entries): Uint8Array {
  const files: Zippable = {};
  for (const [name, data] of entries) {
    // 1980 is the first date that a zip supports; a fixed date keeps equal documents equal.
    files[name] = [data, { level: name === 'mimetype' ? 0 : 6, mtime: '1980-01-01T12:00:00' }];
  }
  return zipSync(files);
}

function broken(cause?: unknown): PrivetError {
  return damaged('The document is damaged and cannot be opened.', cause);
}
