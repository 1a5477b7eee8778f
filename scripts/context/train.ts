/**
 * Trains the context scorer and writes its weights: `npm run train:context`.
 *
 *   npm run train:context                   evaluates with whole sources held out, then trains on all and writes the weights
 *   npm run train:context -- --no-evaluation      only trains
 *   npm run train:context -- --extra FOLDER       also evaluates JSON Lines in a folder, which are not trained on
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { modelOf } from '../../core/context/scorer.ts';
import type { PiiRecord } from '../../eval/records.ts';
import { examplesOf, type TextExamples } from './examples.ts';
import { learn, type Tally, tally } from './learn.ts';
import { trainingTexts } from './texts.ts';

const { values } = parseArgs({ options: { 'no-evaluation': { type: 'boolean' }, extra: { type: 'string' } } });
const folds = 5;

const started = performance.now();
const texts = trainingTexts().flatMap(({ record, family }) => examplesOf(record, family));
note(
  `${texts.length} texts and types, ${texts.reduce((sum, { groups }) => sum + groups.length, 0)} groups of candidates`,
);
if (!values['no-evaluation']) {
  const figures = leftOut(texts);
  print('left out', figures);
  const sorted = [...figures].sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(
    join(import.meta.dirname, '../../eval/context-left-out.json'),
    `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`,
  );
}
const weights = learn(texts);
print('learned', tally(modelOf(weights), texts));
const lines = Object.entries(weights.types).map(([name, all]) => `${JSON.stringify(name)}:${JSON.stringify(all)}`);
writeFileSync(
  join(import.meta.dirname, '../../core/context/weights.json'),
  `{"words":${JSON.stringify(weights.words)},\n"types":{\n${lines.join(',\n')}\n}}\n`,
);
note(`weights: ${Object.values(weights.types).reduce((sum, all) => sum + atob(all.weights).length, 0)}`);
if (values.extra !== undefined) {
  const extra = recordsIn(values.extra).flatMap((record) => examplesOf(record, 'extra'));
  print('extra', tally(modelOf(weights), extra));
}

/** Evaluates each human-written source with weights trained without it. */
function leftOut(all: readonly TextExamples[]): Map<string, Tally> {
  const written = all.filter(({ family }) => !family.startsWith('made'));
  const families = [...new Set(written.map(({ family }) => family))].sort();
  const total = new Map<string, Tally>();
  for (let fold = 0; fold < folds; fold++) {
    const out = new Set(families.filter((_, i) => i % folds === fold));
    const model = modelOf(learn(all.filter(({ family }) => !out.has(family))));
    tally(
      model,
      written.filter(({ family }) => out.has(family)),
      total,
    );
    note(`fold ${fold + 1} of ${folds}`);
  }
  return total;
}

function recordsIn(folder: string): PiiRecord[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean))
    .map((line) => JSON.parse(line))
    .map((line) => ({
      ...line,
      text: line.text ?? Buffer.from(line.text_b64, 'base64').toString(),
      optional: line.optional ?? [],
      isRecallOnly: false,
      isClean: false,
    }));
}

function print(title: string, counts: ReadonlyMap<string, Tally>): void {
  for (const [type, { tp, fp, fn, clean }] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const share = (a: number, b: number) => (b === 0 ? '-' : (a / b).toFixed(3));
    process.stdout.write(
      `${title.padEnd(9)} ${type.padEnd(18)} values ${String(tp + fn).padStart(5)}  precision ${share(tp, tp + fp)}  ` +
        `recall ${share(tp, tp + fn)}  F1 ${share(2 * tp, 2 * tp + fp + fn)}  in clean texts ${clean}\n`,
    );
  }
}

function note(text: string): void {
  process.stdout.write(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}\n`);
}
