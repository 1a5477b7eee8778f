/**
 * Serves the console files: TypeScript without its types, libraries from node_modules, compressed, and the core/
 * modules they import, which run in a browser unchanged. There is no build step: a file is prepared at its first
 * request, or in the background, and cached.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, posix, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Supported content codings, best first. */
export const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];

export type PageFile = {
  readonly type: string;
  /** The bytes in that coding; compressed once. */
  readonly bytes: (encoding: Encoding) => Promise<Buffer>;
};

const types: Readonly<Record<string, string>> = {
  ts: 'text/javascript; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  // Data that a module imports: served as a module, which every browser reads.
  json: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  html: 'text/html; charset=utf-8',
};

/** Packages that the pages import → their path among the files, and their source. */
const libraries: Readonly<Record<string, () => string>> = {
  preact: () => sourceOf('preact'),
  'preact/hooks': () => sourceOf('preact/hooks'),
  htm: () => sourceOf('htm'),
  // The package has no minified module, so its minified script is turned into one. A third of the size.
  uplot: () => `${readFileSync(besideMain('uplot', 'uPlot.iife.min.js'), 'utf8')}\nexport default uPlot;\n`,
  'uplot.css': () => readFileSync(besideMain('uplot', 'uPlot.min.css'), 'utf8'),
};

