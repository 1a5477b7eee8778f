import type { Http2ServerRequest } from 'node:http2';
import type { ServerRequest } from '../../http1/server-request.ts';

/** A client request of either protocol; the http2 compatibility layer has the same fields. */
export type ClientRequest = ServerRequest | Http2ServerRequest;
