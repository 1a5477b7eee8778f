/**
 * Long runs that find leaks, wrong texts and crashes. Everything uses loopback and ends by itself.
 *
 *   npm run soak                                 all of it: 30 minutes of traffic, 5 of fuzzing, faults
 *   npm run soak -- traffic --minutes 5          mixed traffic; also --idle 500 (tunnels), --store sqlite, --rate 200
 *                                                (exchanges a second), --seed 7, --only "HTTP/2", --snapshots FOLDER
 *   npm run soak -- fuzz --seconds 60 [TARGET …] see bench/fuzz
 *   npm run soak -- faults                       an origin that disconnects at every byte
 *
 * Exit code 1 on a problem: memory growth after the warm-up (the first third), remaining descriptors, connections or
 * sessions after all clients have left, a wrong or missing response, a crash.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { faultFolder, formatReport, fuzz } from './fuzz/index.ts';
import { traffic } from './soak/traffic.ts';
import { cleanUp } from './support.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string' },
    idle: { type: 'string' },
    store: { type: 'string' },
    rate: { type: 'string' },
    seconds: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
    snapshots: { type: 'string' },
  },
});
const print = (line: string) => void process.stdout.write(`${line}\n`);
const numberOf = (text: string | undefined, usual: number) => (text === undefined ? usual : Number(text));

const [chosen, ...names] = positionals;

const parts: Readonly<Record<string, () => Promise<string[]>>> = {
  traffic: () =>
    traffic({
      minutes: numberOf(values.minutes, 30),
      seed: numberOf(values.seed, 1),
      ...(values.idle === undefined ? {} : { idleTunnels: Number(values.idle) }),
      ...(values.store === 'sqlite' ? { store: 'sqlite' as const } : {}),
      ...(values.rate === undefined ? {} : { perSecond: Number(values.rate) }),
      ...(values.only === undefined ? {} : { only: values.only }),
      ...(values.snapshots === undefined ? {} : { snapshots: values.snapshots }),
      print,
    }),
  async fuzz() {
    const folder = faultFolder();
    const { failures } = await fuzz({
      seconds: numberOf(values.seconds, 300),
      seed: numberOf(values.seed, 1),
      targets: names,
      onReport: (report) => process.stdout.write(formatReport(report, folder)),
    });
    return failures.map(({ target, message }) => `${target}: ${message.split('\n', 1)[0]}`);
  },
  /** The unit tests try only some offsets. */
  async faults() {
    const vitest = 'node_modules/vitest/vitest.mjs';
    const child = spawn(process.execPath, [vitest, 'run', 'test/pitfalls/resets.test.ts', '--testTimeout=600000'], {
      cwd: path.join(import.meta.dirname, '..'),
      env: { ...process.env, EVERY_BYTE: '1' },
      stdio: 'inherit',
    });
    process.once('exit', () => child.kill());
    const [code] = await once(child, 'exit');
    return code === 0 ? [] : ['an origin that breaks off is not reported as such'];
  },
};

const wanted = chosen === undefined ? Object.keys(parts) : [chosen];
let problems = 0;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
process.on('exit', cleanUp);
for (const name of wanted) {
  const part = parts[name];
  if (part === undefined) throw new Error(`There is no part ${name}; there are ${Object.keys(parts).join(', ')}.`);
  print(`== ${name}`);
  const found = await part();
  for (const problem of found) print(`PROBLEM ${problem}`);
  print(found.length === 0 ? `${name}: no problems` : `${name}: ${found.length} problems`);
  problems += found.length;
}
process.exit(problems === 0 ? 0 : 1);
