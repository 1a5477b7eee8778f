/** A session of the vault in memory: its pairs, packed until its first use, and its place in the order of use. */
import type { Owner } from './session-order.ts';
import { SessionTokens } from './session-tokens.ts';

/** A session, linked to the sessions of its owner that were used just before and after it. */
export type Session = {
  readonly id: string;
  readonly owner: Owner<Session>;
  /** Its id is new, so its numbers are its own. */
  readonly isFresh: boolean;
  /** Packed from the call that opened it until its first use. */
  tokens: SessionTokens | string;
  ttlMs: number;
  expiresAt: number;
  older: Session | undefined;
  newer: Session | undefined;
};

/** Bytes per list of unpacked pairs. */
const listBytes = 120;
/** Above this, sessions are searched for the tokens instead: a text may have many, and a tenant many sessions. */
const fewTokensMax = 16;

/** The tokens that a session may contain. */
export function heldOf(session: Session, wanted: ReadonlySet<string>): string[] {
  const few = wanted.size <= fewTokensMax ? [...wanted] : undefined;
  if (few !== undefined) return few.filter((token) => mayHold(session, token));
  const tokens = tokensOf(session);
  if (tokens.size > wanted.size) return [...wanted];
  const held: string[] = [];
  for (const [token] of tokens.entries()) {
    for (const spelling of [token, `[${token}]`]) if (wanted.has(spelling)) held.push(spelling);
  }
  return held;
}

/** False if a packed session cannot have the token or id: packing does not change its characters. */
export function mayHold({ tokens }: Session, token: string): boolean {
  return typeof tokens !== 'string' || tokens.includes(token.startsWith('[[') ? token.slice(1, -1) : token);
}

/** The pairs of a session. */
export function tokensOf({ tokens }: Session): SessionTokens {
  return typeof tokens === 'string' ? SessionTokens.unpack(tokens) : tokens;
}

/** Estimated memory of the pairs, in bytes. */
export function bytesOf({ tokens }: Session): number {
  return typeof tokens === 'string' ? 2 * tokens.length : listBytes + tokens.bytes;
}
