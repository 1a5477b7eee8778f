/** The connection to Redis: connects again by itself, never queues while it is away, and runs scripts by their hash. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { PrivetError } from '../../../core/errors.ts';
import { refusedValue } from '../refused-value.ts';

/** What may be handed to a command, and what comes back. */
export type Reply = string | number | null | readonly Reply[];

const commandMsMax = 5_000;
const connectMsMax = 2_000;
const reconnectMsMax = 250;
const pingMs = 1_000;

/** A script and its hash. */
export type Script = { readonly source: string; readonly hash: string };

/** Makes a script ready to be run by its hash. */
export function script(source: string): Script {
  return { source, hash: createHash('sha1').update(source).digest('hex') };
}

/** A client for commands and one that listens. */
export class RedisClient {
  readonly #client: ReturnType<typeof createClient>;
  readonly #listener: ReturnType<typeof createClient>;
  readonly #onError: () => void;
  readonly #onMissed: () => void;
  #isConnecting = false;
  /** The server has agreed to send messages; after a loss of the connection the client asks again by itself. */
  #isSubscribed = false;
  #refusal: unknown;
  /** Why there is no connection, where there is none. */
  #lost: unknown;

  /** @throws PrivetError `invalid_input` for a wrong address. */
  constructor(options: {
    readonly url: string;
    readonly onError: () => void;
    /** Called when the listener has connected again: messages may have been missed. */
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
      throw new PrivetError('invalid_input', 'PROXY_STORE_URL is no Redis address, as "redis://host:6379/0".', {
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

  /** Whether messages of others arrive now. */
  get isListening(): boolean {
    return this.#isSubscribed && this.#listener.isReady;
  }

  /** Starts to connect, and waits for it once. @throws PrivetError `unavailable` when it is away; it goes on trying. */
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
    // Without them this process would not hear of another policy, nor of a key that was revoked.
    if (!this.isListening) throw this.#failed(this.#refusal ?? new Error());
  }

  /** Asks for messages until the server has agreed: the connection may be cut in between. */
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

  /** Sends one command. @throws PrivetError `unavailable` when it gets no answer. */
  async send(...args: string[]): Promise<Reply> {
    try {
      return (await this.#client.sendCommand(args)) as Reply;
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /** Runs a script; one round trip but for the first time after a start of the server. */
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
    // Redis names the kind of its errors in the first word: LOADING, READONLY, MISCONF, OOM, NOAUTH …
    const reason = /^[A-Z]{3,20}(?= )/.exec(message)?.[0] ?? code ?? 'no connection';
    return new PrivetError('unavailable', `The store redis does not answer (${reason}).`, { cause: error });
  }
}
