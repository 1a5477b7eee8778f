/** The gateway's modules as a few large files: a start that reads 950 small ones takes twice the CPU. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'rolldown';

const root = resolve(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/gateway');
const sources = ['certs', 'config', 'core', 'gateway', 'mcp', 'policy', 'sdk'];
let made: Promise<string> | undefined;

/**
 * The entry point of the gateway as it is in the repository now, bundled; what an earlier run has made is used again.
 * Modules that read files beside them find those of the repository; threads and worker processes start from the bundle.
 */
export function bundledGateway(): Promise<string> {
  made ??= make();
  return made;
}

async function make(): Promise<string> {
  const folder = join(cache, stateOfSources());
  const program = join(folder, 'main.js');
  if (existsSync(program)) return program;

  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(join(cache, 'unfinished-'));
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: join(root, 'gateway/main.ts'),
    platform: 'node',
    onLog: () => undefined,
    plugins: [ownPlaces],
  });
  await bundle.write({ dir: unfinished });
  await bundle.close();
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(program)) throw error; // Otherwise another process was faster.
    rmSync(unfinished, { recursive: true });
  }
  removeOld();
  return program;
}

/** Leaves what a run in another process may still use. */
function removeOld(): void {
  for (const path of readdirSync(cache).map((name) => join(cache, name))) {
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Number.POSITIVE_INFINITY };
    if (Date.now() - mtimeMs > 1_200_000) rmSync(path, { recursive: true, force: true });
  }
}

/** The program's own files are named by their place in the repository, what it starts by its place in the bundle. */
const ownPlaces: Plugin = {
  name: 'own-places',
  transform(code, id) {
    if (!code.includes('import.meta.')) return null;
    const { href } = pathToFileURL(id);
    return code
      .replace("import.meta.dirname, 'main.ts'", "import.meta['dirname'], 'main.js'")
      .replaceAll(/new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g, (_url, name: string) => {
        this.emitFile({ type: 'chunk', id: join(dirname(id), `${name}.ts`), fileName: `${name}.js` });
        return `new URL('./${name}.js', import.meta['url'])`;
      })
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
      .replaceAll('import.meta.url', JSON.stringify(href));
  },
};

/** Another one after each change of a file that the bundle is made of. */
function stateOfSources(): string {
  const state = createHash('sha256').update(process.version);
  const files = sources.flatMap((name) =>
    readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).map((file) => join(name, file)),
  );
  for (const file of [...files.sort(), 'package-lock.json', 'test/support/bundled.ts']) {
    const { mtimeMs, size } = statSync(join(root, file));
    state.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return state.digest('hex').slice(0, 16);
}
