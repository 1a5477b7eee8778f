import type { LinearModel } from '../../core/injection/hashed-ngrams.ts';
import { promptCells, sqlCells } from './cells.ts';
import type { InjectionRow } from './data.ts';
import { ownTexts } from './own-texts.ts';
import { type TrainingSettings, type TrainingText, trainLinear } from './train-linear.ts';

/** One of the two models: how it is trained, and on what besides the data files. */
export type ModelRecipe = {
  readonly settings: TrainingSettings;
  readonly cells: (text: string, bits: number) => Uint32Array[];
  readonly own: (seed: number) => { text: string; label: 0 | 1 }[];
  /** How much a harmless text of our own counts, and an attack. */
  readonly ownHarmless: number;
  readonly ownAttack: number;
  /** A source counts as if it had no more attacks than this, and twice as many harmless texts. */
  readonly sourceMost: number;
  /** Sources with one name are held out together. */
  readonly familyOf: (source: string) => string;
  /** How much a row counts more than others of its source. */
  readonly weightOf: (row: InjectionRow) => number;
};

const seed = 7;

export const promptRecipe: ModelRecipe = {
  settings: { bits: 18, passes: 8, rate: 0.3, decay: 0.0003, seed, textsLeast: 3 },
  cells: promptCells,
  own: (from) => [
    ...ownTexts('wording', { seed: from, count: 11 }),
    ...ownTexts('prompt', { seed: from + 4, count: 6 }),
  ],
  ownHarmless: 1.4,
  ownAttack: 0.8,
  sourceMost: 200,
  familyOf: (source) => source.split('-')[0] ?? source,
  // Hard negatives count three times.
  weightOf: ({ label, category, source }) =>
    label === 0 && (category === 'hard_negative' || category === 'benign_system_prompt' || source === 'own2') ? 3 : 1,
};

export const sqlRecipe: ModelRecipe = {
  settings: { bits: 17, passes: 10, rate: 0.3, decay: 0.0003, seed, textsLeast: 2 },
  cells: sqlCells,
  own: (from) => ownTexts('sql', { seed: from, count: 14 }),
  ownHarmless: 2,
  ownAttack: 1,
  sourceMost: 150,
  familyOf: (source) => source,
  weightOf: ({ label }) => (label === 0 ? 2 : 1),
};

/** Rows of the data files with their cells, so that many trainings share the work. */
export type PreparedRows = readonly { readonly row: InjectionRow; readonly text: TrainingText }[];

/** The rows as the model sees them; rows no detector is expected to find are left out. */
export function prepareRows(rows: readonly InjectionRow[], recipe: ModelRecipe): PreparedRows {
  const kept = rows.filter((row) => !row.category.includes('unmarked'));
  const sizes = new Map<string, number>();
  const keyOf = (row: InjectionRow): string => `${row.source} ${row.label}`;
  for (const row of kept) sizes.set(keyOf(row), (sizes.get(keyOf(row)) ?? 0) + 1);
  return kept.map((row) => {
    const most = recipe.sourceMost * (row.label === 0 ? 2 : 1);
    const weight = recipe.weightOf(row) * Math.min(1, most / (sizes.get(keyOf(row)) ?? 1));
    return { row, text: { windows: recipe.cells(row.text, recipe.settings.bits), label: row.label, weight } };
  });
}

/** Our own sentences as the model sees them. */
export function prepareOwn(recipe: ModelRecipe): TrainingText[] {
  return recipe.own(recipe.settings.seed).map(({ text, label }) => ({
    windows: recipe.cells(text, recipe.settings.bits),
    label,
    weight: label === 0 ? recipe.ownHarmless : recipe.ownAttack,
  }));
}

/** A model trained on the rows and our own sentences. */
export function trainModel(rows: PreparedRows, own: readonly TrainingText[], recipe: ModelRecipe): LinearModel {
  return trainLinear([...rows.map(({ text }) => text), ...own], recipe.settings);
}

/** How many trainings a held-out evaluation takes; a model is made without several whole sources at once. */
const folds = 10;

/**
 * Scores of all rows, each by a model that has not seen its source. Sources are held out several at once, so that
 * there are not more trainings than `folds`; those of one family always together.
 */
export function scoresHeldOut<Evidence extends { readonly score: number }>(
  rows: PreparedRows,
  own: readonly TrainingText[],
  recipe: ModelRecipe,
  evidence: (text: string, model: LinearModel) => Evidence,
): ({ row: InjectionRow } & Evidence)[] {
  const { familyOf } = recipe;
  const sizes = new Map<string, number>();
  for (const { row } of rows) sizes.set(familyOf(row.source), (sizes.get(familyOf(row.source)) ?? 0) + 1);
  const families = [...sizes].sort(([, a], [, b]) => b - a).map(([family]) => family);
  return Array.from({ length: folds }, (_, fold) => {
    const held = new Set(families.filter((_family, i) => i % folds === fold));
    const isHeld = ({ row }: { row: InjectionRow }): boolean => held.has(familyOf(row.source));
    const model = trainModel(
      rows.filter((one) => !isHeld(one)),
      own,
      recipe,
    );
    return rows.filter(isHeld).map(({ row }) => ({ row, ...evidence(row.text, model) }));
  }).flat();
}
