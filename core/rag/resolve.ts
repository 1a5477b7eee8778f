/** Restores values in a text that a model wrote from masked chunks. */
import { type RestoreOptions, type RestoreResult, restoreText } from '../restore.ts';
import type { TokenMap } from '../vault.ts';

/** Replaces every known token, in any spelling that a model may use, except inside link addresses. */
export function ragResolve(
  text: string,
  map: TokenMap,
  options: Pick<RestoreOptions, 'lengthMax'> = {},
): RestoreResult {
  return restoreText(text, map, options);
}
