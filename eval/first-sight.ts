/**
 * Measures a batch of texts before anybody has looked at it, and prints its row of `eval/first-sight.json`.
 *
 *   node eval/first-sight.ts BATCH            the row
 *   node eval/first-sight.ts BATCH --misses   also every missed value and every false positive
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Detector } from '../core/detect/detector.ts';
import { type MarkedText, readMarkedBatch } from './marked-batch.ts';

const [batch, option] = process.argv.slice(2);
if (batch === undefined) {
  process.stderr.write('usage: node eval/first-sight.ts BATCH [--misses]\n');
  process.exit(2);
}
const texts = readMarkedBatch(readFileSync(join(import.meta.dirname, 'data', 'first-sight', `${batch}.txt`), 'utf8'));
const detector = new Detector();
const names: [number, number] = [0, 0];
const others: [number, number] = [0, 0];
const byLanguage = new Map<string, number>();
let extra = 0;
let characters = 0;
for (const { lang, genre, text, values } of texts) {
  byLanguage.set(lang, (byLanguage.get(lang) ?? 0) + 1);
  characters += text.length;
  const found = detector.detect(text);
  for (const value of values) {
    const covered = found.reduce(
      (sum, { start, end }) => sum + Math.max(0, Math.min(value.end, end) - Math.max(value.start, start)),
      0,
    );
    const tally = value.type === 'NAME' ? names : others;
    tally[1]++;
    if (covered * 2 >= value.end - value.start) tally[0]++;
    else show('missed', `${lang} ${genre}`, value.type, text, value);
  }
  for (const span of found) {
    if (values.some(({ start, end }) => start < span.end && span.start < end)) continue;
    extra++;
    show('extra ', `${lang} ${genre}`, span.type, text, span);
  }
}
const row = {
  batch: basename(batch),
  texts: texts.length,
  values: names[1] + others[1],
  languages: [...byLanguage].map(([lang, count]) => `${lang} ${count}`).join(', '),
  names,
  others,
  extraPer1000: Math.round((extra * 100_000) / characters) / 100,
};
process.stdout.write(`${JSON.stringify(row)}\n`);

function show(
  kind: string,
  where: string,
  type: string,
  text: MarkedText['text'],
  { start, end }: { start: number; end: number },
): void {
  if (option !== '--misses') return;
  const around = `${text.slice(Math.max(0, start - 40), start)}[${text.slice(start, end)}]${text.slice(end, end + 30)}`;
  process.stdout.write(`${kind} ${where} ${type} ${around.replaceAll('\n', '⏎')}\n`);
}
