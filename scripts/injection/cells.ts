import { cellOf } from '../../core/injection/hashed-ngrams.ts';
import { promptFeatures, promptWindow } from '../../core/injection/linear-model.ts';
import { promptUnits } from '../../core/injection/prompt.ts';
import { sqlFeatures, sqlWindow } from '../../core/injection/sql/model.ts';
import { sqlText } from '../../core/injection/sql/normalise.ts';
import { sqlTokens } from '../../core/injection/sql/tokens.ts';
import { viewOf } from '../../core/injection/text-view.ts';

/** The windows of a text as the prompt model sees them: the cells of their features. */
export function promptCells(text: string, bits: number): Uint32Array[] {
  const units = promptUnits(viewOf(text));
  return windows(units.count, promptWindow / 2, (i, use) => promptFeatures(units, i, use), bits);
}

/** The windows of a text as the SQL model sees them. */
export function sqlCells(text: string, bits: number): Uint32Array[] {
  const tokens = sqlTokens(sqlText(text).text);
  return windows(tokens.count, sqlWindow / 2, (i, use) => sqlFeatures(tokens, i, use), bits);
}

function windows(
  count: number,
  half: number,
  features: (i: number, use: (hash: number) => void) => void,
  bits: number,
): Uint32Array[] {
  const halves: number[][] = [];
  for (let at = 0; at < count; at += half) {
    const cells: number[] = [];
    for (let i = at; i < Math.min(count, at + half); i++) features(i, (hash) => cells.push(cellOf(hash, bits)));
    halves.push(cells);
  }
  return halves.map((cells, i) => Uint32Array.from([...(halves[i - 1] ?? []), ...cells]));
}
