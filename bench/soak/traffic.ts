/**
 * Mixed traffic and idle tunnels for a long time: the real gateway in its own process, an origin, and client processes.
 * The load is 70 % of the measured capacity, or less if the machine becomes slower. The gateway is measured every ten
 * seconds; its memory must not grow, and nothing may remain after all clients have left.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cpuSeconds, folder, makeCertificate, rssKiB } from '../support.ts';
import { api } from './actions.ts';
import { lowered, measureLoad } from './capacity.ts';
import { type Fixture, hosts } from './client.ts';
import { configOf } from './configuration.ts';
import { exchangeTable } from './exchanges.ts';
import type { IdleState } from './idle.ts';
import type { Done } from './load.ts';
import { Child, descriptorLimit, descriptors, folderBytes, heldPorts, threads } from './processes.ts';
import { describe, judgeGrowth, percent, type Sample } from './samples.ts';
import type { Memory } from './watch.ts';

export type TrafficOptions = {
  readonly minutes: number;
  /** Idle tunnels; default: as many as the descriptor limit allows, at most 9,000. */
  readonly idleTunnels?: number;
  /** Store of the gateway; default memory. */
  readonly store?: 'memory' | 'sqlite';
  readonly seed?: number;
  /** Exchanges per second instead of 70 % of the capacity. */
  readonly perSecond?: number;
  /** Only exchanges whose names contain this, without configuration changes: to locate a leak. */
  readonly only?: string;
  /** Folder for heap snapshots of the gateway, after the warm-up and after all clients have left. */
  readonly snapshots?: string;
  readonly print: (line: string) => void;
};

/** Seconds between measurements. */
const everyS = 10;
const clientProcesses = 2;
const closedLanes = 12;
/** Lifetime of sessions, so that they expire during the soak. */
const sessionTtlMs = 45_000;
/** Size of the leaf cache; it is filled before the load starts. */
const leavesMax = 5_000;
const adminKey = ['pvt', 'admin', 'soak', '0123456789abcdefghijklmnop'].join('_');
/** Wait after all clients have left, for everything with its own timeout. */
const restMsMax = 200_000;
/** Counted kinds of objects; the others only show which streams remain. */
const objectKinds = ['Stream', 'Tunnel', 'SessionTokens', 'StreamRestorer'] as const;
const streamKinds = ['Socket', 'TLSSocket', 'IncomingMessage', 'ServerResponse', 'Http2ServerRequest'] as const;

type OriginState = {
  /** Open connections by kind: remote port and last request. */
  readonly open: Readonly<Record<string, readonly (readonly [port: number, last: string])[]>>;
  readonly leaks: number;
  readonly torn: number;
  readonly tornBodies: readonly string[];
};

/** Runs the soak; returns the problems found. */
export async function traffic(options: TrafficOptions): Promise<string[]> {
  const { print } = options;
  const soak = await Soak.begin(options);
  try {
    return await soak.run();
  } catch (error) {
    print(`the soak ended early: ${(error as Error).stack}`);
    return [`ended early: ${(error as Error).message}`];
  } finally {
    await soak.end();
  }
}

class Soak {
  readonly #options: TrafficOptions;
  readonly #origin: Child;
  readonly #gateway: Child;
  readonly #clients: readonly Child[];
  readonly #idle: Child;
  readonly #fixture: Fixture;
  readonly #configFile: string;
  readonly #config: (variant: number) => string;
  readonly #began = performance.now();
  #cpuAt = { s: 0, cpu: 0 };
  #changes = 0;
  readonly #problems: string[] = [];

  private constructor(parts: {
    options: TrafficOptions;
    origin: Child;
    gateway: Child;
    clients: readonly Child[];
    idle: Child;
    fixture: Fixture;
    configFile: string;
    config: (variant: number) => string;
  }) {
    this.#options = parts.options;
    this.#origin = parts.origin;
    this.#gateway = parts.gateway;
    this.#clients = parts.clients;
    this.#idle = parts.idle;
    this.#fixture = parts.fixture;
    this.#configFile = parts.configFile;
    this.#config = parts.config;
  }

