/**
 * How large an upload is, for rules with `upload_over`: what the head announces, else what comes, read as far as the
 * rules want to know.
 */
import { Readable } from 'node:stream';
import { Pieces } from '../../core/stream/pieces.ts';
import { FieldNames, headerValue } from './headers.ts';
import type { KeptBodies } from './kept-bodies.ts';

/**
 * Fields that announce the whole of a file that is sent in pieces or in later requests: Google's resumable uploads, and
 * `Upload-Length` of tus and of the resumable uploads of the IETF.
 */
const announcing = ['x-goog-upload-header-content-length', 'x-upload-content-length', 'upload-length'];

/** Where a piece begins in its file: tus and the resumable uploads of the IETF, and those of Google. */
const offsets = ['upload-offset', 'x-goog-upload-offset'];

const aboutFile = new FieldNames([...announcing, ...offsets, 'content-range']);

/** `exact`: bytes of the body, where they are announced; `atLeast`: what the fields about the whole file make of it. */
export type AnnouncedSize = { readonly exact: number | undefined; readonly atLeast: number };

/**
 * What the head says of the body, and of the file that it is a piece of; 0 without a body. A compressed body counts as it
 * is sent. Fields about the file only add to what comes: a small number there says nothing about a body of unknown length.
 */
export function announcedSize(
  rawHeaders: readonly string[],
  body: { readonly has: boolean; readonly length: number | undefined },
): AnnouncedSize {
  const exact = body.length ?? (body.has ? undefined : 0);
  let atLeast = exact ?? 0;
  if (!aboutFile.isIn(rawHeaders)) return { exact, atLeast };
  const raise = (text: string | undefined, more = 0) => {
    if (text !== undefined && /^\d{1,15}$/.test(text)) atLeast = Math.max(atLeast, Number(text) + more);
  };
  for (const field of announcing) raise(headerValue(rawHeaders, field));
  for (const field of offsets) raise(headerValue(rawHeaders, field), exact);
  // RFC 9110 §14.4; clients send it with the pieces of a file, with or without the length of the whole.
  const range = /^bytes (?:\d+-(\d+)|\*)\/(\d+|\*)$/i.exec(headerValue(rawHeaders, 'content-range') ?? '');
  raise(range?.[1], 1);
  raise(range?.[2]);
  return { exact, atLeast };
}

/** A body read in part: as a stream from its first byte on, and its size, or one above `limit` when it goes on. */
export type MeasuredBody = { readonly source: Readable; readonly size: number };

/**
 * Reads until the end or until more than `limit` bytes have come. A body that {@link KeptBodies}
 * gives up is destroyed.
 * @throws whatever the stream fails with.
 */
export async function measureBody(request: Readable, limit: number, bodies: KeptBodies): Promise<MeasuredBody> {
  const kept = new Pieces<Buffer>((parts) => Buffer.concat(parts));
  const rest = request.iterator({ destroyOnReturn: false });
  const stopWatch = bodies.watch(
    () => kept.size,
    (error) => request.destroy(error),
  );
  try {
    for (;;) {
      const next = await rest.next();
      if (next.done === true) break;
      kept.push(next.value as Buffer);
      if (kept.size > limit) break;
    }
  } finally {
    stopWatch();
  }
  const { size } = kept;
  const isOver = size > limit;
  async function* whole(): AsyncGenerator<Buffer> {
    yield* kept.take();
    if (!isOver) return;
    for (;;) {
      const next = await rest.next();
      if (next.done === true) return;
      yield next.value as Buffer;
    }
  }
  return { source: Readable.from(whole(), { objectMode: false }), size: isOver ? limit + 1 : size };
}
