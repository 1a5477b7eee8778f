/**
 * The evaluation data: marked texts of our own, and JSON Lines from public projects (see data/README.md).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Random, randomFrom } from './random.ts';
import { generators, shaped } from './values.ts';

/** A zone of a text, UTF-16 offsets. */
export type Zone = { readonly start: number; readonly end: number };

/** One text with what must be found in it. */
export type PiiRecord = {
  readonly id: string;
  readonly file: string;
  readonly lang: 'en' | 'ja';
  readonly source: string;
  readonly text: string;
  readonly spans: readonly (Zone & { readonly type: string })[];
  /** Neither right nor wrong, whatever is found there. */
  readonly optional: readonly Zone[];
  /** Only these types count in this record. */
  readonly judge?: readonly string[];
  /** Further hits are not counted. */
  readonly isRecallOnly: boolean;
  /** Nothing may be found. */
  readonly isClean: boolean;
};

/** A text, and whether it is an attack. */
export type InjectionRecord = {
  readonly id: string;
  readonly lang: 'en' | 'ja';
  readonly kind: 'prompt' | 'sql';
  readonly source: string;
  readonly category: string;
  readonly text: string;
  readonly isAttack: boolean;
};

const dataFolder = join(import.meta.dirname, 'data');
/** Each marked text is filled with values this many times. */
const draws = 3;

/** All texts for the PII types, file by file. */
export function readPiiRecords(): PiiRecord[] {
  const heldout = (['en', 'ja'] as const).flatMap((lang) =>
    [lang, `documents-${lang}`].flatMap((name) => readMarked(`heldout/${name}.txt`, { lang, draws })),
  );
  const byType = readdirSync(join(dataFolder, 'heldout/types')).filter((name) => name.endsWith('.txt'));
  const lines = byType.sort().flatMap((name) => readTypeLines(`heldout/types/${name}`));
  const clean = readMarked('heldout/clean.txt', { lang: 'en', draws: 1 });
  const whole = linesIn('heldout/texts').flatMap((name) => readPiiLines(`heldout/texts/${name}`));
  const files = linesIn('pii').flatMap((name) => readPiiLines(`pii/${name}`));
  return [...heldout, ...lines, ...whole, ...clean, ...files];
}

function linesIn(folder: string): string[] {
  const names = readdirSync(join(dataFolder, folder)).filter((name) => name.endsWith('.jsonl'));
  return names.sort();
}

/** All texts for injection. */
export function readInjectionRecords(): InjectionRecord[] {
  const lines = linesIn('injection').flatMap((name) => readLines(`injection/${name}`));
  const records = lines.map(
    (line): InjectionRecord => ({
      id: String(line.id),
      lang: line.lang === 'ja' ? 'ja' : 'en',
      kind: line.kind === 'sql' ? 'sql' : 'prompt',
      source: String(line.source),
      category: String(line.category ?? ''),
      text: textOf(line),
      isAttack: line.label === 1,
    }),
  );
  return [...records, ...readOwnInjection()];
}

type Line = Record<string, unknown>;

function readLines(path: string): Line[] {
  const lines = readFileSync(join(dataFolder, path), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Line);
}

/** Key samples are stored in base64, because hosting services reject pushes that appear to contain keys. */
function textOf(line: Line): string {
  return typeof line.text_b64 === 'string' ? Buffer.from(line.text_b64, 'base64').toString() : String(line.text);
}

function readPiiLines(path: string): PiiRecord[] {
  const name = path.replace(/^.*\/|\.jsonl$/g, '');
  const isOwn = path.startsWith('heldout/');
  // Files that begin with `x_` are a stretch goal.
  const file = isOwn && !name.startsWith('x_') ? `heldout_${name}` : name;
  return readLines(path).map((line): PiiRecord => {
    const judge = line.judge as string[] | undefined;
    return {
      id: String(line.id),
      file,
      lang: line.lang === 'ja' ? 'ja' : 'en',
      source: isOwn ? path.replace('.jsonl', '') : String(line.source),
      text: textOf(line),
      spans: line.spans as PiiRecord['spans'],
      optional: (line.optional as Zone[] | undefined) ?? [],
      ...(judge === undefined ? {} : { judge }),
      isRecallOnly: line.optional_rest === true,
      isClean: file.startsWith('clean_'),
    };
  });
}

