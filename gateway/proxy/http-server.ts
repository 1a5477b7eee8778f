/** HTTP/1.1 servers that are handed their connections, with the limits of everything that reads from clients. */
import http, { type Server, type ServerOptions } from 'node:http';
import { isWebSocketUpgrade } from './websocket.ts';

/** Header block and timer limits. */
const limits = {
  maxHeaderSize: 65_536,
  requestTimeout: 0,
  connectionsCheckingInterval: 5_000,
  insecureHTTPParser: false,
  // Node would refuse a request without one by itself, and serve what stands behind it; target.ts refuses both.
  requireHostHeader: false,
  noDelay: true,
  shouldUpgradeCallback: isWebSocketUpgrade,
};

/** Time limits of the client's side in milliseconds. */
export type ClientTimeouts = {
  /** For a request head. */
  readonly headerMs: number;
  /** For a connection that waits for a request, the first one included. */
  readonly keepAliveMs: number;
  /** For a TLS handshake. */
  readonly handshakeMs: number;
};

/** The part of the time limits that node's servers keep. */
export function serverTimeouts({ headerMs, keepAliveMs }: ClientTimeouts): ServerOptions {
  return { headersTimeout: headerMs, keepAliveTimeout: keepAliveMs };
}

/** Longest header block in bytes, of either protocol. */
export const headerBytesMax = limits.maxHeaderSize;

/** Most header fields of a message, in either protocol (node's own limit for HTTP/1.1). */
export const headerPairsMax = 2_000;

/**
 * An HTTP/1.1 server that gets its connections by `emit('connection')`. Node checks the time limits of requests only
 * from the `listening` event on.
 */
export function httpServerWithoutListener(options: ServerOptions = {}): Server {
  const server = http.createServer({ ...limits, ...options });
  server.emit('listening');
  return server;
}
