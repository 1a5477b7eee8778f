/**
 * Loads the instrumented modules into this process. For a mutant in load-time code, loads that module and its
 * dependants again, as new instances next to the old ones.
 */
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const standIns: Record<string, string> = {
  vitest: new URL('./collect.ts', import.meta.url).href,
  'fast-check': new URL('./laws.ts', import.meta.url).href,
};
const root = pathToFileURL(`${process.cwd()}/`).href;

const importers = new Map<string, Set<string>>();
const stripped = new Map<string, string>();
let renewed: ReadonlySet<string> = new Set();
let round = 0;

const plain = (url: string) => url.replace(/\?.*$/, '');
const isOurs = (url: string) => url.startsWith(root) && !url.includes('/node_modules/');

/** Starts recording imports; `vitest` and `fast-check` in test files are replaced. */
export function watchModules(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const from = plain(context.parentURL ?? '');
      const standIn = standIns[specifier];
      if (standIn && from !== standIn && isOurs(from)) return { url: standIn, shortCircuit: true };
      const found = next(specifier, context);
      const url = plain(found.url);
      if (!isOurs(url)) return found;
      if (isOurs(from)) importers.set(url, (importers.get(url) ?? new Set()).add(from));
      return renewed.has(url) ? { ...found, url: `${url}?round=${round}` } : found;
    },
    load(url, context, next) {
      const source = plain(url);
      if (!isOurs(source) || !source.endsWith('.ts')) return next(url, context);
      let text = stripped.get(source);
      if (text === undefined) {
        text = stripTypeScriptTypes(readFileSync(fileURLToPath(source), 'utf8'));
        stripped.set(source, text);
      }
      return { format: 'module', source: text, shortCircuit: true };
    },
  });
}

/** A file and all its direct and indirect importers. */
export function dependantsOf(file: string): ReadonlySet<string> {
  const found = new Set([pathToFileURL(file).href]);
  for (const url of found) for (const importer of importers.get(url) ?? []) found.add(importer);
  return new Set([...found].map((url) => fileURLToPath(url)));
}

/** Makes the next import of each of these files load it again. */
export function renew(files: Iterable<string>): void {
  round++;
  renewed = new Set([...files].map((file) => pathToFileURL(file).href));
}

/** Imports a file, again if it was passed to `renew`. */
export async function load(file: string): Promise<void> {
  const url = pathToFileURL(file).href;
  await import(renewed.has(url) ? `${url}?round=${round}` : url);
}
