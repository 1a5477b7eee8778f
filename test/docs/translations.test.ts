/** A page and its translation name the same commands, keys, files and addresses. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Words that are translated within a command. */
const translated = new Map([
  ['npx privet help コマンド名', 'npx privet help COMMAND'],
  ['privet check URL --user 名前', 'privet check URL --user NAME'],
]);

/** The text in back-ticks, without code blocks. */
function words(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/^ *(`{3,})[^\n]*\n[\s\S]*?^ *\1$/gm, '');
  const found = [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word.replaceAll(/\s+/g, ' '));
  return [...new Set(found.map((word) => translated.get(word) ?? word))].sort();
}

test('README.ja.md mentions what README.md mentions', () => {
  expect(words('README.md').length).toBeGreaterThan(5);
  expect(words('README.ja.md')).toEqual(words('README.md'));
});

test.each([
  ['docs/for-administrators.md', 'docs/ja/for-administrators.md'],
  ['docs/for-employees.md', 'docs/ja/for-employees.md'],
])('%s and %s', (page, translation) => {
  expect(words(page).length).toBeGreaterThan(5);
  expect(words(translation)).toEqual(words(page));
});
