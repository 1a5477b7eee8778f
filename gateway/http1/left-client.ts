/** Distinguishes a client that has left from one that half-closed the connection and still reads. */
import { readSync } from 'node:fs';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** How long work continues for a client that has left. */
const leftMs = 1_000;
/** TCP keep-alive interval: detects within a minute a client whose socket is closed. */
const probeMs = 10_000;

/** Call after the client's FIN. If nothing can be written to it for a second, it no longer reads: it has left. */
export function destroyIfLeft(socket: Socket): void {
  const writtenBefore = socket.bytesWritten;
  const timer = setTimeout(() => {
    if (socket.bytesWritten === writtenBefore) socket.destroy();
  }, leftMs);
  socket.once('close', () => clearTimeout(timer));
}

/**
 * The same for a client of the proxy. It may still read (`nc -N`, half-closing programs) and gets its response however
 * long that takes, unless its system reports that it is gone. A TLS 1.3 client may half-close with close_notify alone
 * (RFC 8446 §6.1; `CloseWrite` in Go); most end both directions at once.
 */
export function destroyWhenGone(socket: Socket): void {
  const isTls = socket instanceof TLSSocket;
  if (isTls && (socket.getProtocol() !== 'TLSv1.3' || hasEndedTcp(socket))) {
    destroyIfLeft(socket);
    return;
  }
  socket.setKeepAlive(true, probeMs);
  const looking = setInterval(() => {
    if (isGone(socket) || (isTls && hasEndedTcp(socket))) socket.destroy();
  }, leftMs).unref();
  socket.once('close', () => clearInterval(looking));
}

const oneByte = Buffer.alloc(1);

/**
 * True if the client has ended TCP after its close_notify, after which OpenSSL reads nothing. A read of the
 * non-blocking socket shows at once whether more may arrive (EAGAIN).
 */
function hasEndedTcp(socket: Socket): boolean {
  const { fd = -1 } = (socket as { _handle?: { fd?: number } | null })._handle ?? {};
  if (fd < 0) return true;
  try {
    readSync(fd, oneByte);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EAGAIN';
  }
}

/** True if the system has given up the connection. Node is not notified because it no longer reads. */
export function isGone(socket: Socket | undefined): boolean {
  const { _handle: handle } = (socket ?? {}) as { _handle?: { getpeername?(to: object): number } | null };
  return handle?.getpeername !== undefined && handle.getpeername({}) !== 0;
}
