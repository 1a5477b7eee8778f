/**
 * Makes what `npm pack` puts into the package: `node build.ts` compiles into dist/ and copies the licences here,
 * `node build.ts clean` removes both again.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
const root = join(here, '..');
const licences = [
  { from: join(root, 'LICENSE'), to: join(here, 'LICENSE') },
  // Whose the lists of names are that are compiled into core.
  { from: join(root, 'core/data/NOTICE'), to: join(here, 'NOTICE') },
];

for (const { to } of licences) rmSync(to, { force: true });
rmSync(join(here, 'dist'), { recursive: true, force: true });

if (process.argv[2] !== 'clean') {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', join(here, 'tsconfig.json')], { stdio: 'inherit' });
  // Their types repeat the lists letter by letter, and no public type needs them.
  const data = join(here, 'dist/core/data');
  for (const name of readdirSync(data)) if (name.endsWith('.d.ts')) rmSync(join(data, name));
  for (const { from, to } of licences) copyFileSync(from, to);
}
