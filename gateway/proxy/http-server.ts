/** HTTP/1.1 servers of the proxy path, with the limits of everything that reads from clients. */
import { headBytesMax } from '../http1/head.ts';
import { type Handlers, Http1Server } from '../http1/server.ts';
import { checkFraming } from './target.ts';
import { isWebSocketUpgrade } from './websocket.ts';

/** Time limits of the client's side in milliseconds. */
export type ClientTimeouts = {
  /** For a request head. */
  readonly headerMs: number;
  /** For a connection that waits for a request, the first one included. */
  readonly keepAliveMs: number;
  /** For a TLS handshake. */
  readonly handshakeMs: number;
};

/** Longest header block in bytes, of either protocol. */
export const headerBytesMax = headBytesMax;

/** Most header fields of a message over HTTP/2; over HTTP/1.1 it is the same number. */
export const headerPairsMax = 2_000;

/** A server whose requests are framed as strictly as {@link checkFraming} says, and which upgrades to WebSockets alone. */
export function http1Server(timeouts: ClientTimeouts, handlers: Omit<Handlers, 'framing' | 'isUpgrade'>): Http1Server {
  return new Http1Server(
    {
      ...handlers,
      framing: ({ major, minor, fields }) =>
        checkFraming({ httpVersionMajor: major, httpVersionMinor: minor, rawHeaders: fields }),
      isUpgrade: isWebSocketUpgrade,
    },
    timeouts,
  );
}
