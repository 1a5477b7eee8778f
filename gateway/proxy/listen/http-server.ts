/** HTTP/1.1 servers for clients, and limits for client input. */
import { headBytesMax } from '../../http1/head.ts';
import { type Handlers, Http1Server } from '../../http1/server.ts';
import { checkFraming } from '../request/target.ts';
import { isWebSocketUpgrade } from '../websocket/websocket.ts';

/** Client-side time limits in milliseconds. */
export type ClientTimeouts = {
  /** For a request head. */
  readonly headerMs: number;
  /** For a connection waiting for a request, including the first. */
  readonly keepAliveMs: number;
  /** For a TLS handshake. */
  readonly handshakeMs: number;
};

/** Maximum length of a header block in bytes, for both protocols. */
export const headerBytesMax = headBytesMax;

/** Maximum number of header fields of an HTTP/2 message; the same as for HTTP/1.1. */
export const headerPairsMax = 2_000;

/** A server that checks framing as strictly as {@link checkFraming} and upgrades only to WebSocket. */
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
