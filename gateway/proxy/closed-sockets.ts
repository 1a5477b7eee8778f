/**
 * What a closed socket still holds. The objects of a closed TLS connection live on until the next full collection, in any
 * server on Node: the frequent ones do not free them. With them live the listeners of the sockets, and what those know of the
 * connection: of 7 KiB that each intercepted connection left so, 3 were that (measured with the sampling heap profiler).
 */
import type { Socket } from 'node:net';

const ignore = () => {};

/** Takes the listeners of a socket away; to be called by the last of them that hears of its close. */
export function forgetListeners(socket: Socket): void {
  socket.removeAllListeners();
  // An error that is told late has been dealt with.
  socket.on('error', ignore);
}

const heirs = new WeakMap<Socket, Socket>();

/** Notes that the connection of a socket that closes goes on in another one. */
export function setHeir(socket: Socket, heir: Socket): void {
  heirs.set(socket, heir);
}

/** The socket in which the connection of a closed one goes on; who counts connections counts that. */
export function heirOf(socket: Socket): Socket | undefined {
  return heirs.get(socket);
}
