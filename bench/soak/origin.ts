/**
 * The servers of the soak, in a separate process: a provider over TLS (HTTP/1.1, HTTP/2, event streams, WebSocket) that
 * echoes its input, a plain web server, a TCP server that echoes or sends bulk data, and a name server that resolves
 * every name to this machine. Checks requests for personal data and counts open connections.
 */
import { createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import http2, { type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import net, { type AddressInfo, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { WebSocketServer } from 'ws';
import { hosts } from './client.ts';
import { mailDomain } from './texts.ts';

type Request = IncomingMessage | Http2ServerRequest;
/** The HTTP/2 compatibility response is used like an HTTP/1.1 one. */
type Response = ServerResponse;

const block = Buffer.alloc(65_536, 'x');
let leaks = 0;
/** Truncated bodies that arrived as complete ones: their number, and the first ones. */
let torn = 0;
const tornBodies: string[] = [];

/** True if texts to this host are masked, so that personal data there is a leak. */
function hasLeaked(request: Request, text: string): boolean {
  const authority = String(request.headers[':authority'] ?? request.headers.host ?? '');
  const isLeak = authority.split(':')[0] !== hosts.audited && text.includes(mailDomain);
  if (isLeak) leaks++;
  return isLeak;
}

async function serve(request: Request, response: Response): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'https://x');
  response.on('error', () => {});
  if (pathname === '/endless') return endless(response);
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return;
  }
  // Node ends the body of a reset stream as if it were complete.
  if ('stream' in request && request.stream.rstCode !== http2.constants.NGHTTP2_NO_ERROR) return;
  const text = Buffer.concat(chunks).toString();
  if (hasLeaked(request, text)) return void response.writeHead(500).end('leak');
  if (pathname === '/hold') return;
  if (pathname === '/broken') return broken(response, Number(searchParams.get('at')));
  if (request.method !== 'POST') {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
    return;
  }
  const { messages, stream } = read(request, text);
  const content = messages.at(-1)?.content ?? '';
  if (stream) return streamed(response, content);
  const body = JSON.stringify({ id: 'chatcmpl-1', choices: [{ index: 0, message: { role: 'assistant', content } }] });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

type Chat = { messages: { content: string }[]; stream?: boolean };

function read(request: Request, text: string): Chat {
  try {
    return JSON.parse(text) as Chat;
  } catch {
    torn++;
    const { httpVersion, headers } = request;
    if (tornBodies.length < 5)
      tornBodies.push(`HTTP/${httpVersion}: ${Buffer.byteLength(text)} bytes of ${headers['content-length'] ?? '?'}`);
    return { messages: [] };
  }
}

const event = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;

/** The text in pieces of 1 to 24 characters, several at a time. */
function streamed(response: Response, content: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let at = 0;
  const timer = setInterval(() => {
    let out = '';
    for (let i = 0; i < 8 && at < content.length; i++) {
      const length = 1 + ((at * 7) % 24);
      out += event(content.slice(at, at + length));
      at += length;
    }
    if (out !== '') response.write(out);
    if (at < content.length) return;
    clearInterval(timer);
    response.end('data: [DONE]\n\n');
  }, 4);
  response.once('close', () => clearInterval(timer));
}

function endless(response: Response): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const timer = setInterval(() => response.write(event('word ')), 3);
  response.once('close', () => clearInterval(timer));
}

/** Declares more than it sends, then disconnects. */
function broken(response: Response, at: number): void {
  response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 20_000 });
  response.write(block.subarray(0, at), () => {
    if (response instanceof http.ServerResponse) response.socket?.destroy();
    else (response as unknown as Http2ServerResponse).stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR);
  });
}

const webSockets = new WebSocketServer({ noServer: true, perMessageDeflate: true });
webSockets.on('connection', (socket, request: IncomingMessage) => {
  socket.on('error', () => {});
  socket.on('message', (data, isBinary) => {
    hasLeaked(request, String(data));
    socket.send(data as Buffer, { binary: isBinary });
  });
});

/**
 * Keep-alive probes: the loopback may drop an RST when its buffers are full, and only a probe then reveals that the
 * peer is gone. Connections leaked by the gateway stay open, because its kernel responds.
 */
