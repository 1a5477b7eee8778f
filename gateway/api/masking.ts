/** Masking and restoring of one text of a caller: what /mask, /upload, /chat and /demo share. */
import { randomUUID } from 'node:crypto';
import { PrivetError } from '../../core/errors.ts';
import { applyMask, outsideTokens, tokensIn, vaultEntries } from '../../core/mask.ts';
import { addNoise } from '../../core/noise.ts';
import type { Detection } from '../../core/recognizer.ts';
import { findTokens } from '../../core/tokens.ts';
import { sessionKey, type TokenMap, type VaultEntry } from '../../core/vault.ts';
import type { Caller } from '../stores/accounts.ts';
import type { Call } from '../stores/calls.ts';
import type { Detectors, Wanted } from './detectors.ts';

/** How a text is masked. */
export type MaskWish = Wanted & {
  /** Continue this session; without it a new one is opened. */
  readonly sessionId?: string | undefined;
  readonly tokenFormat?: 'counter' | 'secured' | undefined;
};

/** A session to reserve tokens in, and how; what `/mask` asks the store for. */
export class Masking {
  readonly sessionId: string;
  readonly #texts: { readonly text: string; readonly detections: readonly Detection[] }[] = [];
  readonly #entries: VaultEntry[] = [];
  readonly #taken = new Set<string>();
  readonly #wish: MaskWish;
  readonly #caller: Caller;
  readonly #detectors: Detectors;

  constructor(detectors: Detectors, caller: Caller, wish: MaskWish) {
    this.#detectors = detectors;
    this.#caller = caller;
    this.#wish = wish;
    this.sessionId = wish.sessionId ?? randomUUID();
  }

  /**
   * Looks at a text; texts are masked in the order in which they were added.
   * @throws PrivetError as {@link Detectors.detect}.
   */
  async add(text: string): Promise<void> {
    const found = this.#detectors.detect(this.#wish, text);
    const detections = outsideTokens(text, found instanceof Promise ? await found : found);
    this.#texts.push({ text, detections });
    if (detections.length === 0) return;
    for (const entry of vaultEntries(text, detections)) this.#entries.push(entry);
    for (const token of tokensIn(text)) this.#taken.add(token);
  }

  /** The work for the store. A session that was given has to be there. */
  get reserve(): NonNullable<Call['reserve']> {
    const { sessionId, tokenFormat } = this.#wish;
    return {
      session: sessionKey(this.#caller.tenant, this.sessionId),
      entries: this.#entries,
      options: {
        taken: this.#taken,
        protection: this.#caller.plan.protection,
        ...(tokenFormat === undefined ? {} : { format: tokenFormat }),
        ...(sessionId === undefined ? {} : { create: false }),
      },
    };
  }

  /** The masked texts, in order, with their detections and tokens; `tokens` is what the store answered. */
  apply(tokens: readonly string[] = []): { texts: MaskedText[]; tokenMap: Record<string, string> } {
    const tokenMap: Record<string, string> = {};
    let used = 0;
    const texts = this.#texts.map(({ text, detections }) => {
      const own = tokens.slice(used, used + detections.length);
      used += detections.length;
      for (const [i, token] of own.entries()) tokenMap[token] = detections[i]?.value ?? '';
      return { masked: applyMask(text, detections, own), detections };
    });
    return { texts, tokenMap };
  }
}

/** One masked text. */
export type MaskedText = { readonly masked: string; readonly detections: readonly Detection[] };

/** Options of numeric noise. */
export type NoiseWish = { readonly epsilon: number; readonly seed?: number | string; readonly sensitivity?: number };

/** A masked text with noise on its numbers: identifiers are tokens by now, and tokens are left alone. */
export function withNoise(masked: string, wish: NoiseWish): { text: string; changed: number } {
  return addNoise(masked, { ...wish, detections: [] });
}

/** What a session has issued. @throws PrivetError `session_not_found`. */
export function mapOf(map: TokenMap | undefined): TokenMap {
  if (map === undefined) throw new PrivetError('session_not_found', 'There is no such session.');
  return map;
}

/** A map as a caller sends it: keys in any spelling of a token. */
export function mapFrom(tokenMap: Readonly<Record<string, string>>): Map<string, string> {
  return new Map(Object.entries(tokenMap).map(([token, value]) => [canonical(token), value]));
}

/** The tokens of a text, each once, in their canonical spelling. */
export function tokensOf(text: string): string[] {
  return [...new Set(findTokens(text).map((match) => match.identity))];
}

function canonical(token: string): string {
  const matches = findTokens(token);
  return matches.length === 1 ? (matches[0]?.identity ?? token) : token;
}
