/**
 * The benchmarks: each workload runs against the floor and the gateway in turn. A row shows the CPU time of the process
 * per unit of work and the ratio, as medians of alternating rounds, because the speed of a machine varies more from
 * minute to minute than the effects of interest.
 *
 *   npm run bench                    every row
 *   npm run bench -- tunnel sse      rows whose name contains one of the words
 */

import { idleTunnelKiB, slowReaderMiB, slowWriterMiB, sseDelayMs } from './figures.ts';
import { cleanUp, makeCertificate, median, type Ports, start, type Target } from './support.ts';
import { startFloor, startGateway } from './targets.ts';
import { host, workloads } from './workloads.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);

/** Figures with an absolute limit instead of a ratio. */
const figures: readonly Figure[] = [
  { name: 'idle tunnel', unit: 'KiB', limit: '22', digits: 1, measure: idleTunnelKiB },
  { name: 'SSE delay in addition to none, p50', unit: 'ms', limit: '1', digits: 3, measure: sseDelayMs },
  { name: 'memory, 1 GiB to a slow reader', unit: 'MiB more', limit: 'flat', digits: 1, measure: slowReaderMiB },
  {
    name: 'memory, 1 GiB plain upload to a slow reader',
    unit: 'MiB more',
    limit: 'flat',
    digits: 1,
    measure: slowWriterMiB,
    gatewayOnly: true,
  },
];

type Figure = {
  readonly name: string;
  readonly unit: string;
  readonly limit: string;
  readonly digits: number;
  readonly gatewayOnly?: boolean;
  measure(target: Target, ports: Ports): Promise<number>;
};

const wanted = process.argv.slice(2);
const matches = (name: string) =>
  wanted.length === 0 || wanted.some((word) => name.toLowerCase().includes(word.toLowerCase()));

const originCert = makeCertificate('origin', [host, '*.openai.com', '127.0.0.1']);
const origin = start('bench/origin.ts', [], { ORIGIN_CERT: originCert.cert, ORIGIN_KEY: originCert.key });
const ports = (await origin.line((line) => 'tlsPort' in line)) as Ports;
const setting = { ports, origin: originCert };

process.stdout.write(
  `${'workload'.padEnd(56)}${'floor'.padStart(10)}${'privet'.padStart(10)}  unit           ratio   limit\n`,
);
try {
  for (const row of workloads.filter(({ name, limit }) => limit !== undefined && matches(name))) {
    const pairs: { floor: number; privet: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      const figure: Record<string, number> = {};
      // Alternate which target goes first.
      for (const begin of round % 2 === 0 ? [startFloor, startGateway] : [startGateway, startFloor]) {
        const target = await begin(setting);
        figure[target.name] = await row.run(target, ports);
        await target.process.stop();
      }
      pairs.push({ floor: figure.floor as number, privet: figure.privet as number });
    }
    const floor = median(pairs.map((pair) => pair.floor));
    const privet = median(pairs.map((pair) => pair.privet));
    const ratio = median(pairs.map((pair) => pair.privet / pair.floor));
    process.stdout.write(
      `${row.name.padEnd(56)}${floor.toFixed(3).padStart(10)}${privet.toFixed(3).padStart(10)}  ${row.unit.padEnd(14)} ${ratio.toFixed(2).padStart(5)}   ${row.limit}${ratio > (row.limit ?? 0) ? '  over' : ''}\n`,
    );
  }
  for (const figure of figures.filter(({ name }) => matches(name))) {
    for (const begin of figure.gatewayOnly ? [startGateway] : [startFloor, startGateway]) {
      const target = await begin(setting);
      const result = await figure.measure(target, ports);
      process.stdout.write(
        `${`${figure.name}, ${target.name}`.padEnd(56)}${result.toFixed(figure.digits).padStart(10)} ${figure.unit} (limit ${figure.limit})\n`,
      );
      await target.process.stop();
    }
  }
  if (matches('start')) {
    const began = performance.now();
    const target = await startGateway(setting);
    process.stdout.write(
      `${'start to listening'.padEnd(56)}${((performance.now() - began) / 1000).toFixed(2).padStart(10)} s (limit 1.2)\n`,
    );
    await target.process.stop();
  }
} finally {
  await origin.stop();
  cleanUp();
}
