/** One token as a caller names it: in any spelling, or by the id in it. */

import { isTokenId } from './token-format.ts';
import type { TokenMap } from './token-map.ts';
import { findTokens } from './tokens.ts';

/** A token's canonical spelling, its id, or both for `[SECURED:<id>]`, which another program may have written. */
export type TokenReference = { readonly token?: string; readonly id?: string };

/**
 * Reads `[SECURED:type=EMAIL,id=k3…]`, `[EMAIL-1]`, `EMAIL-1`, `[SECURED:k3…]` or `k3…`; undefined for a text that is
 * neither one token nor an id.
 */
export function readReference(text: string): TokenReference | undefined {
  const given = text.trim();
  const [match, ...more] = findTokens(given, { bare: true });
  if (more.length > 0) return undefined;
  if (match === undefined) return isTokenId(given) ? { id: given } : undefined;
  const token = match.identity;
  const alone = /^\[SECURED:([\w-]+)\]$/.exec(token)?.[1];
  return alone === undefined ? { token } : { token, id: alone };
}

/** The token of a map with this id, if exactly one has it. */
export function tokenWithId(map: TokenMap, wanted: string): string | undefined {
  let found: string | undefined;
  for (const [token] of map.entries()) {
    if (!token.endsWith(`id=${wanted}]`) && token !== `[SECURED:${wanted}]`) continue;
    if (found !== undefined) return undefined;
    found = token;
  }
  return found;
}

/** The token of a map that is meant, with its value. */
export function referredToken(
  map: TokenMap,
  reference: TokenReference,
): { readonly token: string; readonly restored: string } | undefined {
  const { id: wanted } = reference;
  const isKnown = reference.token !== undefined && map.get(reference.token) !== undefined;
  const token = isKnown || wanted === undefined ? reference.token : tokenWithId(map, wanted);
  const restored = token === undefined ? undefined : map.get(token);
  return token === undefined || restored === undefined ? undefined : { token, restored };
}
