/** The committed reference lists everything that the SDK exports; TypeDoc itself runs from docs/sdk/typedoc. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Names of `export { … } from`, `export type { … } from` and of declarations. */
function exportsOf(source: string): string[] {
  const lists = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) => list.split(','));
  const declared = [...source.matchAll(/^export (?:async )?(?:function|const|class|type|interface) (\w+)/gm)];
  return [...lists.map((name) => name.replace(/\btype\b/, '').trim()), ...declared.map(([, name = '']) => name)].filter(
    (name) => name !== '',
  );
}

test.each(['index', 'express', 'fastify', 'web', 'ai-sdk', 'langchain', 'redis', 'sqlite', 'light'])('%s', (entry) => {
  const names = exportsOf(read(`sdk/${entry}.ts`));
  expect(names.length).toBeGreaterThan(1);
  const page = read(`docs/sdk/reference/${entry}.md`);
  for (const name of names) expect(page, name).toMatch(new RegExp(`^### ${name}(?:\\(\\))?$`, 'm'));
});

test('the methods of Privet are described', () => {
  const page = read('docs/sdk/reference/index.md');
  const methods = [...read('sdk/privet-types.ts').matchAll(/^ {2}(\w+)(?:<\w+>)?\(.*\): .*;$/gm)].map(
    ([, name]) => name,
  );
  expect(methods).toEqual(expect.arrayContaining(['mask', 'restoreStream', 'ragIngest', 'protectFetch']));
  for (const name of methods) expect(page, name).toMatch(new RegExp(`^##### ${name}\\(\\)$`, 'm'));
});
