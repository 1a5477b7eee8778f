/** Node's fast way to read the code units of a text, for detection. */
import { Buffer } from 'node:buffer';
import type { UnitCopier } from '../../core/detect/scan.ts';

/** Copies the code units of a text, lone surrogates included, on a little-endian machine (Node runs on few others). */
export const copyUnits: UnitCopier = (text, into) => {
  Buffer.from(into.buffer, into.byteOffset, into.byteLength).write(text, 'utf16le');
};