/** Texts under headings `=== en` or `=== kind`. */
function blocksOf(path: string): { heading: string; text: string }[] {
  const blocks = readFileSync(join(dataFolder, path), 'utf8').split(/^=== /m).slice(1);
  return blocks.map((block) => {
    const end = block.indexOf('\n');
    return { heading: block.slice(0, end).trim(), text: block.slice(end + 1).trimEnd() };
  });
}

/** Blocks of marked texts; see {@link filled}. */
function readMarked(path: string, { lang, draws: count }: { lang: 'en' | 'ja'; draws: number }): PiiRecord[] {
  const name = path.replace(/^.*\/|\.txt$/g, '');
  const isClean = name === 'clean';
  return blocksOf(path).flatMap(({ heading, text: marked }, i) =>
    Array.from(
      { length: count },
      (_, round): PiiRecord => ({
        id: `heldout-${name}-${i + 1}${count > 1 ? 'abc'[round] : ''}`,
        file: isClean ? 'clean_heldout' : `heldout_${name}`,
        lang: isClean ? (heading === 'ja' ? 'ja' : 'en') : lang,
        source: isClean ? 'clean-heldout' : `heldout/${heading}`,
        ...filled(marked, randomFrom(i * 31 + round * 10_007 + name.length)),
        isRecallOnly: false,
        isClean,
      }),
    ),
  );
}

/** One marked text per line under headings `## TYPE`, `⏎` for a line break; lines without a mark are near misses. */
function readTypeLines(path: string): PiiRecord[] {
  return readMarkedLines(readFileSync(join(dataFolder, path), 'utf8'), path.replace(/^.*\/|\.txt$/g, ''));
}

/** The same for a text with the lines. */
export function readMarkedLines(all: string, name: string): PiiRecord[] {
  const lines = all.split('\n');
  let heading = '';
  return lines.flatMap((line, i): PiiRecord[] => {
    if (/^## [A-Z_]+$/.test(line)) heading = line.slice(3);
    else if (line !== '')
      return [
        {
          id: `heldout-${name}-${i + 1}`,
          file: `heldout_${name}`,
          lang: /[\u3040-\u9FFF]/.test(line) ? 'ja' : 'en',
          source: `heldout/${heading}`,
          ...filled(line.replaceAll('⏎', '\n'), randomFrom(i * 31 + name.length)),
          isRecallOnly: false,
          isClean: false,
        },
      ];
    return [];
  });
}

/**
 * A text without its marks: `{{EMAIL:jo@example.com}}` must be found, `{{OPT:Springfield}}` may be. A name of a generator
 * after `@` stands for a random value: `{{SSN:@ssn}}`, `{{EMAIL:@local@example.com}}`; in `@(AB##)` a `#` is a random
 * digit and a `?` a random capital.
 */
function filled(marked: string, random: Random): Pick<PiiRecord, 'text' | 'spans' | 'optional'> {
  const spans: (Zone & { type: string })[] = [];
  const optional: Zone[] = [];
  let text = '';
  let done = 0;
  for (const mark of marked.matchAll(/\{\{([A-Z_]+):([\s\S]*?)\}\}/g)) {
    text += marked.slice(done, mark.index);
    const start = text.length;
    text += (mark[2] ?? '')
      .replace(/@([A-Za-z][\w-]*)(?![\w.-])/g, (written, generator) => generators[generator]?.(random) ?? written)
      .replace(/@\(([^)]*)\)/g, (_, shape: string) => shaped(random, shape));
    const zone = { start, end: text.length };
    if (mark[1] === 'OPT') optional.push(zone);
    else spans.push({ type: mark[1] ?? '', ...zone });
    done = mark.index + mark[0].length;
  }
  return { text: text + marked.slice(done), spans, optional };
}

/** Headings `=== en attack category` or `=== ja benign category`; categories with `sql` are for the SQL check. */
function readOwnInjection(): InjectionRecord[] {
  return blocksOf('heldout/injection.txt').map(({ heading, text }, i): InjectionRecord => {
    const [lang, label, category = ''] = heading.split(' ');
    const kind = category.startsWith('sql') ? 'sql' : 'prompt';
    return {
      id: `heldout-injection-${i + 1}`,
      lang: lang === 'ja' ? 'ja' : 'en',
      kind,
      source: `heldout-${kind}-${lang}${category === 'trigger' ? '-trigger' : ''}`,
      category,
      text,
      isAttack: label === 'attack',
    };
  });
}
