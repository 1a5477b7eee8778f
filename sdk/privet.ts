/**
 * Privet in a program: finds personal data, replaces it with tokens, and restores the values. Everything runs in this
 * process; only `chat` and `upload` connect to a server.
 */

import { checkActions, type MaskActions, type Replacements, replacementsOf } from '../core/actions.ts';
import { Detector } from '../core/detect/detector.ts';
import type { CustomRecognizer } from '../core/dictionary/custom-recognizers.ts';
import type { DictionaryEntry } from '../core/dictionary/dictionary.ts';
import { PrivetError } from '../core/errors.ts';
import { detectAllInjections, detectInjection, detectSqlInjection } from '../core/injection/index.ts';
import { applyMask, outsideTokens, tokensIn, vaultEntries } from '../core/mask.ts';
import { addNoise } from '../core/noise.ts';
import { ragIngest, ragResolve } from '../core/rag/index.ts';
import { restoreText } from '../core/restore.ts';
import type { StreamKind } from '../core/stream/stream-restorer.ts';
import { readReference, referredToken } from '../core/tokens/token-reference.ts';
import { isTokenType } from '../core/tokens/token-types.ts';
import { MemoryVault } from '../core/vault.ts';
import { type BodyMasking, maskBody } from './body.ts';
import { maskPieces } from './mask-pieces.ts';
import { maskValue } from './messages.ts';
import {
  checkLang,
  checkOptions,
  checkScore,
  checkTokenFormat,
  checkTtl,
  checkTypes,
  detectOptions,
  dpOptions,
  injectionOptions,
  maskBodyOptions,
  maskOptions,
  privetOptions,
  ragOptions,
  restoreOptions,
  resultNames,
} from './options.ts';
import type {
  DetectOptions,
  DpOptions,
  MaskBodyOptions,
  MaskEvent,
  MaskOptions,
  Privet,
  PrivetOptions,
  ProtectFetchOptions,
  RestoreCallOptions,
} from './privet-types.ts';
import { protectFetchWith } from './protect-fetch.ts';
import { createRestClient } from './rest-client.ts';
import { anywhere, checkText, newSessionId, oneAnywhere, type SessionRef, tokensOf } from './session.ts';
import { inSpan, type SpanCounts } from './spans.ts';
import { restoreBytes, restoreItems, restorePieces } from './streams.ts';

export type {
  DetectOptions,
  DetectResult,
  DpOptions,
  InjectionOptions,
  Language,
  MaskBodyOptions,
  MaskEvent,
  MaskedBody,
  MaskedMessages,
  MaskedText,
  MaskOptions,
  Privet,
  PrivetOptions,
  RagOptions,
  RestoreCallOptions,
  RestoredToken,
} from './privet-types.ts';

/**
 * @example
 * const privet = createPrivet();
 * const { masked } = await privet.mask('Write to hanako@example.com');
 * // masked: 'Write to [SECURED:type=EMAIL,id=…]'
 * const { restored } = await privet.restoreAll(`Done: ${masked}`);
 * // restored: 'Done: Write to hanako@example.com'
 * @throws PrivetError `invalid_input` for an unknown option, missing or unknown types, an unknown language, a `ttlMs`
 * that is not a whole number, or an invalid dictionary entry
 */
