/**
 * How large an upload is, for rules with `upload_over`: what the head announces, else what comes, read as far as the
 * rules want to know.
 */
import { Readable } from 'node:stream';
import { headerValue } from './headers.ts';

/**
 * Fields that announce the whole of a file that is sent in pieces or in later requests: Google's resumable uploads, and
 * `Upload-Length` of tus and of the resumable uploads of the IETF.
 */
const announcing = ['x-goog-upload-header-content-length', 'x-upload-content-length', 'upload-length'];

/**
 * Bytes of the body, or of the file that it is a piece of, as the head says; 0 without a body. Undefined: a body whose
 * length nobody has announced. A compressed body counts as it is sent.
 */
export function announcedSize(
  rawHeaders: readonly string[],
  body: { readonly has: boolean; readonly length: number | undefined },
): number | undefined {
  let size = body.length ?? (body.has ? undefined : 0);
  const raise = (text: string | undefined) => {
    if (text !== undefined && /^\d{1,15}$/.test(text)) size = Math.max(size ?? 0, Number(text));
  };
  for (const field of announcing) raise(headerValue(rawHeaders, field));
  // RFC 9110 §14.4; clients send it with the pieces of a file.
  raise(/^bytes (?:\d+-\d+|\*)\/(\d+)$/.exec(headerValue(rawHeaders, 'content-range') ?? '')?.[1]);
  return size;
}

/** A body read in part: as a stream from its first byte on, and its size, or one above `limit` when it goes on. */
export type MeasuredBody = { readonly source: Readable; readonly size: number };

/**
 * Reads until the end or until more than `limit` bytes have come.
 * @throws whatever the stream fails with.
 */
export async function measureBody(request: Readable, limit: number): Promise<MeasuredBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  const rest = request.iterator({ destroyOnReturn: false });
  for (;;) {
    const next = await rest.next();
    if (next.done === true) break;
    chunks.push(next.value as Buffer);
    size += (next.value as Buffer).length;
    if (size > limit) break;
  }
  const isOver = size > limit;
  async function* whole(): AsyncGenerator<Buffer> {
    yield* chunks.splice(0);
    if (!isOver) return;
    for (;;) {
      const next = await rest.next();
      if (next.done === true) return;
      yield next.value as Buffer;
    }
  }
  return { source: Readable.from(whole(), { objectMode: false }), size: isOver ? limit + 1 : size };
}
