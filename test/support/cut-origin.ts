/** A server that breaks off after a given number of bytes of its response, or of the request that it reads. */
import { performServerHandshake, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';
import type { ServerCertificate } from './authority.ts';
import { closeServer } from './closing.ts';

/** Where and how a connection breaks: with an orderly end (FIN) or a reset (RST). */
export type Cut = {
  /** Bytes of the request that are read; then it breaks without a response. */
  readonly request?: number;
  /** Bytes of the response that are sent. */
  readonly answer?: number;
  readonly how: 'fin' | 'rst';
};

/** A running server; `cut` applies to new connections. */
export type CutOrigin = {
  readonly address: string;
  cut: Cut;
  /** The received data, one text per connection. */
  readonly received: string[];
  /** Number of open connections. */
  readonly open: () => number;
  readonly close: () => Promise<void>;
};

/** The response to the data received so far: all bytes that are due by now. */
export type Script = (received: string) => Buffer;

/** Speaks plain HTTP/1.1 according to the script. */
export async function startCutOrigin(script: Script): Promise<CutOrigin> {
  const received: string[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const { cut } = origin;
    const index = received.push('') - 1;
    let sent = 0;
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      received[index] += chunk.toString('latin1');
      const text = received[index] as string;
      if (cut.request !== undefined && text.length >= cut.request) return breakOff(socket, cut.how);
      const due = script(text).subarray(0, cut.answer);
      if (due.length > sent) {
        socket.write(due.subarray(sent));
        sent = due.length;
      }
      if (sent === cut.answer) breakOff(socket, cut.how);
    });
    socket.on('end', () => socket.end());
  });
  const origin: CutOrigin = { ...(await listening(server)), cut: { how: 'fin' }, received };
  return origin;
}

/** A complete request, and the part of its response that was sent. */
export type CutExchange = {
  /** 1 for the first request of its connection. */
  readonly place: number;
  readonly answer: Buffer;
  /** Number of bytes sent of the response. */
  readonly sent: number;
};

/** A server with kept connections; `exchanges` lists all arrivals of a request, by its `x-id`. */
export type KeptCutOrigin = {
  readonly address: string;
  readonly exchanges: ReadonlyMap<string, readonly CutExchange[]>;
  readonly close: () => Promise<void>;
};

/**
 * Speaks HTTP/1.1 over TLS and keeps connections. A request says where its response is to be cut, so that several may
 * run at once: `x-cut: 40 rst`. This applies to its first arrival; a retry gets the whole response.
 */
export async function startKeptCutOrigin(
  certificate: ServerCertificate,
  answerTo: (request: string) => Buffer,
): Promise<KeptCutOrigin> {
  const exchanges = new Map<string, CutExchange[]>();
  const context = createSecureContext(certificate);
  const server = createServer((socket) => {
    const secure = securedBy(context, socket, 'http/1.1');
    let received = '';
    let place = 0;
    secure.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      const length = requestLength(received);
      if (length === undefined || received.length < length) return;
      const request = received.slice(0, length);
      received = received.slice(length);
      place++;
      const id = /^x-id: (\S+)/im.exec(request)?.[1] ?? '';
      const earlier = exchanges.get(id) ?? [];
      const [, at, how] = (earlier.length === 0 && /^x-cut: (\d+) (fin|rst)/im.exec(request)) || [];
      const answer = answerTo(request);
      const part = answer.subarray(0, at === undefined ? undefined : Number(at));
      exchanges.set(id, [...earlier, { place, answer, sent: part.length }]);
      const end = () => breakOff(secure, how as Cut['how'], socket);
      if (at === undefined) secure.write(part);
      else if (part.length === 0) end();
      else secure.write(part, end);
    });
  });
  return { ...(await listening(server)), exchanges };
}

/** The length of a request; undefined while its head is incomplete. */
function requestLength(received: string): number | undefined {
  const at = received.indexOf('\r\n\r\n');
  if (at < 0) return undefined;
  return at + 4 + Number(/^content-length: (\d+)/im.exec(received.slice(0, at))?.[1] ?? 0);
}

/**
 * The server's side of TLS on a connection; the connection stays accessible, because Node cannot reset other sockets.
 */
function securedBy(secureContext: SecureContext, socket: Socket, protocol: string): TLSSocket {
  const secure = new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: [protocol] });
  secure.on('error', () => undefined);
  return secure;
}

/** Speaks HTTP/2 over TLS; all bytes of its side count, including SETTINGS and headers. */
export async function startCutHttp2(
  certificate: ServerCertificate,
  onStream: (stream: ServerHttp2Stream, body: string) => void,
): Promise<CutOrigin & { readonly sent: () => number }> {
  const received: string[] = [];
  let sent = 0;
  const context = createSecureContext(certificate);
  const speak = (secure: TLSSocket, socket: Socket) => {
    const { cut } = origin;
    sent = 0;
    const session = performServerHandshake(
      limited(
        secure,
        (bytes) => {
          const rest = (cut.answer ?? Number.POSITIVE_INFINITY) - sent;
          const part = bytes.subarray(0, Math.max(0, Math.min(bytes.length, rest)));
          sent += part.length;
          return { part, isOver: sent === cut.answer };
        },
        () => breakOff(secure, cut.how, socket),
      ),
    );
    session.on('error', () => undefined);
    session.on('stream', (stream) => {
      let body = '';
      stream.on('error', () => undefined);
      stream.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      stream.on('end', () => {
        received.push(body);
        if (!stream.destroyed) onStream(stream, body);
      });
    });
  };
  const server = createServer((socket) => {
    const secure = securedBy(context, socket, 'h2');
    secure.once('secure', () => speak(secure, socket));
  });
  const origin = { ...(await listening(server)), cut: { how: 'fin' } as Cut, received, sent: () => sent };
  return origin;
}

/** The socket with a limit on written data; http2 accepts any Duplex. */
function limited(
  socket: TLSSocket,
  take: (bytes: Buffer) => { readonly part: Buffer; readonly isOver: boolean },
  onOver: () => void,
): Duplex {
  const duplex = new Duplex({
    read: () => void socket.resume(),
    write(bytes: Buffer, _encoding, done) {
      const { part, isOver } = take(bytes);
      // The end follows once earlier data has been sent.
      if (isOver) socket.write(part, () => onOver());
      else socket.write(part);
      done();
    },
    final: (done) => void socket.end(() => done()),
    destroy: (_error, done) => {
      socket.destroy();
      done(null);
    },
  });
  duplex.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => void (duplex.push(chunk) || socket.pause()));
  socket.on('end', () => duplex.push(null));
  socket.on('close', () => duplex.destroy());
  return duplex;
}

/** Ends a connection; `below` is the connection under the TLS of `socket`. */
function breakOff(socket: Socket, how: Cut['how'], below = socket): void {
  if (how === 'fin') socket.end();
  else below.resetAndDestroy();
}

async function listening(server: Server): Promise<Pick<CutOrigin, 'address' | 'open' | 'close'>> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: () => sockets.size,
    close: () => closeServer(server, sockets),
  };
}
