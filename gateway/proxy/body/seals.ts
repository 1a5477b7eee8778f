/** Texts of a request body signed by a provider, which may reject the request if they are masked. */
import { PrivetError } from '../../../core/errors.ts';
import { outsideTokens } from '../../../core/mask.ts';
import type { RequestBody, Seal } from '../../../core/payload/request.ts';
import type { Detection } from '../../../core/recognizer.ts';
import type { TokenMap, TokenVault } from '../../../core/vault.ts';
import { type SeenReasoning, withTokens } from './seen-reasoning.ts';

type Detects = { detect(text: string): Detection[] | Promise<Detection[]> };

/** The session of a request, with its recorded reasoning. */
export type SessionMemory = {
  readonly session: string;
  readonly vault: TokenVault;
  readonly reasoning: SeenReasoning;
};

/**
 * The signed texts of a body as they must be sent, by index (undefined: unchanged); missing texts are not signed.
 * Throws `uninspectable` for a signed text with PII that no response of the session contained, unless `isAllowed`.
 */
export async function signedTexts(
  parsed: RequestBody,
  detector: Detects,
  { session, vault, reasoning }: SessionMemory,
  isAllowed: boolean,
): Promise<Map<number, string | undefined> | undefined> {
  if (parsed.seals === undefined) return undefined;
  const texts = new Map<number, string | undefined>();
  let map: TokenMap | undefined;
  for (const [i, seal] of parsed.seals) {
    const text = parsed.leaves[i] as string;
    if (await reasoning.isSeen(session, seal.signature, text)) {
      texts.set(i, undefined);
      continue;
    }
    const found = outsideTokens(text, await detector.detect(text));
    if (found.length === 0) continue;
    // The client may have received it restored.
    map ??= await vault.tokens(session);
    const before = withTokens(text, map);
    const isPlain = async () => outsideTokens(before, await detector.detect(before)).length === 0;
    if (before !== text && (await reasoning.isSeen(session, seal.signature, before))) texts.set(i, before);
    else if (!seal.isVerified) continue;
    else if (before !== text && (await isPlain())) texts.set(i, before);
    else if (isAllowed) texts.set(i, undefined);
    else throw sealedText(seal, found);
  }
  return texts;
}

function sealedText({ pointer }: Seal, found: readonly Detection[]): PrivetError {
  const types = countsOf(found);
  const list = Object.keys(types).join(', ');
  const message = `Step rewrite: ${pointer} is signed by the service and contains ${list}, so it cannot be masked.`;
  return new PrivetError('uninspectable', message, {
    hint: 'Leave this part out or start a new conversation; masking.uninspectable.signed: allow lets it pass.',
    details: { types },
  });
}

/** Throws for PII in the unsigned parts of presigned URLs: a rewritten URL would identify something else. */
export async function refuseSealed({ sealed }: RequestBody, detector: Detects): Promise<void> {
  for (const text of sealed) {
    const found = outsideTokens(text, await detector.detect(text));
    if (found.length === 0) continue;
    const types = countsOf(found);
    throw new PrivetError(
      'uninspectable',
      `Step rewrite: a signed part of the body contains ${Object.keys(types).join(', ')} and cannot be masked.`,
      { details: { types } },
    );
  }
}

function countsOf(found: readonly Detection[]): Record<string, number> {
  const types: Record<string, number> = {};
  for (const { type } of found) types[type] = (types[type] ?? 0) + 1;
  return types;
}
