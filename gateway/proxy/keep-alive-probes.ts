/** TCP keep-alive (RFC 9293 §3.8.4): how a peer that went away without a word is noticed. */

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
