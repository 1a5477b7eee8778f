/** Detects HTTP/2 clients that have disappeared silently. */
import type { ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { isGone } from '../../http1/left-client.ts';

/** How long an HTTP/2 client may be quiet before it is pinged, and how long it may take to answer. */
const quietMsMax = 45_000;
/** Number of checks in that time. */
const looks = 9;

/**
 * Closes a client's connection if the system has given it up. Pings a quiet client, and closes its connection if it
 * does not answer (RFC 9113 §6.7). Otherwise a client that disappeared while its window was full would never be
 * detected: Node does not read then, not even a reset, and the requests at the origin would continue forever. `socket`
 * is the session's real socket; the session exposes only a proxy object.
 */
export function closeWhenDead(session: ServerHttp2Session, socket: Socket | undefined, quietMs = quietMsMax): void {
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    session.destroy();
    socket?.destroy();
  };
  const looking = setInterval(() => {
    // Node does not always report a reset while a response is being written: the write fails silently and nothing is
    // read after that (Node 24, HTTP/2 sessions only).
    if (isGone(socket)) end();
  }, quietMs / looks).unref();
  session.once('close', () => {
    clearTimeout(timer);
    clearInterval(looking);
  });
  // Passed to setTimeout as a callback, it would fire only once.
  session.on('timeout', () => {
    if (session.destroyed) return;
    clearTimeout(timer);
    timer = setTimeout(end, quietMs).unref();
    session.ping((error) => {
      if (error) return end();
      clearTimeout(timer);
      // Responding alone does not count as activity.
      session.setTimeout(quietMs);
    });
  });
  session.setTimeout(quietMs);
}
