/** Earlier states of a PDF, which incremental updates leave in the file. */
import { PrivetError } from '../../../core/errors.ts';

/** Maximum number of revisions: each costs as much as a document. Signed and annotated files have a handful. */
const revisionsMax = 20;
const trailer = /startxref\s+(\d{1,12})\s+%%EOF/g;

/**
 * The bytes of each earlier revision, oldest first. Throws `uninspectable` for too many revisions.
 */
export function olderRevisions(bytes: Uint8Array): Uint8Array[] {
  const older = endsOf(latin1(bytes)).slice(0, -1);
  if (older.length > revisionsMax) {
    throw new PrivetError('uninspectable', `The PDF document was changed more than ${revisionsMax} times.`, {
      hint: 'Print it to a new PDF and send that.',
    });
  }
  return older.map((end) => bytes.subarray(0, end));
}

/**
 * The end of each revision. Skips the first part of a linearized file (Annex F), which ends like a revision but has an
 * incomplete table.
 */
function endsOf(text: string): number[] {
  const ends: number[] = [];
  for (const match of text.matchAll(trailer)) {
    if (match[1] !== '0' && !/^0+$/.test(match[1] ?? '')) ends.push(match.index + match[0].length);
  }
  return ends;
}

const start = /[\0\t\n\f\r \d]obj(?=[\0\t\n\f\r <>[(/%\d+.tfn-])/g;
const number = /(\d{1,10})[\0\t\n\f\r ]{1,9}\d{1,5}[\0\t\n\f\r ]{0,9}$/;

/**
 * True if a revision has two versions of an object, because programs may show either. `packed` has the numbers of the
 * objects in each object stream by the number of that stream.
 */
export function hasTwoVersions(bytes: Uint8Array, packed: ReadonlyMap<number, readonly number[]>): boolean {
  const text = latin1(bytes);
  const ends = endsOf(text);
  const streams = new Map(packed);
  let seen = new Set<number>();
  for (const { index } of [...text.matchAll(start)].reverse()) {
    for (let end = ends.at(-1); end !== undefined && end > index; end = ends.at(-1)) {
      ends.pop();
      seen = new Set();
    }
    // A comment within the start of an object would hide it from this search.
    const own = number.exec(text.slice(Math.max(0, index - 30), index + 1))?.[1];
    if (own === undefined) return true;
    const numbers = [Number(own), ...(streams.get(Number(own)) ?? [])];
    streams.delete(Number(own));
    for (const one of numbers) {
      if (seen.has(one)) return true;
      seen.add(one);
    }
  }
  return false;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
