/**
 * Replaces detections by tokens.
 */
import type { Replacements } from './actions.ts';
import type { Detector } from './detect/detector.ts';
import type { Detection, FoundInTexts } from './recognizer.ts';
import { isTokenType } from './tokens/token-types.ts';
import { findTokens, type TokenMatch } from './tokens/tokens.ts';
import type { TokenVault, VaultEntry } from './vault.ts';

/** The text with each detection replaced by the token at the same position of the list. Detections are sorted and do not overlap. */
export function applyMask(text: string, detections: readonly Detection[], tokens: readonly string[]): string {
  let masked = '';
  let done = 0;
  for (const [i, detection] of detections.entries()) {
    masked += text.slice(done, detection.start) + (tokens[i] ?? '');
    done = detection.end;
  }
  return masked + text.slice(done);
}

/** The vault entries for the detections of a text, in order. */
export function vaultEntries(text: string, detections: readonly Detection[]): VaultEntry[] {
  return detections.map(({ type, value, start, end }) => {
    const bracketed = text[start - 1] === '[' && text[end] === ']';
    if (isTokenType(type)) return bracketed ? { type, value, bracketed } : { type, value };
    return bracketed ? { type, value, label: true, bracketed } : { type, value, label: true };
  });
}

/** Canonical tokens already in a text, in any spelling; a new value must not get one of them. */
export function tokensIn(text: string): Set<string> {
  return new Set(findTokens(text, { bare: true }).map((match) => match.identity));
}

const noTokens: ReadonlySet<string> = new Set();

/**
 * What the vault needs for texts that are sent together: the entries of all of them in order, and the tokens that are
 * already in any of them. Without entries, those tokens are not needed and not looked for.
 * `known`: the tokens in some of the texts, by position.
 */
export function reservation(
  texts: readonly string[],
  found: FoundInTexts,
  known?: ReadonlyMap<number, readonly string[]>,
): { readonly entries: VaultEntry[]; readonly taken: ReadonlySet<string> } {
  const entries: VaultEntry[] = [];
  for (const [i, text] of texts.entries()) {
    const detections = found[i];
    if (detections) for (const entry of vaultEntries(text, detections)) entries.push(entry);
  }
  if (entries.length === 0) return { entries, taken: noTokens };
  let taken: Set<string> | undefined;
  for (const [i, text] of texts.entries()) {
    for (const token of known?.get(i) ?? findTokens(text, { bare: true }).map(({ identity }) => identity)) {
      taken ??= new Set();
      taken.add(token);
    }
  }
  return { entries, taken: taken ?? noTokens };
}

/** The texts with the tokens of their {@link reservation}; undefined for a text without detections. */
export function applyReserved(
  texts: readonly string[],
  found: FoundInTexts,
  tokens: readonly string[],
): (string | undefined)[] {
  let next = 0;
  return texts.map((text, i) => {
    const detections = found[i];
    if (!detections || detections.length === 0) return undefined;
    const own = tokens.slice(next, next + detections.length);
    next += detections.length;
    return applyMask(text, detections, own);
  });
}

/** The detections outside of tokens: a token in the chat history is not masked again. */
export function outsideTokens(text: string, detections: readonly Detection[]): Detection[] {
  if (detections.length === 0) return [];
  const tokens = findTokens(text).filter((match) => isSurelyToken(text, match));
  if (tokens.length === 0) return [...detections];
  let next = 0;
  return detections.filter((detection) => {
    while (next < tokens.length && (tokens[next]?.end ?? 0) <= detection.start) next++;
    const token = tokens[next];
    return token === undefined || token.start > detection.start || token.end < detection.end;
  });
}

/** No detected value has so few digits, and token numbers rarely have more (a million values of one type). */
const tokenNumberMax = 999_999;
/** A mangled spelling with a higher number may be a value in brackets. */
const mangledNumberMax = 999;

/** A random id of our format (token-format.ts); other ids may be values. */
const ownId = /[:,]id=(?=[2-9]*[a-z])[a-km-np-z2-9]{16}\]$/;

/**
 * Whether a spelling can only be a token. Restoring accepts every spelling in the map; here that would let values
 * through: `[SSN 536221234]` and `[Card 4111 1111 1111 1111]` are tokens by their shape.
 */
function isSurelyToken(text: string, { start, end, identity }: TokenMatch): boolean {
  const parts = /^\[([A-Z][A-Z0-9_]*)[-_]([0-9]+)\]$/.exec(identity);
  if (parts === null) return ownId.test(identity);
  const n = Number(parts[2]);
  if (text.slice(start, end).includes(identity.slice(1, -1))) return n <= tokenNumberMax;
  return n <= mangledNumberMax && isTokenType(parts[1] as string);
}

/** The masked text, the detections in the original, and the tokens of this text with their values. */
export type MaskResult = { masked: string; detections: Detection[]; tokenMap: Record<string, string> };

/** Detects and masks one text after another into sessions of a vault. */
export class Masker {
  readonly #detector: Detector;
  readonly #vault: TokenVault;
  readonly #replacements: Replacements | undefined;

  /** `replacements`: what replaces the values of types that get no token. */
  constructor(options: { detector: Detector; vault: TokenVault; replacements?: Replacements | undefined }) {
    this.#detector = options.detector;
    this.#vault = options.vault;
    this.#replacements = options.replacements;
  }

  /** @throws whatever the vault throws when it is full or unavailable; the text must then not be sent. */
  async mask(text: string, sessionId: string): Promise<MaskResult> {
    const detections = outsideTokens(text, this.#detector.detect(text));
    if (detections.length === 0) return { masked: text, detections, tokenMap: {} };
    const restorable = this.#replacements?.tokensOnly([detections])[0] ?? detections;
    const taken = tokensIn(text);
    const tokens =
      restorable.length === 0 ? [] : await this.#vault.reserve(sessionId, vaultEntries(text, restorable), { taken });
    const tokenMap: Record<string, string> = {};
    for (const [i, token] of tokens.entries()) tokenMap[token] = restorable[i]?.value ?? '';
    const all = this.#replacements?.filled([detections], tokens) ?? tokens;
    return { masked: applyMask(text, detections, all), detections, tokenMap };
  }
}
