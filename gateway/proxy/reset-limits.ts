/**
 * Limits how often a client gives up streams of HTTP/2. A reset stream costs the client next to nothing and the gateway a
 * whole request (CVE-2023-44487). nghttp2 limits the resets of a connection; a client that connects again would have its
 * limit anew, so these are counted for the client.
 */
import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { constants } from 'node:http2';
import { Allowances } from '../allowances.ts';
import { networkOf } from '../client-network.ts';
import type { Client } from './record.ts';

/** Streams that a client may give up at once, and in a second from then on. Pages that search while one types need few. */
const limits = { burst: 1_000, perSecond: 100 };
/** With so many left, streams are served at once. */
const trusted = 900;
/** How long a client past its limit waits for each handshake, and how many of its handshakes may wait. */
const delayMs = 2_000;
const waitingMax = 16;

/** Counts the streams that clients give up, whatever the connection. */
export class ResetLimits {
  readonly #resets = new Allowances(limits);
  readonly #waiting = new Map<string, number>();

  /** Counts a stream when it ends before its answer; a client past its limit loses the connection. */
  watch(stream: ServerHttp2Stream, client: Client): void {
    const session = stream.session as ServerHttp2Session | undefined;
    stream.once('close', () => {
      if (!stream.aborted || this.#resets.take(keyOf(client))) return;
      if (session !== undefined && !session.destroyed) session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
    });
  }

  /**
   * Serves a stream, of a client that has given up many only once the reset that may come right behind its head was read.
   * Such a stream costs no request and has no record: nothing of it was sent on.
   */
  serve(stream: ServerHttp2Stream, client: Client, serve: () => void): void {
    if (this.#resets.left(keyOf(client)) >= trusted) serve();
    else setImmediate(() => stream.closed || serve());
  }

  /**
   * Calls back when a client may begin a handshake: at once, or after a delay for one past its limit. False: it may not,
   * because too many of its handshakes wait.
   */
  enter(client: Client, begin: () => void): boolean {
    const key = keyOf(client);
    if (this.#resets.left(key) >= 1) {
      begin();
      return true;
    }
    const waiting = this.#waiting.get(key) ?? 0;
    if (waiting >= waitingMax) return false;
    this.#waiting.set(key, waiting + 1);
    setTimeout(() => {
      const left = (this.#waiting.get(key) ?? 1) - 1;
      if (left > 0) this.#waiting.set(key, left);
      else this.#waiting.delete(key);
      begin();
    }, delayMs);
    return true;
  }
}

function keyOf({ address, user }: Client): string {
  return user === undefined ? networkOf(address) : `user ${user}`;
}
