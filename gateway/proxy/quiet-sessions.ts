/** HTTP/2 clients that went away without a word. */
import type { ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { isGone } from '../http1/left-client.ts';

/** How long an HTTP/2 client may be quiet before it is asked, and how long it may take to answer. */
const quietMsMax = 45_000;
/** How often a connection is looked at in that time. */
const looks = 9;

/**
 * Ends the connection of a client when the system has given it up. Asks one that has been quiet whether it is still there, and
 * ends its connection when it does not answer (RFC 9113 §6.7). Without it a client that went away while its window was full is
 * never missed: Node does not read then, and so does not see the reset either; the requests at the origin would go on for
 * ever. `socket` is that of the session, which itself shows a stand-in only.
 */
export function closeWhenDead(session: ServerHttp2Session, socket: Socket | undefined, quietMs = quietMsMax): void {
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    session.destroy();
    socket?.destroy();
  };
  const looking = setInterval(() => {
    // Node does not always tell: when a client resets its connection while an answer is being written, that write fails
    // without a word and nothing is read any more (node 24, HTTP/2 sessions only).
    if (isGone(socket)) end();
  }, quietMs / looks).unref();
  session.once('close', () => {
    clearTimeout(timer);
    clearInterval(looking);
  });
  // Given as a callback of setTimeout, it would be told once.
  session.on('timeout', () => {
    if (session.destroyed) return;
    clearTimeout(timer);
    timer = setTimeout(end, quietMs).unref();
    session.ping((error) => {
      if (error) return end();
      clearTimeout(timer);
      // An answer alone does not count as something that happens.
      session.setTimeout(quietMs);
    });
  });
  session.setTimeout(quietMs);
}
