/** What a client sends first in a tunnel, which tells what the tunnel is for. */
import type { Socket } from 'node:net';
import { openingBytesMax, readOpening, type TunnelOpening } from './client-hello.ts';

/** The client must show what it wants within this time; servers that speak first are not held up by it. */
const openingMs = 10_000;

/** Reads until the opening is known. Silence is no opening: servers that speak first get their turn (`onSilence`). */
export function readFirstBytes(
  socket: Socket,
  head: Buffer,
  onOpening: (opening: TunnelOpening, bytes: Buffer) => void,
  onEnd?: () => void,
): void {
  let bytes = head;
  const decideNow = (): boolean => {
    const opening = readOpening(bytes);
    if (opening.kind === 'incomplete' && bytes.length < openingBytesMax) return false;
    onOpening(opening.kind === 'incomplete' ? { kind: 'unclear' } : opening, bytes);
    return true;
  };
  if (bytes.length > 0 && decideNow()) return;
  // Only a client that has begun to speak must finish its first message in time.
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearTimeout(timer);
    socket.off('data', onData);
    socket.off('end', onClose);
    socket.off('close', stop);
  };
  const onClose = () => {
    stop();
    if (bytes.length > 0) onOpening({ kind: 'opaque' }, bytes);
    else if (onEnd) onEnd();
    else socket.end();
  };
  const onData = (chunk: Buffer) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    socket.pause();
    socket.off('data', onData);
    if (decideNow()) {
      stop();
      return;
    }
    timer ??= setTimeout(() => socket.destroy(), openingMs);
    socket.on('data', onData);
    socket.resume();
  };
  // Its end may have come while the upstream side was opened, and is not told again.
  if (socket.readableEnded) {
    onClose();
    return;
  }
  socket.on('data', onData);
  socket.once('end', onClose);
  socket.once('close', stop);
  socket.resume();
}
