/**
 * Measures how Privet scales across machines, and how it behaves when some fail.
 *
 *   npm run bench:scaling                       everything, about twenty minutes
 *   npm run bench:scaling -- core               the throughput of one core, and the sizing for 100,000 users
 *   npm run bench:scaling -- workers            the gain of a second worker
 *   npm run bench:scaling -- faults redis 3     three replicas on Redis behind HAProxy, with faults
 *
 * `--write` puts the figures into docs/scaling.md. Needs root on Linux and the Debian packages haproxy iproute2
 * redis-server postgresql golang-go openssl.
 */
import { availableParallelism } from 'node:os';
import { measureCore } from './scaling/core.ts';
import { type Finding, runFaults } from './scaling/faults.ts';
import type { StoreKind } from './scaling/group.ts';
import { makeSwitch, runIsolated } from './scaling/network.ts';
import { corePart, faultsPart, workersPart, writePart } from './scaling/page.ts';
import { type Comparison, compareWorkers, ratioMin } from './scaling/workers.ts';
import { cleanUp } from './support.ts';

const outside = runIsolated(import.meta.filename);
if (outside !== undefined) process.exit(outside);

const words = process.argv.slice(2);
const wants = (word: string, ...all: string[]) => words.includes(word) || !all.some((name) => words.includes(name));
const parts = ['core', 'workers', 'faults'];
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
let isGood = true;

/** Updates a part of the page with `--write`. */
const put = (part: string, lines: readonly string[]) => {
  if (words.includes('--write')) writePart(part, lines);
};

makeSwitch();
try {
  if (wants('core', ...parts)) {
    const lines = corePart(await measureCore(rounds));
    print(lines.join('\n'));
    put('core', lines);
  }
  if (wants('workers', ...parts)) {
    print('one worker and two, each with the same share of a core');
    const lines: Comparison[] = [];
    await compareWorkers(rounds, (line) => {
      lines.push(line);
      compare(line);
    });
    put('workers', workersPart(lines));
  }
  if (wants('faults', ...parts)) {
    const groups = new Map<string, Finding[]>();
    for (const kind of ['redis', 'postgres'] satisfies StoreKind[]) {
      if (!wants(kind, 'redis', 'postgres')) continue;
      for (const count of [2, 3]) {
        if (!wants(String(count), '2', '3')) continue;
        const group = `${count} replicas behind HAProxy on ${kind}, ${availableParallelism()} cores`;
        const findings: Finding[] = [];
        groups.set(group, findings);
        print(`\n${group}`);
        await runFaults(count, kind, (finding) => {
          findings.push(finding);
          show(finding);
        });
      }
    }
    put('faults', faultsPart(groups));
  }
} finally {
  cleanUp();
}
process.exit(isGood ? 0 : 1);

function compare({ name, one, two, apart, ratio, ratios }: Comparison): void {
  isGood &&= ratio >= ratioMin;
  print(
    `${ratio >= ratioMin ? 'ok  ' : 'FAIL'} ${name}: ${one.perSecond.toFixed(0)}/s and ${two.perSecond.toFixed(0)}/s, ratio ${ratio.toFixed(2)} of ${ratios.map((each) => each.toFixed(2)).join(', ')}; ` +
      `two gateways apart ${apart.perSecond.toFixed(0)}/s; CPU ${one.cpuMs.toFixed(3)}, ${two.cpuMs.toFixed(3)} and ${apart.cpuMs.toFixed(3)} ms; p99 ${one.p99Ms.toFixed(0)}, ${two.p99Ms.toFixed(0)} and ${apart.p99Ms.toFixed(0)} ms`,
  );
}

function show({ what, seen, isGood: holds }: Finding): void {
  isGood &&= holds;
  print(`${holds ? 'ok  ' : 'FAIL'} ${what}:\n     ${seen}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
