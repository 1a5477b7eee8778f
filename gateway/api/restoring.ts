/** Restoring in a charged call: shared by /restore, /restore-all and /rag/resolve. */

import { setImmediate } from 'node:timers/promises';
import { ragResolve } from '../../core/rag/index.ts';
import { type RestoreResult, restoreText } from '../../core/restore.ts';
import { canonicalMap, findTokens } from '../../core/tokens/tokens.ts';
import { sessionKey, type TokenMap } from '../../core/vault.ts';
import { type Restoring, restoreAside, shortTextMax } from '../long-texts/long-texts.ts';
import { jobClient, longTexts } from './detectors.ts';
import type { Parties } from './fast-call.ts';
import { restoredLengthMax } from './fields.ts';
import { mapOf } from './masking.ts';
import type { ApiParts } from './parts.ts';

/** A text with tokens, and the source of their values. */
type Source = {
  readonly text: string;
  readonly sessionId?: string | undefined;
  readonly tokenMap?: Readonly<Record<string, string>> | undefined;
  readonly guardUrls?: boolean | undefined;
};

/** Tokens looked up at once: durable stores decrypt each. */
const atOnceMax = 500;

/**
 * Restores a text from a session, from the caller's own map, or else from whichever session of the account is the only
 * one with the token; a long text in a worker thread. @throws PrivetError like `Billing.runThen`.
 */
export async function restoreFrom(
  { billing, stores }: Pick<ApiParts, 'billing' | 'stores'>,
  parties: Parties,
  source: Source,
  kind: Restoring,
): Promise<RestoreResult> {
  const { text, sessionId, tokenMap } = source;
  const { tenant } = parties.caller;
  const isLong = text.length > shortTextMax;
  const aside = (valuesOf: ValuesOf) =>
    longTexts.run(tenant, () =>
      restoreAside(kind, text, { ...restoreOptionsOf(source), ...jobClient(parties) }, valuesOf),
    );
  const restore = (map: TokenMap) => (isLong ? aside(inMap(map)) : restored(kind, source, map));
  if (sessionId !== undefined) {
    return billing.runThen(parties, { read: sessionKey(tenant, sessionId) }, ({ map }) => restore(mapOf(map)));
  }
  if (tokenMap !== undefined) {
    const map = canonicalMap(tokenMap);
    return billing.runThen(parties, {}, () => restore(map));
  }
  const resolve = async (tokens: readonly string[]) => stores.vault.resolve(tenant, tokens);
  if (isLong) return billing.runThen(parties, {}, () => aside(inSteps(resolve)));
  const tokens = tokensOf(text);
  // In parallel: a refused call merely discards the look-up.
  const finding = tokens.length === 0 ? Promise.resolve(new Map<string, string>()) : resolve(tokens);
  finding.catch(() => {});
  return billing.runThen(parties, {}, async () => restore(await finding));
}

type ValuesOf = (tokens: readonly string[]) => Promise<(string | undefined)[]>;

const inMap = (map: TokenMap): ValuesOf => inSteps(async () => map);

/** Looks up values in batches, and yields after each. */
function inSteps(mapFor: (tokens: readonly string[]) => Promise<Pick<TokenMap, 'get'>>): ValuesOf {
  return async (tokens) => {
    const values: (string | undefined)[] = [];
    for (let from = 0; from < tokens.length; from += atOnceMax) {
      const part = tokens.slice(from, from + atOnceMax);
      const map = await mapFor(part);
      values.push(...part.map((token) => map.get(token)));
      await setImmediate();
    }
    return values;
  };
}

/** How to restore a caller's text. */
export function restoreOptionsOf({ guardUrls }: Pick<Source, 'guardUrls'>) {
  return { lengthMax: restoredLengthMax, guardUrls };
}

function restored(kind: Restoring, source: Source, map: TokenMap): RestoreResult {
  const { text } = source;
  return kind === 'text'
    ? restoreText(text, map, restoreOptionsOf(source))
    : ragResolve(text, map, { lengthMax: restoredLengthMax });
}

/** The distinct tokens of a text, in canonical spelling. */
function tokensOf(text: string): string[] {
  return [...new Set(findTokens(text).map((match) => match.identity))];
}
