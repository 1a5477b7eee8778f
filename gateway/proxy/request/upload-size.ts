/** The size of an upload for rules with `upload_over`: announced, or measured as far as the rules require. */
import { Readable } from 'node:stream';
import { Pieces } from '../../../core/stream/pieces.ts';
import type { BodyBuffers } from '../body/body-buffers.ts';
import { FieldNames, headerValue } from './headers.ts';

/**
 * Headers that announce the total size of a file sent in pieces or in later requests: Google's resumable uploads, and
 * `Upload-Length` of tus and of the IETF's resumable uploads.
 */
const announcing = ['x-goog-upload-header-content-length', 'x-upload-content-length', 'upload-length'];

/** The offset of a piece in its file: tus and the IETF's resumable uploads, and Google's. */
const offsets = ['upload-offset', 'x-goog-upload-offset'];

const aboutFile = new FieldNames([...announcing, ...offsets, 'content-range']);

/** `exact`: announced length of the body; `atLeast`: the size derived from headers about the complete file. */
export type AnnouncedSize = { readonly exact: number | undefined; readonly atLeast: number };

/**
 * The announced size of the body, and of the file that it belongs to; 0 without a body. A compressed body counts as
 * sent. Headers about the file can only raise the size: a small number there says nothing about a body of unknown
 * length.
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
  // RFC 9110 §14.4; clients send it with the pieces of a file, with or without the total length.
  const range = /^bytes (?:\d+-(\d+)|\*)\/(\d+|\*)$/i.exec(headerValue(rawHeaders, 'content-range') ?? '');
  raise(range?.[1], 1);
  raise(range?.[2]);
  return { exact, atLeast };
}

/**
 * A partly read body as a stream from its first byte, with its size, or one above `limit` if it continues. `isPaused`:
 * it has not ended, and its client waits.
 */
export type MeasuredBody = { readonly source: Readable; readonly size: number; readonly isPaused: boolean };

export type MeasureOptions = {
  readonly limit: number;
  readonly bodies: BodyBuffers;
  /** Called if a paused body exceeds the limit after all; an error that it throws ends the body. */
  readonly onOver: () => void;
  /** True to read on when the client pauses. */
  readonly isPatient?: boolean;
};

/** A client that sends nothing for this long waits for an answer to what it has sent, as on live connections. */
const pauseMs = 1_000;
const paused = Symbol('paused');

/**
 * Reads to the end, until more than `limit` bytes have arrived, or until the client pauses. Destroys a body that {@link
 * BodyBuffers} gives up.
 * @throws the stream's error
 */
export async function measureBody(request: Readable, options: MeasureOptions): Promise<MeasuredBody> {
  const { limit, bodies, onOver, isPatient } = options;
  const kept = new Pieces<Buffer>((parts) => Buffer.concat(parts));
  const iterator = request.iterator({ destroyOnReturn: false });
  const stopWatch = bodies.watch(
    () => kept.size,
    (error) => request.destroy(error),
  );
  let timer: NodeJS.Timeout | undefined;
  let next = iterator.next();
  let isPaused = false;
  let isDone = false;
  try {
    while (!isDone && !isPaused && kept.size <= limit) {
      const pause = new Promise<typeof paused>((resolve) => {
        timer = isPatient || kept.size === 0 ? undefined : setTimeout(resolve, pauseMs, paused);
      });
      const read = await Promise.race([next, pause]);
      clearTimeout(timer);
      if (read === paused) isPaused = true;
      else if (read.done === true) isDone = true;
      else {
        kept.push(read.value as Buffer);
        next = iterator.next();
      }
    }
  } finally {
    clearTimeout(timer);
    stopWatch();
  }
  let { size } = kept;
  const measured = { size: size > limit ? limit + 1 : size, isPaused };
  async function* whole(): AsyncGenerator<Buffer> {
    yield* kept.take();
    for (; !isDone; next = iterator.next()) {
      const read = await next;
      if (read.done === true) return;
      const before = size;
      size += (read.value as Buffer).length;
      if (before <= limit && size > limit) onOver();
      yield read.value as Buffer;
    }
  }
  return { source: Readable.from(whole(), { objectMode: false }), ...measured };
}
