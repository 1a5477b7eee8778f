/** Compiles the gateway to JavaScript for packages, because Node strips no types below `node_modules`. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, extname, join, relative, resolve } from 'node:path';

/** The folders of an installation, including data. */
const rooms = ['core', 'policy', 'certs', 'config', 'gateway', 'mcp', 'console'];
/** Folders used only in development. */
const leftOut = /(?:^|\/)(?:README\.md|tsconfig\.json|samples\.json)$/;
/** A string literal with a source file name, as in imports, workers and pages. */
const sourceName = /(['"])([\w./{}-]+)\.ts\1/g;
const imported = /(?:\bfrom\s*|\bimport\s*\(?\s*|new URL\(\s*)(['"])(\.[^'"\n]+)\1/g;

/**
 * Compiles all folders into `target`, and writes a package.json with the module type.
 * @throws Error if a compiled module imports a missing file
 */
export function compileRooms(root: string, target: string): void {
  for (const room of rooms) {
    for (const name of readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })) {
      const file = join(root, room, name);
      if (!leftOut.test(name) && statSync(file).isFile()) compileFile(root, file, target);
    }
  }
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const own = { name, version, license, private: true, type: 'module' };
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
  checkImports(target);
}

function compileFile(root: string, file: string, target: string): void {
  const to = join(target, relative(root, file));
  mkdirSync(dirname(to), { recursive: true });
  const isSource = (name: string) =>
    [dirname(file), root].some((folder) => existsSync(resolve(folder, name.replace('{assets}', '.'))));
  const renamed = (text: string) =>
    text.replace(sourceName, (whole, quote: string, name: string) =>
      isSource(`${name}.ts`) ? `${quote}${name}.js${quote}` : whole,
    );
  if (extname(file) === '.ts') {
    writeFileSync(to.replace(/\.ts$/, '.js'), renamed(withoutTypes(readFileSync(file, 'utf8'))));
  } else if (extname(file) === '.html') {
    writeFileSync(to, readFileSync(file, 'utf8').replace(/(\{assets\}\/[\w./-]+)\.ts"/g, '$1.js"'));
  } else {
    cpSync(file, to);
  }
}

function withoutTypes(source: string): string {
  // Types become spaces, so line numbers in stack traces match the repository.
  return stripTypeScriptTypes(source, { mode: 'strip' }).replace(/[ \t]+$/gm, '');
}

function checkImports(target: string): void {
  for (const name of readdirSync(target, { recursive: true, encoding: 'utf8' })) {
    if (extname(name) !== '.js') continue;
    const code = readFileSync(join(target, name), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
    for (const [, , specifier = ''] of code.matchAll(imported)) {
      if (existsSync(resolve(target, dirname(name), specifier))) continue;
      throw new Error(`${name} imports ${specifier}, which is not in the package`);
    }
  }
}
