/**
 * Limits how often a client resets HTTP/2 streams. A reset costs the client next to nothing and the gateway a complete
 * request (CVE-2023-44487). nghttp2 limits resets per connection, but a client could reconnect, so these are counted
 * per client.
 */
import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { constants } from 'node:http2';
import { Allowances } from '../../allowances.ts';
import { networkOf } from '../../client-network.ts';
import type { Client } from '../request/record.ts';

/** Resets allowed at once, and per second after that. Pages that search while the user types need few. */
const limits = { burst: 1_000, perSecond: 100 };
/** Remaining allowance from which streams are served at once. */
const trusted = 900;
/** Delay of each handshake of a client past its limit, and how many of its handshakes may wait. */
const delayMs = 2_000;
const waitingMax = 16;

/** Counts reset streams per client, across connections. */
export class ResetLimits {
  readonly #resets = new Allowances(limits);
  readonly #waiting = new Map<string, number>();

  /** Counts a stream that ends before its response; a client past its limit loses the connection. */
  watch(stream: ServerHttp2Stream, client: Client): void {
    const session = stream.session as ServerHttp2Session | undefined;
    stream.once('close', () => {
      if (!stream.aborted || this.#resets.take(keyOf(client))) return;
      if (session !== undefined && !session.destroyed) session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
    });
  }

  /**
   * Serves a stream. For a client with many resets, first checks whether a reset directly follows the head: such a
   * stream costs no request and gets no record, because nothing was sent.
   */
  serve(stream: ServerHttp2Stream, client: Client, serve: () => void): void {
    if (this.#resets.left(keyOf(client)) >= trusted) serve();
    else setImmediate(() => stream.closed || serve());
  }

  /**
   * Calls back when a client may start a handshake: at once, or after a delay past its limit. False if rejected,
   * because too many of its handshakes are waiting.
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
