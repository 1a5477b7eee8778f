import type { LinearModel } from '../../core/injection/hashed-ngrams.ts';
import { promptCells, sqlCells } from './cells.ts';
import type { InjectionRow } from './data.ts';
import { ownTexts } from './own-texts.ts';
import { type TrainingSettings, type TrainingText, trainLinear } from './train-linear.ts';

/** One of the two models: training parameters, and training texts besides the data files. */
export type ModelRecipe = {
  readonly settings: TrainingSettings;
  readonly cells: (text: string, bits: number) => Uint32Array[];
  readonly own: (seed: number) => { text: string; label: 0 | 1 }[];
  /** Weight of our own harmless texts, and of our own attacks. */
  readonly ownHarmless: number;
  readonly ownAttack: number;
  /** Maximum weight of a source, in attacks; twice as many for harmless texts. */
  readonly sourceMax: number;
  /** Sources with the same family name are held out together. */
  readonly familyOf: (source: string) => string;
  /** Extra weight of a row within its source. */
  readonly weightOf: (row: InjectionRow) => number;
};

const seed = 7;

export const promptRecipe: ModelRecipe = {
  settings: { bits: 18, passes: 8, rate: 0.3, decay: 0.0003, seed, textsMin: 3 },
  cells: promptCells,
  own: (from) => [
    ...ownTexts('wording', { seed: from, count: 11 }),
    ...ownTexts('prompt', { seed: from + 4, count: 6 }),
  ],
  ownHarmless: 1.4,
  ownAttack: 0.8,
  sourceMax: 200,
  familyOf: (source) => source.split('-')[0] ?? source,
  // Hard negatives count three times.
  weightOf: ({ label, category, source }) =>
    label === 0 && (category === 'hard_negative' || category === 'benign_system_prompt' || source === 'own2') ? 3 : 1,
};

export const sqlRecipe: ModelRecipe = {
  settings: { bits: 17, passes: 10, rate: 0.3, decay: 0.0003, seed, textsMin: 2 },
  cells: sqlCells,
  own: (from) => ownTexts('sql', { seed: from, count: 14 }),
  ownHarmless: 2,
  ownAttack: 1,
  sourceMax: 150,
  familyOf: (source) => source,
  weightOf: ({ label }) => (label === 0 ? 2 : 1),
};

/** Rows of the data files with their cells, computed once for many trainings. */
export type PreparedRows = readonly { readonly row: InjectionRow; readonly text: TrainingText }[];

/** The rows as model input, without those that no detector can find. */
export function prepareRows(rows: readonly InjectionRow[], recipe: ModelRecipe): PreparedRows {
  const kept = rows.filter((row) => !row.category.includes('unmarked'));
  const sizes = new Map<string, number>();
  const keyOf = (row: InjectionRow): string => `${row.source} ${row.label}`;
  for (const row of kept) sizes.set(keyOf(row), (sizes.get(keyOf(row)) ?? 0) + 1);
  return kept.map((row) => {
    const most = recipe.sourceMax * (row.label === 0 ? 2 : 1);
    const weight = recipe.weightOf(row) * Math.min(1, most / (sizes.get(keyOf(row)) ?? 1));
    return { row, text: { windows: recipe.cells(row.text, recipe.settings.bits), label: row.label, weight } };
  });
}

/** Our own sentences as model input. */
export function prepareOwn(recipe: ModelRecipe): TrainingText[] {
  return recipe.own(recipe.settings.seed).map(({ text, label }) => ({
    windows: recipe.cells(text, recipe.settings.bits),
    label,
    weight: label === 0 ? recipe.ownHarmless : recipe.ownAttack,
  }));
}

/** Trains a model on the rows and our own sentences. */
export function trainModel(rows: PreparedRows, own: readonly TrainingText[], recipe: ModelRecipe): LinearModel {
  return trainLinear([...rows.map(({ text }) => text), ...own], recipe.settings);
}

/** Number of trainings in a held-out evaluation; each leaves out several complete sources. */
const folds = 10;

/**
 * Scores of all rows, each by a model trained without its source. Several sources are held out at once, so there are at
 * most `folds` trainings; sources of one family always together.
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
