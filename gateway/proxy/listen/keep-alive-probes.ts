/** TCP keep-alive (RFC 9293 §3.8.4): detects peers that have disappeared silently. */
import type { Socket } from 'node:net';
import { ConnectionSet, type SetEntry } from '../../http1/connection-set.ts';

const meanSeconds = 30;
const spreadSeconds = 10;

/**
 * Milliseconds of silence before a connection is probed, random per connection: 20 to 40 s. Linux rounds such timers to
 * two seconds, so thousands of connections opened together, as after a restart, would always be probed at once. On
 * loopback that exceeds the kernel's queue (`net.core.netdev_max_backlog`), and a connection that loses all its probes
 * is closed.
 */
export function probeDelayMs(): number {
  return 1_000 * (meanSeconds - spreadSeconds + Math.floor(Math.random() * (2 * spreadSeconds + 1)));
}

/**
 * Enables probes for a connection. Bypasses `Socket.setKeepAlive`, which adds two properties to the socket: V8 would
 * discard code optimised for sockets without them, and the new code would be slower for both kinds.
 */
export function probe(socket: Socket): void {
  const { _handle: handle } = socket as unknown as {
    readonly _handle?: { setKeepAlive?(enable: boolean, delaySeconds: number): number } | null;
  };
  handle?.setKeepAlive?.(true, probeDelayMs() / 1_000);
}

/** How often new connections are checked. */
const lookMs = 1_000;

/**
 * Enables probes only for connections that last: most are closed within a second, and enabling probes takes four system
 * calls and a kernel timer each. The silence before counts, so a dead peer is detected just as early.
 */
export class Probes {
  readonly #young = new ConnectionSet<Socket>();
  #timer: NodeJS.Timeout | undefined;

  /** Adds an open connection; remove it when it has closed. */
  add(socket: Socket): SetEntry<Socket> {
    this.#timer ??= setInterval(() => this.#look(), lookMs).unref();
    return this.#young.add(socket);
  }

  delete(entry: SetEntry<Socket>): void {
    this.#young.delete(entry);
  }

  #look(): void {
    if (this.#young.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    for (const socket of this.#young.clear()) probe(socket);
  }
}
