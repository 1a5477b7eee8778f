/** Decodes the streams of a PDF up to a limit: a kilobyte can become gigabytes. */
import { brotliDecompressSync, constants, inflateRawSync } from 'node:zlib';
import { decodePDFRawStream, PDFArray, PDFName, PDFRawStream } from '@cantoo/pdf-lib';
import { unpackedTooLarge } from '../refusals.ts';
import { entryOf, nameOf } from './values.ts';

/** Short names (ISO 32000-1 §8.9.7), which readers accept everywhere. */
const shortNames: Readonly<Record<string, string>> = {
  ...{ Fl: 'FlateDecode', LZW: 'LZWDecode', RL: 'RunLengthDecode' },
  ...{ A85: 'ASCII85Decode', AHx: 'ASCIIHexDecode' },
};

/** Filters that node:zlib decodes fast and up to a limit. Checksums are ignored, as readers do. */
const unpackers: Readonly<Record<string, (bytes: Uint8Array, maxOutputLength: number) => Uint8Array>> = {
  FlateDecode: (bytes, maxOutputLength) =>
    inflateRawSync(bytes.subarray(2), { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH }),
  BrotliDecode: (bytes, maxOutputLength) => brotliDecompressSync(bytes, { maxOutputLength }),
};

/**
 * The content of a stream, without the predictor of its filter; undefined if it is damaged or an image. Throws
 * `body_too_large` if it is larger than the limit, also between two filters.
 */
export function decoded({ dict, contents }: PDFRawStream, bytesMax = Number.MAX_SAFE_INTEGER): Buffer | undefined {
  const filter = entryOf(dict, 'F') ?? entryOf(dict, 'Filter');
  const all = filter instanceof PDFArray ? filter.asArray().map((one) => dict.context.lookup(one)) : [filter];
  const filters = all.flatMap((one) => nameOf(one) ?? []).map((name) => shortNames[name] ?? name);
  // Node.js accepts no larger limit.
  const maxOutputLength = Math.max(1, Math.min(bytesMax, 2 ** 32));
  let bytes = contents;
  try {
    for (let unpack = unpackers[filters[0] ?? '']; unpack !== undefined; unpack = unpackers[filters[0] ?? '']) {
      bytes = unpack(bytes, maxOutputLength);
      filters.shift();
    }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw unpackedTooLarge();
  }
  if (filters.length === 0) return within(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), bytesMax);
  const parameters = entryOf(dict, 'DecodeParms');
  const rest = dict.context.obj({ Filter: filters.map((name) => PDFName.of(name)) });
  if (parameters instanceof PDFArray) {
    const own = parameters.asArray().slice(all.length - filters.length);
    rest.set(PDFName.of('DecodeParms'), dict.context.obj(own));
  } else if (parameters !== undefined) rest.set(PDFName.of('DecodeParms'), dict.context.obj([parameters]));
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    const content = decodePDFRawStream(PDFRawStream.of(rest, bytes));
    for (let part = content.getBytes(partBytes); part.length > 0; part = content.getBytes(partBytes)) {
      parts.push(Uint8Array.from(part));
      length += part.length;
      if (length > bytesMax) break;
    }
  } catch {
    return undefined;
  }
  return within(Buffer.concat(parts), bytesMax);
}

const partBytes = 65_536;

function within(bytes: Buffer, bytesMax: number): Buffer {
  if (bytes.length > bytesMax) throw unpackedTooLarge();
  return bytes;
}
