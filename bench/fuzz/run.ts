/**
 * Fuzzing alone.
 *
 *   node bench/fuzz/run.ts                                 all targets, 10 s each
 *   node bench/fuzz/run.ts --seconds 300 json-body sse     targets with these prefixes, 300 s in total
 *   node bench/fuzz/run.ts --seed 7 --input FILE json-body one input again
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { faultFolder, formatReport, fuzz, targetNames } from './index.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string' },
    seed: { type: 'string' },
    runs: { type: 'string' },
    input: { type: 'string', multiple: true },
  },
});
const names = targetNames(positionals);
if (names.length === 0) throw new Error(`Targets are ${targetNames().join(', ')}.`);
const inputs = values.input?.map((file) => readFileSync(file));
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const folder = faultFolder();
process.stdout.write(`seed ${seed}\n`);
const { failures } = await fuzz({
  seconds: inputs ? 1 : Number(values.seconds ?? names.length * 10),
  seed,
  targets: positionals,
  ...(values.runs ? { executionsMax: Number(values.runs) } : {}),
  ...(inputs ? { inputs, executionsMax: inputs.length } : {}),
  onReport: (report) => process.stdout.write(formatReport(report, folder)),
});
process.exitCode = failures.length > 0 ? 1 : 0;
