/**
 * Starts the real gateway process, as `npm start` does, on free ports and with its own data folder.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { stringify } from 'yaml';
import { madeAuthority, type TestAuthority } from './authority.ts';
import { closedAtEnd } from './closing.ts';
import type { Origin } from './origin.ts';
import { plainEnv } from './run.ts';
import { tempFolder } from './temp.ts';

/** Options of {@link startGateway}. */
export type GatewayOptions = {
  /** Configuration file content; deep-merged over one that may reach 127.0.0.0/8 on any port. */
  readonly config?: Record<string, unknown>;
  readonly env?: Record<string, string>;
  /** Hosts that are redirected to an origin (or "address:port") of the test. */
  readonly hosts?: Record<string, Origin | string>;
  /** Upstream authority that the gateway trusts; default: the one shared by the origins of the file. */
  readonly authority?: TestAuthority;
  /** A program with arguments that starts the gateway as its child, after some preparation. */
  readonly within?: readonly string[];
  /** The module to start. Default: the one of this repository. */
  readonly program?: string;
};

/** One line of the gateway's JSON log. */
export type LogEvent = Readonly<Record<string, unknown>>;

/** A running gateway process. */
export type Gateway = {
  readonly proxyUrl: string;
  readonly proxyPort: number;
  readonly apiUrl: string;
  /** The root for clients, fetched from the gateway's own `/ca.pem`. */
  readonly caFile: string;
  readonly ca: string;
  readonly adminKey: string;
  readonly dataDir: string;
  readonly pid: number;
  /** Everything written to stdout and stderr so far. */
  readonly output: () => string;
  readonly events: () => LogEvent[];
  /** The first log event, past or future, that satisfies the test. */
  readonly event: (matches: (event: LogEvent) => boolean) => Promise<LogEvent>;
  /** A request to the REST API with the admin key. */
  readonly api: (path: string, init?: RequestInit) => Promise<Response>;
  /** Applies another configuration file, as {@link GatewayOptions.config}; much faster than a new start. */
  readonly configure: (config: Record<string, unknown>) => Promise<void>;
  /** Sends SIGTERM, waits for the end and removes the data folder. Returns the exit code. */
  readonly stop: () => Promise<number | null>;
};

const root = resolve(import.meta.dirname, '../..');
const adminKey = 'pvt_admin_test_0123456789abcdefghijklmnop';
const startMsMax = 90_000;

/**
 * Starts `gateway/main.ts serve` and waits until both listeners listen.
 * @throws Error with the process's output if it ends or stays silent before that
 */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const dataDir = tempFolder('data');
  const configFile = join(dataDir, 'privet-test.yaml');
  writeFileSync(configFile, stringify(configOf(options)));

  const command = [process.execPath, options.program ?? join(root, 'gateway/main.ts'), 'serve'];
  const [program = '', ...args] = [...(options.within ?? []), ...command];
  const child = spawn(program, args, {
    cwd: dataDir,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...plainEnv(),
      HOME: dataDir,
      PORT: '0',
      GATEWAY_PORT: '0',
      PROXY_DATA_DIR: join(dataDir, 'data'),
      PROXY_CONFIG: configFile,
      PROXY_ADMIN_KEY: adminKey,
      // The machine's trust store, which takes 35 ms to read, is left out.
      SSL_CERT_FILE: '/dev/null',
      SSL_CERT_DIR: dataDir,
      // The repository's modules contain no links; not resolving them saves a fifteenth of a start's CPU. The packages of
      // an unpacked program are links (see packed.ts).
      ...(options.program === undefined && { NODE_PRESERVE_SYMLINKS: '1' }),
      ...options.env,
    },
  });
  // Nothing may outlive the test, even if the test process dies first.
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('close', () => process.off('exit', kill));
  const log = new ProcessLog(child);
  const port = async (listener: string): Promise<number> => {
    const event = await log.event((line) => line.event === 'listening' && line.listener === listener, startMsMax);
    return Number(event.port);
  };
  const stop = closedAtEnd(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    const code = await log.exited;
    rmSync(dataDir, { recursive: true, force: true });
    return code;
  });

  try {
    const [proxyPort, apiPort] = await Promise.all([port('proxy'), port('api')]);
    const proxyUrl = `http://127.0.0.1:${proxyPort}`;
    const apiUrl = `http://127.0.0.1:${apiPort}`;
    const answer = await fetch(`${proxyUrl}/ca.pem`);
    if (!answer.ok) throw new Error(`GET /ca.pem answered ${answer.status}`);
    const ca = await answer.text();
    const caFile = join(dataDir, 'client-ca.pem');
    writeFileSync(caFile, ca);
    const api = (path: string, init: RequestInit = {}) =>
      fetch(`${apiUrl}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json', ...init.headers },
      });
    return {
      proxyUrl,
      proxyPort,
      apiUrl,
      caFile,
      ca,
      adminKey,
      dataDir: join(dataDir, 'data'),
      pid: child.pid ?? 0,
      output: () => log.text,
      events: () => [...log.events],
      // It may need another process first, which takes long on a busy machine.
      event: (matches) => log.event(matches, 60_000),
      api,
      async configure(config) {
        writeFileSync(configFile, stringify(configOf({ ...options, config })));
        const answer = await api('/admin/reload', { method: 'POST' });
        const ignored = log.events.find(({ event }) => event === 'config_needs_restart');
        if (!answer.ok) throw new Error(await answer.text());
        if (ignored !== undefined) throw new Error(`only a start takes ${ignored.keys}`);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The configuration file of a test gateway. */
function configOf(options: GatewayOptions): Record<string, unknown> {
  const authority = options.authority ?? madeAuthority();
  const resolved = Object.entries(options.hosts ?? {}).map(([host, target]) => [
    host,
    typeof target === 'string' ? target : target.address,
  ]);
  const base = {
    egress: { allow: ['127.0.0.0/8'], ports: 'any' },
    upstream: {
      ...(authority === undefined ? {} : { ca_file: authority.file }),
      resolve: Object.fromEntries(resolved),
    },
  };
  return merge(base, options.config ?? {});
}

function merge(base: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const result = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = result[key];
    result[key] = isPlain(before) && isPlain(value) ? merge(before, value) : value;
  }
  return result;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The output of a child process: as text, and its JSON lines as events. */
class ProcessLog {
  text = '';
  readonly events: LogEvent[] = [];
  readonly exited: Promise<number | null>;
  readonly #waiting = new Set<() => void>();
  #ended = false;

  constructor(child: ChildProcess) {
    this.exited = new Promise((resolve) => {
      child.once('close', (code) => {
        this.#ended = true;
        this.#wake();
        resolve(code);
      });
    });
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => this.#add(line));
    }
  }

  event(matches: (event: LogEvent) => boolean, timeoutMs: number): Promise<LogEvent> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        const found = this.events.find(matches);
        if (found === undefined && !this.#ended) return;
        clearTimeout(timer);
        this.#waiting.delete(check);
        if (found !== undefined) resolve(found);
        else reject(new Error(`the gateway ended:\n${this.text}`));
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(check);
        reject(new Error(`no such log event; the log was:\n${this.text}`));
      }, timeoutMs);
      this.#waiting.add(check);
      check();
    });
  }

  #add(line: string): void {
    this.text += `${line}\n`;
    try {
      const value: unknown = JSON.parse(line);
      if (isPlain(value)) this.events.push(value);
    } catch {
      // Not a log line.
    }
    this.#wake();
  }

  #wake(): void {
    for (const check of [...this.#waiting]) check();
  }
}
