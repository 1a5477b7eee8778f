/**
 * Puts values back into what a model wrote from masked chunks.
 */
import { type RestoreOptions, restoreText } from '../restore.ts';
import type { TokenMap } from '../vault.ts';

/** The text, how many tokens were replaced, and the canonical tokens that the map does not know, each once. */
export type RagResolveResult = { readonly text: string; readonly resolved: number; readonly unresolved: string[] };

/** Replaces every token that the map knows, in any spelling that a model makes of it; not inside addresses of links. */
export function ragResolve(
  text: string,
  map: TokenMap,
  options: Pick<RestoreOptions, 'lengthMax'> = {},
): RagResolveResult {
  const { text: restored, restored: resolved, unresolved } = restoreText(text, map, options);
  return { text: restored, resolved, unresolved };
}
