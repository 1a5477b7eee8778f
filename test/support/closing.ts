/** The end of the servers that tests start. */
import type { Server, Socket } from 'node:net';

/** Cuts the connections and closes the server; resolves when it has closed. */
export function closeServer(server: Pick<Server, 'close'>, sockets: Iterable<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  return new Promise((resolve) => server.close(() => resolve()));
}
