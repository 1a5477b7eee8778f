/**
 * Changes policy/ and core/ in thousands of small ways and counts how many the unit tests notice (mutation testing):
 * `npm run mutation -- policy`, `npm run mutation -- core/tokens.ts core/payload`, `… --share 0.1` for every tenth mutant,
 * `--seed b` for other ones. The tests run under scripts/mutation/runner.ts. Stryker is installed into a temporary folder
 * and works on a copy of the tree beside it; both stay for the next run, which then repeats only what changed.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const root = path.resolve(import.meta.dirname, '..');
const home = path.join(tmpdir(), 'privet-mutation');
const copy = path.join(home, 'tree');
const stryker = path.join(home, 'node_modules/@stryker-mutator/core/bin/stryker.js');

/** Data and weights are made by scripts; a word in a list is no decision of the code. */
const data = ['!core/data/**', '!core/injection/vocabulary-*.ts'];

/** The tests that a room is held to: its own, and those that hold the shipped lists to the policy. */
const testsOf: Readonly<Record<string, string>> = {
  core: 'test/core/**/*.test.ts',
  policy: 'test/policy/**/*.test.ts test/config/{bypass,fronts,services}.test.ts',
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
const mutated = places.map((place) => (statSync(path.join(root, place)).isDirectory() ? `${place}/**/*.ts` : place));
const rooms = new Set(places.map((place) => place.split('/')[0] ?? ''));

install();
copyTree();
const { status } = spawnSync(
  process.execPath,
  [
    ...[stryker, 'run', '--mutate', [...mutated, ...data].join(',')],
    // A share leaves mutants out, which a later run of all must not take for done.
    ...(values.share ? [] : ['--incremental', '--incrementalFile', path.join(home, 'incremental.json')]),
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
process.exitCode = status ?? 1;
