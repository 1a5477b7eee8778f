/** What opening one document may cost. */
export type DocumentLimits = {
  /** Size of the file. */
  readonly bytesMax: number;
  /** Size of all parts of a package when unpacked, nested packages included; of all streams of a PDF when decoded. */
  readonly unpackedBytesMax: number;
  /** Parts of a package, those of nested packages included. */
  readonly entriesMax: number;
  readonly pagesMax: number;
  /** Characters of text in all. */
  readonly charsMax: number;
  /** Wall-clock time in milliseconds, after which the worker is terminated. */
  readonly timeMs: number;
};

export const defaultLimits: DocumentLimits = {
  bytesMax: 32 * 2 ** 20,
  unpackedBytesMax: 256 * 2 ** 20,
  entriesMax: 10_000,
  pagesMax: 2_000,
  charsMax: 50_000_000,
  timeMs: 20_000,
};

/** Maximum decoded size of the streams of a PDF of this size: the same ratio as for a compressed body. */
export function decodedBytesMax(fileBytes: number, { unpackedBytesMax }: DocumentLimits): number {
  return Math.min(unpackedBytesMax, Math.max(4 * 2 ** 20, 200 * fileBytes));
}