export function createPrivet(options: PrivetOptions = {}): Privet {
  checkOptions('createPrivet', options, privetOptions);
  const { lang = 'en', dictionary = [], ttlMs = 86_400_000 } = options;
  checkTtl(ttlMs);
  checkLang(lang);
  const noise = noiseOf(options.dpMode);
  const vault = options.vault ?? new MemoryVault({ ttlMs });
  checkTypes(options.types);
  const { recognizers = [] } = options;
  const base = new Detector({ lang, dictionary, recognizers, ...typesOf(options.types, dictionary, recognizers) });
  const hashKey = typeof options.hashKey === 'string' ? new TextEncoder().encode(options.hashKey) : options.hashKey;
  const replacementsFor = (asked: DetectOptions & { readonly actions?: MaskActions }): Replacements | undefined => {
    const labels = [...dictionary, ...(asked.dictionary ?? [])].map(({ label }) => label);
    const own = [...recognizers, ...(asked.recognizers ?? [])].map(({ type }) => type);
    const actions = checkActions({ ...options.actions, ...asked.actions }, [...labels, ...own]);
    return replacementsOf(actions, hashKey);
  };
  const usual = replacementsFor({});
  const notify = (call: MaskEvent['call'], sessionId: string, found: readonly { readonly type: string }[]) => {
    if (options.onMask === undefined) return;
    options.onMask({ call, sessionId, counts: byType(found) });
  };

  const detectorFor = (wanted: DetectOptions): Detector => {
    checkTypes(wanted.types);
    checkScore(wanted.minScore);
    checkLang(wanted.lang);
    const isUsual =
      wanted.types === undefined &&
      wanted.dictionary === undefined &&
      wanted.recognizers === undefined &&
      wanted.minScore === undefined &&
      wanted.explain !== true;
    if (isUsual && (wanted.lang ?? lang) === lang) return base;
    const entries = [...dictionary, ...(wanted.dictionary ?? [])];
    const all = [...recognizers, ...(wanted.recognizers ?? [])];
    return new Detector({
      lang: wanted.lang ?? lang,
      dictionary: entries,
      recognizers: all,
      ...typesOf(wanted.types ?? options.types, entries, all),
      ...(wanted.minScore === undefined ? {} : { minScore: wanted.minScore }),
      explain: wanted.explain === true,
    });
  };
  const reserveOptions = ({ tokenFormat, sessionId }: MaskOptions) => {
    checkTokenFormat(tokenFormat);
    return { ttlMs, isFresh: sessionId === undefined, format: tokenFormat ?? ('secured' as const) };
  };
  const masking = (asked: MaskBodyOptions): BodyMasking => ({
    detector: detectorFor(asked),
    vault,
    sessionId: sessionIdOf(asked),
    reserve: reserveOptions(asked),
    noise: noiseOf(asked.dpMode) ?? noise,
    replacements: asked.actions === undefined ? usual : replacementsFor(asked),
    ...(asked.uninspectable === undefined ? {} : { uninspectable: asked.uninspectable }),
  });

  const privet: Privet = {
    detect(text, wanted = {}) {
      checkText(text, 'text');
      checkOptions('detect', wanted, detectOptions);
      const detections = detectorFor(wanted).detect(text);
      return { detections, count: detections.length };
    },

    async mask(text, asked = {}) {
      checkText(text, 'text');
      checkOptions('mask', asked, maskOptions, resultNames);
      const sessionId = sessionIdOf(asked);
      const detections = outsideTokens(text, detectorFor(asked).detect(text));
      const taken = tokensIn(text);
      const replacements = asked.actions === undefined ? usual : replacementsFor(asked);
      const [restorable = detections] = replacements?.tokensOnly([detections]) ?? [];
      const tokens = await vault.reserve(sessionId, vaultEntries(text, restorable), {
        ...reserveOptions(asked),
        taken,
      });
      const tokenMap = Object.fromEntries(tokens.map((token, i) => [token, restorable[i]?.value ?? '']));
      const masked = applyMask(text, detections, replacements?.filled([detections], tokens) ?? tokens);
      notify('mask', sessionId, detections);
      const wanted = noiseOf(asked.dpMode) ?? noise;
      if (wanted === undefined) return { masked, sessionId, tokenMap, detections };
      // Identifiers are tokens by now, which noise does not change.
      const noisy = addNoise(masked, { ...wanted, detections: [] });
      return { masked: noisy.text, sessionId, tokenMap, detections, numbersChanged: noisy.changed };
    },

    maskStream(source, asked = {}) {
      checkOptions('maskStream', asked, maskOptions, resultNames);
      const sessionId = sessionIdOf(asked);
      const detector = detectorFor(asked);
      const replacements = asked.actions === undefined ? usual : replacementsFor(asked);
      const noisy = noiseOf(asked.dpMode) ?? noise;
      const reserve = { ...reserveOptions(asked), isFresh: false };
      return maskPieces(source, {
        detect: (text) => detector.detect(text),
        async replace(text, detections) {
          const [restorable = detections] = replacements?.tokensOnly([detections]) ?? [];
          const entries = vaultEntries(text, restorable);
          const tokens = await vault.reserve(sessionId, entries, { ...reserve, taken: tokensIn(text) });
          const masked = applyMask(text, detections, replacements?.filled([detections], tokens) ?? tokens);
          notify('maskStream', sessionId, detections);
          return noisy === undefined ? masked : addNoise(masked, { ...noisy, detections: [] }).text;
        },
      });
    },

    async maskMessages(messages, asked = {}) {
      if (typeof messages !== 'object' || messages === null) {
        throw new PrivetError('invalid_input', `messages: expected an array or object, got ${typeof messages}.`);
      }
      checkOptions('maskMessages', asked, [...maskOptions, 'uninspectable'], resultNames);
      const all = masking(asked);
      const { value, masked } = await maskValue(messages, all);
      const tokenMap: Record<string, string> = {};
      const counts: Record<string, number> = {};
      for (const { detection, text, isToken } of masked) {
        if (isToken) tokenMap[text] = detection.value;
        counts[detection.type] = (counts[detection.type] ?? 0) + 1;
      }
      if (masked.length === 0) await vault.reserve(all.sessionId, [], all.reserve);
      notify(
        'maskMessages',
        all.sessionId,
        masked.map(({ detection }) => detection),
      );
      return { messages: value, sessionId: all.sessionId, tokenMap, counts };
    },

    async maskBody(body, asked = {}) {
      checkOptions('maskBody', asked, maskBodyOptions, resultNames);
      const all = masking(asked);
      const { body: masked, detections, numbers } = await maskBody(body, asked.contentType, all);
      notify('maskBody', all.sessionId, detections);
      if (masked === body) await vault.reserve(all.sessionId, [], all.reserve);
      return { body: masked, sessionId: all.sessionId, ...(numbers && { numbers }) };
    },

    async restore(id, session) {
      checkText(id, 'id');
      const reference = readReference(id);
      if (reference === undefined) {
        throw new PrivetError('invalid_input', 'id: this is not a single token.', {
          hint: 'Give one token, as mask returned it, or the id in it, or use restoreAll for a text.',
        });
      }
      const map = isSession(session) ? await tokensOf(vault, session) : await oneAnywhere(vault, reference);
      const found = referredToken(map, reference);
      if (found === undefined) {
        throw new PrivetError('not_found', 'id: no session, or more than one, has this token.', {
          hint: 'Give the session that mask returned with it; if that has expired, mask the text again.',
        });
      }
      return found;
    },

    async restoreAll(text, session) {
      checkText(text, 'text');
      return restoreText(
        text,
        isSession(session) ? await tokensOf(vault, session) : await anywhere(vault, tokensIn(text)),
      );
    },

    detectInjection(text, check = {}) {
      checkText(text, 'text');
      checkOptions('detectInjection', check, injectionOptions);
      return detectInjection(text, check);
    },

    detectSQLInjection(text, check = {}) {
      checkText(text, 'text');
      checkOptions('detectSQLInjection', check, injectionOptions);
      return detectSqlInjection(text, check);
    },

    detectAllInjections(text, check = {}) {
      checkText(text, 'text');
      checkOptions('detectAllInjections', check, injectionOptions);
      return detectAllInjections(text, check);
    },

    async ragIngest(text, asked = {}) {
      checkText(text, 'text');
      checkOptions('ragIngest', asked, ragOptions, resultNames);
      const { sessionId, lang: hint, ...more } = asked;
      const id = sessionIdOf(sessionId === undefined ? {} : { sessionId });
      const detector = detectorFor(hint === undefined ? {} : { lang: hint });
      return ragIngest(text, { ...more, detector, vault, sessionId: id });
    },

    async ragResolve(text, from, more = {}) {
      checkText(text, 'text');
      checkOptions('ragResolve', more, restoreOptions);
      checkLang(more.lang);
      // A non-object is rejected like an invalid session.
      const isRef = typeof from !== 'object' || from === null || 'sessionId' in from || 'tokenMap' in from;
      return ragResolve(text, await tokensOf(vault, isRef ? (from as SessionRef) : { tokenMap: from }));
    },

    addNoise(text, wanted) {
      checkText(text, 'text');
      checkOptions('addNoise', wanted, dpOptions);
      return addNoise(text, { ...wanted, detections: base.detect(text) });
    },

    restoreStream: ((first: SessionRef | AsyncIterable<unknown>, second?: SessionRef | { kind: StreamKind }) => {
      if (typeof first === 'object' && Symbol.asyncIterator in first) {
        return restoreItems(first, awaited(tokensOf(vault, second as SessionRef)));
      }
      const map = awaited(tokensOf(vault, first as SessionRef));
      const kind = (second as { kind: StreamKind } | undefined)?.kind;
      return kind === undefined ? restorePieces(map) : restoreBytes(kind, map);
    }) as Privet['restoreStream'],

    tokens: async (sessionId) => vault.tokens(sessionId),
    forget: async (sessionId) => {
      await vault.drop(sessionId);
    },
    ...createRestClient(options),
    protectFetch: (fetch, more) => protectFetchWith(privet, fetch, more),
  };
  return traced(privet);
}

