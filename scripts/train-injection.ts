import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type LinearModel, packModel } from '../core/injection/hashed-ngrams.ts';
import { detectInjection } from '../core/injection/prompt.ts';
import { detectSqlInjection } from '../core/injection/sql/detect.ts';
import { readRows } from './injection/data.ts';
import { evaluateInjection, figureLines } from './injection/evaluate.ts';
import {
  type ModelRecipe,
  modelsWithoutSource,
  prepareOwn,
  prepareRows,
  promptRecipe,
  sqlRecipe,
  trainModel,
} from './injection/models.ts';

/**
 * Trains the two linear models of core/injection and writes their weights.
 *
 *   node scripts/train-injection.ts <folder with dev-prompt.jsonl and dev-sql.jsonl> [--evaluate] [--no-write]
 *
 * `--evaluate` also trains without each source in turn and prints what the detector says of that source, which is the
 * figure that counts: texts from a place that the model has not seen. Equal input gives equal weights.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { evaluate: { type: 'boolean' }, 'no-write': { type: 'boolean' } },
});
const folder = positionals[0];
if (folder === undefined) {
  console.error(
    'usage: node scripts/train-injection.ts <folder with dev-prompt.jsonl and dev-sql.jsonl> [--evaluate] [--no-write]',
  );
  process.exit(2);
}

const core = join(import.meta.dirname, '..', 'core', 'injection');

type Detect = (text: string, options: object, model: LinearModel) => { readonly injectionDetected: boolean };

type Task = {
  readonly name: string;
  readonly recipe: ModelRecipe;
  readonly detect: Detect;
  readonly file: string;
};

const tasks: readonly Task[] = [
  {
    name: 'prompt',
    recipe: promptRecipe,
    detect: detectInjection,
    file: join(core, 'weights.json'),
  },
  {
    name: 'sql',
    recipe: sqlRecipe,
    detect: detectSqlInjection,
    file: join(core, 'sql', 'weights.json'),
  },
];

for (const { name, recipe, detect, file } of tasks) {
  const rows = readRows(join(folder, `dev-${name}.jsonl`));
  const prepared = prepareRows(rows, recipe);
  const own = prepareOwn(recipe);
  const packed = packModel(trainModel(prepared, own, recipe));
  console.log(
    `${name}: ${prepared.length} rows, ${own.length} own sentences, weights ${packed.data.length} characters`,
  );
  if (values['no-write'] !== true) {
    const { bits, scale, bias, data } = packed;
    const generated = 'by `npm run train:injection`; not edited by hand';
    writeFileSync(file, `${JSON.stringify({ generated, bits, scale, bias, data }, null, 2)}\n`);
  }
  if (values.evaluate !== true) continue;
  const models = modelsWithoutSource(prepared, recipe);
  const figures = evaluateInjection(rows, (row) => {
    const model = models.get(row.source);
    return model !== undefined && detect(row.text, {}, model).injectionDetected;
  });
  console.log(`${name}, each source by a model trained without it:`);
  for (const line of figureLines(figures)) console.log(line);
}
