/** Telling a client that has left from one that has ended its side and still reads. */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** So long nobody works on for nobody. */
const leftMs = 1_000;
/** When the system asks whether a client is still there; that of one that has closed its socket says no after a minute. */
const probeMs = 10_000;

/**
 * To be called when a client has ended its side: only a write tells whether it still reads, so one to which nothing could
 * be written for a second has left.
 */
export function destroyIfLeft(socket: Socket): void {
  const writtenBefore = socket.bytesWritten;
  const timer = setTimeout(() => {
    if (socket.bytesWritten === writtenBefore) socket.destroy();
  }, leftMs);
  socket.once('close', () => clearTimeout(timer));
}

/**
 * The same for a client of the proxy. Without TLS it may well read on (`nc -N`, programs that shut down their side), and has its
 * answer however long that takes, unless its system says that it is gone. TLS clients end both sides at once.
 */
export function destroyWhenGone(socket: Socket): void {
  if (socket instanceof TLSSocket) {
    destroyIfLeft(socket);
    return;
  }
  socket.setKeepAlive(true, probeMs);
  const looking = setInterval(() => {
    if (isGone(socket)) socket.destroy();
  }, leftMs).unref();
  socket.once('close', () => clearInterval(looking));
}

/** Whether the system has given up the connection. Node, which reads no more, does not hear of it. */
export function isGone(socket: Socket | undefined): boolean {
  const { _handle: handle } = (socket ?? {}) as { _handle?: { getpeername?(to: object): number } | null };
  return handle?.getpeername !== undefined && handle.getpeername({}) !== 0;
}
