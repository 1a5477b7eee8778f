/** Earlier states of a PDF, which incremental updates leave in the file. */
import { PrivetError } from '../../../core/errors.ts';

/** Maximum number of revisions: each costs as much as a document. Signed and annotated files have a handful. */
const revisionsMax = 20;
const trailer = /startxref\s+(\d{1,12})\s+%%EOF/g;

/**
 * The bytes of each earlier revision, oldest first. Skips the first part of a linearized file (Annex F), which ends
 * like a revision but has an incomplete table. Throws `uninspectable` for too many revisions.
 */
export function olderRevisions(bytes: Uint8Array): Uint8Array[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const ends: number[] = [];
  for (const match of text.matchAll(trailer)) {
    if (match[1] !== '0' && !/^0+$/.test(match[1] ?? '')) ends.push(match.index + match[0].length);
  }
  const older = ends.slice(0, -1);
  if (older.length > revisionsMax) {
    throw new PrivetError('uninspectable', `The PDF document was changed more than ${revisionsMax} times.`, {
      hint: 'Print it to a new PDF and send that.',
    });
  }
  return older.map((end) => bytes.subarray(0, end));
}
