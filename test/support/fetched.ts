/**
 * Packages that tests use but `npm install` does not install: `npm test` downloads them if the registry can be reached.
 * They are kept in node_modules/.cache.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const cache = join(resolve(import.meta.dirname, '../..'), 'node_modules/.cache');

/** The folder for packages of one purpose. */
export const fetchedFolder = (name: string): string => join(cache, `privet-${name}`);

/**
 * Installs packages into a separate folder, without their scripts.
 * @returns npm's output when it failed
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
