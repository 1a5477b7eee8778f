/** What is compressed in the arguments of a call: gzip and zlib (RFC 1952, RFC 1950), as shells and scripts make it. */
import { constants, unzipSync } from 'node:zlib';
import { hasZlibHeader } from '../proxy/body/deflate-data.ts';

/** A secret at the beginning is enough to refuse a call; what compresses better than this is no text of a person. */
const bytesMax = 65_536;

/** The beginning of what bytes hold, one character each; undefined for bytes that are not compressed. */
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
