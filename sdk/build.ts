/**
 * Makes what `npm pack` puts into the package.
 *
 *   node build.ts            compiles into dist/ and copies the licences here
 *   node build.ts FOLDER     compiles into a folder alone
 *   node build.ts clean      removes what the first one made
 *
 * `tsc` compiles, and its modules are then joined into one file per entry and one that they share: importing 130 files
 * takes 2.5 times as long (docs/decisions/0006-sdk-joined-modules.md). The types stay as `tsc` wrote them.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const here = import.meta.dirname;
const root = join(here, '..');
const dist = join(here, 'dist');
const entries = ['index', 'express', 'fastify', 'web'];
const licences = [
  { from: join(root, 'LICENSE'), to: join(here, 'LICENSE') },
  // Whose the lists of names are that are compiled into core.
  { from: join(root, 'core/data/NOTICE'), to: join(here, 'NOTICE') },
];

async function build(folder: string): Promise<void> {
  const types = join(folder, 'types');
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', join(here, 'tsconfig.json'), '--outDir', types], { stdio: 'inherit' });
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((name) => [name, join(types, 'sdk', `${name}.js`)])),
    external: ['re2js', 'node:stream'],
    platform: 'neutral',
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  await bundle.write({ dir: folder, format: 'esm', chunkFileNames: 'shared.js' });
  await bundle.close();
  for (const name of readdirSync(types, { recursive: true, encoding: 'utf8' })) {
    // What is not a type is in the joined modules; no public type needs those of the lists.
    if (/\.js(?:on)?$/.test(name) || name.startsWith('core/data/'))
      rmSync(join(types, name), { recursive: true, force: true });
  }
}

const [target] = process.argv.slice(2);
if (target === undefined || target === 'clean') {
  for (const { to } of licences) rmSync(to, { force: true });
  rmSync(dist, { recursive: true, force: true });
}
if (target === undefined) {
  await build(dist);
  for (const { from, to } of licences) copyFileSync(from, to);
} else if (target !== 'clean') {
  await build(target);
}
