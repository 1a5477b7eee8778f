/**
 * Privet in a program: finds personal data, puts tokens in its place, and puts the values back. All of it runs in this
 * process; only `chat` and `upload` talk to a server, and only when they are called.
 */
import { checkActions, type MaskActions, type Replacements, replacementsOf } from '../core/actions.ts';
import type { CustomRecognizer } from '../core/detect/custom-recognizers.ts';
import { Detector } from '../core/detect/detector.ts';
import type { DictionaryEntry } from '../core/detect/dictionary.ts';
import { PrivetError } from '../core/errors.ts';
import {
  type AllInjections,
  detectAllInjections,
  detectInjection,
  detectSqlInjection,
  type InjectionResult,
} from '../core/injection/index.ts';
import { applyMask, outsideTokens, tokensIn, vaultEntries } from '../core/mask.ts';
import { addNoise, type NoiseOptions } from '../core/noise.ts';
import { type RagIngestResult, ragIngest, ragResolve } from '../core/rag/index.ts';
import type { Detection } from '../core/recognizer.ts';
import { type RestoreResult, restoreText } from '../core/restore.ts';
import type { StreamKind } from '../core/stream/stream-restorer.ts';
import { isTokenType } from '../core/tokens/token-types.ts';
import { findTokens } from '../core/tokens/tokens.ts';
import { MemoryVault, type TokenMap, type TokenVault } from '../core/vault.ts';
import { type BodyMasking, maskBody, type Uninspectable } from './body.ts';
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
import { type ProtectFetchOptions, protectFetchWith } from './protect-fetch.ts';
import { createRestClient, type RestClient } from './rest-client.ts';
import { checkText, newSessionId, type SessionRef, tokensOf } from './session.ts';
import { inSpan, type SpanCounts } from './spans.ts';
import { restoreBytes, restoreItems, restorePieces } from './streams.ts';

/** Options of {@link createPrivet}. All are optional. */
export type PrivetOptions = {
  /** Language of the texts, a hint for detection: both are looked for. Default `en`. */
  readonly lang?: Language;
  /** Numeric noise in everything that is masked; see {@link Privet.addNoise}. `true` is `{ epsilon: 1 }`. Default none. */
  readonly dpMode?: true | DpOptions;
  /** Own terms: `{ label: 'PROJECT', pattern: 'Apollo' }`, or a regular expression as `/pattern/flags`. */
  readonly dictionary?: readonly DictionaryEntry[];
  /** Only these types, e.g. `['EMAIL', 'PHONE']`. Default: all. */
  readonly types?: readonly string[];
  /** Own types: forms, a check, context words, false alarms; see {@link CustomRecognizer}. */
  readonly recognizers?: readonly CustomRecognizer[];
  /** What stands in place of values, by type or group; see {@link MaskAction}. Default a token for all. */
  readonly actions?: MaskActions;
  /** Key of the action `hash`, at least 16 bytes: equal values have equal hashes under one key. */
  readonly hashKey?: string | Uint8Array;
  /** Told after each masking what was found: counts by type, never a value. Its errors are the caller's. */
  readonly onMask?: (event: MaskEvent) => void;
  /** Lifetime of a session since its last use, in milliseconds; 0 = no expiry. Default 24 hours. */
  readonly ttlMs?: number;
  /** Where values are kept. Default: the memory of this process. */
  readonly vault?: TokenVault;
  /** Key for `chat` and `upload`. */
  readonly apiKey?: string;
  /** Address of the REST API for `chat` and `upload`, e.g. `http://127.0.0.1:3001`. */
  readonly baseUrl?: string;
};

/** What {@link PrivetOptions.onMask} is told. */
export type MaskEvent = {
  readonly call: 'mask' | 'maskMessages' | 'maskBody' | 'maskStream';
  readonly sessionId: string;
  /** How many values of each type were found. */
  readonly counts: Readonly<Record<string, number>>;
};

/** The languages of texts. */
export type Language = 'en' | 'ja';

/** Options of the checks for injection. */
export type InjectionOptions = {
  /** Accepted, without effect: checks for injection look at every language, since attacks mix them. */
  readonly lang?: Language;
  /** How much evidence a finding takes: `low` reports less than `normal`, `high` reports single weak signals too. */
  readonly sensitivity?: 'low' | 'normal' | 'high';
};

