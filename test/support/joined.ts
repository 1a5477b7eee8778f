/**
 * Joins the modules of the gateway into few files before all tests, as those of the SDK are shipped. Some two hundred gateways
 * are started; from its sources each loads 700 modules, which takes two fifths of the CPU of the start.
 *
 * The tests of the command line, of start-up, of workers, of the package and of the README run the sources.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

const root = resolve(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/joined');
const rooms = ['core', 'policy', 'certs', 'config', 'gateway'];
/** Packages that the gateway imports when it first uses them. */
const later = /^(?:node:|@anthropic-ai\/|@google\/|@redis\/|openai$|pg$|unpdf$)/;
const thread = /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g;

const plugin: Plugin = {
  name: 'gateway',
  resolveId(source, importer = '') {
    if (!/^\..*\.json$/.test(source)) return undefined;
    return { id: join(dirname(importer), source), external: 'absolute' };
  },
  transform(code, id) {
    if (id.includes('node_modules') || !code.includes('import.meta.')) return undefined;
    const withThreads = code.replace(thread, (_whole, name: string) => {
      const fileName = `${name}.mjs`;
      this.emitFile({ type: 'chunk', id: join(dirname(id), `${name}.ts`), fileName });
      return `new URL('./${fileName}', import.meta.url)`;
    });
    return withThreads.replaceAll('import.meta.dirname', JSON.stringify(dirname(id)));
  },
};

/** Changes when a source or an installed package does. */
function stateOfSources(): string {
  const hash = createHash('sha256');
  const listed = rooms.flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((name) => join(room, name)),
  );
  for (const name of [...listed, 'package-lock.json', 'test/support/joined.ts']) {
    const { mtimeMs, size } = statSync(join(root, name));
    hash.update(`${name} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

/** Vitest's global set-up. Sets JOINED_GATEWAY to the path of the joined program. */
export default async function setup(): Promise<void> {
  const folder = join(cache, stateOfSources());
  if (!existsSync(folder)) await build(folder);
  process.env.JOINED_GATEWAY = join(folder, 'main.mjs');
}

async function build(folder: string): Promise<void> {
  const input = { main: join(root, 'gateway/main.ts') };
  const gateway = await rolldown({ input, platform: 'node', external: later, plugins: [plugin], logLevel: 'silent' });
  const building = `${folder}-${process.pid}`;
  const names = { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' };
  await gateway.write({ dir: building, format: 'esm', ...names });
  await gateway.close();
  for (const name of readdirSync(cache)) {
    const old = join(cache, name);
    if (Date.now() - statSync(old).mtimeMs > 3_600_000) rmSync(old, { recursive: true });
  }
  try {
    renameSync(building, folder);
  } catch (error) {
    // Another run of the tests may have been faster.
    if (!existsSync(folder)) throw error;
    rmSync(building, { recursive: true });
  }
}
