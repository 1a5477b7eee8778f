/** The source of the values for restoring: a session of the vault, or a table of tokens. */
import { PrivetError } from '../core/errors.ts';
import { randomTokenId } from '../core/tokens/token-format.ts';
import type { TokenReference } from '../core/tokens/token-reference.ts';
import { canonicalMap } from '../core/tokens/tokens.ts';
import type { MemoryVault, TokenMap, TokenVault } from '../core/vault.ts';

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

/** A vault that can look up a token in all its sessions; one of your own may lack the second call. */
type SearchableVault = TokenVault & Pick<MemoryVault, 'resolve'> & Partial<Pick<MemoryVault, 'tokensWithId'>>;

/** The values of the tokens that exactly one session has issued. */
export async function anywhere(vault: TokenVault, tokens: Iterable<string>): Promise<TokenMap> {
  return searchable(vault).resolve('', [...tokens]);
}

/** The same for one token, given by its spelling or its id. */
export async function oneAnywhere(vault: TokenVault, { token, id }: TokenReference): Promise<TokenMap> {
  const all = searchable(vault);
  const named = id === undefined ? [] : ((await all.tokensWithId?.('', id)) ?? []);
  return all.resolve('', token === undefined ? named : [token, ...named]);
}

function searchable(vault: TokenVault): SearchableVault {
  if ('resolve' in vault) return vault as SearchableVault;
  throw new PrivetError('invalid_input', 'session: this vault cannot look up tokens in all sessions; name one.');
}