const byType = (found: readonly { readonly type: string }[]) => {
  const counts: Record<string, number> = {};
  for (const { type } of found) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
};

/** The masking and restoring calls, each in a span if OpenTelemetry is set up. */
function traced(privet: Privet): Privet {
  return Object.assign(privet, {
    mask: spanned(privet.mask, 'privet.mask', ({ detections }) => byType(detections)),
    maskMessages: spanned(privet.maskMessages, 'privet.mask', ({ counts }) => counts),
    restoreAll: spanned(privet.restoreAll, 'privet.restore', ({ restoredCount }) => ({ restored: restoredCount })),
  } as Partial<Privet>);
}

function spanned<A extends unknown[], T>(
  call: (...args: A) => Promise<T>,
  name: string,
  countsOf: (result: T) => SpanCounts,
): (...args: A) => Promise<T> {
  return (...args) => inSpan(name, () => call(...args), countsOf);
}

/**
 * Wraps a `fetch`. Bodies of any shape are masked; JSON and streamed responses are restored. URLs and headers are
 * unchanged. A call whose body cannot be masked safely is not sent; the response is a 4xx in the provider's error
 * format.
 *
 * @example
 * const client = new OpenAI({ fetch: protectFetch() });
 */
export function protectFetch(
  fetch?: typeof globalThis.fetch,
  options: ProtectFetchOptions = {},
): typeof globalThis.fetch {
  return protectFetchWith(options?.privet ?? createPrivet(), fetch, options);
}

