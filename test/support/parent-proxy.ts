/** A plain forward proxy in the role of a company's existing one; it records its requests. */
import http, { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { TestAuthority } from './authority.ts';
import { closedAtEnd, closeServer } from './closing.ts';

/** A running parent proxy. */
export type ParentProxy = {
  readonly port: number;
  /** Request lines, like `CONNECT host:443 HTTP/1.1`. */
  readonly lines: string[];
  /** Values of Proxy-Authorization, in order. */
  readonly credentials: (string | undefined)[];
  /** Header fields of requests in absolute form. */
  readonly fields: string[][];
  readonly close: () => Promise<void>;
};

/** Options of {@link startParentProxy}. */
export type ParentProxyOptions = {
  /** `host:port` → `address:port`; everything else gets 502. */
  readonly hosts: Readonly<Record<string, string>>;
  /** If set, the proxy speaks TLS with a certificate for localhost. */
  readonly authority?: TestAuthority;
  /** The required Proxy-Authorization. */
  readonly authorization?: string;
  /** Answers every CONNECT with this status. */
  readonly status?: number;
};

/** Starts a parent on a free port of 127.0.0.1. */
export async function startParentProxy(options: ParentProxyOptions): Promise<ParentProxy> {
  const lines: string[] = [];
  const credentials: (string | undefined)[] = [];
  const fields: string[][] = [];
  const sockets = new Set<Socket>();
  const note = (request: IncomingMessage): number => {
    lines.push(`${request.method} ${request.url} HTTP/${request.httpVersion}`);
    credentials.push(request.headers['proxy-authorization']);
    if (options.authorization !== undefined && request.headers['proxy-authorization'] !== options.authorization)
      return 407;
    return options.status ?? 200;
  };
  const server = options.authority
    ? createSecureServer(options.authority.issue({ names: ['localhost', '127.0.0.1'] }))
    : createServer();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const status = note(request);
    const address = options.hosts[request.url ?? ''];
    socket.on('error', () => undefined);
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\n\r\n`);
    if (address === undefined) return void socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n');
    const [host = '', port = ''] = address.split(':');
    const upstream = connect({ port: Number(port), host, noDelay: true }, () => {
      socket.write('HTTP/1.1 200 Connection established\r\nVia: 1.1 parent\r\n\r\n');
      upstream.write(head);
      socket.pipe(upstream).pipe(socket);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
    upstream.on('close', () => socket.destroy());
  });
  server.on('request', (request: IncomingMessage, response: http.ServerResponse) => {
    const status = note(request);
    fields.push(request.rawHeaders);
    const url = URL.parse(request.url ?? '');
    const address = url && options.hosts[`${url.hostname}:${url.port || 80}`];
    if (status !== 200 || !address) return void response.writeHead(status === 200 ? 502 : status).end();
    const [host = '', port = ''] = address.split(':');
    const upstream = http.request(
      { host, port, method: request.method, path: url.pathname + url.search, headers: request.headers, agent: false },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(response);
      },
    );
    upstream.on('error', () => response.destroy());
    request.pipe(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    lines,
    credentials,
    fields,
    close: closedAtEnd(() => closeServer(server, sockets)),
  };
}
