import type { LinearModel } from '../../core/injection/hashed-ngrams.ts';
import { promptCells, sqlCells } from './cells.ts';
import type { InjectionRow } from './data.ts';
import { ownPromptTexts } from './own-prompt.ts';
import { ownSqlTexts } from './own-sql.ts';
import { type TrainingSettings, type TrainingText, trainLinear } from './train-linear.ts';

/** One of the two models: how it is trained, and on what besides the data file. */
export type ModelRecipe = {
  readonly settings: TrainingSettings;
  readonly cells: (text: string, bits: number) => Uint32Array[];
  readonly own: (seed: number) => { text: string; label: 0 | 1 }[];
  readonly weightOf: (row: InjectionRow) => number;
};

const seed = 7;

export const promptRecipe: ModelRecipe = {
  settings: { bits: 17, passes: 14, rate: 0.3, decay: 0.0003, seed, prune: 0.02 },
  cells: promptCells,
  own: ownPromptTexts,
  // Hard negatives count three times.
  weightOf: (row) => (row.category === 'hard_negative' || row.category === 'benign_system_prompt' ? 3 : 1),
};

export const sqlRecipe: ModelRecipe = {
  settings: { bits: 16, passes: 14, rate: 0.3, decay: 0.0003, seed, prune: 0.02 },
  cells: sqlCells,
  own: ownSqlTexts,
  weightOf: (row) => (row.label === 0 ? 2 : 1),
};

/** Rows of a data file with their cells, so that many trainings share the work. */
export type PreparedRows = readonly { readonly row: InjectionRow; readonly text: TrainingText }[];

/** The rows as the model sees them; rows no detector is expected to find are left out. */
export function prepareRows(rows: readonly InjectionRow[], recipe: ModelRecipe): PreparedRows {
  return rows
    .filter((row) => !row.category.includes('unmarked'))
    .map((row) => ({
      row,
      text: { windows: recipe.cells(row.text, recipe.settings.bits), label: row.label, weight: recipe.weightOf(row) },
    }));
}

/** Our own sentences as the model sees them. */
export function prepareOwn(recipe: ModelRecipe): TrainingText[] {
  return recipe.own(recipe.settings.seed).map(({ text, label }) => ({
    windows: recipe.cells(text, recipe.settings.bits),
    label,
    weight: label === 0 ? 1.5 : 1,
  }));
}

/** A model trained on the rows and our own sentences. */
export function trainModel(rows: PreparedRows, own: readonly TrainingText[], recipe: ModelRecipe): LinearModel {
  return trainLinear([...rows.map(({ text }) => text), ...own], recipe.settings);
}

/**
 * For each source a model that has not seen it. `groupOf` says which sources belong together.
 *
 * @returns the model for each group
 */
export function modelsWithoutSource(
  rows: PreparedRows,
  recipe: ModelRecipe,
  groupOf: (source: string) => string = (source) => source,
): Map<string, LinearModel> {
  const own = prepareOwn(recipe);
  const groups = new Set(rows.map(({ row }) => groupOf(row.source)));
  return new Map(
    [...groups].map((group) => [
      group,
      trainModel(
        rows.filter(({ row }) => groupOf(row.source) !== group),
        own,
        recipe,
      ),
    ]),
  );
}