const probed = { keepAlive: true, keepAliveInitialDelay: 30_000 };

const secure = http2.createSecureServer(
  {
    ...probed,
    cert: readFileSync(process.env.ORIGIN_CERT as string),
    key: readFileSync(process.env.ORIGIN_KEY as string),
    allowHTTP1: true,
  },
  (request, response) => void serve(request, response as unknown as ServerResponse),
);
// Longer than the gateway keeps its own, so that no request meets a closing connection.
(secure as unknown as http.Server).keepAliveTimeout = 30_000;
secure.on('sessionError', () => {});
secure.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
  webSockets.handleUpgrade(request, socket, head, (one) => webSockets.emit('connection', one, request));
});

const plain = http.createServer({ ...probed, keepAliveTimeout: 30_000 }, (request, response) => {
  response.on('error', () => {});
  request.on('error', () => {});
  if (request.method === 'GET') return void response.end(block.subarray(0, 1_024));
  const digest = createHash('sha256');
  request.on('data', (chunk: Buffer) => digest.update(chunk));
  request.on('end', () => response.end(digest.digest('hex')));
});

/** Echoes; if the first line is a number, sends that many bytes. */
const tcp = net.createServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
  socket.once('end', () => socket.end());
  socket.once('data', (first: Buffer) => {
    let left = Number(first.toString('latin1').trim());
    if (!(left > 0)) {
      socket.write(first);
      socket.pipe(socket);
      return;
    }
    const send = () => {
      while (left > 0) {
        const piece = block.subarray(0, Math.min(left, block.length));
        left -= piece.length;
        if (!socket.write(piece) && left > 0) return void socket.once('drain', send);
      }
      socket.end();
    };
    send();
  });
});

/** The open connections by remote port, with their last request. */
const open = { tls: new Map<number, string>(), plain: new Map<number, string>(), tcp: new Map<number, string>() };
for (const [name, server] of [
  ['tls', secure],
  ['plain', plain],
  ['tcp', tcp],
] as const) {
  server.on('connection', (socket: Socket) => {
    const { remotePort = 0 } = socket;
    open[name].set(remotePort, 'nothing yet');
    socket.on('error', () => {});
    socket.once('close', () => open[name].delete(remotePort));
  });
  server.on('secureConnection', (socket: Socket) => socket.on('error', () => {}));
}

secure.on('secureConnection', ({ remotePort = 0, alpnProtocol }: TLSSocket) => {
  open.tls.set(remotePort, `nothing yet, ${alpnProtocol}`);
});
const note = ({
  socket,
  httpVersion,
  method,
  url,
}: Pick<IncomingMessage, 'socket' | 'httpVersion' | 'method' | 'url'>) => {
  const port = socket.remotePort ?? 0;
  if (open.tls.has(port)) open.tls.set(port, `HTTP/${httpVersion} ${method} ${url}`);
};
secure.on('request', note);
secure.on('upgrade', note);

/** Resolves every name to 127.0.0.1 (RFC 1035). */
const names = createSocket('udp4');
names.on('message', (query, from) => {
  let at = 12;
  while ((query[at] ?? 0) > 0) at += (query[at] as number) + 1;
  const isA = query.readUInt16BE(at + 1) === 1;
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8580, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(isA ? 1 : 0, 6);
  const record = isA ? Buffer.from('c00c000100010000003c00047f000001', 'hex') : Buffer.alloc(0);
  names.send(Buffer.concat([head, query.subarray(12, at + 5), record]), from.port, from.address);
});

const listen = (server: net.Server) =>
  new Promise<number>((resolve) =>
    server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () =>
      resolve((server.address() as AddressInfo).port),
    ),
  );
await new Promise<void>((resolve) => names.bind(0, '127.0.0.1', resolve));
const [tlsPort, plainPort, tcpPort] = [
  await listen(secure as unknown as net.Server),
  await listen(plain),
  await listen(tcp),
];
process.on('message', ({ id }: { id: number }) => {
  const connections = { tls: [...open.tls], plain: [...open.plain], tcp: [...open.tcp] };
  process.send?.({ id, open: connections, leaks, torn, tornBodies });
});
process.on('disconnect', () => process.exit());
process.send?.({ tlsPort, plainPort, tcpPort, dnsPort: names.address().port });