/** What a call looks for, where it differs from the options of {@link createPrivet}. */
export type DetectOptions = {
  readonly lang?: Language;
  readonly types?: readonly string[];
  readonly dictionary?: readonly DictionaryEntry[];
  /** Own types beside those of {@link createPrivet}. */
  readonly recognizers?: readonly CustomRecognizer[];
  /** Leave out what is less certain, 0 to 1. */
  readonly minScore?: number;
  /** Detections say `why`: features with their weights, strongest first. */
  readonly explain?: boolean;
};

/** Options of the masking calls. */
export type MaskOptions = DetectOptions & {
  /** Continue this session, so that equal values keep their tokens. Default: a new one. */
  readonly sessionId?: string;
  /**
   * `secured` (default): `[SECURED:type=EMAIL,id=…]`, which no other session has, so that `restore` and `restoreAll` need no
   * session. `counter`: `[EMAIL-1]`, short and the same in every session; restore it with its session.
   */
  readonly tokenFormat?: 'counter' | 'secured';
  /** Actions by type, in place of those of {@link createPrivet} where both name one. */
  readonly actions?: MaskActions;
  /** Numeric noise, in place of that of {@link createPrivet}. */
  readonly dpMode?: true | DpOptions;
};

/** What was found in a text. Offsets are UTF-16 code units. */
export type DetectResult = { readonly detections: readonly Detection[]; readonly count: number };

/** One token and its value. */
export type RestoredToken = { readonly token: string; readonly restored: string };

/** Options of the calls that restore. */
export type RestoreCallOptions = {
  /** Accepted, without effect: tokens are the same in every language. */
  readonly lang?: Language;
};

/** A masked text. Keep `sessionId` for restoring; `tokenMap` holds the values of this text and is not for sending on. */
export type MaskedText = {
  readonly masked: string;
  readonly sessionId: string;
  readonly tokenMap: Readonly<Record<string, string>>;
  readonly detections: readonly Detection[];
  /** With `dpMode`: how many numbers got noise. */
  readonly numbersChanged?: number;
};

/** Masked messages; the same array as given when nothing was found. */
export type MaskedMessages<T> = {
  readonly messages: T;
  readonly sessionId: string;
  readonly tokenMap: Readonly<Record<string, string>>;
  /** How many values of each type were masked. */
  readonly counts: Readonly<Record<string, number>>;
};

/** A masked body of a request; the same body as given when nothing was found. */
export type MaskedBody = { readonly body: string | Uint8Array; readonly sessionId: string };

/** Options of {@link Privet.maskBody}. */
export type MaskBodyOptions = MaskOptions & {
  readonly contentType?: string;
  /** Parts that cannot be read: images and audio are allowed by default, documents and unknown bytes are refused. */
  readonly uninspectable?: Partial<Uninspectable>;
};

