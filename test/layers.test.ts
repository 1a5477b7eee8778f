import { readdirSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

/** What each room may import from the other rooms. `core/errors.ts` is open to all but the console. */
const rooms: Record<string, { rooms: readonly string[]; node: boolean; typesOnly?: readonly string[] }> = {
  core: { rooms: [], node: false },
  policy: { rooms: [], node: true, typesOnly: ['core'] },
  certs: { rooms: [], node: true },
  config: { rooms: ['policy'], node: true },
  gateway: { rooms: ['core', 'policy', 'certs', 'config'], node: true },
  mcp: { rooms: ['core'], node: true },
  sdk: { rooms: ['core'], node: true },
  console: { rooms: ['core'], node: false, typesOnly: ['gateway', 'policy'] },
};

const root = resolve(import.meta.dirname, '..');
const openFile = 'core/errors.ts';

type Import = { readonly specifier: string; readonly isType: boolean; readonly line: number };

/** The import and re-export lines of a source text, including dynamic imports and `require`. */
function importsOf(source: string): Import[] {
  // Comments are blanked, so that an import shown in a docstring does not count; line numbers stay.
  const code = source
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/^\s*\/\/.*$/gm, '');
  const found: Import[] = [];
  const name = String.raw`\s*['"]([^'"]+)['"]`;
  const statement = new RegExp(
    String.raw`^[ \t]*(?:import|export)(\s+type\b)?(?:[\w\s{},*$]*?\bfrom)?${name}|\b(?:import|require)\(${name}`,
    'gm',
  );
  for (const match of code.matchAll(statement)) {
    const specifier = match[2] ?? match[3];
    if (specifier === undefined) continue;
    const line = code.slice(0, match.index).split('\n').length;
    found.push({ specifier, isType: match[1] !== undefined, line });
  }
  return found;
}

/** The error in an import of a file (path relative to the repository), or undefined. */
function violation(file: string, { specifier, isType }: Import): string | undefined {
  const room = file.split('/')[0] ?? '';
  const rule = rooms[room];
  if (rule === undefined) return undefined;

  if (!specifier.startsWith('.')) {
    const name = specifier.replace(/^node:/, '').split('/')[0] ?? '';
    const isNode = specifier.startsWith('node:') || builtinModules.includes(name);
    return isNode && !rule.node ? `${room}/ may not import Node's ${specifier}` : undefined;
  }

  const target = relative(root, resolve(root, dirname(file), specifier));
  const targetRoom = target.split('/')[0] ?? '';
  if (targetRoom === room) return undefined;
  if (target === openFile) return room === 'console' ? `console/ may not import ${target}` : undefined;
  if (rule.rooms.includes(targetRoom)) return undefined;
  if (rule.typesOnly?.includes(targetRoom)) {
    return isType ? undefined : `${room}/ may import only types of ${targetRoom}/ (import type)`;
  }
  return `${room}/ may not import ${target}`;
}

function sourceFiles(folder: string): string[] {
  const path = join(root, folder);
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|mts|js|mjs)$/.test(name))
    .map((name) => join(folder, name));
}

/** Files that import each other on purpose: a content may contain any other kind of content. */
const recursive = ['content', 'document', 'form', 'mail'].map((name) => `core/payload/${name}.ts`);

/** The groups of files that import each other, types included (Tarjan's algorithm). */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string) => {
    index.set(file, index.size);
    low.set(file, index.get(file) as number);
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(file, Math.min(low.get(file) as number, low.get(next) as number));
    }
    if (low.get(file) !== index.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) found.push(group.toSorted());
  };
  for (const file of graph.keys()) if (!index.has(file)) visit(file);
  return found;
}

test('no files import each other', () => {
  const graph = new Map(
    Object.keys(rooms)
      .flatMap(sourceFiles)
      .map((file) => {
        const imports = importsOf(readFileSync(join(root, file), 'utf8'));
        const own = imports.filter(({ specifier }) => specifier.startsWith('.'));
        return [file, own.map(({ specifier }) => relative(root, resolve(root, dirname(file), specifier)))];
      }),
  );
  expect(circles(graph)).toEqual([recursive]);
});

describe('import rules', () => {
  test.each(Object.keys(rooms))('%s/ imports only what it may', (room) => {
    const wrong = sourceFiles(room).flatMap((file) =>
      importsOf(readFileSync(join(root, file), 'utf8')).flatMap((line) => {
        const reason = violation(file, line);
        return reason === undefined ? [] : [`${file}:${line.line} ${reason}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  test('packages whose files are loaded by path accept only patches, because a minor version may move files', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const loaded = Object.keys(rooms)
      .flatMap(sourceFiles)
      .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(/\bload\('([\w-]+)\//g)])
      .map(([, name = '']) => `${name} ${dependencies[name]?.[0]}`);
    expect([...new Set(loaded)].sort()).toEqual(['node-forge ~', 'prom-client ~', 'undici ~']);
  });

  test('core/ uses no Node-only global', () => {
    const wrong = sourceFiles('core').filter((file) => {
      // Comments and quoted samples may name them.
      const code = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$|'(?:[^'\\\n]|\\.)*'/gm, '');
      return /(?<![\w.'"`-])(?:Buffer|process|__dirname|setImmediate)\b\s*[.(]/.test(code);
    });
    expect(wrong).toEqual([]);
  });
});

describe('the rules themselves', () => {
  test.each<[file: string, source: string, expected: string | undefined]>([
    ['core/mask.ts', `import { x } from './tokens.ts';`, undefined],
    ['core/payload/request.ts', `import { x } from '../errors.ts';`, undefined],
    ['core/mask.ts', `import { readFile } from 'node:fs';`, `core/ may not import Node's node:fs`],
    ['core/mask.ts', `import fs from 'fs/promises';`, `core/ may not import Node's fs/promises`],
    ['core/mask.ts', `const fs = await import('node:fs');`, `core/ may not import Node's node:fs`],
    ['core/mask.ts', `import {\n  a,\n  b,\n} from '../policy/host.ts';`, 'core/ may not import policy/host.ts'],
    ['core/mask.ts', `export * from '../policy/host.ts';`, 'core/ may not import policy/host.ts'],
    ['core/mask.ts', `/** import { x } from '../policy/host.ts' */`, undefined],
    ['core/mask.ts', `// import { x } from '../policy/host.ts'`, undefined],
    ['policy/plan.ts', `import { PrivetError } from '../core/errors.ts';`, undefined],
    ['policy/plan.ts', `import type { Detection } from '../core/recognizer.ts';`, undefined],
    [
      'policy/plan.ts',
      `import { Detector } from '../core/detect/detector.ts';`,
      'policy/ may import only types of core/ (import type)',
    ],
    ['certs/ca.ts', `import type { Config } from '../config/schema.ts';`, 'certs/ may not import config/schema.ts'],
    ['config/load.ts', `import '../gateway/main.ts';`, 'config/ may not import gateway/main.ts'],
    ['gateway/main.ts', `import { loadConfig } from '../config/load.ts';`, undefined],
    ['gateway/main.ts', `import { x } from '../mcp/server.ts';`, 'gateway/ may not import mcp/server.ts'],
    ['sdk/index.ts', `import { Masker } from '../core/mask.ts';`, undefined],
    ['console/app.ts', `import { errorCodes } from '../core/errors.ts';`, 'console/ may not import core/errors.ts'],
  ])('%s: %s', (file, source, expected) => {
    const found = importsOf(source).map((line) => violation(file, line));
    expect(found.find((reason) => reason !== undefined)).toBe(expected);
  });
});
