/** The source of the values for restoring: a session of the vault, or a table of tokens. */
import { PrivetError } from '../core/errors.ts';
import { randomTokenId } from '../core/tokens/token-format.ts';
import { canonicalMap } from '../core/tokens/tokens.ts';
import type { TokenMap, TokenVault } from '../core/vault.ts';

/**
 * The source of token values: a session id, an object with one (the result of `mask`), or a table of tokens and values.
 */
export type SessionRef =
  | string
  | { readonly sessionId: string }
  | { readonly tokenMap: Readonly<Record<string, string>> };

/**
 * The tokens that a session has issued.
 * @throws PrivetError `session_not_found` for an unknown or expired session, `invalid_input` for anything else
 */
export async function tokensOf(vault: TokenVault, ref: SessionRef): Promise<TokenMap> {
  const sessionId =
    typeof ref === 'string' ? ref : 'sessionId' in Object(ref) ? (ref as { sessionId: string }).sessionId : undefined;
  if (typeof sessionId === 'string' && sessionId !== '') {
    const map = await vault.tokens(sessionId);
    if (map !== undefined) return map;
    throw new PrivetError('session_not_found', 'sessionId: this session is unknown or has expired.');
  }
  const tokenMap = (Object(ref) as { tokenMap?: unknown }).tokenMap;
  if (typeof tokenMap === 'object' && tokenMap !== null) return canonicalMap(tokenMap as Record<string, string>);
  throw new PrivetError('invalid_input', 'session: neither a session id nor a table of tokens.', {
    hint: 'Give the result of mask(), its sessionId, or { tokenMap }.',
  });
}

/** An unguessable session id. */
export function newSessionId(): string {
  return `s-${randomTokenId()}`;
}

/** @throws PrivetError `invalid_input` naming the field if it is not a string */
export function checkText(value: unknown, field: string): asserts value is string {
  if (typeof value === 'string') return;
  throw new PrivetError('invalid_input', `${field}: expected a string, got ${value === null ? 'null' : typeof value}.`);
}

/** A vault that can look up a token in all its sessions. */
type SearchableVault = TokenVault & {
  resolve(tenant: string, tokens: readonly string[]): Map<string, string> | Promise<Map<string, string>>;
};

/** The values of the tokens that exactly one session has issued. */
export async function anywhere(vault: TokenVault, tokens: Iterable<string>): Promise<TokenMap> {
  if (!('resolve' in vault)) {
    throw new PrivetError('invalid_input', 'session: this vault cannot look up tokens in all sessions; name one.');
  }
  return (vault as SearchableVault).resolve('', [...tokens]);
}
