/** Links between the pages lead to existing files and headings; the files that docs/architecture.md names exist. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anyOf } from '../../core/patterns.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const pages = globSync('**/*.md', {
  cwd: root,
  exclude: (path) => /(^|\/)(node_modules|tmp|data|test|coverage)(\/|$)/.test(path),
}).sort();

/** The text without code, whose brackets are not links. */
function prose(page: string): string {
  return read(page)
    .replaceAll(/^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm, '')
    .replaceAll(/`[^`\n]*`/g, '`');
}

/** The anchors of a page's headings, as hosting services generate them. */
function anchors(page: string): Set<string> {
  const text = read(page).replaceAll(/^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm, '');
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .trim()
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

test('there are pages', () => {
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'README.ja.md', 'docs/architecture.md']));
});

// The reference of the SDK is generated, with links to declarations.
describe.each(pages.filter((page) => !page.startsWith('docs/sdk/reference/')))('%s', (page) => {
  const targets = [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);

  test('links have a target', () => {
    const lost = targets.filter((target) => {
      if (/^[a-z]+:/.test(target)) return false;
      const [path = '', anchor] = decodeURI(target).split('#');
      const file = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(root, file))) return true;
      return anchor !== undefined && file.endsWith('.md') && !anchors(file).has(anchor);
    });
    expect(lost).toEqual([]);
  });

  test('mentioned files exist', () => {
    const folders = anyOf('bench certs config console core deploy docs eval gateway mcp policy scripts sdk test');
    const named = read(page).match(new RegExp(String.raw`(?<![\w./-])${folders}/[\w./-]*\w`, 'g'));
    expect((named ?? []).filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  const named = [...read('docs/architecture.md').matchAll(/`([\w./-]+(?:\.ts|\/))`/g)].map(([, name = '']) => name);

  /** Files are named relative to the root or gateway/proxy; a folder also relative to the one that its row is about. */
  function exists(name: string): boolean {
    if (existsSync(join(root, name)) || existsSync(join(root, 'gateway/proxy', name))) return true;
    return name.endsWith('/') && globSync(`{core,gateway,console}/**/${name}`, { cwd: root }).length > 0;
  }

  test('every mentioned file and folder exists', () => {
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((name) => !exists(name))).toEqual([]);
  });

  test('every source folder is mentioned', () => {
    const folders = globSync('{core,policy,certs,config,gateway/*,console,mcp,sdk,deploy,bench,eval,scripts,test}/', {
      cwd: root,
    }).map((folder) => `${folder.replace(/\/$/, '')}/`);
    expect(folders.filter((folder) => !named.includes(folder))).toEqual([]);
  });
});

test('decisions are numbered without gaps', () => {
  const numbers = globSync('docs/decisions/*.md', { cwd: root })
    .map((file) => Number(/(\d{4})-[a-z0-9-]+\.md$/.exec(file)?.[1]))
    .sort((a, b) => a - b);
  expect(numbers).toEqual(numbers.map((_, i) => i + 1));
});
