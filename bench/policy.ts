/**
 * The policy at scale: a registry of a million services and ten thousand rules. Each figure is compared with a floor
 * measured in the same process: for decisions one look-up per label of the host in a `Map` of as many texts, for
 * reading `JSON.parse` of the same entries, for indexing the filling of two such maps.
 *
 *   node --expose-gc bench/policy.ts            a million services, ten thousand rules
 *   node --expose-gc bench/policy.ts 100000     as many services
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { readServices } from '../config/services.ts';
import { Policy } from '../policy/decide.ts';
import type { DecideInput, PolicyConfig } from '../policy/decision.ts';
import { interceptedNames } from '../policy/intercepted-names.ts';
import { ServiceRegistry } from '../policy/registry.ts';
import type { RuleConfig } from '../policy/rule.ts';
import { cpuSeconds, rssKiB, start } from './support.ts';

const services = Number(process.argv[2] ?? 1_000_000);
const rules = 10_000;
const folder = mkdtempSync(path.join(tmpdir(), 'privet-policy-'));
const kinds = ['chat', 'coding', 'image'];
const categories = ['approved', 'monitoring', 'blocked'];
const domainOf = (i: number) => `s${i}.example${i % 97}.com`;

function writeRegistry(file: string): void {
  const lines = ['version: 1', 'services:'];
  for (let i = 0; i < services; i++) {
    lines.push(`  - service_name: Service ${i}`, `    domain: ${domainOf(i)}`);
    lines.push(`    kind: ${kinds[i % 3]}`, `    category: ${categories[i % 3]}`);
  }
  writeFileSync(file, `${lines.join('\n')}\n`);
}

/** Rules of a large company: by group, user, network, service and host, some with hours or a size. */
function ruleOf(i: number): RuleConfig {
  const then = { action: (['allow', 'warn', 'block'] as const)[i % 3] as 'allow' };
  const more = i % 5 === 0 ? { hours: 'mon-fri 08:00-18:00 Europe/Berlin' } : {};
  const rule = (when: RuleConfig['when']): RuleConfig => ({ name: `r${i}`, when: { ...when, ...more }, then });
  switch (i % 6) {
    case 0:
      return rule({ groups: [`team${i}`], kinds: [kinds[i % 3] as string] });
    case 1:
      return rule({ users: [`user${i}`, `deputy${i}`], categories: ['monitoring'] });
    case 2:
      return rule({ networks: [`10.${(i >> 8) & 255}.${i & 255}.0/24`], categories: ['blocked', 'unknown'] });
    case 3:
      return rule({ services: [`service-${(i * 7919) % services}`], methods: ['POST'] });
    case 4:
      return rule({ hosts: [`*.dept${i}.example.org`, `tool${i}.example.net`] });
    default:
      return rule({ services: [`service-${(i * 104_729) % services}`], groups: ['staff'], upload_over: 1_000_000 });
  }
}

/** Requests for as many hosts and users, in an order that defeats caches. */
function requests(count: number, hosts: number): DecideInput[] {
  let seed = 42;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed % below;
  };
  const now = new Date('2026-11-20T09:00:00Z');
  return Array.from({ length: count }, () => {
    const i = (random(hosts) * 7_919) % services;
    // A flat string, as from the wire.
    const host = Buffer.from(random(10) < 8 ? `api.${domainOf(i)}` : `www.unknown${i}.example.org`).toString('latin1');
    const from = `10.${random(256)}.${random(256)}.${random(256)}`;
    const groups = [`team${random(rules)}`, 'staff'];
    return {
      host,
      port: 443,
      path: '/v1/chat',
      method: 'POST',
      size: 2_000,
      user: `user${random(rules)}`,
      groups,
      from,
      now,
    };
  });
}

/** Uses the best round, because other processes share the machine. */
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);

/** Median and 99th percentile in µs over batches (to amortise the clock), the best of all rounds. */
function percentiles(
  inputs: readonly DecideInput[],
  work: (input: DecideInput) => unknown,
): { p50: number; p99: number } {
  const batch = 10;
  const best = { p50: Number.POSITIVE_INFINITY, p99: Number.POSITIVE_INFINITY };
  for (let round = 0; round < rounds; round++) {
    const times: number[] = [];
    for (let at = 0; at + batch <= inputs.length; at += batch) {
      const began = performance.now();
      for (let i = at; i < at + batch; i++) work(inputs[i] as DecideInput);
      times.push(((performance.now() - began) * 1000) / batch);
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.floor(times.length * share)] as number;
    best.p50 = Math.min(best.p50, at(0.5));
    best.p99 = Math.min(best.p99, at(0.99));
  }
  return best;
}

/** CPU seconds of this process while `work` runs. */
function cpuOf<T>(work: () => T): { result: T; seconds: number } {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { result, seconds: (user + system) / 1e6 };
}

function row(name: string, figure: string, floor: string, ratio: number | undefined, limit: string): void {
  process.stdout.write(
    `${name.padEnd(44)}${figure.padStart(14)}${floor.padStart(14)}${(ratio?.toFixed(2) ?? '').padStart(8)}   ${limit}\n`,
  );
}

const seconds = (value: number) => `${value.toFixed(2)} s`;
const micros = (value: number) => `${value.toFixed(2)} µs`;

