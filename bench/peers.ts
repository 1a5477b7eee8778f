/**
 * Compares Privet with other proxies on the same workloads in the same run. Prints CPU time per unit of work (whole
 * process tree, median of the rounds) and, with `--write`, updates docs/performance.md.
 *
 *   npm run bench:peers                  all workloads, all proxies
 *   npm run bench:peers -- sse tunnel    workloads whose name contains one of the words; `--write` keeps the other rows
 *
 * Needs root on Linux, to put the origin's names into a private hosts file. Missing programs are installed: the Debian
 * packages squid-openssl and mitmproxy; mockttp and http-mitm-proxy in their own folder.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { idleTunnelKiB } from './figures.ts';
import { peers } from './peers/peers.ts';
import { cleanUp, makeCertificate, median, type Ports, start, type Target } from './support.ts';
import { type Setting, startFloor, startGateway } from './targets.ts';
import { host, newHost, workloads } from './workloads.ts';

const inNamespace = 'PRIVET_BENCH_NAMESPACE';
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const args = process.argv.slice(2).filter((arg) => arg !== '--write');

/** The limit of Privet's cost as a multiple of another proxy's. */
type Goal = { readonly workload: string; readonly limits: Readonly<Record<string, number>> };

const goals: readonly Goal[] = [
  { workload: 'plain GET', limits: { squid: 1.6, mitmproxy: 1, mockttp: 1, 'http-mitm-proxy': 1 } },
  { workload: 'tunnel, bulk', limits: { squid: 1.1 } },
  { workload: 'tunnel, open', limits: { squid: 1.8 } },
  { workload: 'no personal data', limits: { 'squid, peek': 1.5, 'http-mitm-proxy': 0.55 } },
  { workload: 'new connection to a known host', limits: { 'squid, peek': 1.8 } },
  { workload: 'first request to a host', limits: { 'squid, peek': 1 } },
  { workload: 'SSE', limits: { 'squid, peek': 1.7 } },
];

/** Masked chat requests cost PasteGuard this for transport alone, without its detector (measured on a machine of the same kind). */
const pasteGuardMs = 1.59;

/** New hosts per round: other proxies take up to 100 ms for each. */
const hosts = 600;

if (process.env[inNamespace] === undefined) process.exit(runInNamespace());

/** Runs this script again in a namespace with the private hosts file. */
function runInNamespace(): number {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    process.stderr.write('Comparing with other proxies needs root on Linux, because it gives the origin names.\n');
    return 1;
  }
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'privet-hosts-')), 'hosts');
  const names = [host, ...Array.from({ length: hosts }, (_, i) => newHost(i))];
  writeFileSync(file, `127.0.0.1 localhost\n${names.map((name) => `127.0.0.1 ${name}\n`).join('')}`);
  const script = [process.execPath, import.meta.filename, ...process.argv.slice(2)];
  const { status } = spawnSync(
    'unshare',
    ['--mount', 'sh', '-c', `mount --bind ${file} /etc/hosts && exec "$0" "$@"`, ...script],
    { stdio: 'inherit', env: { ...process.env, [inNamespace]: '1' } },
  );
  return status ?? 1;
}

const originCert = makeCertificate('origin', [host, '*.openai.com', '127.0.0.1']);
const origin = start('bench/origin.ts', [], { ORIGIN_CERT: originCert.cert, ORIGIN_KEY: originCert.key });
const ports = (await origin.line((line) => 'tlsPort' in line)) as Ports;
const setting: Setting = { ports, origin: originCert };

type Contestant = { readonly name: string; begin(setting: Setting): Promise<Target> };

const contestants: readonly Contestant[] = [
  { name: 'floor', begin: (settings) => startFloor(settings) },
  { name: 'privet', begin: (settings) => startGateway(settings) },
  ...peers,
];

type Figures = Map<string, number>;
const table = new Map<string, { readonly unit: string; readonly figures: Figures }>();

/** One figure per contestant and round, alternating; the median of each. */
async function measure(name: string, unit: string, work: (target: Target) => Promise<number>): Promise<void> {
  const all = new Map<string, number[]>();
  const failed = new Set<Contestant>();
  for (let round = 0; round < rounds; round++) {
    for (const contestant of contestants) {
      // It waits for a ClientHello in every tunnel; the alternative is Squid without interception.
      if (contestant.name === 'squid, peek' && name.startsWith('tunnel')) continue;
      if (failed.has(contestant)) continue;
      const target = await contestant.begin(setting);
      try {
        const figure = await inTime(work(target));
        all.set(contestant.name, [...(all.get(contestant.name) ?? []), figure]);
      } catch (error) {
        // Skip workloads that a proxy does not support.
        failed.add(contestant);
        all.delete(contestant.name);
        process.stderr.write(`${contestant.name}, ${name}: ${(error as Error).message.slice(0, 200)}\n`);
      } finally {
        await target.process.stop();
      }
    }
  }
  const figures: Figures = new Map([...all].map(([contestant, values]) => [contestant, median(values)]));
  table.set(name, { unit, figures });
  const cells = contestants.map(({ name: contestant }) => format(figures.get(contestant)).padStart(9));
  process.stdout.write(`${name.padEnd(57)}${cells.join('')}  ${unit}\n`);
  for (const { text, isMet } of verdicts(name)) process.stdout.write(`  ${text}${isMet ? '' : '   over'}\n`);
}

