import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type LinearModel, packModel } from '../core/injection/hashed-ngrams.ts';
import { promptEvidence } from '../core/injection/prompt.ts';
import { sqlEvidence } from '../core/injection/sql/detect.ts';
import { readRows } from './injection/data.ts';
import { evaluateHeldOut, figureLines, thresholdFor } from './injection/evaluate.ts';
import {
  type ModelRecipe,
  prepareOwn,
  prepareRows,
  promptRecipe,
  scoresHeldOut,
  sqlRecipe,
  trainModel,
} from './injection/models.ts';

/**
 * Trains the two linear models of core/injection and writes their weights.
 *
 *   node scripts/train-injection.ts FOLDER [--only prompt|sql] [--evaluate] [--no-write] [--dump FILE]
 *
 * FOLDER contains dev-prompt.jsonl, dev-sql.jsonl and optionally dev2-prompt.jsonl, dev2-sql.jsonl. `--evaluate` also
 * trains without each source in turn and prints the results on that source at a threshold chosen on the others (for
 * docs/quality-injection.md). This is the relevant figure: neither the model nor the threshold has seen the source.
 * Deterministic.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    evaluate: { type: 'boolean' },
    'no-write': { type: 'boolean' },
    dump: { type: 'string' },
  },
});
const folder = positionals[0];
if (folder === undefined) {
  console.error(
    'usage: node scripts/train-injection.ts FOLDER [--only prompt|sql] [--evaluate] [--no-write] [--dump FILE]',
  );
  process.exit(2);
}

const heldOutFile = join(import.meta.dirname, '..', 'eval', 'injection-held-out.json');
const core = join(import.meta.dirname, '..', 'core', 'injection');

type Task = {
  readonly name: string;
  readonly recipe: ModelRecipe;
  readonly evidence: (text: string, model: LinearModel) => { readonly score: number };
  /** Mean false positive rate for which the threshold is chosen. */
  readonly falsePositives: number;
  readonly file: string;
};

const tasks: readonly Task[] = [
  {
    name: 'prompt',
    recipe: promptRecipe,
    evidence: promptEvidence,
    falsePositives: 0.012,
    file: join(core, 'weights.json'),
  },
  {
    name: 'sql',
    recipe: sqlRecipe,
    evidence: sqlEvidence,
    falsePositives: 0.0015,
    file: join(core, 'sql', 'weights.json'),
  },
];

for (const { name, recipe, evidence, falsePositives, file } of tasks) {
  if (values.only !== undefined && values.only !== name) continue;
  const rows = ['dev', 'dev2']
    .map((set) => join(folder, `${set}-${name}.jsonl`))
    .filter((path) => existsSync(path))
    .flatMap(readRows);
  const prepared = prepareRows(rows, recipe);
  const own = prepareOwn(recipe);
  if (values['no-write'] !== true) {
    const { bits, scale, bias, data } = packModel(trainModel(prepared, own, recipe));
    const generated = 'by `npm run train:injection`; not edited by hand';
    writeFileSync(file, `${JSON.stringify({ generated, bits, scale, bias, data }, null, 2)}\n`);
    console.log(`${name}: ${prepared.length} rows, ${own.length} own sentences, weights ${data.length} characters`);
  }
  if (values.evaluate !== true) continue;
  const scored = scoresHeldOut(prepared, own, recipe, evidence);
  if (values.dump !== undefined) {
    const lines = scored.map(({ row: { source, label, category, lang, text }, ...rest }) =>
      JSON.stringify({ source, label, category, lang, ...rest, text: text.slice(0, 300) }),
    );
    writeFileSync(values.dump, `${lines.join('\n')}\n`);
  }
  const figures = evaluateHeldOut(scored, falsePositives);
  if (values['no-write'] !== true) {
    const known = existsSync(heldOutFile) ? (JSON.parse(readFileSync(heldOutFile, 'utf8')) as object) : {};
    writeFileSync(heldOutFile, `${JSON.stringify({ ...known, [name]: figures }, null, 2)}\n`);
  }
  console.log(`${name}, each source by a model and a threshold made without it:`);
  for (const line of figureLines(figures)) console.log(line);
  console.log(`  threshold on all sources: ${thresholdFor(scored, falsePositives).toFixed(2)}`);
}