/** Marks a promise as awaited later: until then its rejection must not end the process. */
function awaited<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

function sessionIdOf({ sessionId }: MaskOptions): string {
  if (sessionId === undefined) return newSessionId();
  checkText(sessionId, 'sessionId');
  if (sessionId === '' || sessionId.length > 128) {
    throw new PrivetError('invalid_input', 'sessionId: this is empty or longer than 128 characters.');
  }
  return sessionId;
}

/** `true` means the default noise. @throws PrivetError `invalid_input` */
function noiseOf(wanted: true | DpOptions | undefined): DpOptions | undefined {
  if (wanted === undefined) return undefined;
  if (wanted === true) return { epsilon: 1 };
  checkOptions('dpMode', wanted, dpOptions);
  // Report invalid values now, not at the first text.
  addNoise('', { ...wanted, detections: [] });
  return wanted;
}

/** True if the options name a session. */
function isSession(given: SessionRef | RestoreCallOptions | undefined): given is SessionRef {
  if (given === undefined) return false;
  if (typeof given !== 'object' || given === null || !('lang' in given)) return true;
  checkLang((given as RestoreCallOptions).lang);
  return 'sessionId' in given || 'tokenMap' in given;
}

/** Dictionary labels and types of custom recognizers are always detected, and may be listed. */
function typesOf(
  types: readonly string[] | undefined,
  dictionary: readonly DictionaryEntry[],
  recognizers: readonly CustomRecognizer[],
): { types?: readonly string[] } {
  if (types === undefined) return {};
  const labels = new Set([...dictionary.map(({ label }) => label), ...recognizers.map(({ type }) => type)]);
  return { types: types.filter((type) => isTokenType(type) || !labels.has(type)) };
}
