/** Raw TCP on both ends: a server that records every byte, and a client that sends exactly the given bytes. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { ServerCertificate } from './authority.ts';
import { closedAtEnd, closeServer } from './closing.ts';

/** A TCP server that records the data of each connection. */
export type Recorder = {
  readonly port: number;
  readonly address: string;
  /** Bytes per accepted connection, in order of arrival. */
  readonly received: Buffer[];
  readonly close: () => Promise<void>;
};

/**
 * Starts a recorder on a free port of 127.0.0.1.
 * @param onData called for each chunk with all that the connection has sent so far; may answer on the socket
 * @param certificate with it, the recorder speaks TLS and keeps what was inside
 */
export async function startRecorder(
  onData?: (socket: Socket, sofar: Buffer) => void,
  certificate?: ServerCertificate,
): Promise<Recorder> {
  const received: Buffer[] = [];
  const sockets = new Set<Socket>();
  const serve = (socket: Socket): void => {
    const index = received.push(Buffer.alloc(0)) - 1;
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      const sofar = Buffer.concat([received[index] ?? Buffer.alloc(0), chunk]);
      received[index] = sofar;
      onData?.(socket, sofar);
    });
    socket.on('end', () => socket.end());
  };
  const server =
    certificate === undefined
      ? createServer({ allowHalfOpen: true }, serve)
      : createTlsServer({ ...certificate, ALPNProtocols: ['http/1.1'], allowHalfOpen: true }, serve);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    address: `127.0.0.1:${port}`,
    received,
    close: closedAtEnd(() => closeServer(server, sockets)),
  };
}

/** Far longer than any response takes. */
const silenceMs = 120_000;

/** Options of {@link exchangeRaw}. */
export type ExchangeOptions = {
  /** Ends the exchange when the received data satisfies it; otherwise the peer's end does. */
  readonly until?: (sofar: string) => boolean;
  /** Sends our FIN after the bytes. */
  readonly end?: boolean;
};

/**
 * Connects to a port of 127.0.0.1, writes the bytes, and returns what came back (as Latin-1 text).
 * A reset by the peer ends the exchange like its FIN does.
 */
export function exchangeRaw(port: number, bytes: string | Buffer, options: ExchangeOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let sofar = '';
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no end of the answer; so far: ${JSON.stringify(sofar.slice(0, 400))}`));
    }, silenceMs);
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(sofar);
    };
    socket.on('connect', () => {
      if (options.end) socket.end(bytes, 'latin1');
      else socket.write(bytes as string, 'latin1');
    });
    socket.on('data', (chunk: Buffer) => {
      sofar += chunk.toString('latin1');
      if (options.until?.(sofar)) finish();
    });
    socket.on('error', finish);
    socket.on('close', finish);
  });
}

/** True when the text starts with a complete HTTP/1 head and, by its Content-Length, a complete body. */
export function isCompleteAnswer(text: string): boolean {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, headEnd));
  return length !== null && text.length >= headEnd + 4 + Number(length[1]);
}
