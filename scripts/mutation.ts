/**
 * Mutation testing: changes policy/ and core/ in thousands of small ways and counts how many the unit tests detect:
 * `npm run mutation -- policy`, `npm run mutation -- core/tokens/tokens.ts core/payload`, `… --share 0.1` for every
 * tenth mutant, `--seed b` for other ones. The tests run under scripts/mutation/runner.ts. Stryker is installed into a
 * temporary folder and works on a copy of the tree next to it; both stay for the next run, which then repeats only what
 * changed.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const root = path.resolve(import.meta.dirname, '..');
const home = path.join(tmpdir(), 'privet-mutation');
const copy = path.join(home, 'tree');
const stryker = path.join(home, 'node_modules/@stryker-mutator/core/bin/stryker.js');

/** Generated data and weights are excluded. */
const data = ['!core/data/**', '!core/injection/vocabulary-*.ts'];

/** The tests of a folder: its own, and those that check the shipped lists against the policy. */
const testsOf: Readonly<Record<string, string>> = {
  core: 'test/core/**/*.test.ts',
  policy: 'test/policy/**/*.test.ts test/config/{bypass,anonymizers,services}.test.ts',
};

function install(): void {
  if (existsSync(stryker)) return;
  mkdirSync(home, { recursive: true });
  writeFileSync(path.join(home, 'package.json'), '{"private":true}');
  spawnSync('npm', ['install', '--prefix', home, '--ignore-scripts', '@stryker-mutator/core@10'], {
    stdio: ['ignore', 2, 2],
  });
  if (!existsSync(stryker)) throw new Error('@stryker-mutator/core could not be installed');
}

function copyTree(): void {
  rmSync(copy, { recursive: true, force: true });
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  for (const file of listed.stdout.split('\0')) {
    if (file === '' || !existsSync(path.join(root, file))) continue;
    cpSync(path.join(root, file), path.join(copy, file));
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { share: { type: 'string' }, seed: { type: 'string' } },
});
const places = positionals.length > 0 ? positionals : ['policy', 'core'];

/** One run per folder: the coverage map of all mutants of core/ would be too large for JSON. */
function partsOf(place: string): string[] {
  if (!statSync(path.join(root, place)).isDirectory()) return [place];
  const folders = readdirSync(path.join(root, place), { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== 'data',
  );
  return [`${place}/*.ts`, ...folders.flatMap(({ name }) => partsOf(`${place}/${name}`))];
}

/** Counts by outcome in the report of the last run. */
function outcomes(): Record<string, number> {
  const report = path.join(copy, 'reports/mutation/mutation.json');
  const counts: Record<string, number> = {};
  if (!existsSync(report)) return counts;
  const { files } = JSON.parse(readFileSync(report, 'utf8')) as {
    files: Record<string, { mutants: { status: string }[] }>;
  };
  for (const { mutants } of Object.values(files))
    for (const { status } of mutants) counts[status] = (counts[status] ?? 0) + 1;
  rmSync(report);
  return counts;
}

install();
copyTree();
const single = places.filter((place) => !statSync(path.join(root, place)).isDirectory());
const folders = places.filter((place) => !single.includes(place));
const total: Record<string, number> = {};
for (const mutated of [...(single.length > 0 ? [single] : []), ...folders.flatMap(partsOf).map((part) => [part])]) {
  const rooms = new Set(mutated.map((place) => place.split('/')[0] ?? ''));
  const name = mutated.join('-').replaceAll(/\W+/g, '-');
  const { status } = spawnSync(
    process.execPath,
    [
      ...[stryker, 'run', '--mutate', [...mutated, ...data].join(',')],
      // With a share, mutants are left out; a later full run must not treat them as done.
      ...(values.share ? [] : ['--incremental', '--incrementalFile', path.join(home, `${name}.json`)]),
    ],
    {
      cwd: copy,
      stdio: 'inherit',
      env: {
        ...process.env,
        MUTATION_TESTS: [...rooms].map((room) => testsOf[room]).join(' '),
        MUTATION_SHARE: values.share ?? '1',
        MUTATION_SEED: values.seed ?? '',
      },
    },
  );
  if (status !== 0) process.exitCode = status ?? 1;
  for (const [outcome, count] of Object.entries(outcomes())) total[outcome] = (total[outcome] ?? 0) + count;
}
const { Killed = 0, Timeout = 0, Survived = 0, NoCoverage = 0 } = total;
// Code without tests is reported for all mutants, even if only a share of them was run.
const all = Killed + Timeout + Survived + NoCoverage * Number(values.share ?? 1);
const killed = ((100 * (Killed + Timeout)) / all).toFixed(1);
console.log(`${places.join(' ')}: ${killed} % of ${Math.round(all)} mutants killed`);
