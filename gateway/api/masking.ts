/** Masks and restores a caller's text: shared by /mask, /upload, /chat and /demo. */
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { MaskActions, Replacements } from '../../core/actions.ts';
import { tooManyDetections } from '../../core/detect/detector.ts';
import { PrivetError } from '../../core/errors.ts';
import { applyReserved, outsideTokens, reservation } from '../../core/mask.ts';
import type { Detection } from '../../core/recognizer.ts';
import { type ReserveOptions, sessionKey, type TokenMap } from '../../core/vault.ts';
import type { Call } from '../stores/calls.ts';
import { type Asker, type Detectors, detectionsMax, type Wanted } from './detectors.ts';

/** How to mask a text. */
export type MaskWish = Wanted & {
  /** Continue this session; without it a new one is created. */
  readonly sessionId?: string | undefined;
  readonly tokenFormat?: 'counter' | 'secured' | undefined;
  readonly actions?: MaskActions | undefined;
};

/** The texts of one masking call: detects, says which tokens to reserve, and applies them. */
export class Masking {
  readonly sessionId: string;
  readonly #texts: string[] = [];
  readonly #found: Detection[][] = [];
  /** The tokens in long texts, by position. */
  readonly #taken = new Map<number, readonly string[]>();
  #count = 0;
  #length = 0;
  readonly #wish: MaskWish;
  readonly #asker: Asker;
  readonly #detectors: Detectors;
  readonly #replacements: Replacements | undefined;

  /** `newId`: generates the id of a new session. */
  constructor(detectors: Detectors, asker: Asker, wish: MaskWish, newId: () => string = randomUUID) {
    this.#detectors = detectors;
    this.#asker = asker;
    this.#wish = wish;
    this.#replacements = wish.actions && detectors.replacementsOf(wish.actions, asker.caller.tenant, wish.dictionary);
    this.sessionId = wish.sessionId ?? newId();
  }

  /**
   * Detects in a text; texts are masked in the order they were added. Synchronous for short texts.
   * @throws PrivetError like {@link Detectors.detect}.
   */
  add(text: string): void | Promise<void> {
    const before = this.#length;
    this.#length += text.length;
    const survey = this.#detectors.survey(this.#wish, text, this.#asker, before);
    if (survey !== undefined) {
      return survey.then(({ detections, taken }) => {
        this.#taken.set(this.#texts.length, taken);
        this.#keep(text, detections);
      });
    }
    const found = this.#detectors.detect(this.#wish, text, this.#asker) as Detection[];
    this.#keep(text, outsideTokens(text, found));
  }

  #keep(text: string, detections: Detection[]): void {
    this.#count += detections.length;
    if (this.#count > detectionsMax) throw tooManyDetections(detectionsMax);
    this.#texts.push(text);
    this.#found.push(detections);
  }

  /** The reservation for the store. A given session must exist. */
  get reserve(): NonNullable<Call['reserve']> {
    const { sessionId, tokenFormat: format } = this.#wish;
    const found = this.#replacements?.tokensOnly(this.#found) ?? this.#found;
    const { entries, taken } = reservation(this.#texts, found, this.#taken);
    const { tenant, plan } = this.#asker.caller;
    const isFresh = sessionId === undefined;
    const options: ReserveOptions = { taken, protection: plan.protection, format, create: isFresh, isFresh };
    return { session: sessionKey(tenant, this.sessionId), entries, options };
  }

  /**
   * The masked texts, in order, with their detections and tokens; `tokens` comes from the store. Yields to other
   * requests when there are many values.
   */
  apply(tokens: readonly string[] = []): Masked | Promise<Masked> {
    const tokenMap: Record<string, string> = {};
    const restorable = this.#replacements?.tokensOnly(this.#found) ?? this.#found;
    const values = restorable.flatMap((detections) => detections ?? []);
    const add = (from: number, to: number) => {
      for (let i = from; i < Math.min(to, values.length); i++) tokenMap[tokens[i] ?? ''] = values[i]?.value ?? '';
    };
    if (this.#count > valuesAtOnce) return this.#applyInParts(tokens, tokenMap, add);
    add(0, this.#count);
    return { texts: this.#masked(tokens), tokenMap };
  }

  async #applyInParts(
    tokens: readonly string[],
    tokenMap: Record<string, string>,
    add: (from: number, to: number) => void,
  ): Promise<Masked> {
    for (let from = 0; from < this.#count; from += valuesAtOnce) {
      add(from, from + valuesAtOnce);
      await setImmediate();
    }
    const texts = this.#masked(tokens);
    await setImmediate();
    return { texts, tokenMap };
  }

  #masked(tokens: readonly string[]): MaskedText[] {
    const all = this.#replacements?.filled(this.#found, tokens) ?? tokens;
    const masked = applyReserved(this.#texts, this.#found, all);
    return this.#texts.map((text, i) => ({ masked: masked[i] ?? text, detections: this.#found[i] ?? [] }));
  }
}

/** Values assembled before yielding. */
const valuesAtOnce = 2_000;

/** What was masked in a call. */
export type Masked = { readonly texts: readonly MaskedText[]; readonly tokenMap: Record<string, string> };

export type MaskedText = { readonly masked: string; readonly detections: readonly Detection[] };

/** The tokens of a session. @throws PrivetError `session_not_found`. */
export function mapOf(map: TokenMap | undefined): TokenMap {
  if (map === undefined) throw new PrivetError('session_not_found', 'The session does not exist.');
  return map;
}
