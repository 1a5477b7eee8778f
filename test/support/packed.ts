/** Packages as users install them: packed by npm, and unpacked into an empty project, without a network. */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { run } from './run.ts';
import { tempFolder } from './temp.ts';

const root = resolve(import.meta.dirname, '../..');

/**
 * Runs `npm pack` on a copy, so that nobody who reads the repository meanwhile sees the compiled files.
 * @returns the path of the tarball
 */
export async function npmPack(names: readonly string[], folder = '.'): Promise<string> {
  const copy = tempFolder('pack');
  for (const name of names) cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const cwd = join(copy, folder);
  const result = await run('npm', ['pack', '--json', '--offline', '--loglevel=error'], { cwd });
  const [packed] = result.code === 0 ? (JSON.parse(result.text) as { filename: string }[]) : [];
  if (packed === undefined) throw new Error(`npm pack: ${result.stderr}`);
  return join(cwd, packed.filename);
}

/**
 * An empty project with a package in it. It sees only the packages that the package declares, and `others`; they are
 * links to those of this repository.
 */
export async function projectWith(tarball: string, others: readonly string[] = []): Promise<string> {
  const project = tempFolder('project');
  writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }\n');
  const modules = join(project, 'node_modules');
  const unpacked = join(project, 'unpacked');
  mkdirSync(unpacked);
  const { code, stderr } = await run('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
  if (code !== 0) throw new Error(stderr);
  const { name, dependencies, bin } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')) as Manifest;
  cpSync(unpacked, join(modules, name), { recursive: true });
  for (const other of [...Object.keys(dependencies), ...others]) {
    mkdirSync(dirname(join(modules, other)), { recursive: true });
    symlinkSync(join(root, 'node_modules', other), join(modules, other));
  }
  mkdirSync(join(modules, '.bin'));
  for (const [command, file] of Object.entries(bin ?? {})) {
    symlinkSync(join('..', name, file), join(modules, '.bin', command));
  }
  return project;
}

type Manifest = {
  readonly name: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
};