try {
  const file = path.join(folder, 'services.yaml');
  writeRegistry(file);
  const entries = JSON.stringify(
    Array.from({ length: services }, (_, i) => ({
      service_name: `Service ${i}`,
      domain: domainOf(i),
      kind: kinds[i % 3],
      category: categories[i % 3],
    })),
  );
  process.stdout.write(
    `${services.toLocaleString('en')} services (${(statSync(file).size / 1e6).toFixed(0)} MB), ${rules.toLocaleString('en')} rules\n`,
  );
  row('', 'privet', 'floor', undefined, 'limit');

  const parsed = cpuOf(() => JSON.parse(entries) as unknown[]);
  const filled = cpuOf(() => {
    const maps = [new Map<string, number>(), new Map<string, number>()] as const;
    for (let i = 0; i < services; i++) {
      maps[0].set(domainOf(i), i);
      maps[1].set(`service-${i}`, i);
    }
    return maps;
  });
  globalThis.gc?.();
  const heapBefore = process.memoryUsage();
  const read = cpuOf(() => readServices(file).services);
  row(
    'registry file: read and check, CPU',
    seconds(read.seconds),
    seconds(parsed.seconds),
    read.seconds / parsed.seconds,
    '',
  );
  const indexed = cpuOf(() => new ServiceRegistry(read.result));
  row('registry: index, CPU', seconds(indexed.seconds), seconds(filled.seconds), indexed.seconds / filled.seconds, '');
  const registry = indexed.result;
  globalThis.gc?.();
  const heapAfter = process.memoryUsage();

  const config: PolicyConfig = {
    unknown: 'allow',
    inspect: { approved: 'mask', monitoring: 'audit', unknown: 'tunnel' },
    bypass: ['bank.example'],
    rules: Array.from({ length: rules }, (_, i) => ruleOf(i)),
  };
  const compiled = cpuOf(() => new Policy({ registry, config, networks: { '10.7.0.0/16': 'branch' } }));
  row('rules: compile and index, CPU', seconds(compiled.seconds), '', undefined, '');
  const names = cpuOf(() => interceptedNames({ registry, config }));
  row('names of the issuing CA, CPU', seconds(names.seconds), '', undefined, '');

  const policy = compiled.result;
  // First the hosts that a company uses in a day, which fit into caches; then all hosts.
  const usual = requests(200_000, 5_000);
  for (const input of usual) policy.decide(input);
  const often = percentiles(usual, (input) => policy.decide(input));
  const inputs = requests(200_000, services);
  const lookUp = ({ host }: DecideInput) => {
    for (let at = 0; at !== -1; at = host.indexOf('.', at + 1))
      if (filled.result[0].has(host.slice(at === 0 ? 0 : at + 1))) return true;
    return false;
  };
  for (const input of inputs.slice(0, 50_000)) {
    policy.decide(input);
    lookUp(input);
  }
  const floor = percentiles(inputs, lookUp);
  const inside = percentiles(inputs, (input) => policy.decide(input));
  const floorOften = percentiles(usual, lookUp);
  row('decision, 5,000 hosts, p50', micros(often.p50), micros(floorOften.p50), often.p50 / floorOften.p50, '5 µs');
  row('decision, 5,000 hosts, p99', micros(often.p99), micros(floorOften.p99), often.p99 / floorOften.p99, '');
  row('decision, any of all hosts, p50', micros(inside.p50), micros(floor.p50), inside.p50 / floor.p50, '5 µs');
  row('decision, any of all hosts, p99', micros(inside.p99), micros(floor.p99), inside.p99 / floor.p99, '');
  const tunnels = inputs.map(({ path: _path, method: _method, size: _size, ...rest }) => rest);
  const connect = percentiles(tunnels, (input) => policy.decide(input));
  row('CONNECT, any of all hosts, p50', micros(connect.p50), micros(floor.p50), connect.p50 / floor.p50, '5 µs');
  row('CONNECT, any of all hosts, p99', micros(connect.p99), micros(floor.p99), connect.p99 / floor.p99, '');
  const same = inputs
    .slice(0, 300)
    .every((input) => JSON.stringify(policy.decide(input)) === JSON.stringify(policy.explain(input).decision));
  row('300 of them equal to evaluating every rule', same ? 'yes' : 'NO', '', undefined, 'yes');
  const held = heapAfter.heapUsed + heapAfter.arrayBuffers - heapBefore.heapUsed - heapBefore.arrayBuffers;
  row('memory of the registry', `${(held / 2 ** 20).toFixed(0)} MiB`, '', undefined, 'stated');

  await startUp(file);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The whole process, from start to listening, with the registry and the rules. */
async function startUp(file: string): Promise<void> {
  const config = path.join(folder, 'privet.yaml');
  const users = path.join(folder, 'users.htpasswd');
  writeFileSync(users, '');
  const list = Array.from({ length: rules }, (_, i) => `    - ${JSON.stringify(ruleOf(i))}`);
  writeFileSync(
    config,
    `auth: { proxy: { mode: basic, users_file: ${JSON.stringify(users)} } }\npolicy:\n  registry: ${JSON.stringify(file)}\n  rules:\n${list.join('\n')}\n`,
  );
  const began = performance.now();
  const gateway = start('gateway/main.ts', ['serve'], {
    PROXY_CONFIG: config,
    PROXY_DATA_DIR: path.join(folder, 'data'),
    PROXY_ADMIN_KEY: 'pvt_admin_bench_0123456789abcdef',
    PORT: '0',
    GATEWAY_PORT: '0',
  });
  // On a busy machine the figure would be wrong, so it is omitted.
  const isUp = await gateway
    .line((line) => line.event === 'listening' && line.listener === 'api')
    .catch(() => undefined);
  if (isUp === undefined) {
    row('start to listening', 'over 15 s', '', undefined, '3 s');
    await gateway.stop();
    return;
  }
  const wall = (performance.now() - began) / 1000;
  row('start to listening', seconds(wall), '', undefined, '3 s');
  row('start to listening, CPU', seconds(cpuSeconds(gateway.pid)), '', undefined, '');
  row('memory of the process', `${(rssKiB(gateway.pid) / 1024).toFixed(0)} MiB`, '', undefined, 'stated');
  await gateway.stop();
}
