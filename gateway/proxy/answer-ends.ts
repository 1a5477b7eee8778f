/** The first and the last of an answer to a client: its head at once, and its end when it broke off. */
import type { ServerResponse } from '../http1/server-response.ts';
import { type ClientResponse, hasLeft } from './answers.ts';

/** Sends the head before there is a body. */
export function flushHead(response: ClientResponse): void {
  if (!hasLeft(response) && !response.writableEnded) (response as { flushHeaders?: () => void }).flushHeaders?.();
}

/** A client that reads nothing for this long does not get the rest of an answer that broke off. */
const cutMs = 5_000;

/**
 * Ends an answer without its end, so that the client sees that it broke off: after what was written has left, and in
 * HTTP/2 with an error code, because a reset without one reads like a complete answer (RFC 9113 §8.1).
 */
export function cutResponse(response: ClientResponse): void {
  const cut = () => {
    clearTimeout(timer);
    if ('stream' in response && response.stream) {
      response.stream.on('error', () => {});
      // Not close(): it ends the stream before it resets it.
      response.stream.destroy(new Error('the answer broke off'));
    } else {
      response.destroy();
    }
  };
  const timer = setTimeout(cut, cutMs).unref();
  if (hasLeft(response) || !response.headersSent || response.writableLength === 0) cut();
  else (response as ServerResponse).write('', cut);
}
