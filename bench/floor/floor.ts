/**
 * The floor: the smallest Node proxy that only does the transport work. No policy, limits, log or inspection. CONNECT
 * to a port in FLOOR_INTERCEPT is answered with a static certificate and forwarded through undici; every other CONNECT
 * is a tunnel with recycled read buffers.
 */
import { readFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import net from 'node:net';
import tls from 'node:tls';
import { Agent, type Dispatcher } from 'undici';

const interceptPort = process.env.FLOOR_INTERCEPT;
const agent = new Agent({
  connect: {
    secureContext: tls.createSecureContext({ ca: readFileSync(process.env.FLOOR_CA as string) }),
    lookup: (_name, options, callback) =>
      options.all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4),
  },
  connections: 256,
});
const inner = http.createServer(serve);
const secureContext = tls.createSecureContext({
  cert: readFileSync(process.env.FLOOR_CERT as string),
  key: readFileSync(process.env.FLOOR_KEY as string),
});

/** Tunnelled requests are forwarded over TLS, absolute URLs (plain HTTP) unchanged. */
function serve(request: IncomingMessage, response: ServerResponse): void {
  const url = request.url as string;
  const plain = /^http:\/\/[^/]+/.exec(url)?.[0];
  const headers: string[] = [];
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    const name = (request.rawHeaders[i] as string).toLowerCase();
    if (name !== 'connection' && name !== 'transfer-encoding') headers.push(name, request.rawHeaders[i + 1] as string);
  }
  agent.dispatch(
    {
      // Each new host is a separate origin, as for a gateway; all resolve to this machine.
      origin: plain ?? `https://${request.headers.host}`,
      path: plain === undefined ? url : url.slice(plain.length),
      method: request.method as Dispatcher.HttpMethod,
      headers,
      body: request.method === 'GET' ? null : request,
    },
    {
      onRequestStart() {},
      onResponseStart(controller, status, fields) {
        const raw = (controller as { rawHeaders?: Buffer[] }).rawHeaders;
        response.writeHead(
          status,
          raw ? raw.map((part) => part.toString('latin1')) : (fields as http.OutgoingHttpHeaders),
        );
      },
      onResponseData(controller, chunk) {
        if (!response.write(chunk)) {
          controller.pause();
          response.once('drain', () => controller.resume());
        }
      },
      onResponseEnd() {
        response.end();
      },
      onResponseError() {
        response.destroy();
      },
    },
  );
}

const scratch = Buffer.allocUnsafeSlow(65_536);
const pool: Buffer[] = [];

function tunnel(client: net.Socket, host: string, port: number, head: Buffer): void {
  let bulk = false;
  let free: Buffer | undefined;
  const upstream = net.connect({
    host,
    port,
    allowHalfOpen: true,
    noDelay: true,
    onread: {
      buffer: () => {
        if (!bulk) return scratch;
        free ??= pool.pop() ?? Buffer.allocUnsafeSlow(262_144);
        return free;
      },
      callback: (length, buffer) => {
        bulk = length >= 16_384;
        if (buffer === scratch) client.write(Buffer.from(scratch.subarray(0, length)));
        else {
          const used = buffer as Buffer;
          free = undefined;
          client.write(used.subarray(0, length), () => {
            pool.push(used);
            if (client.writableLength === 0) upstream.resume();
          });
        }
        return client.writableLength < 524_288;
      },
    },
  });
  upstream.on('connect', () => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) upstream.write(head);
    client.on('data', (chunk) => {
      if (!upstream.write(chunk)) client.pause();
    });
    upstream.on('drain', () => client.resume());
    client.on('end', () => upstream.end());
    upstream.on('end', () => client.end());
  });
  upstream.on('error', () => client.destroy());
  client.on('error', () => upstream.destroy());
}

const server = http.createServer(serve);
server.on('connect', (request, socket: net.Socket, head: Buffer) => {
  const [host, port] = (request.url as string).split(':') as [string, string];
  if (port !== interceptPort) {
    tunnel(socket, host, Number(port), head);
    return;
  }
  socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
  const secured = new tls.TLSSocket(socket, { isServer: true, secureContext });
  secured.on('error', () => {});
  secured.once('secure', () => inner.emit('connection', secured));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(
    `${JSON.stringify({ event: 'listening', listener: 'proxy', port: (server.address() as net.AddressInfo).port })}\n`,
  );
});
