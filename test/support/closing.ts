/** Closes the servers and processes that tests start. */
import type { Server, Socket } from 'node:net';

const open: (() => Promise<unknown>)[] = [];

/**
 * Wraps the function that ends a server or process: it runs once, at the latest after the last test of the file
 * (clean-up.ts).
 */
export function closedAtEnd<T>(close: () => Promise<T>): () => Promise<T> {
  let closing: Promise<T> | undefined;
  const once = () => {
    closing ??= close();
    return closing;
  };
  open.push(once);
  return once;
}

/** Closes everything still open, most recently started first. */
export async function closeAll(): Promise<void> {
  for (const close of open.splice(0).reverse()) await close();
}

/** Cuts the connections and closes the server; resolves when it has closed. */
export function closeServer(server: Pick<Server, 'close'>, sockets: Iterable<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  return new Promise((resolve) => server.close(() => resolve()));
}
