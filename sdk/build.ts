/**
 * Builds the contents of the package.
 *
 *   node build.ts            compiles into dist/ and copies the licenses here
 *   node build.ts FOLDER     only compiles, into this folder
 *   node build.ts clean      removes the results of the first one
 *
 * `tsc` compiles, and its modules are then joined into one file per entry and one that they share: importing 130 files
 * takes 2.5 times as long (docs/decisions/0006-sdk-joined-modules.md). The types are those of `tsc`.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type InputOptions, type Plugin, rolldown } from 'rolldown';

const here = import.meta.dirname;
const root = join(here, '..');
const dist = join(here, 'dist');
/** `privet` is not an entry of the package; with its code in a separate file, `index` only re-exports. */
const entries = [
  ...['index', 'privet', 'errors', 'types'],
  ...['express', 'fastify', 'web', 'ai-sdk', 'langchain', 'redis', 'sqlite'],
];
const licenses = [
  { from: join(root, 'LICENSE'), to: join(here, 'LICENSE') },
  // Licenses of the name lists that are compiled into core.
  { from: join(root, 'core/data/NOTICE'), to: join(here, 'NOTICE') },
];

async function build(folder: string): Promise<void> {
  const types = join(folder, 'types');
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', join(here, 'tsconfig.json'), '--outDir', types], { stdio: 'inherit' });
  const options: InputOptions = {
    external: ['re2js', /^node:/],
    platform: 'neutral',
    resolve: { modules: [join(root, 'node_modules')] },
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message);
    },
  };
  const moduleOf = (name: string) => join(types, 'sdk', `${name}.js`);
  const bundle = await rolldown({
    ...options,
    input: Object.fromEntries(entries.map((name) => [name, moduleOf(name)])),
  });
  await bundle.write({ dir: folder, format: 'esm', chunkFileNames: 'shared.js' });
  await bundle.close();
  const light = await rolldown({
    ...options,
    input: moduleOf('light'),
    plugins: [withoutLists(types)],
    treeshake: { moduleSideEffects: false },
  });
  await light.write({ file: join(folder, 'light.js'), format: 'esm', minify: true });
  await light.close();
  writeCommonJs(folder, types);
  for (const name of readdirSync(types, { recursive: true, encoding: 'utf8' })) {
    // Everything but types is in the joined modules; no public type needs those of the lists.
    if (/\.js(?:on)?$/.test(name) || name.startsWith('core/data/'))
      rmSync(join(types, name), { recursive: true, force: true });
  }
}

/** Modules of core that the light entry replaces, by path: export → replacement. */
const replaced: Readonly<Record<string, string>> = {
  'core/names/word-kinds.js': ['isFunctionWord', 'isListedName', 'isNoNameWord', 'isPlaceWord']
    .map((name) => `export const ${name} = () => false;`)
    .join('\n'),
  'core/injection/index.js': ['detectInjection', 'detectSqlInjection', 'detectAllInjections']
    .map((name) => `export const ${name} = undefined;`)
    .join('\n'),
};
/** Recognizers that need name lists. */
const ofNames = /^import .* from '\.\/(?:name|name-ja|person-name|company-name)\.js';$/;

function withoutLists(types: string): Plugin {
  const pathOf = (id: string) => relative(types, id).replaceAll('\\', '/');
  return {
    name: 'without-lists',
    // All entries share one error class.
    resolveId: (source) =>
      /(?:core|\.)\/errors\.js$/.test(source) ? { id: './errors.js', external: true } : undefined,
    transform(code, id) {
      const path = pathOf(id);
      if (replaced[path] !== undefined) return replaced[path];
      return path === 'core/recognizers/index.js' ? withoutNames(code) : undefined;
    },
  };
}

/** The list of recognizers without those for names. */
function withoutNames(code: string): string {
  const lines = code.split('\n');
  const left = lines.filter((line) => ofNames.test(line)).map((line) => /(\w+) \}/.exec(line)?.[1]);
  if (left.length === 0) throw new Error('the list of recognizers has no line for names any more');
  return lines.filter((line) => !ofNames.test(line) && !left.includes(line.trim().replace(/,$/, ''))).join('\n');
}

/** For `require`: modules that re-export the ones above, with types that TypeScript reads as CommonJS in this folder. */
function writeCommonJs(folder: string, types: string): void {
  const common = join(folder, 'cjs');
  cpSync(types, join(common, 'types'), { recursive: true, filter: (name) => !/\.js(?:on)?$/.test(name) });
  writeFileSync(join(common, 'package.json'), '{ "type": "commonjs" }\n');
  for (const name of [...entries, 'light']) {
    const target = JSON.stringify(`../${name}.js`);
    if (name !== 'privet') writeFileSync(join(common, `${name}.js`), `module.exports = require(${target});\n`);
  }
}

const [target] = process.argv.slice(2);
if (target === undefined || target === 'clean') {
  for (const { to } of licenses) rmSync(to, { force: true });
  rmSync(dist, { recursive: true, force: true });
}
if (target === undefined) {
  await build(dist);
  for (const { from, to } of licenses) copyFileSync(from, to);
} else if (target !== 'clean') {
  await build(target);
}
