/** The connection to Redis: reconnects by itself, never queues while disconnected, and runs scripts by their hash. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { PrivetError } from '../../../core/errors.ts';
import { refusedValue } from '../store-errors.ts';

/** Command arguments and results. */
export type Reply = string | number | null | readonly Reply[];

const commandMsMax = 5_000;
const connectMsMax = 2_000;
const reconnectMsMax = 250;
const pingMs = 1_000;

export type Script = { readonly source: string; readonly hash: string };

/** Prepares a script to be run by its hash. */
export function script(source: string): Script {
  return { source, hash: createHash('sha1').update(source).digest('hex') };
}

/** A client for commands and one for notifications. */
export class RedisClient {
  readonly #client: ReturnType<typeof createClient>;
  readonly #listener: ReturnType<typeof createClient>;
  readonly #onError: () => void;
  readonly #onMissed: () => void;
  #isConnecting = false;
  /** The server has confirmed the subscription; after a lost connection the client subscribes again by itself. */
  #isSubscribed = false;
  #refusal: unknown;
  /** Why there is no connection, if there is none. */
  #lost: unknown;

  /** @throws PrivetError `invalid_input` for a wrong address. */
  constructor(options: {
    readonly url: string;
    readonly onError: () => void;
    /** Called when the listener has reconnected: messages may have been missed. */
    readonly onMissed: () => void;
  }) {
    this.#onError = options.onError;
    this.#onMissed = options.onMissed;
    try {
      this.#client = createClient({
        url: options.url,
        RESP: 2,
        disableOfflineQueue: true,
        pingInterval: pingMs,
        commandOptions: { timeout: commandMsMax },
        socket: {
          connectTimeout: connectMsMax,
          // Pings keep an idle connection busy, so that silence means that the other side is gone.
          socketTimeout: pingMs + connectMsMax,
          reconnectStrategy: (retries) => Math.min(reconnectMsMax, 20 * 2 ** retries),
        },
      });
    } catch (cause) {
      throw new PrivetError('invalid_input', 'PROXY_STORE_URL is not a Redis address like "redis://host:6379/0".', {
        cause,
      });
    }
    this.#listener = this.#client.duplicate();
    // Failures show at the commands; without a listener an error event ends the process.
    this.#client.on('error', (error) => (this.#lost = error));
    this.#listener.on('error', () => {});
    this.#listener.on('ready', () => this.#isSubscribed && this.#onMissed());
  }

  /** Whether commands can be sent now. */
  get isReady(): boolean {
    return this.#client.isReady;
  }

  /** Whether messages of other processes arrive now. */
  get isListening(): boolean {
    return this.#isSubscribed && this.#listener.isReady;
  }

  /**
   * Starts to connect, and waits for the first attempt. @throws PrivetError `unavailable` when that fails; it keeps
   * trying.
   */
  async connect(channel: string, onMessage: (message: string) => void): Promise<void> {
    if (!this.#isConnecting) {
      this.#isConnecting = true;
      this.#client.connect().catch(() => {});
      this.#listener.connect().catch(() => {});
      void this.#subscribe(channel, onMessage);
    }
    const until = performance.now() + connectMsMax;
    const isThere = () => this.isReady && this.isListening;
    while (!isThere() && performance.now() < until) await sleep(10);
    await this.send('PING');
    // Without notifications, this process would miss policy changes and revoked keys.
    if (!this.isListening) throw this.#failed(this.#refusal ?? new Error());
  }

  /** Subscribes, retrying until the server confirms: the connection may break in between. */
  async #subscribe(channel: string, onMessage: (message: string) => void): Promise<void> {
    while (!this.#isSubscribed) {
      await sleep(this.#refusal === undefined ? 10 : reconnectMsMax, undefined, { ref: false });
      if (!this.#listener.isOpen) return;
      if (!this.#listener.isReady) continue;
      try {
        await this.#listener.subscribe(channel, onMessage);
        this.#isSubscribed = true;
        this.#onMissed();
      } catch (error) {
        this.#refusal = error;
      }
    }
  }

  /** Sends one command. @throws PrivetError `unavailable` when there is no response. */
  async send(...args: string[]): Promise<Reply> {
    try {
      return (await this.#client.sendCommand(args)) as Reply;
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /** Runs a script in one round trip, except for the first time after a server start. */
  async run({ source, hash }: Script, prefix: string, args: readonly string[]): Promise<Reply> {
    try {
      return (await this.#client.sendCommand(['EVALSHA', hash, '1', prefix, ...args])) as Reply;
    } catch (error) {
      if (!(error as Error).message?.startsWith('NOSCRIPT')) throw this.#failed(error);
      return this.send('EVAL', source, '1', prefix, ...args);
    }
  }

  close(): void {
    this.#client.destroy();
    this.#listener.destroy();
  }

  #failed(error: unknown): PrivetError {
    if (/invalid (?:cursor|stream id)/i.test((error as Error).message ?? '')) return refusedValue(error);
    this.#onError();
    const { message = '', code } = (this.isReady ? error : (this.#lost ?? error)) as NodeJS.ErrnoException;
    // The first word of a Redis error is its kind: LOADING, READONLY, MISCONF, OOM, NOAUTH …
    const reason = /^[A-Z]{3,20}(?= )/.exec(message)?.[0] ?? code ?? 'no connection';
    return new PrivetError('unavailable', `The store redis does not answer (${reason}).`, { cause: error });
  }
}
