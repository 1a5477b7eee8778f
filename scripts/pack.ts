/**
 * Builds the contents of the package `privet` for `npm pack`; see docs/releasing.md.
 *
 *   node scripts/pack.ts            compiles the rooms into dist/
 *   node scripts/pack.ts clean      removes it
 *   node scripts/pack.ts all OUT    writes both packages and the MCP bundle into a folder
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compileRooms } from './pack/compile.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

const [command, out = 'packages'] = process.argv.slice(2);
if (command === 'all') await packAll(resolve(out));
else {
  rmSync(dist, { recursive: true, force: true });
  if (command === undefined) compileRooms(root, dist);
}

async function packAll(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const cwd of [root, join(root, 'sdk')]) {
    execFileSync('npm', ['pack', '--pack-destination', folder], { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  }
  // It needs installed packages, which `npm pack` alone does not.
  const { writeBundle } = await import('./pack/mcp-bundle.ts');
  await writeBundle(root, folder);
}
