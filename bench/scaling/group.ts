/** Replicas behind HAProxy with a shared store, each on its own machine of the {@link network}. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'yaml';
import { balancerConfig } from '../../test/support/balancer.ts';
import { programPath } from '../../test/support/programs.ts';
import { postgresServer, redisServer, type StoreServer } from '../../test/support/store-servers.ts';
import { folder } from '../support.ts';
import { Host, networkCidr } from './network.ts';

/** Stores that replicas can share. */
export type StoreKind = 'redis' | 'postgres';

const adminKey = ['pvt', 'admin', 'scaling', '0123456789abcdefghij'].join('_');
const proxyPort = 3128;
const apiPort = 3001;
const root = path.join(import.meta.dirname, '../..');

/** A gateway on its own machine. */
export class Replica {
  readonly host: Host;
  readonly #env: Readonly<Record<string, string>>;
  #process: ChildProcess | undefined;

  constructor(host: Host, env: Readonly<Record<string, string>>) {
    this.host = host;
    this.#env = env;
  }

  /** Address of its proxy. */
  get proxy() {
    return { host: this.host.address, port: proxyPort };
  }

  /** Starts it; resolves when it is ready. */
  async start(): Promise<void> {
    const child = this.host.spawn([process.execPath, path.join(root, 'gateway/main.ts'), 'serve'], {
      stdio: ['ignore', 'pipe', process.env.BENCH_DEBUG ? 'inherit' : 'ignore'],
      env: { PATH: process.env.PATH ?? '', HOME: folder, ...this.#env },
    });
    this.#process = child;
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      if (process.env.BENCH_DEBUG) process.stderr.write(`${this.host.name} ${line}\n`);
    });
    await this.untilReady();
  }

  /** Kills it, like a fault of the machine. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** A request to its API; undefined without a response within a second. */
  async api(target: string, init: RequestInit = {}): Promise<Response | undefined> {
    const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
    const url = `http://${this.host.address}:${apiPort}${target}`;
    return fetch(url, { headers, signal: AbortSignal.timeout(5_000), ...init }).catch(() => undefined);
  }

  /** Milliseconds until `/ready` answers 200. */
  async untilReady(): Promise<number> {
    const began = performance.now();
    while (performance.now() - began < 60_000) {
      const answer = await this.api('/ready', { signal: AbortSignal.timeout(500) });
      await answer?.body?.cancel();
      if (answer?.status === 200) return performance.now() - began;
      await sleep(20);
    }
    throw new Error(`${this.host.name} is not ready after a minute`);
  }
}

/** The replicas, their store and the balancer in front. */
export type Group = {
  readonly replicas: readonly Replica[];
  readonly store: StoreServer;
  readonly balancer: { readonly host: string; readonly port: number };
  /** The root that clients trust. */
  readonly ca: string;
  stop(): Promise<void>;
};

/** Starts `count` replicas on a store of that kind. `config`: settings besides the network's addresses. */
export async function startGroup(count: number, kind: StoreKind, config: object): Promise<Group> {
  const place = machine('store', 20);
  const store = await (kind === 'redis' ? redisServer(place) : postgresServer(place));
  await store.start();
  const balancer = machine('balancer', 10);
  const data = path.join(folder, `${kind}-${count}`);
  mkdirSync(data, { recursive: true });
  const file = path.join(data, 'privet.yaml');
  const shared = {
    listen: { proxy_protocol_from: [`${balancer.address}/32`] },
    auth: { clients: [networkCidr] },
    egress: { allow: [networkCidr], ports: 'any' },
    upstream: { timeouts: { drain_delay: '4s' } },
  };
  writeFileSync(file, stringify(merged(shared, config)));
  const env = {
    HOST: '0.0.0.0',
    PORT: String(apiPort),
    GATEWAY_HOST: '0.0.0.0',
    GATEWAY_PORT: String(proxyPort),
    PROXY_CONFIG: file,
    PROXY_DATA_DIR: data,
    PROXY_ADMIN_KEY: adminKey,
    PROXY_STORE: kind,
    PROXY_STORE_URL: store.url,
    PROXY_STORE_KEY: 'a key that all replicas have in common',
  };
  const replicas = Array.from({ length: count }, (_, i) => new Replica(machine(`replica${i}`, 11 + i), env));
  // One after the other: the first one creates the shared CA.
  for (const replica of replicas) await replica.start();
  const haproxy = path.join(data, 'haproxy.cfg');
  const balanced = replicas.map(({ host }) => ({ host: host.address, proxyPort, apiPort }));
  writeFileSync(haproxy, balancerConfig({ listen: `:${proxyPort}`, replicas: balanced }));
  const process_ = balancer.spawn([programPath('haproxy'), '-db', '-f', haproxy], { stdio: 'ignore' });
  const ca = await (await fetch(`http://${replicas[0]?.host.address}:${proxyPort}/ca.pem`)).text();
  // Wait for two checks, so that the balancer has found all replicas.
  await sleep(3_000);
  return {
    replicas,
    store,
    balancer: { host: balancer.address, port: proxyPort },
    ca,
    async stop() {
      process_.kill('SIGKILL');
      await Promise.all([store.kill(), ...replicas.map((replica) => replica.kill())]);
    },
  };
}

const machines = new Map<string, Host>();

/** A machine of the network, created on first use. */
function machine(name: string, number: number): Host {
  const host = machines.get(name) ?? new Host(name, number);
  machines.set(name, host);
  return host;
}

function merged(base: Record<string, unknown>, over: object): Record<string, unknown> {
  const result = { ...base };
  for (const [key, value] of Object.entries(over)) result[key] = { ...(result[key] as object), ...(value as object) };
  return result;
}
