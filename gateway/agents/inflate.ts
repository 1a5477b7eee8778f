/** Decompresses data in call arguments: gzip and zlib (RFC 1952, RFC 1950), as produced by shells and scripts. */
import { constants, unzipSync } from 'node:zlib';
import { hasZlibHeader } from '../proxy/body/deflate-data.ts';

/** A secret at the start is enough to refuse a call; human text never compresses better than this. */
const bytesMax = 65_536;

/** The start of the decompressed content, one character per byte; undefined for uncompressed bytes. */
export function inflate(bytes: string): string | undefined {
  const isGzip = bytes.startsWith('\x1f\x8b\x08');
  if (!isGzip && !(bytes.length > 8 && hasZlibHeader(Uint8Array.of(bytes.charCodeAt(0), bytes.charCodeAt(1))))) return;
  try {
    const options = { maxOutputLength: bytesMax, finishFlush: constants.Z_SYNC_FLUSH };
    return unzipSync(Buffer.from(bytes, 'latin1'), options).toString();
  } catch {
    return undefined;
  }
}
