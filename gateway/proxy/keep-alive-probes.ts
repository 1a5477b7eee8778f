/** TCP keep-alive (RFC 9293 §3.8.4): how a peer that went away without a word is noticed. */
import type { Socket } from 'node:net';
import { Roster, type Seat } from '../http1/roster.ts';

const meanSeconds = 30;
const spreadSeconds = 10;

/**
 * Milliseconds of silence before a connection is probed, another number for each: 20 to 40 s. Linux rounds such timers to
 * two seconds, so that thousands of connections that were opened together, as after a restart, would be probed in one
 * moment, every time. On loopback that is more than the kernel takes at once (`net.core.netdev_max_backlog`); a connection
 * whose probes all get lost is closed.
 */
export function probeDelayMs(): number {
  return 1_000 * (meanSeconds - spreadSeconds + Math.floor(Math.random() * (2 * spreadSeconds + 1)));
}

/**
 * Has a connection probed. Past `Socket.setKeepAlive`, which writes two more properties onto the socket: code that V8 compiled
 * for sockets without them would be thrown away when the first connection lasts, and be slower for both kinds from then on.
 */
export function probe(socket: Socket): void {
  const { _handle: handle } = socket as unknown as {
    readonly _handle?: { setKeepAlive?(enable: boolean, delaySeconds: number): number } | null;
  };
  handle?.setKeepAlive?.(true, probeDelayMs() / 1_000);
}

/** How often new connections are looked at. */
const lookMs = 1_000;

/**
 * Has connections probed that last: most are closed again within a second, and asking for probes is four system calls and
 * a timer of the kernel for each. Silence counts from before, so that a dead peer is noticed as soon.
 */
export class Probes {
  readonly #young = new Roster<Socket>();
  #timer: NodeJS.Timeout | undefined;

  /** Takes a connection that is open; to be deleted when it has closed. */
  add(socket: Socket): Seat<Socket> {
    this.#timer ??= setInterval(() => this.#look(), lookMs).unref();
    return this.#young.add(socket);
  }

  delete(seat: Seat<Socket>): void {
    this.#young.delete(seat);
  }

  #look(): void {
    if (this.#young.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    for (const socket of this.#young.clear()) probe(socket);
  }
}
