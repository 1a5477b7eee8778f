/** Puts what was measured into docs/scaling.md, between the marks of its part; the words around it are people's. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CoreFigures } from './core.ts';
import type { Finding } from './faults.ts';
import { company, type Need, needOf, whole } from './users.ts';
import { type Comparison, ratioMin } from './workers.ts';

const file = path.join(import.meta.dirname, '../../docs/scaling.md');

/** Replaces one part of the page. @throws Error when the page has no marks for it. */
export function writePart(part: string, lines: readonly string[]): void {
  const [begin, end] = [`<!-- ${part}: npm run bench:scaling -- ${part} --write -->`, `<!-- end of ${part} -->`];
  const text = readFileSync(file, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`docs/scaling.md has no marks for ${part}`);
  writeFileSync(file, `${text.slice(0, from + begin.length)}\n${lines.join('\n')}\n${text.slice(to)}`);
}

/** What one core does, and what 100,000 people need. */
export function corePart(core: CoreFigures): string[] {
  const row = (what: string, ms: number) => `| ${what} | ${ms.toPrecision(3)} ms | ${whole(1_000 / ms)} |`;
  return [
    '| work | CPU | a core does in a second |',
    '|---|---:|---:|',
    row('plain `http://` request on a kept connection', core.plainRequest),
    row('tunnel: open, a few bytes, close', core.tunnel),
    `| bytes through a tunnel | ${whole(core.gibibyte)} ms/GiB | ${(1_000 / core.gibibyte).toPrecision(2)} GiB |`,
    row('connection to an intercepted host: handshake, request, close', core.connection),
    row('host that was never seen: certificate and handshake', core.mint),
    row('intercepted chat request of 4 KiB, nothing to mask', core.chat),
    row('intercepted chat request of 4 KiB, six values masked and restored', core.maskedChat),
    row('event of a stream with tokens to look for', core.event),
    '',
    '| what stands | memory of the process |',
    '|---|---:|',
    `| open tunnel | ${core.tunnelKiB.toPrecision(2)} KiB |`,
    `| kept connection to an intercepted host | ${core.connectionKiB.toPrecision(2)} KiB |`,
    '',
    ...usersPart(needOf(company, core)),
  ];
}

function usersPart(need: Need): string[] {
  const cores = (value: number) => (value < 0.1 ? value.toFixed(2) : value.toFixed(1));
  return [
    `With these figures and the assumptions below, ${company.users.toLocaleString('en-US')} users come to:`,
    '',
    '| in the busiest seconds | rate | CPU each | cores |',
    '|---|---:|---:|---:|',
    ...need.lines.map((one) => `| ${one.what} | ${one.rate} | ${one.each} | ${cores(one.cores)} |`),
    `| **all** | | | **${cores(need.cores)}** |`,
    '',
    '| what it takes | |',
    '|---|---|',
    `| processes (one core each, busy 60 % at the peak) | ${need.processes}, for example ${Math.ceil(need.processes / 4) + 1} replicas with \`workers: 4\`, of which one may be missing |`,
    `| open at a time | ${whole(need.openTunnels)} tunnels, ${whole(need.openConnections)} intercepted connections |`,
    `| memory of all processes | ${Math.ceil(need.memoryGiB)} GiB, and about half as much again in the kernel for sockets |`,
    `| network | ${need.gigabitsPerSecond.toFixed(0)} Gbit/s in and as much out, ${whole(need.newPerSecond)} new connections a second |`,
    `| store | ${whole(need.storeCallsPerSecond)} calls a second for tokens, ${whole(need.eventsPerSecond)} audit events a second, ${need.storeGiB.toPrecision(2)} GiB of sessions |`,
  ];
}

/** One worker beside two. */
export function workersPart(lines: readonly Comparison[]): string[] {
  return [
    '| work | one worker | two workers | ratio | two gateways apart | CPU per unit: one / two / apart |',
    '|---|---:|---:|---:|---:|---:|',
    ...lines.map(
      ({ name, one, two, apart, ratio }) =>
        `| ${name} | ${whole(one.perSecond)}/s | ${whole(two.perSecond)}/s | ${ratio.toFixed(2)}${ratio < ratioMin ? ` (**not met**, ${ratioMin})` : ''} | ${whole(apart.perSecond)}/s | ${one.cpuMs.toPrecision(3)} / ${two.cpuMs.toPrecision(3)} / ${apart.cpuMs.toPrecision(3)} ms |`,
    ),
  ];
}

/** What was done to groups of replicas. */
export function faultsPart(groups: ReadonlyMap<string, readonly Finding[]>): string[] {
  return [...groups].flatMap(([group, findings]) => [
    `**${group}**`,
    ...findings.map(({ what, seen, isGood }) => `- ${isGood ? '' : '**not met** '}${what}: ${seen}`),
    '',
  ]);
}
