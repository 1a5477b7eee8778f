/** Ports for servers started by another program. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A port that was free a moment ago, below those that Linux and macOS use for outgoing connections: one of these could
 * take it while a killed server restarts.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768);
    const listener = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      listener.once('error', () => resolve(false));
      listener.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => listener.close(resolve));
    return port;
  }
}
