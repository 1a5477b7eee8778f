/** Restores values in a text that a model wrote from masked chunks. */
import { type RestoreOptions, type RestoreResult, restoreText } from '../restore.ts';
import type { TokenMap } from '../vault.ts';

/** Replaces every token that the map knows, in any spelling that a model makes of it; not inside addresses of links. */
export function ragResolve(
  text: string,
  map: TokenMap,
  options: Pick<RestoreOptions, 'lengthMax'> = {},
): RestoreResult {
  return restoreText(text, map, options);
}