  static async begin(options: TrafficOptions): Promise<Soak> {
    const here = import.meta.dirname;
    const certificate = makeCertificate('soak', [hosts.masked, '*.openai.com', hosts.audited]);
    const origin = new Child('origin', [path.join(here, 'origin.ts')], {
      ORIGIN_CERT: certificate.cert,
      ORIGIN_KEY: certificate.key,
    });
    type Ports = { tlsPort: number; plainPort: number; tcpPort: number; dnsPort: number };
    const ports = await origin.ready<Ports>();
    const data = path.join(folder, 'data');
    mkdirSync(data, { recursive: true });
    const config = (variant: number) => configOf({ variant, dnsPort: ports.dnsPort, originCa: certificate.ca, data });
    const configFile = path.join(folder, 'soak.yaml');
    writeFileSync(configFile, config(0));
    const gateway = new Child(
      'gateway',
      ['--expose-gc', '--import', path.join(here, 'watch.ts'), 'gateway/main.ts', 'serve'],
      {
        HOME: folder,
        PROXY_CONFIG: configFile,
        PROXY_DATA_DIR: data,
        PROXY_ADMIN_KEY: adminKey,
        PROXY_STORE: options.store ?? 'memory',
        PROXY_TOKEN_TTL: String(sessionTtlMs),
        PORT: '0',
        GATEWAY_PORT: '0',
      },
    );
    const listening = (listener: string) =>
      gateway.line((line) => line.event === 'listening' && line.listener === listener);
    const [proxy, apiLine] = await Promise.all([listening('proxy'), listening('api')]);
    const [proxyPort, apiPort] = [Number(proxy.port), Number(apiLine.port)];
    const ca = await (await fetch(`http://127.0.0.1:${proxyPort}/ca.pem`)).text();
    const withoutKey: Fixture = { ...ports, proxyPort, apiPort, ca, adminKey, apiKey: '' };
    const made = await api(withoutKey, 'POST', '/admin/keys', { name: 'soak', plan: 'enterprise' }, adminKey);
    const fixture = { ...withoutKey, apiKey: String(JSON.parse(made.body.toString()).key) };
    const clients = Array.from({ length: clientProcesses }, (_, lane) => {
      const child = new Child(`clients ${lane}`, [path.join(here, 'load.ts')]);
      child.tell({ kind: 'begin', fixture, lane, seed: options.seed ?? 1, only: options.only });
      return child;
    });
    const idle = new Child('idle tunnels', [path.join(here, 'idle.ts')]);
    return new Soak({ options, origin, gateway, clients, idle, fixture, configFile, config });
  }

