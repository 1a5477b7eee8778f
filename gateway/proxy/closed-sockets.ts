/**
 * What a closed socket still holds. Node keeps the object of a TLS connection behind a weak handle, which V8 takes for a
 * root in its frequent collections: it lives on until the next full one, and with it the socket, its listeners, and what
 * those know of the connection (8 of 15 KiB), copied twice on the way into the old generation.
 */
import type { Socket } from 'node:net';

const ignore = () => {};

/** Takes the listeners of a socket away; to be called by the last of them that hears of its close. */
export function forgetListeners(socket: Socket): void {
  socket.removeAllListeners();
  // An error that is told late has been dealt with.
  socket.on('error', ignore);
}