/** Options of {@link Privet.ragIngest}. */
export type RagOptions = {
  readonly lang?: Language;
  /** Continue this session. Default: a new one. */
  readonly sessionId?: string;
  /** Maximum length of a chunk, and what neighbouring chunks share, in characters. */
  readonly chunkSize?: number;
  readonly overlap?: number;
  /** `['name']` masks names as well; they are what people search for, so they are left alone unless asked for. */
  readonly extraTypes?: readonly string[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (doneChars: number, totalChars: number) => void;
};

/** Options of numeric noise; see {@link Privet.addNoise}. */
export type DpOptions = Omit<NoiseOptions, 'detections'>;

/** Privet with one set of options. Every method may be taken out of the object and called alone. */
export interface Privet extends RestClient {
  /** Finds personal data. @throws PrivetError `invalid_input` */
  detect(text: string, options?: DetectOptions): DetectResult;
  /** Puts tokens in place of personal data. @throws PrivetError `invalid_input`, or what the vault throws */
  mask(text: string, options?: MaskOptions): Promise<MaskedText>;
  /**
   * Masks a message array of OpenAI, Anthropic or alike, with content parts, tool calls and tool results. A whole request
   * object may be given as well. The input is not changed.
   * @throws PrivetError `uninspectable` for parts that may not be sent
   */
  maskMessages<T>(
    messages: T,
    options?: MaskOptions & Pick<MaskBodyOptions, 'uninspectable'>,
  ): Promise<MaskedMessages<T>>;
  /**
   * Masks the body of a request of any shape: JSON, lines of JSON, forms, multipart, text.
   * @throws PrivetError when it is not certain that the body is safe to send
   */
  maskBody(body: string | Uint8Array, options?: MaskBodyOptions): Promise<MaskedBody>;
  /**
   * Gives the value of one token, in any spelling that a model makes of it. Without a session the token has to be one that
   * exactly one live session holds.
   * @throws PrivetError `invalid_input` for what is no single token, `not_found` for one that nobody has issued,
   *   `session_not_found` for a session that is unknown or has expired
   */
  restore(id: string, session?: SessionRef | RestoreCallOptions): Promise<RestoredToken>;
  /**
   * Puts the values back in place of all tokens of a text. Without a session: tokens that exactly one live session holds
   * are restored and the rest is left; this needs a vault that can look for them, as the built-in one can.
   * @throws PrivetError `session_not_found` for a session that is unknown or has expired
   */
  restoreAll(text: string, session?: SessionRef | RestoreCallOptions): Promise<RestoreResult>;
  /** Whether a text tries to give instructions to a model: categories, risk and places. */
  detectInjection(text: string, options?: InjectionOptions): InjectionResult;
  /** Whether a text is an attack on an SQL database. */
  detectSQLInjection(text: string, options?: InjectionOptions): InjectionResult;
  /** Both checks at once. */
  detectAllInjections(text: string, options?: InjectionOptions): AllInjections;
  /**
   * Masks a text that arrives in pieces, all in one session; a piece comes out when nothing behind it can change it, some
   * two thousand characters later. Without a `sessionId` nothing can be restored but tokens with an id.
   */
  maskStream(source: AsyncIterable<string>, options?: MaskOptions): AsyncGenerator<string, void>;
  /** A stream of text pieces with values in place of tokens, wherever the pieces are cut. */
  restoreStream(session: SessionRef): TransformStream<string, string>;
  /** The same for bytes of a response: `sse`, `ndjson`, `json` or `text`. */
  restoreStream(session: SessionRef, options: { readonly kind: StreamKind }): TransformStream<Uint8Array, Uint8Array>;
  /** The same for the stream object of an AI package, or any async iterable of texts or events. */
  restoreStream<T>(source: AsyncIterable<T>, session: SessionRef): AsyncGenerator<T, void>;
  /**
   * Masks a document and splits it into chunks for embedding and storing, with tokens as `[SRAG:cat=PII,name=EMAIL,id=…]`.
   * @throws PrivetError `invalid_input`, or the reason of `signal`
   */
  ragIngest(text: string, options?: RagOptions): Promise<RagIngestResult>;
  /** Puts the values back into what was made from chunks; `tokenMap` is that of the ingest, or a session. */
  ragResolve(
    text: string,
    tokenMap: Readonly<Record<string, string>> | SessionRef,
    options?: RestoreCallOptions,
  ): Promise<RestoreResult>;
  /**
   * Adds Laplace noise to the plain numbers of a text; identifiers, dates and versions stay.
   * @throws PrivetError `invalid_input` for an `epsilon` that is not above 0
   */
  addNoise(text: string, options: DpOptions): { text: string; changed: number };
  /** What a session has issued; undefined when it is unknown or has expired. */
  tokens(sessionId: string): Promise<TokenMap | undefined>;
  /** Forgets a session: its tokens can no longer be restored. */
  forget(sessionId: string): Promise<void>;
  /** A `fetch` that masks what it sends and restores what it gets; see `protectFetch`. */
  protectFetch(fetch?: typeof globalThis.fetch, options?: Omit<ProtectFetchOptions, 'privet'>): typeof globalThis.fetch;
}

/**
 * @example
 * const privet = createPrivet();
 * const { masked } = await privet.mask('Write to hanako@example.com');
 * // masked: 'Write to [SECURED:type=EMAIL,id=…]'
 * const { restored } = await privet.restoreAll(`Done: ${masked}`);
 * // restored: 'Done: Write to hanako@example.com'
 * @throws PrivetError `invalid_input` for an option that is not there, no or unknown types, an unknown language, a `ttlMs`
 *   that is no whole number, or a wrong dictionary entry
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
  const told = (call: MaskEvent['call'], sessionId: string, found: readonly { readonly type: string }[]) => {
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
      told('mask', sessionId, detections);
      const wanted = noiseOf(asked.dpMode) ?? noise;
      if (wanted === undefined) return { masked, sessionId, tokenMap, detections };
      // Identifiers are tokens by now, and tokens are left alone.
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
          told('maskStream', sessionId, detections);
          return noisy === undefined ? masked : addNoise(masked, { ...noisy, detections: [] }).text;
        },
      });
    },

    async maskMessages(messages, asked = {}) {
      if (typeof messages !== 'object' || messages === null) {
        throw new PrivetError('invalid_input', `messages: an array or object is needed, this is ${typeof messages}.`);
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
      told(
        'maskMessages',
        all.sessionId,
        masked.map(({ detection }) => detection),
      );
      return { messages: value, sessionId: all.sessionId, tokenMap, counts };
    },

    async maskBody(body, asked = {}) {
      checkOptions('maskBody', asked, maskBodyOptions, resultNames);
      const all = masking(asked);
      const { body: masked, detections } = await maskBody(body, asked.contentType, all);
      told('maskBody', all.sessionId, detections);
      if (masked === body) await vault.reserve(all.sessionId, [], all.reserve);
      return { body: masked, sessionId: all.sessionId };
    },

    async restore(id, session) {
      checkText(id, 'id');
      const [match, ...more] = findTokens(id.trim(), { bare: true });
      if (match === undefined || more.length > 0) {
        throw new PrivetError('invalid_input', 'id: this is not one token.', {
          hint: 'Give one token, as mask returned it, or use restoreAll for a text.',
        });
      }
      const { identity: token } = match;
      const map = isSession(session) ? await tokensOf(vault, session) : await anywhere(vault, [token]);
      const restored = map.get(token);
      if (restored === undefined) {
        throw new PrivetError('not_found', 'id: no session, or more than one, holds this token.', {
          hint: 'Give the session that mask returned with it; if that has expired, mask the text again.',
        });
      }
      return { token, restored };
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
      // What is no object is refused as a session is.
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

/** The calls that mask and restore, each in a span where OpenTelemetry is set up. */
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
 * Wraps a `fetch`. Bodies of any shape are masked; JSON and streamed answers are restored. Addresses and headers are
 * left as they are.
 * A call whose body cannot be made safe is not sent: it is answered with a 4xx in the provider's error shape.
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

/** A promise that is looked at later: until then its failure is nobody's fault, and must not end the process. */
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

/** `true` is the usual noise. @throws PrivetError `invalid_input` */
function noiseOf(wanted: true | DpOptions | undefined): DpOptions | undefined {
  if (wanted === undefined) return undefined;
  if (wanted === true) return { epsilon: 1 };
  checkOptions('dpMode', wanted, dpOptions);
  // What is out of range is told now, not at the first text.
  addNoise('', { ...wanted, detections: [] });
  return wanted;
}

/** Whether a session is named; other options alone name none. */
function isSession(given: SessionRef | RestoreCallOptions | undefined): given is SessionRef {
  if (given === undefined) return false;
  if (typeof given !== 'object' || given === null || !('lang' in given)) return true;
  checkLang((given as RestoreCallOptions).lang);
  return 'sessionId' in given || 'tokenMap' in given;
}

/** The labels of the dictionary and the types of the user's own recognizers are always looked for, and may be named. */
function typesOf(
  types: readonly string[] | undefined,
  dictionary: readonly DictionaryEntry[],
  recognizers: readonly CustomRecognizer[],
): { types?: readonly string[] } {
  if (types === undefined) return {};
  const labels = new Set([...dictionary.map(({ label }) => label), ...recognizers.map(({ type }) => type)]);
  return { types: types.filter((type) => isTokenType(type) || !labels.has(type)) };
}

/** A vault that can look for a token in all its sessions. */
type SearchableVault = TokenVault & {
  resolve(tenant: string, tokens: readonly string[]): Map<string, string> | Promise<Map<string, string>>;
};

async function anywhere(vault: TokenVault, tokens: Iterable<string>): Promise<TokenMap> {
  if (!('resolve' in vault)) {
    throw new PrivetError('invalid_input', 'session: this vault cannot look for tokens in all sessions; name one.');
  }
  return (vault as SearchableVault).resolve('', [...tokens]);
}
