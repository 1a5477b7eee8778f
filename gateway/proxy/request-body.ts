/** The body of a request: whether there is one, and reading it whole where it is inspected. */
import type { Http2ServerRequest } from 'node:http2';
import { PassThrough, type Readable } from 'node:stream';
import { PrivetError } from '../../core/errors.ts';
import { bodyKind } from '../../core/payload/request.ts';
import { Pieces } from '../../core/stream/pieces.ts';
import { ServerRequest } from '../http1/server-request.ts';
import { tooLarge } from './bodies.ts';
import { headerValue } from './headers.ts';
import type { KeptBodies } from './kept-bodies.ts';
import type { Exchange } from './request.ts';

/** Whether a request has a body, or may have one. */
export function hasBody({ request, framing }: Pick<Exchange, 'request' | 'framing'>): boolean {
  if (request.httpVersionMajor === 1) return framing.hasBody;
  return !(request as Http2ServerRequest).stream.endAfterHeaders;
}

/** The body as a stream of which the size is noted. */
export function countedBody({ record, probe }: Exchange, body: Readable): Readable {
  body.on('data', (chunk: Buffer) => {
    record.bytesIn += chunk.length;
  });
  if (probe?.wantsBody) body.on('data', (chunk: Buffer) => probe.requestData(chunk));
  body.pause();
  return body;
}

/**
 * Refuses from the head of a request what cannot be inspected whatever comes, before the client is told to go on.
 * @throws PrivetError `uninspectable`, `body_too_large`.
 */
export function checkInspectable({ request, framing, masker }: Pick<Exchange, 'request' | 'framing' | 'masker'>): void {
  if (bodyKind(headerValue(request.rawHeaders, 'content-type')) === 'framed') masker.refuseFramed('mask');
  else if ((framing.length ?? 0) > masker.options.bodyBytesMax) throw tooLarge(masker.options.bodyBytesMax);
}

/**
 * Reads a body up to the limit. Over it, mode `mask` refuses (a body that was not looked at is not sent); mode `audit`
 * gets a stream of what was read and of the rest.
 */
export function readForInspection(
  exchange: Exchange,
  mode: 'mask' | 'audit',
  bodies: KeptBodies,
): Buffer | Promise<Buffer | Readable> {
  const { masker, record, source: request } = exchange;
  const bytesMax = masker.options.bodyBytesMax;
  // Most bodies have come with their head.
  const whole = request instanceof ServerRequest ? request.takeWhole(bytesMax) : undefined;
  if (whole !== undefined) return whole;
  const refuse = () => {
    request.pause();
    return tooLarge(bytesMax);
  };
  if (request instanceof ServerRequest) return collectForInspection(exchange, request, { mode, bodies, refuse });
  return new Promise((resolve, reject) => {
    const kept = new Pieces<Buffer>((parts) => Buffer.concat(parts));
    let isRead = false;
    // The stream of a refused request may stay open for as long as its client likes.
    const giveUp = (error: PrivetError) => {
      request.off('data', onData);
      stopWatch();
      kept.take();
      reject(error);
    };
    const stopWatch = bodies.watch(
      () => kept.size,
      (error) => {
        request.pause();
        giveUp(error);
      },
    );
    const onData = (chunk: Buffer) => {
      kept.push(chunk);
      if (kept.size <= bytesMax) return;
      if (mode === 'mask') return giveUp(refuse());
      request.off('data', onData);
      stopWatch();
      isRead = true;
      const rest = new PassThrough();
      record.bytesIn = kept.size;
      rest.on('error', () => {});
      for (const part of kept.take()) rest.write(part);
      request.on('data', (part: Buffer) => {
        record.bytesIn += part.length;
      });
      request.pipe(rest);
      request.once('close', () => !rest.writableEnded && rest.destroy(new Error('the client left')));
      resolve(rest);
    };
    request.on('data', onData);
    request.once('end', () => {
      stopWatch();
      isRead = true;
      resolve(kept.takeWhole());
    });
    request.once('error', (cause) => reject(new PrivetError('bad_request', 'The body could not be read.', { cause })));
    request.once('close', () => {
      stopWatch();
      if (!isRead) reject(new PrivetError('bad_request', 'The client left before the end of the body.'));
    });
  });
}

/** The same over HTTP/1.1, without the cost of a stream. */
async function collectForInspection(
  exchange: Exchange,
  request: ServerRequest,
  how: { readonly mode: 'mask' | 'audit'; readonly bodies: KeptBodies; readonly refuse: () => PrivetError },
): Promise<Buffer | Readable> {
  const collected = request.collect(exchange.masker.options.bodyBytesMax);
  let stopWatch: (() => void) | undefined;
  try {
    const { isWhole, body } = await new Promise<Awaited<typeof collected>>((resolve, reject) => {
      if (!request.complete) stopWatch = how.bodies.watch(() => request.received, reject);
      collected.then(resolve, reject);
    });
    if (isWhole) return body;
  } catch (cause) {
    if (cause instanceof PrivetError) throw cause;
    throw new PrivetError('bad_request', 'The body could not be read.', { cause });
  } finally {
    stopWatch?.();
  }
  if (how.mode === 'mask') throw how.refuse();
  return countedBody(exchange, request);
}
