import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expand } from './expand.ts';

/** A training text of our own. The category of a harmless one is `harmless`. */
export type OwnText = {
  readonly text: string;
  readonly label: 0 | 1;
  readonly category: string;
  /** Its file, or its language. */
  readonly group: string;
};

type Patterns = { readonly group: string; readonly category: string; readonly lines: string[] };

type Folder = {
  readonly slots: Record<string, string[]>;
  readonly patterns: Patterns[];
  /** Slots by language, for patterns shared by all languages. */
  readonly languages: Record<string, Record<string, string[]>>;
  readonly each: Patterns[];
};

/**
 * The texts of `scripts/injection/texts/`: patterns with slots, by category. Headings: `# slot NAME`, `# attack
 * CATEGORY`, `# harmless`, `# language CODE` (then `name: filler | filler`), `# each CATEGORY` (patterns for every
 * language). `\n` is a line break, `\s` a space, `\0` nothing. Deterministic for a seed; `count` texts per pattern with
 * slots.
 */
export function ownTexts(folder: string, { seed, count }: { seed: number; count: number }): OwnText[] {
  const { slots, patterns, languages, each } = readFolder(join(import.meta.dirname, 'texts', folder));
  const all = patterns.map((one) => ({ ...one, slots, count }));
  for (const [language, own] of Object.entries(languages)) {
    const both = { ...slots, ...own };
    for (const { category, lines } of each) {
      const fitting = lines.filter((line) => [...line.matchAll(/\{(\w+)\}/g)].every(([, name]) => both[name ?? '']));
      all.push({ group: language, category, lines: fitting, slots: both, count });
    }
  }
  return all.flatMap(({ group, category, lines, slots: fillers, count: most }, i) =>
    expand(lines, fillers, { count: most, seed: seed + i }).map((text) => ({
      text,
      label: category === 'harmless' ? (0 as const) : (1 as const),
      category,
      group,
    })),
  );
}

const escapes: Readonly<Record<string, string>> = { n: '\n', s: ' ', '0': '' };

function readFolder(folder: string): Folder {
  const read: Folder = { slots: {}, patterns: [], languages: {}, each: [] };
  for (const file of readdirSync(folder).sort()) {
    let take = (_line: string): void => {
      throw new Error(`${file} starts without a heading.`);
    };
    const group = file.replace('.txt', '');
    for (const raw of readFileSync(join(folder, file), 'utf8').split('\n')) {
      if (raw.trim() === '') continue;
      const heading = /^# (slot|attack|harmless|language|each)(?: (\w+))?$/.exec(raw);
      const line = raw.replace(/\\(.)/g, (_, sign: string) => escapes[sign] ?? sign);
      if (heading === null) {
        take(line);
        continue;
      }
      const [, kind, name = ''] = heading;
      if (kind === 'slot') {
        const fillers: string[] = [];
        read.slots[name] = fillers;
        take = (one) => fillers.push(one);
      } else if (kind === 'language') {
        const own: Record<string, string[]> = {};
        read.languages[name] = own;
        take = (one) => {
          const at = one.indexOf(': ');
          own[one.slice(0, at)] = one.slice(at + 2).split(' | ');
        };
      } else {
        const list: Patterns = { group, category: name === '' ? 'harmless' : name, lines: [] };
        (kind === 'each' ? read.each : read.patterns).push(list);
        take = (one) => list.lines.push(one);
      }
    }
  }
  return read;
}
