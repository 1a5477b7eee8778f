/** Starts a client response early, or aborts it. */
import type { ServerResponse } from '../../http1/server-response.ts';
import { type ClientResponse, hasLeft } from './answers.ts';

/** Sends the head before the body. */
export function flushHead(response: ClientResponse): void {
  if (!hasLeft(response) && !response.writableEnded) (response as { flushHeaders?: () => void }).flushHeaders?.();
}

/** A client that reads nothing for this long does not get pending data of an aborted response. */
const cutMs = 5_000;

/**
 * Aborts a response so that the client notices. Flushes pending data first. HTTP/2 needs an error code, because a reset
 * without one looks like a complete response (RFC 9113 §8.1).
 */
export function cutResponse(response: ClientResponse): void {
  const cut = () => {
    clearTimeout(timer);
    if ('stream' in response && response.stream) {
      response.stream.on('error', () => {});
      // Not close(), which would end the stream before resetting it.
      response.stream.destroy(new Error('the answer was cut off'));
    } else {
      response.destroy();
    }
  };
  const timer = setTimeout(cut, cutMs).unref();
  if (hasLeft(response) || !response.headersSent || response.writableLength === 0) cut();
  else (response as ServerResponse).write('', cut);
}
