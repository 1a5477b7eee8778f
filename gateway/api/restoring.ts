/** Restoring in a call that is paid for: what /restore, /restore-all and /rag/resolve share. */
import { canonicalMap, findTokens } from '../../core/tokens.ts';
import { sessionKey, type TokenMap } from '../../core/vault.ts';
import { mapOf } from './masking.ts';
import type { ApiParts } from './server.ts';
import type { Parties } from './short-call.ts';

/** A text with tokens, and where their values are to come from. */
type Source = {
  readonly text: string;
  readonly sessionId?: string | undefined;
  readonly tokenMap?: Readonly<Record<string, string>> | undefined;
};

/**
 * What `restore` gives with the values of a session, of the caller's own map, or else of whatever session of the account
 * holds a token alone. @throws PrivetError as `Billing.runThen`.
 */
export async function restoreFrom<T>(
  { billing, stores }: Pick<ApiParts, 'billing' | 'stores'>,
  parties: Parties,
  { text, sessionId, tokenMap }: Source,
  restore: (map: TokenMap) => T,
): Promise<T> {
  const { tenant } = parties.caller;
  if (sessionId !== undefined) {
    return billing.runThen(parties, { read: sessionKey(tenant, sessionId) }, ({ map }) => restore(mapOf(map)));
  }
  if (tokenMap !== undefined) {
    const map = canonicalMap(tokenMap);
    return billing.runThen(parties, {}, () => restore(map));
  }
  const tokens = tokensOf(text);
  // Both at once: a refused call only throws away what was looked up.
  const finding = Promise.resolve(tokens.length === 0 ? new Map() : stores.vault.resolve(tenant, tokens));
  finding.catch(() => {});
  return billing.runThen(parties, {}, async () => restore(await finding));
}

/** The tokens of a text, each once, in their canonical spelling. */
function tokensOf(text: string): string[] {
  return [...new Set(findTokens(text).map((match) => match.identity))];
}
