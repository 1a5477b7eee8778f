/**
 * The supported runtimes of the SDK, as programs: other versions of Node, Deno and Bun. All come from registry packages
 * that contain only the program, so no install script runs. A Node on the PATH is used as well.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fetchedFolder, fetchPackages } from '../support/fetched.ts';

/** A runtime; a file is run as `program ...args file`. */
export type Runtime = {
  readonly name: string;
  readonly program: string | undefined;
  readonly args: readonly string[];
};

type Source = {
  readonly name: string;
  readonly spec: string;
  readonly path: string;
  readonly args: readonly string[];
  /** Of Node: its version. */
  readonly major?: number;
};

const folder = fetchedFolder('runtimes');
const { platform, arch } = process;

function node(major: number): Source {
  const spec = `npm:node-${platform}-${arch}@${major}`;
  return { name: `Node ${major}`, spec: `node${major}@${spec}`, path: `node${major}/bin/node`, args: [], major };
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

/** All runtimes; those without a program are not installed. */
export const runtimes: readonly Runtime[] = sources.map((source) => ({
  name: source.name,
  program: programOf(source),
  args: source.args,
}));

/**
 * Downloads missing runtimes if the registry can be reached.
 * @returns what is still missing and why, as a sentence; undefined when all are there
 */
export function fetchRuntimes(): string | undefined {
  const missing = sources.filter((source) => programOf(source) === undefined);
  const problem = fetchPackages(
    'runtimes',
    missing.map(({ spec }) => spec),
  );
  const names = missing.map(({ name }) => name).join(', ');
  return problem && `The SDK is not tested on ${names}, because they cannot be had from the npm registry:\n${problem}`;
}

function programOf({ path, major }: Source): string | undefined {
  if (major === Number(process.versions.node.split('.')[0])) return process.execPath;
  const fetched = join(folder, 'node_modules', path);
  if (existsSync(fetched)) return fetched;
  return major === undefined ? undefined : nodeOnPath(major);
}

/** A Node of the system with the required version, from a version manager or a package of the distribution. */
function nodeOnPath(major: number): string | undefined {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const program = join(folder, 'node');
    if (!existsSync(program)) continue;
    const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
    if (stdout?.startsWith(`v${major}.`)) return program;
  }
  return undefined;
}
