import { halfWindowOf } from '../../core/injection/features.ts';
import { cellOf } from '../../core/injection/hashed-ngrams.ts';
import { promptFeatures } from '../../core/injection/prompt.ts';
import { sqlFeatures, sqlText, sqlWindow } from '../../core/injection/sql/detect.ts';
import { sqlTokens } from '../../core/injection/sql/tokens.ts';

/** The feature cells of a text's windows, as in the prompt model. */
export function promptCells(text: string, bits: number): Uint32Array[] {
  const halves: number[][] = [];
  promptFeatures(text, (units) => ({
    add(unit, hash) {
      const half = halfWindowOf(units, unit);
      while (halves.length <= half) halves.push([]);
      halves[half]?.push(cellOf(hash, bits));
    },
  }));
  return joined(halves);
}

/** The feature cells of a text's windows, as in the SQL model. */
export function sqlCells(text: string, bits: number): Uint32Array[] {
  const tokens = sqlTokens(sqlText(text).text);
  const half = sqlWindow / 2;
  const halves: number[][] = [];
  for (let at = 0; at < tokens.count; at += half) {
    const cells: number[] = [];
    for (let i = at; i < Math.min(tokens.count, at + half); i++) {
      sqlFeatures(tokens, i, (hash) => cells.push(cellOf(hash, bits)));
    }
    halves.push(cells);
  }
  return joined(halves);
}

function joined(halves: readonly number[][]): Uint32Array[] {
  return halves.map((cells, i) => Uint32Array.from([...(halves[i - 1] ?? []), ...cells]));
}
