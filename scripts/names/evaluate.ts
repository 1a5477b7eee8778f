import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tagNames } from '../../core/names/index.ts';
import type { NameSpan } from '../../core/names/span.ts';
import { foldWidth } from './corpora.ts';
import { emptyTally, figures, type Tally, tally } from './score.ts';

/**
 * Measures the committed tagger on development texts.
 *
 *   node scripts/names/evaluate.ts <folder with pii/ and realism/> [--misses]
 */
const folder = process.argv[2];
const showMisses = process.argv.includes('--misses');
if (folder === undefined) {
  console.error('usage: node scripts/names/evaluate.ts <folder with pii/ and realism/> [--misses]');
  process.exit(2);
}

type Span = { type: string; start: number; end: number; form?: string; detail?: string };
type Row = {
  id: string;
  lang: string;
  text?: string;
  text_b64?: string;
  spans: Span[];
  optional?: { start: number; end: number }[];
};

function rowsOf(file: string): (Row & { text: string })[] {
  return readFileSync(join(folder as string, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
    .map((row) => ({ ...row, text: foldWidth(row.text ?? Buffer.from(row.text_b64 ?? '', 'base64').toString()) }));
}

const overlaps = (a: { start: number; end: number }, b: { start: number; end: number }): boolean =>
  a.start < b.end && b.start < a.end;

function show(row: Row & { text: string }, label: string, { start, end }: { start: number; end: number }): void {
  if (!showMisses) return;
  const around = `${row.text.slice(Math.max(0, start - 30), start)}[${row.text.slice(start, end)}]${row.text.slice(end, end + 25)}`;
  console.log(`${label} ${row.lang} ${around.replaceAll('\n', '⏎')}`);
}

const byForm = new Map<string, [number, number]>();
const byLanguage = new Map<string, Tally>();
for (const row of rowsOf('realism/realism-dev.jsonl')) {
  // Other types win overlaps in the engine, so hits on their values do not count against the tagger.
  const spans = tagNames(row.text).filter((span) =>
    row.spans.every((other) => other.type === 'NAME' || !overlaps(span, other)),
  );
  const names = row.spans.filter(({ type }) => type === 'NAME');
  const sum = byLanguage.get(row.lang) ?? emptyTally();
  byLanguage.set(row.lang, sum);
  tally(
    sum,
    { source: 'realism', lang: row.lang, text: row.text, names: names.map(({ start, end }) => [start, end]) },
    spans,
  );
  for (const name of names) {
    const form = `${name.detail === 'initials_only' ? 'initials_only' : name.form}`;
    const [found, all] = byForm.get(form) ?? [0, 0];
    const hit = spans.some((span) => {
      const shared = Math.min(span.end, name.end) - Math.max(span.start, name.start);
      return shared * 2 >= name.end - name.start && span.end - span.start <= (name.end - name.start) * 2 + 2;
    });
    byForm.set(form, [found + (hit ? 1 : 0), all + 1]);
    if (!hit) show(row, `MISS ${form}`, name);
  }
  for (const span of spans)
    if (!names.some((name) => overlaps(name, span))) show(row, `ALARM ${span.score.toFixed(2)}`, span);
}
console.log('realism-dev, recall by form (development figures)');
for (const [form, [found, all]] of [...byForm].sort())
  console.log(`  ${form.padEnd(14)} ${found} of ${all}  ${(found / all).toFixed(3)}`);
for (const [language, sum] of byLanguage) console.log(figures(`realism ${language}`, sum));

console.log('pii development files');
for (const file of ['en_sentences', 'synth_en', 'synth_ja', 'ja_ner', 'x_ja_name_nospace']) {
  const sum = emptyTally();
  for (const row of rowsOf(`pii/${file}.jsonl`)) {
    const names = row.spans.filter(({ type }) => type === 'NAME');
    const others = row.spans.filter(({ type }) => type !== 'NAME');
    const spans: NameSpan[] = tagNames(row.text).filter(
      (span) =>
        others.every((other) => !overlaps(span, other)) &&
        (names.some((name) => overlaps(name, span)) || !row.optional?.some((zone) => overlaps(zone, span))),
    );
    tally(
      sum,
      { source: file, lang: row.lang, text: row.text, names: names.map(({ start, end }) => [start, end]) },
      spans,
    );
  }
  console.log(figures(file, sum));
}
for (const file of ['clean_code', 'clean_jadoc', 'clean_specs']) {
  const sum = emptyTally();
  for (const row of rowsOf(`pii/${file}.jsonl`)) {
    const spans = tagNames(row.text);
    tally(sum, { source: file, lang: row.lang, text: row.text, names: [] }, spans);
    for (const span of spans) show(row, `ALARM ${file} ${span.score.toFixed(2)}`, span);
  }
  console.log(figures(file, sum));
}
