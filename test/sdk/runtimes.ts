/**
 * The runtimes that the SDK is for, as programs: other versions of Node, Deno and Bun. All come from packages of the
 * registry that hold nothing but the program, so no install script runs. They are kept in node_modules/.cache.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { run } from '../support/run.ts';

/** A runtime; a file is run as `program ...args file`. */
export type Runtime = { readonly name: string; readonly program: string; readonly args: readonly string[] };

type Source = { readonly name: string; readonly spec: string; readonly path: string; readonly args: readonly string[] };

const folder = join(resolve(import.meta.dirname, '../..'), 'node_modules/.cache/privet-runtimes');
const { platform, arch } = process;

function node(major: number): Source {
  const spec = `npm:node-${platform}-${arch}@${major}`;
  return { name: `Node ${major}`, spec: `node${major}@${spec}`, path: `node${major}/bin/node`, args: [] };
}

const deno = `@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}`;
const bun = `@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}`;

const sources: readonly Source[] = [
  node(20),
  node(22),
  node(24),
  {
    name: 'Deno',
    spec: `${deno}@2`,
    path: `${deno}/deno`,
    args: ['run', '--allow-all', '--no-remote', '--node-modules-dir=manual', '--quiet'],
  },
  { name: 'Bun', spec: `${bun}@1`, path: `${bun}/bin/bun`, args: ['--no-install'] },
];

/** Names of all runtimes, in the order of {@link runtimes}. */
export const runtimeNames = sources.map(({ name }) => name);

/** The runtimes, installed when they are not there yet. @throws Error that says what failed when the registry is away */
export async function runtimes(): Promise<Map<string, Runtime>> {
  const programOf = ({ path }: Source) => join(folder, 'node_modules', path);
  const missing = sources.filter((source) => !existsSync(programOf(source)));
  if (missing.length > 0) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    const result = await npm(['install', '--ignore-scripts', ...missing.map(({ spec }) => spec)], folder);
    if (result.code !== 0) {
      const names = missing.map(({ name }) => name).join(', ');
      throw new Error(`${names} cannot be had from the npm registry, so they were not tested:\n${result.stderr}`);
    }
  }
  return new Map(
    sources.map((source) => [source.name, { name: source.name, program: programOf(source), args: source.args }]),
  );
}

/** Runs npm with the settings of this machine. */
export function npm(args: readonly string[], cwd: string): ReturnType<typeof run> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd, env, timeoutMs: 120_000 });
}
