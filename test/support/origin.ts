/** A real web server in the role of a site or a provider, which records its requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { type ServerCertificate, sharedAuthority, type TestAuthority } from './authority.ts';
import { closedAtEnd, closeServer } from './closing.ts';

/** A request as received. `rawHeaders` alternates names and values, in order and case of the wire. */
export type ReceivedRequest = {
  readonly method: string;
  readonly url: string;
  readonly httpVersion: string;
  readonly rawHeaders: readonly string[];
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** The TLS server name that the connection requested; undefined without TLS. */
  readonly serverName: string | undefined;
};

/** Answers one request, after its body has arrived. Over h2 the response is Node's compatible one. */
export type OriginHandler = (request: ReceivedRequest, response: ServerResponse) => void | Promise<void>;

/** Options of {@link startOrigin}. Without `names` and `authority` it speaks plain HTTP. */
export type OriginOptions = {
  readonly handler?: OriginHandler;
  /** Issues the certificate for `names`; default: the one that all origins of the file share. */
  readonly authority?: TestAuthority;
  readonly names?: readonly string[];
  /** Instead of a valid certificate. */
  readonly certificate?: ServerCertificate;
  /** ALPN offers; both by default. */
  readonly protocols?: readonly ('h2' | 'http/1.1')[];
  /** Called for `Upgrade` requests (HTTP/1.1). */
  readonly onUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Called before the body of a request with `Expect: 100-continue`; the default continues. */
  readonly onExpect?: (request: IncomingMessage, response: ServerResponse) => void;
};

/** A running origin. */
export type Origin = {
  readonly port: number;
  readonly address: string;
  readonly requests: ReceivedRequest[];
  /** How many TCP connections were accepted. */
  readonly connections: () => number;
  /** Everything received, as text: targets, fields and bodies, and raw bytes of HTTP/1.1 connections. */
  readonly everything: () => string;
  readonly reset: () => void;
  readonly close: () => Promise<void>;
};

/** Starts an origin on a free port of 127.0.0.1. The default handler answers `{"ok":true}`. */
export async function startOrigin(given: OriginOptions = {}): Promise<Origin> {
  const options = given.names && !given.authority ? { ...given, authority: sharedAuthority() } : given;
  const requests: ReceivedRequest[] = [];
  const rawChunks: Buffer[] = [];
  const sockets = new Set<Socket>();
  let connectionCount = 0;
  const handler: OriginHandler =
    options.handler ??
    ((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"ok":true}');
    });

  const onRequest = async (message: IncomingMessage | Http2ServerRequest, response: unknown): Promise<void> => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of message) chunks.push(chunk as Buffer);
    } catch {
      return; // The sender disconnected; its data is in the raw bytes.
    }
    const request: ReceivedRequest = {
      method: message.method ?? '',
      url: message.url ?? '',
      httpVersion: message.httpVersion,
      rawHeaders: message.rawHeaders,
      headers: message.headers,
      body: Buffer.concat(chunks),
      serverName: (message.socket as TLSSocket).servername || undefined,
    };
    requests.push(request);
    try {
      await handler(request, response as ServerResponse);
    } catch {
      // Unreadable data is the sender's fault, as with any server.
      (response as ServerResponse).writeHead(400).end();
    }
  };

  const server = makeServer(options, (request, response) => void onRequest(request, response));
  server.on('connection', (socket: Socket) => {
    connectionCount += 1;
    socket.setNoDelay(true);
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    if (options.authority === undefined) socket.on('data', (chunk: Buffer) => rawChunks.push(chunk));
  });
  server.on('secureConnection', (socket: TLSSocket) => {
    socket.on('error', () => undefined);
    // A data listener on an h2 socket would take data from the session, so only HTTP/1.1 is recorded raw.
    if (socket.alpnProtocol !== 'h2') socket.on('data', (chunk: Buffer) => rawChunks.push(chunk));
  });
  if (options.onUpgrade !== undefined) server.on('upgrade', options.onUpgrade);
  if (options.onExpect !== undefined) server.on('checkContinue', options.onExpect);

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    address: `127.0.0.1:${port}`,
    requests,
    connections: () => connectionCount,
    everything: () =>
      [
        Buffer.concat(rawChunks).toString(),
        ...requests.map((request) => [request.url, ...request.rawHeaders, request.body.toString()].join('\n')),
      ].join('\n'),
    reset: () => {
      requests.length = 0;
      rawChunks.length = 0;
    },
    close: closedAtEnd(() => closeServer(server, sockets)),
  };
}

function makeServer(
  options: OriginOptions,
  onRequest: (request: IncomingMessage | Http2ServerRequest, response: unknown) => void,
): Server {
  if (options.authority === undefined) return createServer({ requestTimeout: 0 }, onRequest);
  const { cert, key } = options.certificate ?? options.authority.issue({ names: options.names ?? ['localhost'] });
  const protocols = options.protocols ?? ['h2', 'http/1.1'];
  // node:http2 offers h2 whatever ALPNProtocols says.
  if (!protocols.includes('h2')) return createTlsServer({ cert, key, requestTimeout: 0 }, onRequest);
  const server = createSecureServer({ cert, key, allowHTTP1: protocols.includes('http/1.1') }, onRequest);
  server.on('sessionError', () => undefined);
  return server;
}
