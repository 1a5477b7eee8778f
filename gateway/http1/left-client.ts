/** Telling a client that has left from one that has ended its side and still reads. */
import type { Socket } from 'node:net';

/** So long nobody works on for nobody. */
const leftMs = 1_000;

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
