/** Accepts the body of a request, and reads it if it is inspected. */
import type { Readable } from 'node:stream';
import { PrivetError } from '../../../core/errors.ts';
import { Pieces } from '../../../core/stream/pieces.ts';
import { ServerRequest } from '../../http1/server-request.ts';
import type { BodyBuffers } from '../body/body-buffers.ts';
import { tooLarge } from '../body/content-coding.ts';
import type { Exchange } from '../exchange.ts';
import { countCopy, guardInput } from './mask.ts';

/** Accepts the body: rejects what its head shows to be unreadable, and tells a waiting client to send it. */
export function accept(exchange: Exchange): Exchange {
  const { parts, request, source, target, decision, rawHeaders } = exchange;
  if (decision.inspect === 'mask') checkInspectable(exchange);
  // A body that is not read here streams through, so the origin decides whether it wants it (RFC 9110 §10.1.1).
  exchange.expectsOrigin = exchange.expectsContinue && source === request && decision.inspect === 'tunnel';
  if (!exchange.expectsOrigin) exchange.sayContinue();
  if (decision.service === undefined) {
    const { host, port, path } = target;
    exchange.probe = parts.probe?.({ host, port, path, method: request.method ?? '', rawHeaders }, decision);
  }
  return exchange;
}

/** Reads the complete body if it is inspected. For `audit`, an incomplete body streams on and a copy is counted. */
export function read(exchange: Exchange): Exchange | Promise<Exchange> {
  const { parts, record, input } = exchange;
  if (!exchange.hasBody) return exchange;
  if (input === undefined || exchange.streamsBothWays) {
    exchange.body = countedBody(exchange, exchange.source);
    return exchange;
  }
  const whole = takeWhole(exchange);
  if (whole !== undefined) return received(exchange, whole);
  const guarding = guardInput(exchange);
  if (input.mode === 'mask' || parts.agents.reads(guarding) || parts.agents.enforces(guarding))
    return readForInspection(exchange, parts.bodies).then((body) => received(exchange, body));
  const copied = copiedBody(exchange, parts.bodies);
  exchange.body = copied.body;
  record.counting = copied.copy.then((copy) => countCopy(exchange, input, copy)).catch(() => {});
  return exchange;
}

function received(exchange: Exchange, body: Buffer): Exchange {
  exchange.received = body;
  exchange.body = body;
  exchange.record.bytesIn = body.length;
  exchange.probe?.requestData(body);
  return exchange;
}

/** The body as a stream that counts its size. */
function countedBody({ record, probe }: Exchange, body: Readable): Readable {
  body.on('data', (chunk: Buffer) => {
    record.bytesIn += chunk.length;
  });
  if (probe?.wantsBody) body.on('data', (chunk: Buffer) => probe.requestData(chunk));
  body.pause();
  return body;
}

/**
 * Rejects a body we already know we can't inspect, before sending 100 Continue.
 * @throws PrivetError `uninspectable`, `body_too_large`
 */
function checkInspectable({ kind, framing, masker }: Pick<Exchange, 'kind' | 'framing' | 'masker'>): void {
  if (kind === 'framed') masker.refuseFramed('mask');
  else if ((framing.length ?? 0) > masker.options.bodyBytesMax) throw tooLarge(masker.options.bodyBytesMax);
}

/** The complete body, if it arrived with its head and is within the limit, as most do. */
function takeWhole({ masker, source }: Exchange): Buffer | undefined {
  return source instanceof ServerRequest ? source.takeWhole(masker.options.bodyBytesMax) : undefined;
}

/** A streaming body, and its copy once it has ended; undefined if it was too large. */
type CopiedBody = { readonly body: Readable; readonly copy: Promise<Buffer | undefined> };

/** Copies a streaming body, up to the limits for it and for all copies. An aborted body yields what has arrived. */
function copiedBody(exchange: Exchange, bodies: BodyBuffers): CopiedBody {
  const { masker, source, response } = exchange;
  const kept = new Pieces<Buffer>((parts) => Buffer.concat(parts));
  const copy = new Promise<Buffer | undefined>((resolve) => {
    const settle = (whole: Buffer | undefined) => {
      stopWatch();
      source.off('data', onData);
      resolve(whole);
    };
    const giveUp = () => {
      kept.take();
      settle(undefined);
    };
    const onData = (chunk: Buffer) => {
      kept.push(chunk);
      if (kept.size > masker.options.bodyBytesMax) giveUp();
    };
    const finish = () => settle(kept.takeWhole());
    const stopWatch = bodies.watch(() => kept.size, giveUp);
    source.on('data', onData);
    for (const event of ['end', 'error', 'close']) source.once(event, finish);
    // The response may end before the request.
    response.once('close', finish);
  });
  return { body: countedBody(exchange, source), copy };
}

/** Reads a body up to the limit; a longer one is rejected, because unread data is not sent. */
function readForInspection(exchange: Exchange, bodies: BodyBuffers): Promise<Buffer> {
  const { masker, source: request } = exchange;
  const bytesMax = masker.options.bodyBytesMax;
  const refuse = () => {
    request.pause();
    return tooLarge(bytesMax);
  };
  if (request instanceof ServerRequest) return collectForInspection(exchange, request, { bodies, refuse });
  return new Promise((resolve, reject) => {
    const kept = new Pieces<Buffer>((parts) => Buffer.concat(parts));
    let isRead = false;
    // The client could otherwise keep the stream of a rejected request open indefinitely.
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
      if (kept.size > bytesMax) giveUp(refuse());
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
      if (!isRead) reject(new PrivetError('bad_request', 'The client disconnected during the body.'));
    });
  });
}

/** The same over HTTP/1.1, without the cost of a stream. */
async function collectForInspection(
  exchange: Exchange,
  request: ServerRequest,
  how: { readonly bodies: BodyBuffers; readonly refuse: () => PrivetError },
): Promise<Buffer> {
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
  throw how.refuse();
}
