/**
 * The processes that run the gateways of a test process. Loading the gateway takes a second of CPU time, and code that
 * has run before is fast, so they are started once and not for each gateway.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { plainEnv } from './run.ts';

/** The ports of a gateway. */
export type Ports = { readonly proxy: number; readonly api: number };

/** Starts a gateway in a folder, or stops one. */
export type ToHost = { readonly id: number } & (
  | { readonly folder: string; readonly env: Readonly<Record<string, string>> }
  | { readonly stop: true }
);

/** A log line of a gateway, its ports, its end, or why it cannot start, continue or stop. */
export type FromHost = { readonly id: number } & (
  | { readonly line: string }
  | { readonly ports: Ports }
  | { readonly isStopped: true }
  | { readonly fault: string }
);

type Waiting = { onLine(line: string): void; settle(ports: Ports | undefined): void; fail(fault: string): void };

/** One process. It ends with this one, which it keeps only while a gateway runs. */
class Host {
  readonly #child: ChildProcess;
  readonly #gateways = new Map<number, Waiting>();
  #lastId = 0;

  constructor(onEnd: () => void) {
    const { NODE_COMPILE_CACHE } = process.env;
    this.#child = fork(join(import.meta.dirname, 'hosted-gateways.ts'), {
      env: {
        ...plainEnv(),
        // Without the flags of gateway/main.ts, it can use what the tests have compiled.
        ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
        // The machine's trust store, which takes 35 ms to read, is left out: this folder contains no files.
        SSL_CERT_FILE: '/dev/null',
        SSL_CERT_DIR: '/proc/self/task',
      },
      execArgv: [],
    });
    this.#child.on('message', (message: FromHost) => {
      const gateway = this.#gateways.get(message.id);
      if ('line' in message) gateway?.onLine(message.line);
      else if ('fault' in message) gateway?.fail(message.fault);
      else gateway?.settle('ports' in message ? message.ports : undefined);
    });
    this.#child.once('exit', (code, signal) => {
      onEnd();
      for (const gateway of this.#gateways.values()) gateway.fail(`the gateways' process ended: ${code ?? signal}`);
    });
    this.#child.unref();
  }

  async start(options: {
    readonly folder: string;
    readonly env: Readonly<Record<string, string>>;
    readonly onLine: (line: string) => void;
  }): Promise<HostedGateway> {
    const { folder, env, onLine } = options;
    const id = ++this.#lastId;
    const ports = await this.#ask({ id, folder, env }, onLine);
    return {
      ports: ports as Ports,
      stop: async () => {
        await this.#ask({ id, stop: true }, onLine);
        this.#forget(id);
      },
    };
  }

  #ask(message: ToHost, onLine: (line: string) => void): Promise<Ports | undefined> {
    if (!this.#child.connected) return Promise.reject(new Error("the gateways' process has ended"));
    return new Promise((settle, reject) => {
      const fail = (fault: string) => {
        onLine(fault);
        this.#forget(message.id);
        reject(new Error(fault));
      };
      this.#gateways.set(message.id, { onLine, settle, fail });
      this.#child.channel?.ref();
      this.#child.send(message);
    });
  }

  #forget(id: number): void {
    this.#gateways.delete(id);
    if (this.#gateways.size === 0) this.#child.channel?.unref();
  }
}

/** A gateway in another process. */
export type HostedGateway = { readonly ports: Ports; readonly stop: () => Promise<void> };

const hosts = new Map<number, Host>();

/**
 * Starts a gateway with this environment in the process of this number.
 * @throws Error with the reason if it does not start
 */
export function startHosted(number: number, options: Parameters<Host['start']>[0]): Promise<HostedGateway> {
  const host = hosts.get(number) ?? new Host(() => hosts.delete(number));
  hosts.set(number, host);
  return host.start(options);
}
