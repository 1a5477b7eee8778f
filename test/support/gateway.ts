/** Starts a gateway with its own data folder on free ports, in a process shared with other gateways of the tests. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { madeAuthority, type TestAuthority } from './authority.ts';
import { closedAtEnd } from './closing.ts';
import { startHosted } from './gateway-host.ts';
import { GatewayLog, isPlain, type LogEvent } from './gateway-log.ts';
import type { Origin } from './origin.ts';
import { tempFolder } from './temp.ts';

export type { LogEvent } from './gateway-log.ts';

/** Options of {@link startGateway}. */
export type GatewayOptions = {
  /** Configuration file content; deep-merged over one that may reach 127.0.0.0/8 on any port. */
  readonly config?: Record<string, unknown>;
  readonly env?: Record<string, string>;
  /** Hosts that are redirected to an origin (or "address:port") of the test. */
  readonly hosts?: Record<string, Origin | string>;
  /** Upstream authority that the gateway trusts; default: the one shared by the origins of the file. */
  readonly authority?: TestAuthority;
  /** Gateways with different numbers run in different processes, as replicas do; default 1. */
  readonly replica?: number;
};

/** A running gateway. */
export type Gateway = {
  readonly proxyUrl: string;
  readonly proxyPort: number;
  readonly apiUrl: string;
  /** The root for clients, fetched from the gateway's own `/ca.pem`. */
  readonly caFile: string;
  readonly ca: string;
  readonly adminKey: string;
  readonly dataDir: string;
  /** The whole log so far. */
  readonly output: () => string;
  readonly events: () => LogEvent[];
  /** The first log event, past or future, that satisfies the test. */
  readonly event: (matches: (event: LogEvent) => boolean) => Promise<LogEvent>;
  /** A request to the REST API with the admin key. */
  readonly api: (path: string, init?: RequestInit) => Promise<Response>;
  /** Applies another configuration file, as {@link GatewayOptions.config}; much faster than a new start. */
  readonly configure: (config: Record<string, unknown>) => Promise<void>;
  /** Stops the gateway as SIGTERM does, and removes the data folder. */
  readonly stop: () => Promise<unknown>;
};

const adminKey = 'pvt_admin_test_0123456789abcdefghijklmnop';

/**
 * Starts a gateway and waits until both listeners listen. Where the process itself matters, use `startGatewayProcess`.
 * @throws Error with the reason if it does not start
 */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const place = makePlace(options);
  const log = new GatewayLog();
  const { ports, stop } = await startHosted(options.replica ?? 1, { ...place, onLine: (line) => log.add(line) });
  const closed = closedAtEnd(async () => {
    await stop();
    log.end();
    place.remove();
  });
  return gatewayAt({ place, ports, log, stop: closed });
}

/** The folder of a gateway, with its configuration file, and its environment. */
export type Place = ReturnType<typeof makePlace>;

/** Makes the folder of a gateway. */
export function makePlace(options: GatewayOptions) {
  const folder = tempFolder('data');
  const configFile = join(folder, 'privet-test.yaml');
  const write = (config: GatewayOptions['config'] = {}) =>
    writeFileSync(configFile, stringify(configOf({ ...options, config })));
  write(options.config);
  const env = {
    HOME: folder,
    PORT: '0',
    GATEWAY_PORT: '0',
    PROXY_DATA_DIR: join(folder, 'data'),
    PROXY_CONFIG: configFile,
    PROXY_ADMIN_KEY: adminKey,
    ...options.env,
  };
  return { folder, env, write, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The operations on a gateway that listens on these ports. */
export async function gatewayAt(parts: {
  readonly place: Place;
  readonly ports: { readonly proxy: number; readonly api: number };
  readonly log: GatewayLog;
  readonly stop: () => Promise<unknown>;
}): Promise<Gateway> {
  const { place, ports, log, stop } = parts;
  const proxyUrl = `http://127.0.0.1:${ports.proxy}`;
  const apiUrl = `http://127.0.0.1:${ports.api}`;
  const answer = await fetch(`${proxyUrl}/ca.pem`);
  if (!answer.ok) throw new Error(`GET /ca.pem answered ${answer.status}`);
  const ca = await answer.text();
  const caFile = join(place.folder, 'client-ca.pem');
  writeFileSync(caFile, ca);
  const api = (path: string, init: RequestInit = {}) =>
    fetch(`${apiUrl}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json', ...init.headers },
    });
  return {
    proxyUrl,
    proxyPort: ports.proxy,
    apiUrl,
    caFile,
    ca,
    adminKey,
    dataDir: join(place.folder, 'data'),
    output: () => log.text,
    events: () => [...log.events],
    // It may need another process first, which takes long on a busy machine.
    event: (matches) => log.event(matches, 180_000),
    api,
    async configure(config) {
      place.write(config);
      const answer = await api('/admin/reload', { method: 'POST' });
      const ignored = log.events.find(({ event }) => event === 'config_needs_restart');
      if (!answer.ok) throw new Error(await answer.text());
      if (ignored !== undefined) throw new Error(`only a start takes ${ignored.keys}`);
    },
    stop,
  };
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
