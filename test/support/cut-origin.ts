/** A server that breaks off after a given number of bytes: of its answer, or of the request that it reads. */
import { performServerHandshake, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
import type { ServerCertificate } from './authority.ts';

/** Where a connection breaks, and how: with an orderly end (FIN) or a reset (RST). */
export type Cut = {
  /** Bytes of the request that are read; then it breaks without an answer. */
  readonly request?: number;
  /** Bytes of the answer that are sent. */
  readonly answer?: number;
  readonly how: 'fin' | 'rst';
};

/** A running server; `cut` counts for the connections to come. */
export type CutOrigin = {
  readonly address: string;
  cut: Cut;
  /** What it was sent, one text for each connection. */
  readonly received: string[];
  /** How many connections are open. */
  readonly open: () => number;
  readonly close: () => Promise<void>;
};

/** What to send for what has come so far: all the bytes that are due by now. */
export type Script = (received: string) => Buffer;

/** Speaks HTTP/1.1 in plain as the script says. */
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
  const origin = await listening(server, received);
  return origin;
}

/** Speaks HTTP/2 over TLS; all bytes of its side count, those of SETTINGS and headers, too. */
export async function startCutHttp2(
  certificate: ServerCertificate,
  onStream: (stream: ServerHttp2Stream, body: string) => void,
): Promise<CutOrigin & { readonly sent: () => number }> {
  const received: string[] = [];
  let sent = 0;
  const server = createTlsServer({ ...certificate, ALPNProtocols: ['h2'] }, (socket) => {
    const { cut } = origin;
    sent = 0;
    socket.on('error', () => undefined);
    const session = performServerHandshake(
      limited(
        socket,
        (bytes) => {
          const rest = (cut.answer ?? Number.POSITIVE_INFINITY) - sent;
          const part = bytes.subarray(0, Math.max(0, Math.min(bytes.length, rest)));
          sent += part.length;
          return { part, isOver: sent === cut.answer };
        },
        () => breakOff(socket, cut.how),
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
  });
  server.on('tlsClientError', () => undefined);
  const origin = await listening(server, received);
  return Object.assign(origin, { sent: () => sent });
}

/** The socket with a limit on what is written; http2 takes any Duplex. */
function limited(
  socket: TLSSocket,
  take: (bytes: Buffer) => { readonly part: Buffer; readonly isOver: boolean },
  onOver: () => void,
): Duplex {
  const duplex = new Duplex({
    read: () => void socket.resume(),
    write(bytes: Buffer, _encoding, done) {
      const { part, isOver } = take(bytes);
      // The end comes after what was written before it has left.
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

/** Over TLS a reset is an end without close_notify: node resets plain connections only. */
function breakOff(socket: Socket | TLSSocket, how: Cut['how']): void {
  if (how === 'fin') socket.end();
  else if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

async function listening(server: Server, received: string[]): Promise<CutOrigin> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: { how: 'fin' },
    received,
    open: () => sockets.size,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
