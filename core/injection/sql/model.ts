import { cellOf, joinHash, type LinearModel, windowNorm } from '../hashed-ngrams.ts';
import type { SqlTokens } from './tokens.ts';

/** Maximum length of a token sequence that has a weight. */
const rowMax = 5;
/** Tokens per window; windows advance by half of it. */
export const sqlWindow = 24;

/** Passes the features of token `i` to `use`: the sequences of one to five tokens that end there. */
export function sqlFeatures(tokens: SqlTokens, i: number, use: (hash: number) => void): void {
  let row = 0;
  for (let length = 1; length <= rowMax && i - length + 1 >= -1; length++) {
    const at = i - length + 1;
    // The start of the text is a token as well: the string that an attack breaks out of is often outside the text.
    row = joinHash(row, at < 0 ? -1 : (tokens.kind[at] ?? 0));
    use(joinHash(row, length));
  }
}

/** The highest window score (sum of weights over the root of their number), and the window's position. */
export function sqlLinear(tokens: SqlTokens, model: LinearModel): { score: number; from: number; to: number } {
  const { weights, bits, scale, bias } = model;
  const half = sqlWindow / 2;
  let before = 0;
  let beforeCount = 0;
  let current = 0;
  let count = 0;
  let best = Number.NEGATIVE_INFINITY;
  let from = 0;
  for (let i = 0; i < tokens.count; i++) {
    sqlFeatures(tokens, i, (hash) => {
      const weight = weights[cellOf(hash, bits)] ?? 0;
      if (weight === 0) return;
      current += weight;
      count++;
    });
    if ((i + 1) % half === 0 || i + 1 === tokens.count) {
      const sum = (before + current) / windowNorm(beforeCount + count);
      if (sum > best) {
        best = sum;
        from = Math.max(0, Math.floor(i / half) * half - half);
      }
      before = current;
      beforeCount = count;
      current = 0;
      count = 0;
    }
  }
  if (best === Number.NEGATIVE_INFINITY) return { score: bias, from: 0, to: 0 };
  return { score: best * scale + bias, from, to: Math.min(tokens.count, from + sqlWindow) };
}
