/**
 * Packages that tests use and that no install of the project brings: `npm test` fetches them where the registry can be
 * reached. They are kept in node_modules/.cache.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const cache = join(resolve(import.meta.dirname, '../..'), 'node_modules/.cache');

/** The folder that packages of one purpose are in. */
export const fetchedFolder = (name: string): string => join(cache, `privet-${name}`);

/**
 * Installs packages into a folder of their own, without their scripts.
 * @returns what npm said when it failed
 */
export function fetchPackages(name: string, specs: readonly string[]): string | undefined {
  if (specs.length === 0) return undefined;
  const folder = fetchedFolder(name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=0'];
  const { status, stderr } = spawnSync('npm', ['install', ...options, ...specs], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 120_000,
  });
  return status === 0 ? undefined : stderr;
}
