/** Servers that a test writes itself, on a free port. */
import type { AddressInfo, Server, Socket } from 'node:net';
import { closedAtEnd, closeServer } from './closing.ts';

/** Listens on a free port of 127.0.0.1 until the end of the test file; returns the port. */
export async function listening(server: Pick<Server, 'listen' | 'address' | 'on' | 'close'>): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closedAtEnd(() => closeServer(server, sockets));
  return (server.address() as AddressInfo).port;
}
