/**
 * Other versions of Node, from the registry's packages `node-<platform>-<arch>`: they are the program alone, without an
 * install script. They are kept in node_modules/.cache between runs.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { run } from '../support/run.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'node_modules/.cache/privet-node');

/** Paths of the Node programs of these major versions. @throws Error that says what failed when the registry is away. */
export async function nodePrograms(majors: readonly number[]): Promise<Map<number, string>> {
  const pathOf = (major: number) => join(folder, `node_modules/node${major}/bin/node`);
  const missing = majors.filter((major) => !existsSync(pathOf(major)));
  if (missing.length > 0) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    const specs = missing.map((major) => `node${major}@npm:node-${process.platform}-${process.arch}@${major}`);
    const result = await npm(['install', '--ignore-scripts', ...specs], folder);
    if (result.code !== 0) {
      throw new Error(`Node ${missing.join(' and ')} cannot be had from the npm registry:\n${result.stderr}`);
    }
  }
  return new Map(majors.map((major) => [major, pathOf(major)]));
}

/** Runs npm with the settings of this machine. */
export function npm(args: readonly string[], cwd: string): ReturnType<typeof run> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd, env, timeoutMs: 120_000 });
}