/** Time limit, so that a hanging proxy costs only one figure. */
function inTime(work: Promise<number>): Promise<number> {
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('no end after 2 minutes')), 120_000).unref();
  });
  return Promise.race([work, late]);
}

function format(figure: number | undefined): string {
  if (figure === undefined) return '–';
  return figure >= 100 ? figure.toFixed(0) : figure >= 10 ? figure.toFixed(1) : figure.toFixed(3);
}

/** Compares Privet's figure with the goals of a workload. */
function verdicts(name: string): { text: string; isMet: boolean }[] {
  const figures = table.get(name)?.figures;
  const own = figures?.get('privet');
  if (figures === undefined || own === undefined) return [];
  const found: { text: string; isMet: boolean }[] = [];
  for (const { limits } of goals.filter(({ workload }) => name.startsWith(workload) || name.includes(workload))) {
    for (const [peer, limit] of Object.entries(limits)) {
      const other = figures.get(peer);
      if (other === undefined) continue;
      const ratio = own / other;
      found.push({ text: `${ratio.toFixed(2)} × ${peer} (limit ${limit})`, isMet: ratio <= limit });
    }
  }
  if (name.includes('6 values')) {
    const ratio = own / pasteGuardMs;
    found.push({
      text: `${ratio.toFixed(2)} × PasteGuard's ${pasteGuardMs} ms for transport alone (limit 0.25)`,
      isMet: ratio <= 0.25,
    });
  }
  return found;
}

const matches = (name: string) =>
  args.length === 0 || args.some((word) => name.toLowerCase().includes(word.toLowerCase()));

process.stdout.write(`${''.padEnd(57)}${contestants.map(({ name }) => name.slice(0, 8).padStart(9)).join('')}\n`);
try {
  for (const workload of workloads) {
    if (matches(workload.name))
      await measure(workload.name, workload.unit, (target) => workload.run(target, ports, hosts));
  }
  if (matches('idle tunnel')) await measure('idle tunnel', 'KiB', (target) => idleTunnelKiB(target, ports));
  if (process.argv.includes('--write')) {
    const file = path.join(import.meta.dirname, '../docs/performance.md');
    const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const names = [...workloads.map(({ name }) => name), 'idle tunnel'];
    keepRows(before, names);
    writeFileSync(file, page(names.filter((name) => table.has(name))) + notesOf(before));
  }
} finally {
  await origin.stop();
  cleanUp();
}

/** Keeps the rows of the page that were not measured. */
function keepRows(before: string, names: readonly string[]): void {
  for (const line of before.split('\n')) {
    const [, name = '', unit = '', ...cells] = line.split('|').map((cell) => cell.trim());
    if (table.has(name) || !names.includes(name) || cells.length <= contestants.length) continue;
    const figures = contestants.map((contestant, i) => [contestant.name, Number(cells[i])] as const);
    table.set(name, { unit, figures: new Map(figures.filter(([, figure]) => !Number.isNaN(figure))) });
  }
}

/** Keeps the text after the figures. */
function notesOf(before: string): string {
  const at = before.indexOf('\n## Where the time goes');
  return at === -1 ? '' : before.slice(at);
}

function page(workloadNames: readonly string[]): string {
  const names = contestants.map(({ name }) => name);
  const cpu = /model name\s*: (.*)/.exec(readFileSync('/proc/cpuinfo', 'latin1'))?.[1] ?? 'unknown';
  const lines = [
    '# Performance',
    '',
    `CPU time of the whole process tree per unit of work, in milliseconds unless said otherwise; ${rounds === 1 ? 'one round' : `median of ${rounds} rounds`}, in which all proxies take turns. Loopback, ${availableParallelism()} cores of ${cpu}, Node ${process.version}. *floor* is the smallest Node proxy that does the transport alone (\`bench/floor/\`): no policy, no limits, no log. The machine's speed varies by up to 1.5 times from minute to minute, so compare only within a row; differences under 10 % are noise.`,
    '',
    '`npm run bench:peers -- --write` measures again and writes this page; add words to measure only rows whose names contain one of them.',
    '',
    `| work | unit | ${names.join(' | ')} |`,
    `|---|---|${names.map(() => '---:').join('|')}|`,
  ];
  for (const name of workloadNames) {
    const { unit = '', figures = new Map() } = table.get(name) ?? {};
    lines.push(`| ${name} | ${unit} | ${names.map((contestant) => format(figures.get(contestant))).join(' | ')} |`);
  }
  lines.push('', '## Compared with other proxies', '', '| work | ratio | |', '|---|---|---|');
  for (const name of workloadNames) {
    for (const { text, isMet } of verdicts(name)) lines.push(`| ${name} | ${text} | ${isMet ? 'met' : 'not met'} |`);
  }
  return `${lines.join('\n')}\n`;
}
