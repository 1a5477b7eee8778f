/**
 * Compiles the raw list of Japanese municipalities into `core/data/`. Deterministic.
 *
 *   node scripts/compile-lists.ts LISTS
 *
 * LISTS: the folder with the raw list named in core/data/README.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node scripts/compile-lists.ts LISTS');
  process.exit(2);
}

const byPrefecture = new Map<string, string[]>();
const rows = readFileSync(join(folder, 'municipalities_ja.tsv'), 'utf8')
  .replace(/^\uFEFF/, '')
  .split(/\r?\n/);
for (const row of rows.filter((line) => line !== '')) {
  const [prefecture, municipality] = row.split('\t') as [string, string];
  const list = byPrefecture.get(prefecture) ?? [];
  byPrefecture.set(prefecture, list);
  list.push(municipality);
}
const lists = {
  generated: 'by scripts/compile-lists.ts, see README.md for how and from what; not edited by hand',
  // Each row: a prefecture, then its municipalities.
  municipalities: [...byPrefecture].map(([prefecture, list]) => `${prefecture} ${list.join(' ')}`),
};
const text = `${JSON.stringify(lists, null, 2)}\n`;
writeFileSync(resolve(import.meta.dirname, '../core/data/municipalities.json'), text);
console.log(`municipalities.json: ${Math.round(text.length / 1024)} KiB`);
