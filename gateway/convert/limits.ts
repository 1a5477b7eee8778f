/** Limits for opening one document. */
export type DocumentLimits = {
  readonly bytesMax: number;
  /** Unpacked size of all parts of a package, including nested ones; decoded size of all streams of a PDF. */
  readonly unpackedBytesMax: number;
  /** Parts of a package, those of nested packages included. */
  readonly entriesMax: number;
  readonly pagesMax: number;
  /** Total characters of text. */
  readonly charsMax: number;
  /** Milliseconds of wall-clock time, after which the worker is terminated. */
  readonly timeMs: number;
};

export const defaultLimits: DocumentLimits = {
  bytesMax: 32 * 2 ** 20,
  unpackedBytesMax: 256 * 2 ** 20,
  entriesMax: 10_000,
  pagesMax: 2_000,
  charsMax: 50_000_000,
  timeMs: 30_000,
};

/** Maximum decoded size of the streams of a PDF, in the same ratio as for a compressed body. */
export function decodedBytesMax(fileBytes: number, { unpackedBytesMax }: DocumentLimits): number {
  return Math.min(unpackedBytesMax, Math.max(4 * 2 ** 20, 200 * fileBytes));
}