const root = resolve(import.meta.dirname, '../../console');
/** Static imports of TypeScript, without type imports. */
const importedForUse = /^(?:import|export)(?!\s+type\b)[^'";]*?\bfrom\s*'([^']+)'/gm;
const jsonType = " with { type: 'json' }";
const imported = /(\b(?:from|import)\s*\(?\s*)(['"])([^'"\n]+)\2/g;

/** All files of one folder of pages, by path (`shared/button.ts`, `vendor/preact.js`). */
export class PageFiles {
  /** A hash over all sources. File URLs contain it, so browsers may cache them forever. */
  readonly build: string;
  readonly #sources: ReadonlyMap<string, string>;
  readonly #files = new Map<string, PageFile>();
  readonly #pages = new Map<string, PageFile>();

  constructor(folder: string = root) {
    const sources = new Map<string, string>();
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      if (!/\.(?:[tj]s|css|svg|html)$/.test(path)) continue;
      sources.set(path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8'));
    }
    for (const [path, source] of [...sources]) addModulesOf(path, source, { sources, folder });
    for (const [name, read] of Object.entries(libraries)) sources.set(libraryPath(name), read());
    this.#sources = sources;
    const hash = createHash('sha256');
    for (const [path, source] of sources) hash.update(path).update('\0').update(source).update('\0');
    this.build = hash.digest('hex').slice(0, 16);
  }

  address(path: string): string {
    return `/assets/${this.build}/${path}`;
  }

  /** A file; undefined if there is none. Never a file outside the folder: only listed files are served. */
  file(path: string): PageFile | undefined {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const source = this.#sources.get(path);
    if (source === undefined || path.endsWith('.html')) return undefined;
    const file = packed(this.#text(path, source), types[extensionOf(path)] ?? 'application/octet-stream');
    this.#files.set(path, file);
    return file;
  }

  /**
   * A page: its HTML with the addresses of this build in place of `{assets}`, and a hint for every module that the page
   * will need, so that the browser fetches them at once and not one after the other. `content` replaces `{content}`.
   */
  page(path: string, content?: () => string): PageFile {
    const known = this.#pages.get(path);
    if (known !== undefined) return known;
    const source = this.#sources.get(path);
    if (source === undefined) throw new Error(`there is no page ${path}`);
    const entry = /type="module" src="\{assets\}\/([^"]+)"/.exec(source)?.[1];
    const hints = entry === undefined ? [] : this.#modulesOf(entry);
    const html = source
      .replace(
        '</head>',
        `${hints.map((path) => `<link rel="modulepreload" href="{assets}/${path}">\n`).join('')}</head>`,
      )
      .replaceAll('{assets}', `/assets/${this.build}`)
      .replace('{content}', () => content?.() ?? '');
    const file = packed(html, types.html as string);
    this.#pages.set(path, file);
    return file;
  }

  /** Prepares all files in the order a browser requests them, and yields after each. */
  async prepare(): Promise<void> {
    for (const path of this.#sources.keys()) {
      await this.file(path)?.bytes('br');
      await setImmediate();
    }
  }

  #text(path: string, source: string): string {
    if (path.endsWith('.json')) return `export default ${source.trim()};\n`;
    if (!/\.[tj]s$/.test(path)) return source;
    const code = path.endsWith('.ts') ? withoutTypes(source) : source;
    return this.#withAddresses(path, code.replaceAll(jsonType, ''));
  }

  /** Rewrites package imports and imports that leave the page folder; other relative ones work unchanged. */
  #withAddresses(path: string, code: string): string {
    return code.replace(imported, (whole, before: string, quote: string, name: string) => {
      const target = targetOf(path, name);
      return target === undefined || !(name in libraries || isOutside(path, name))
        ? whole
        : `${before}${quote}${this.address(target)}${quote}`;
    });
  }

  #modulesOf(entry: string, found = new Set<string>()): readonly string[] {
    const source = this.#sources.get(entry);
    if (source === undefined || found.has(entry)) return [...found];
    found.add(entry);
    for (const [, name = ''] of source.matchAll(importedForUse)) {
      const target = targetOf(entry, name);
      if (target !== undefined) this.#modulesOf(target, found);
    }
    return [...found];
  }
}

/** The path of an imported module; undefined if it is not one of ours. */
function targetOf(path: string, name: string): string | undefined {
  if (name in libraries) return libraryPath(name);
  return name.startsWith('.') ? posix.join(posix.dirname(path), name).replace(/^\.\.\//, '') : undefined;
}

/** Whether a relative import leaves the page folder. */
function isOutside(path: string, name: string): boolean {
  return name.startsWith('.') && posix.join(posix.dirname(path), name).startsWith('../');
}

/** Adds the modules outside the page folder that a file needs, transitively. */
function addModulesOf(
  path: string,
  source: string,
  into: { readonly sources: Map<string, string>; readonly folder: string },
): void {
  const { sources, folder } = into;
  for (const [, name = ''] of source.matchAll(importedForUse)) {
    const target = targetOf(path, name);
    if (target === undefined || !target.startsWith('core/') || sources.has(target)) continue;
    const text = readFileSync(join(folder, '..', target), 'utf8');
    sources.set(target, text);
    addModulesOf(target, text, into);
  }
}

function libraryPath(name: string): string {
  return `vendor/${name.endsWith('.css') ? name : `${name.replace('/', '-')}.js`}`;
}

function sourceOf(name: string): string {
  // Source maps are not served.
  return readFileSync(fileURLToPath(import.meta.resolve(name)), 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '');
}

function besideMain(name: string, file: string): string {
  return join(dirname(fileURLToPath(import.meta.resolve(name))), file);
}

function extensionOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/**
 * Strips TypeScript types, replacing them with blanks. Node warns at the first call that the function may change; a
 * test checks the pages with the Node version in use, and administrators could do nothing about the warning.
 */
function withoutTypes(source: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    // Remove the blanks left by lines that contained only types.
    return stripTypeScriptTypes(source, { mode: 'strip' })
      .replace(/[ \t]+$/gm, '')
      .replace(/\n{3,}/g, '\n\n');
  } finally {
    process.emitWarning = emitWarning;
  }
}

const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress);

function packed(text: string, type: string): PageFile {
  const plain = Buffer.from(text);
  const made = new Map<Encoding, Promise<Buffer>>([['identity', Promise.resolve(plain)]]);
  const pack = (encoding: Encoding): Promise<Buffer> =>
    encoding === 'gzip'
      ? gzipped(plain, { level: 9 })
      : brotlied(plain, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: 9,
            // The default window has to be allocated and cleared for every file: seven times the work for no byte less.
            [constants.BROTLI_PARAM_LGWIN]: 16,
            [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
          },
        });
  return {
    type,
    bytes(encoding) {
      const known = made.get(encoding) ?? pack(encoding);
      made.set(encoding, known);
      return known;
    },
  };
}
