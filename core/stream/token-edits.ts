/** Finds the tokens in a piece of text, and their replacements. */

import { beginsHost } from '../guard/link-reader.ts';
import type { UrlGuard } from '../guard/url-guard.ts';
import type { JsonFence } from '../payload/json-fence.ts';
import type { RestoreCount } from '../payload/response.ts';
import { isLikelyToken, originalOf } from '../restore.ts';
import { findTokens, heldSuffixLength } from '../tokens/tokens.ts';
import type { TokenMap } from '../vault.ts';

/** A replacement, in code units of the scanned text. */
export type TokenEdit = {
  readonly start: number;
  readonly end: number;
  /** In the token's own spelling: with entities if the token has them. */
  readonly value: string;
  /** Without entities, for text in which every value is encoded anyway. */
  readonly plain: string;
};

/** Options of {@link tokenEdits}. */
export type TokenEditOptions = {
  readonly map: TokenMap;
  readonly bare: boolean;
  readonly count: RestoreCount;
  /** Tracks the run; receives the displayed text from `from` on. */
  readonly guard: UrlGuard;
  /** Tracks the run in the same way. */
  readonly fence: JsonFence;
  /** True if this offset is inside a URL that started in the surrounding text. Called in order. */
  readonly isInAddress?: ((start: number) => boolean) | undefined;
};

/** Replacements for the tokens of `text` that start at `from` or later. */
export function tokenEdits(text: string, from: number, options: TokenEditOptions): TokenEdit[] {
  const { map, bare, count, guard, fence, isInAddress } = options;
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
    fence.push(text, guarded, match.start);
    guarded = match.start;
    // Tool arguments are not rendered, and a tool that calls a URL needs it complete.
    if (!bare && (isInAddress?.(match.start) || guard.isInsideAddress || beginsHost(text, match.end))) {
      count.unresolved++;
      continue;
    }
    count.restored++;
    const plain = match.form === 'entity' ? (map.get(match.identity) ?? value) : value;
    edits.push({ start: match.start, end: match.end, value: fence.escape(value), plain: fence.escape(plain) });
    guard.push(value);
    guarded = match.end;
  }
  guard.push(text, guarded);
  fence.push(text, guarded);
  return edits;
}

/** True if an issued token that starts in the held text may go on in the next piece. */
export function continuesToken(held: string, piece: string, map: TokenMap): boolean {
  const text = held + piece;
  const isIssued = (partial: string) => map.hasPrefix?.(partial) ?? true;
  const isOpen = heldSuffixLength(text, isIssued) === text.length;
  return (
    isOpen || findTokens(text).some(({ start, identity }) => start < held.length && map.get(identity) !== undefined)
  );
}
