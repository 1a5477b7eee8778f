/**
 * Long runs that look for leaks, wrong texts and crashes. Everything stays on loopback and ends by itself.
 *
 *   npm run soak                                 all of it: 30 minutes of traffic, fuzzing, faults
 *   npm run soak -- traffic --minutes 5          mixed traffic; also --idle 500, --store sqlite, --rate 200 (exchanges a
 *                                                second), --seed 7, --snapshots FOLDER
 *   npm run soak -- faults                       an origin that breaks off at every byte
 */
import { parseArgs } from 'node:util';
import { traffic } from './soak/traffic.ts';
import { cleanUp } from './support.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string' },
    idle: { type: 'string' },
    store: { type: 'string' },
    rate: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
    snapshots: { type: 'string' },
  },
});
const print = (line: string) => void process.stdout.write(`${line}\n`);
const numberOf = (text: string | undefined, usual: number) => (text === undefined ? usual : Number(text));

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
};

const wanted = positionals.length === 0 ? Object.keys(parts) : positionals;
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