  async run(): Promise<string[]> {
    const { print, minutes } = this.#options;
    const base = await this.#sample();
    const objectsBefore = await this.#objects();
    await this.#snapshot('start');
    print(`gateway ${this.#gateway.pid}: ${describe(base)}`);

    const first = await this.#all({ kind: 'once' });
    print(
      `each kind of exchange once: ${this.#errorCount(first)} errors ${JSON.stringify(first.map(({ errors }) => errors))}`,
    );
    const wanted = this.#options.idleTunnels ?? Math.min(9_000, Math.floor((descriptorLimit() - 2_000) / 2));
    const idle = await this.#idle.ask<IdleState>({ fixture: this.#fixture, tunnels: wanted });
    if (this.#options.only === undefined)
      await this.#all({ kind: 'mint', hosts: Math.ceil((leavesMax * Math.min(1, minutes)) / clientProcesses) });
    print(`${idle.open} idle tunnels, leaf cache filled; ${describe(await this.#sample())}`);

    const perSecond = this.#options.perSecond ?? (await this.#calibrate());
    await this.#all({ kind: 'paced', perSecond: perSecond / clientProcesses });
    const before = sum(await this.#all({ kind: 'count' }));
    const samples = await this.#watch(minutes * 60, perSecond);
    const counts = await this.#all({ kind: 'stop' });
    const held = await this.#idle.ask<IdleState>({});
    await this.#snapshot('loaded');
    await this.#idle.ask({ fixture: this.#fixture, tunnels: 0 });
    this.#report(counts, before, minutes * 60);

    if (held.lost > 0) this.#problems.push(`${held.lost} idle tunnels were lost`);
    this.#problems.push(...judgeGrowth(samples, { minutes, print }));
    await this.#judgeRest(base, objectsBefore);
    return this.#problems;
  }

  /** Measures the suitable load while closed loops keep the gateway as busy as possible. */
  async #calibrate(): Promise<number> {
    const { minutes, print } = this.#options;
    await this.#all({ kind: 'closed', lanes: closedLanes });
    return await measureLoad({
      pid: this.#gateway.pid,
      seconds: Math.min(10, 2 + minutes * 2),
      done: async () => sum(await this.#all({ kind: 'count' })),
      print,
    });
  }

  async #watch(seconds: number, firstLoad: number): Promise<Sample[]> {
    const samples: Sample[] = [];
    let load = firstLoad;
    let loadSince = 0;
    const known = new Set<string>();
    const began = performance.now();
    this.#cpuAt = { s: performance.now() / 1000, cpu: cpuSeconds(this.#gateway.pid) };
    let last = sum(await this.#all({ kind: 'count' }));
    for (let n = 1; (n - 1) * everyS < seconds; n++) {
      const until = began + Math.min(n * everyS, seconds) * 1000;
      if (this.#options.only === undefined) await this.#change(n);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, until - performance.now())));
      const sample = await this.#sample();
      samples.push(sample);
      const counts = await this.#all({ kind: 'count' });
      const done = sum(counts);
      const inFlight = counts.reduce((all, one) => all + one.inFlight, 0);
      const skipped = counts.reduce((all, one) => all + one.skipped, 0);
      this.#options.print(
        `${String(Math.round((performance.now() - began) / 1000)).padStart(5)} s ${((done - last) / everyS).toFixed(0).padStart(5)}/s  ${describe(sample)}  ` +
          `in flight ${inFlight}, skipped ${skipped}, errors ${this.#errorCount(counts)}`,
      );
      last = done;
      for (const kind of counts.flatMap(({ errors }) => Object.keys(errors))) {
        if (known.has(kind)) continue;
        known.add(kind);
        this.#options.print(`        new kind of error: ${kind}`);
      }
      const lower = this.#options.perSecond === undefined ? lowered(load, samples.slice(loadSince)) : load;
      if (lower === load) continue;
      this.#options.print(`        the machine is slower than it was: load ${lower.toFixed(0)}/s`);
      await this.#all({ kind: 'paced', perSecond: lower / clientProcesses });
      loadSince = samples.length;
      load = lower;
    }
    const shares = samples.map(({ cpuShare }) => cpuShare);
    this.#options.print(`of a core, on average: ${percent(shares.reduce((a, b) => a + b, 0) / shares.length)}`);
    return samples;
  }

  /** Changes the running gateway in one of several ways. */
  async #change(n: number): Promise<void> {
    const { print } = this.#options;
    const expect = async (wanted: number, method: string, target: string, body?: object) => {
      const { status, body: text } = await api(this.#fixture, method, target, body, adminKey);
      if (status !== wanted) this.#problems.push(`${method} ${target} was answered with ${status}: ${text}`);
    };
    this.#changes++;
    const service = { service_name: `Soak ${n}`, domain: `soak-${n}.example`, category: 'monitoring' };
    if (n % 4 === 0) this.#gateway.process.kill('SIGHUP');
    else if (n % 4 === 1) await expect(200, 'POST', '/admin/reload');
    else if (n % 4 === 2) {
      writeFileSync(`${this.#configFile}.new`, this.#config(n));
      renameSync(`${this.#configFile}.new`, this.#configFile);
    } else {
      const made = await api(this.#fixture, 'POST', '/shadow-ai/services', service, adminKey);
      const { id } = JSON.parse(made.body.toString()) as { id: string };
      if (made.status !== 201) print(`adding a service was answered with ${made.status}`);
      await expect(200, 'PATCH', `/shadow-ai/services/${id}`, { category: 'blocked', is_blocked: true });
      await expect(204, 'DELETE', `/shadow-ai/services/${id}`);
    }
  }

  async #sample(): Promise<Sample> {
    const { pid } = this.#gateway;
    const gone = [this.#origin, this.#idle, ...this.#clients].find(({ ended }) => ended !== undefined);
    if (gone) throw new Error(`${gone.ended}\n${gone.complaints.join('\n')}`);
    const { result: memory } = await this.#gateway.ask<{ result: Memory }>({ kind: 'memory' });
    const now = performance.now() / 1000;
    const cpu = cpuSeconds(pid);
    const cpuShare = (cpu - this.#cpuAt.cpu) / (now - this.#cpuAt.s);
    this.#cpuAt = { s: now, cpu };
    return {
      atS: now - this.#began / 1000,
      rss: rssKiB(pid) * 1024,
      memory,
      fds: descriptors(pid),
      threads: threads(pid),
      disk: folderBytes(folder),
      cpuShare,
    };
  }

  async #objects(kinds: readonly string[] = objectKinds): Promise<Record<string, number>> {
    return (await this.#gateway.ask<{ result: Record<string, number> }>({ kind: 'objects', kinds })).result;
  }

  /** The gauges of connections that are not 0. */
  async #connections(): Promise<string[]> {
    const figures = (await api(this.#fixture, 'GET', '/metrics', undefined, adminKey)).body.toString();
    return figures.split('\n').filter((line) => line.startsWith('privet_connections{') && !line.endsWith(' 0'));
  }

  async #snapshot(name: string): Promise<void> {
    const { snapshots } = this.#options;
    if (snapshots === undefined) return;
    mkdirSync(snapshots, { recursive: true });
    await this.#gateway.ask({ kind: 'snapshot', file: path.join(snapshots, `${name}.heapsnapshot`) });
  }

  #all(order: object): Promise<Done[]> {
    return Promise.all(this.#clients.map((child) => child.ask<Done>(order)));
  }

  #errorCount(counts: readonly Done[]): number {
    return counts.reduce((all, { errors }) => all + Object.values(errors).reduce((a, b) => a + b, 0), 0);
  }

  #report(counts: readonly Done[], before: number, seconds: number): void {
    const { print } = this.#options;
    print(exchangeTable(counts));
    const done = sum(counts) - before;
    print(`${done} under load, ${(done / seconds).toFixed(0)}/s; ${this.#changes} changes of the configuration`);
    const errors = new Map<string, number>();
    for (const one of counts)
      for (const [kind, count] of Object.entries(one.errors)) errors.set(kind, (errors.get(kind) ?? 0) + count);
    for (const [kind, count] of errors) {
      print(`error: ${count} × ${kind}`);
      this.#problems.push(`${count} × ${kind}`);
    }
  }

  /** Once all clients have left and timeouts have passed, connections, sessions and their resources must be gone. */
  async #judgeRest(base: Sample, objectsBefore: Readonly<Record<string, number>>): Promise<void> {
    const { print } = this.#options;
    // Kept connections time out after 10 s; sessions live for 45 s and are swept every minute; silent HTTP/2 clients
    // are dropped with their requests after 90 s, or 135 s during a write.
    const began = performance.now();
    let rest = await this.#sample();
    for (let waitedMs = 0; waitedMs < restMsMax; waitedMs = performance.now() - began) {
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      rest = await this.#sample();
      const isQuiet = (rest.fds.socket ?? 0) <= (base.fds.socket ?? 0) && (await this.#connections()).length === 0;
      // A free connection may still be within its keep-alive time.
      const isAlone = isQuiet && this.#heldOf(await this.#origin.ask<OriginState>({})).length === 0;
      if (isAlone && waitedMs > sessionTtlMs + 65_000) break;
    }
    print(`\nat rest: ${describe(rest)}; at the start: ${describe(base)}`);
    for (const kind of new Set([...Object.keys(base.fds), ...Object.keys(rest.fds)])) {
      const [was, is] = [base.fds[kind] ?? 0, rest.fds[kind] ?? 0];
      // A worker thread for long texts stays, with the descriptors of its event loop.
      const allowed = was + (/^event/.test(kind) || kind === 'pipe' ? 4 * Math.max(0, rest.threads - base.threads) : 0);
      if (is > allowed) this.#problems.push(`${is - was} descriptors of kind ${kind} are left`);
    }
    const objects = await this.#objects();
    for (const [kind, count] of Object.entries(objects)) {
      const more = count - (objectsBefore[kind] ?? 0);
      print(`${kind.padEnd(26)}${String(objectsBefore[kind] ?? 0).padStart(8)}${String(count).padStart(8)}`);
      if (more > 20) this.#problems.push(`${more} objects of kind ${kind} are left`);
    }
    if ((objects.Stream ?? 0) > (objectsBefore.Stream ?? 0) + 20)
      print(`streams: ${JSON.stringify(await this.#objects(streamKinds))}`);
    await this.#snapshot('rest');
    const figures = (await api(this.#fixture, 'GET', '/metrics', undefined, adminKey)).body.toString();
    for (const line of await this.#connections()) this.#problems.push(`left, as the metrics say: ${line}`);
    for (const name of [
      'privet_config_reloads_total{result="failed"}',
      'privet_audit_dropped_total',
      'privet_store_errors_total',
    ]) {
      const line = figures.split('\n').find((one) => one.startsWith(name) && !one.endsWith(' 0'));
      if (line !== undefined) this.#problems.push(line);
    }
    const origin = await this.#origin.ask<OriginState>({});
    if (origin.leaks > 0) this.#problems.push(`${origin.leaks} bodies with personal data reached the origin`);
    if (origin.torn > 0)
      this.#problems.push(
        `${origin.torn} bodies reached the origin in part, as if they were whole: ${origin.tornBodies.join('; ')}`,
      );
    this.#problems.push(...this.#heldOf(origin).map((last) => `a connection to the origin is left: ${last}`));
  }

  /** The gateway's open connections to the origin, by their last request. */
  #heldOf({ open }: OriginState): string[] {
    const all = Object.values(open).flat();
    const held = heldPorts(
      this.#gateway.pid,
      all.map(([port]) => port),
    );
    return all.filter(([port]) => held.includes(port)).map(([, last]) => last);
  }

  /** Stops everything; it is a problem if the gateway does not exit by itself. */
  async end(): Promise<void> {
    await Promise.all([...this.#clients, this.#idle].map((child) => child.stop('SIGKILL')));
    const slow = setTimeout(() => {
      this.#problems.push('the gateway did not end within 45 s');
      this.#gateway.process.kill('SIGKILL');
    }, 45_000);
    await this.#gateway.stop();
    clearTimeout(slow);
    await this.#origin.stop('SIGKILL');
    for (const line of this.#gateway.complaints) this.#problems.push(`the gateway said: ${line.slice(0, 300)}`);
  }
}

const sum = (counts: readonly Done[]) => counts.reduce((all, { done }) => all + done, 0);
