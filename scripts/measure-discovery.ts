/**
 * Prints how many domains of the shipped registry and of a list of ordinary hosts match the name signals of discovery:
 * `node scripts/measure-discovery.ts [FILE]`, the file with one host per line.
 */
import { readFileSync } from 'node:fs';
import { loadServices } from '../config/services.ts';
import { assess, isWorthKeeping, type Signal } from '../policy/discovery.ts';
import { hostSignals } from '../policy/discovery-host.ts';
import { LookalikeIndex } from '../policy/discovery-lookalike.ts';
import { ServiceRegistry } from '../policy/registry.ts';
import type { Service } from '../policy/service.ts';

const services = (await loadServices()) as Service[];
const registry = new ServiceRegistry(services);
const own = services.filter(({ scope }) => scope !== 'path');
const index = new LookalikeIndex(own.flatMap(({ domain, alternate_domains: more }) => [domain, ...more]));

const [file] = process.argv.slice(2);
const listed = file === undefined ? [] : readFileSync(file, 'utf8').toLowerCase().split(/\s+/);
const ordinary = [...new Set(listed)].filter((host) => /^[a-z0-9.-]+\.[a-z]{2,}$/.test(host) && !registry.match(host));

report(
  'registered domains',
  own.map(({ domain }) => domain),
);
if (ordinary.length > 0) report('ordinary hosts', ordinary);

function report(name: string, hosts: readonly string[]): void {
  const hits = new Map<string, number>();
  const count = (what: string) => hits.set(what, (hits.get(what) ?? 0) + 1);
  for (const host of hosts) {
    const signals = new Set<Signal>(hostSignals(host));
    if (index.find(host) !== undefined) signals.add('host-lookalike');
    for (const signal of signals) count(signal);
    if (isWorthKeeping(signals)) count('kept');
    for (const [use, subjects] of [
      ['first request', 1],
      ['3 people, 3 days', 3],
    ] as const)
      if (assess({ signals, subjects, days: subjects, bytesUp: 0 }).score >= 5) count(`proposed, ${use}`);
  }
  console.log(`${name}: ${hosts.length}`);
  for (const [what, hit] of [...hits].sort())
    console.log(`  ${what.padEnd(28)}${String(hit).padStart(5)}  ${((100 * hit) / hosts.length).toFixed(1)} %`);
}
