/** Which ranges of a piece of text are tokens to be replaced, and what by. */
import type { RestoreCount } from '../payload/response.ts';
import { isLikelyToken, originalOf } from '../restore.ts';
import { findTokens } from '../tokens.ts';
import { beginsHost, type UrlGuard } from '../url-guard.ts';
import type { TokenMap } from '../vault.ts';

/** A replacement, in code units of the text that was looked at. */
export type TokenEdit = {
  readonly start: number;
  readonly end: number;
  /** In the form of the spelling: in entities where the token was. */
  readonly value: string;
  /** Without entities, for a text in which every value is written as such. */
  readonly plain: string;
};

/** Options of {@link tokenEdits}. */
export type TokenEditOptions = {
  readonly map: TokenMap;
  readonly bare: boolean;
  readonly count: RestoreCount;
  /** Follows the run; it is fed the text from `from` on, as it is shown. */
  readonly guard: UrlGuard;
  /** Whether a token that begins there stands in an address that began in what is around the text. Asked in order. */
  readonly isInAddress?: ((start: number) => boolean) | undefined;
};

/** Replacements for the tokens of `text` that start at `from` or later. */
export function tokenEdits(text: string, from: number, options: TokenEditOptions): TokenEdit[] {
  const { map, bare, count, guard, isInAddress } = options;
  const edits: TokenEdit[] = [];
  let guarded = from;
  const isIssued = (identity: string) => map.get(identity) !== undefined;
  for (const match of findTokens(text, bare ? { bare, isIssued } : undefined)) {
    if (match.start < from) continue;
    const value = originalOf(text, match, map);
    if (value === undefined) {
      if (isLikelyToken(match)) count.unresolved++;
      continue;
    }
    guard.push(text, guarded, match.start);
    guarded = match.start;
    // Nothing renders the arguments of a tool; a tool that is to write to an address needs it whole.
    if (!bare && (isInAddress?.(match.start) || guard.isInsideAddress || beginsHost(text, match.end))) {
      count.unresolved++;
      continue;
    }
    count.restored++;
    const plain = match.form === 'entity' ? (map.get(match.identity) ?? value) : value;
    edits.push({ start: match.start, end: match.end, value, plain });
    guard.push(value);
    guarded = match.end;
  }
  guard.push(text, guarded);
  return edits;
}
