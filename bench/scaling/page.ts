/**
 * Updates the measured parts of docs/scaling.md, between their markers.
 *
 *   node bench/scaling/page.ts     recalculates the sizing from the page's figures, after a change of users.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import path from 'node:path';
import type { CoreFigures } from './core.ts';
import type { Finding } from './faults.ts';
import { company, needLines, whole } from './users.ts';
import { type Comparison, ratioMin } from './workers.ts';

const file = path.join(import.meta.dirname, '../../docs/scaling.md');

/** Replaces one part of the page. @throws Error if the page has no markers for it */
export function writePart(part: string, lines: readonly string[]): void {
  const [begin, end] = [`<!-- ${part}: npm run bench:scaling -- ${part} --write -->`, `<!-- end of ${part} -->`];
  const text = readFileSync(file, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`docs/scaling.md has no markers for ${part}`);
  writeFileSync(file, `${text.slice(0, from + begin.length)}\n${lines.join('\n')}\n${text.slice(to)}`);
}

/** Rows of the page: label → figure. */
const works = {
  'plain `http://` request on a kept connection': 'plainRequest',
  'tunnel: open, a few bytes, close': 'tunnel',
  'bytes through a tunnel': 'gibibyte',
  'connection to an intercepted host: handshake, request, close': 'connection',
  'first connection to a host: certificate and handshake': 'mint',
  'intercepted chat request of 4 KiB, nothing to mask': 'chat',
  'intercepted chat request of 4 KiB, six values masked and restored': 'maskedChat',
  'event of a stream searched for tokens': 'event',
  'open tunnel': 'tunnelKiB',
  'kept connection to an intercepted host': 'connectionKiB',
} as const satisfies Record<string, keyof CoreFigures>;

/** The figures of one core, and the sizing for 100,000 users calculated from them. See {@link measuredNow}. */
export function corePart(core: CoreFigures, measured: string = measuredNow()): string[] {
  const rows = Object.entries(works).map(([what, key]) => ({ what, key, value: Number(core[key].toPrecision(3)) }));
  const shown = Object.fromEntries(rows.map(({ key, value }) => [key, value])) as CoreFigures;
  return [
    measured,
    '',
    '| work | CPU | per core and second |',
    '|---|---:|---:|',
    ...rows
      .filter(({ key }) => !key.endsWith('KiB'))
      .map(({ what, key, value }) =>
        key === 'gibibyte'
          ? `| ${what} | ${value} ms/GiB | ${(1_000 / value).toPrecision(2)} GiB |`
          : `| ${what} | ${value} ms | ${whole(1_000 / value)} |`,
      ),
    '',
    '| per | process memory |',
    '|---|---:|',
    ...rows.filter(({ key }) => key.endsWith('KiB')).map(({ what, value }) => `| ${what} | ${value} KiB |`),
    '',
    ...needLines(company, shown),
  ];
}

/** The figures on a page, and the line about their measurement. @throws Error if a row is missing */
export function figuresIn(page: string): { readonly core: CoreFigures; readonly measured: string } {
  const figures = Object.entries(works).map(([what, key]) => {
    const line = page.split('\n').find((one) => one.startsWith(`| ${what} | `));
    const value = Number.parseFloat(line?.split(' | ')[1] ?? '');
    if (Number.isNaN(value)) throw new Error(`docs/scaling.md has no row for ${what}`);
    return [key, value];
  });
  const measured = /^Measured on .*$/m.exec(page)?.[0];
  if (measured === undefined) throw new Error('docs/scaling.md does not say when it was measured');
  return { core: Object.fromEntries(figures) as CoreFigures, measured };
}

/** Date and machine of a measurement. */
function measuredNow(): string {
  const day = new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
  return `Measured on ${day}, ${availableParallelism()} cores of ${cpus()[0]?.model.trim()}, Node ${process.version}.`;
}

/** Compares one worker with two. */
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

/** The faults of groups of replicas. */
export function faultsPart(groups: ReadonlyMap<string, readonly Finding[]>): string[] {
  return [...groups].flatMap(([group, findings]) => [
    `**${group}**`,
    ...findings.map(({ what, seen, isGood }) => `- ${isGood ? '' : '**not met** '}${what}: ${seen}`),
    '',
  ]);
}

if (import.meta.main) {
  const { core, measured } = figuresIn(readFileSync(file, 'utf8'));
  writePart('core', corePart(core, measured));
}
