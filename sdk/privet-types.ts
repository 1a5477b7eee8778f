/** The options and results of `createPrivet`. */
import type { MaskActions } from '../core/actions.ts';
import type { CustomRecognizer } from '../core/dictionary/custom-recognizers.ts';
import type { DictionaryEntry } from '../core/dictionary/dictionary.ts';
import type { AllInjections, InjectionResult } from '../core/injection/index.ts';
import type { NoiseOptions } from '../core/noise.ts';
import type { RagIngestResult } from '../core/rag/index.ts';
import type { Detection } from '../core/recognizer.ts';
import type { RestoreResult } from '../core/restore.ts';
import type { StreamKind } from '../core/stream/stream-restorer.ts';
import type { TokenMap, TokenVault } from '../core/vault.ts';
import type { Uninspectable } from './body.ts';
import type { RestClient } from './rest-client.ts';
import type { SessionRef } from './session.ts';

/** Options of {@link createPrivet}. All are optional. */
export type PrivetOptions = {
  /** Language of the texts, a hint for detection: both languages are detected. Default `en`. */
  readonly lang?: Language;
  /** Numeric noise in masked texts; see {@link Privet.addNoise}. `true` is `{ epsilon: 1 }`. Default none. */
  readonly dpMode?: true | DpOptions;
  /** Custom terms: `{ label: 'PROJECT', pattern: 'Apollo' }`, or a regular expression as `/pattern/flags`. */
  readonly dictionary?: readonly DictionaryEntry[];
  /** Only these types, e.g. `['EMAIL', 'PHONE']`. Default: all. */
  readonly types?: readonly string[];
  /** Custom types: forms, a check, context words, false positives; see {@link CustomRecognizer}. */
  readonly recognizers?: readonly CustomRecognizer[];
  /** Replacement of values, by type or group; see {@link MaskAction}. Default: a token. */
  readonly actions?: MaskActions;
  /** Key of the action `hash`, at least 16 bytes: equal values have equal hashes under one key. */
  readonly hashKey?: string | Uint8Array;
  /** Called after each masking with counts by type, never with a value. Its errors reach the caller. */
  readonly onMask?: (event: MaskEvent) => void;
  /** Lifetime of a session since its last use, in milliseconds; 0 = no expiry. Default 24 hours. */
  readonly ttlMs?: number;
  /** Where values are stored. Default: in memory. */
  readonly vault?: TokenVault;
  /** Key for `chat` and `upload`. */
  readonly apiKey?: string;
  /** Address of the REST API for `chat` and `upload`, e.g. `http://127.0.0.1:3001`. */
  readonly baseUrl?: string;
};

/** The argument of {@link PrivetOptions.onMask}. */
export type MaskEvent = {
  readonly call: 'mask' | 'maskMessages' | 'maskBody' | 'maskStream';
  readonly sessionId: string;
  /** How many values of each type were found. */
  readonly counts: Readonly<Record<string, number>>;
};

/** The languages of texts. */
export type Language = 'en' | 'ja';

/** Options of the injection checks. */
export type InjectionOptions = {
  /** Has no effect: injection checks always cover all languages, because attacks mix them. */
  readonly lang?: Language;
  /** `low` reports less than `normal`, `high` also reports single weak signals. */
  readonly sensitivity?: 'low' | 'normal' | 'high';
};

/** Options of a call that override those of {@link createPrivet}. */
export type DetectOptions = {
  readonly lang?: Language;
  readonly types?: readonly string[];
  readonly dictionary?: readonly DictionaryEntry[];
  /** Custom types in addition to those of {@link createPrivet}. */
  readonly recognizers?: readonly CustomRecognizer[];
  /** Minimum score, 0 to 1. */
  readonly minScore?: number;
  /** Detections say `why`: features with their weights, strongest first. */
  readonly explain?: boolean;
};

/** Options of the masking calls. */
export type MaskOptions = DetectOptions & {
  /** Continue this session, so that equal values keep their tokens. Default: a new one. */
  readonly sessionId?: string;
  /**
   * `secured` (default): `[SECURED:type=EMAIL,id=…]`, unique, so `restore` and `restoreAll` need no session. `counter`:
   * `[EMAIL-1]`, short and the same in every session; restore it with its session.
   */
  readonly tokenFormat?: 'counter' | 'secured';
  /** Actions by type; they override those of {@link createPrivet}. */
  readonly actions?: MaskActions;
  /** Numeric noise; overrides that of {@link createPrivet}. */
  readonly dpMode?: true | DpOptions;
};

/** The detections in a text. Offsets are UTF-16 code units. */
export type DetectResult = { readonly detections: readonly Detection[]; readonly count: number };

/** One token and its value. */
export type RestoredToken = { readonly token: string; readonly restored: string };

/** Options of the calls that restore. */
export type RestoreCallOptions = {
  /** Has no effect: tokens are the same in every language. */
  readonly lang?: Language;
};

/** A masked text. Keep `sessionId` for restoring; `tokenMap` contains the original values, so do not send it. */
export type MaskedText = {
  readonly masked: string;
  readonly sessionId: string;
  readonly tokenMap: Readonly<Record<string, string>>;
  readonly detections: readonly Detection[];
  /** With `dpMode`: how many numbers got noise. */
  readonly numbersChanged?: number;
};

/** Masked messages; the given array itself if nothing was found. */
export type MaskedMessages<T> = {
  readonly messages: T;
  readonly sessionId: string;
  readonly tokenMap: Readonly<Record<string, string>>;
  /** How many values of each type were masked. */
  readonly counts: Readonly<Record<string, number>>;
};

/** A masked request body; the given body itself if nothing was found. */
export type MaskedBody = {
  readonly body: string | Uint8Array;
  readonly sessionId: string;
  /** The tokens that replaced JSON numbers; absent if none did. */
  readonly numbers?: ReadonlySet<string>;
};

/** Options of {@link Privet.maskBody}. */
export type MaskBodyOptions = MaskOptions & {
  readonly contentType?: string;
  /** Non-text parts: images and audio are allowed by default, documents and unknown bytes are rejected. */
  readonly uninspectable?: Partial<Uninspectable>;
};

/** Options of {@link Privet.ragIngest}. */
export type RagOptions = {
  readonly lang?: Language;
  /** Continue this session. Default: a new one. */
  readonly sessionId?: string;
  /** Maximum length of a chunk, and overlap of neighbouring chunks, in characters. */
  readonly chunkSize?: number;
  readonly overlap?: number;
  /** `['name']` also masks names. Default: names stay, because people search for them. */
  readonly extraTypes?: readonly string[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (doneChars: number, totalChars: number) => void;
};

/** Options of numeric noise; see {@link Privet.addNoise}. */
export type DpOptions = Omit<NoiseOptions, 'detections'>;

/** Privet with one set of options. Methods can be called without the object. */
export interface Privet extends RestClient {
  /** Finds personal data. @throws PrivetError `invalid_input` */
  detect(text: string, options?: DetectOptions): DetectResult;
  /** Replaces personal data with tokens. @throws PrivetError `invalid_input`, or what the vault throws */
  mask(text: string, options?: MaskOptions): Promise<MaskedText>;
  /**
   * Masks a message array of OpenAI, Anthropic or others, with content parts, tool calls and tool results, or a whole
   * request object. The input is not modified.
   * @throws PrivetError `uninspectable` for parts that may not be sent
   */
  maskMessages<T>(
    messages: T,
    options?: MaskOptions & Pick<MaskBodyOptions, 'uninspectable'>,
  ): Promise<MaskedMessages<T>>;
  /**
   * Masks the body of a request of any shape: JSON, lines of JSON, forms, multipart, text.
   * @throws PrivetError if it is not certain that the body is safe to send
   */
  maskBody(body: string | Uint8Array, options?: MaskBodyOptions): Promise<MaskedBody>;
  /**
   * Returns the value of one token, in any spelling that a model makes of it, or by the id in it (`k3…` of
   * `[SECURED:type=EMAIL,id=k3…]`). Without a session, exactly one live session must have issued the token.
   * @throws PrivetError `invalid_input` if the text is neither a single token nor an id, `not_found` for a token that was not issued,
   *   `session_not_found` for an unknown or expired session
   */
  restore(id: string, session?: SessionRef | RestoreCallOptions): Promise<RestoredToken>;
  /**
   * Replaces all tokens of a text with their values. Without a session, only tokens that exactly one live session has
   * issued are restored; this needs a vault with token look-up, such as the built-in one.
   * @throws PrivetError `session_not_found` for an unknown or expired session
   */
  restoreAll(text: string, session?: SessionRef | RestoreCallOptions): Promise<RestoreResult>;
  /** Checks whether a text tries to instruct a model; returns categories, risk and positions. */
  detectInjection(text: string, options?: InjectionOptions): InjectionResult;
  /** Checks whether a text is an SQL injection. */
  detectSQLInjection(text: string, options?: InjectionOptions): InjectionResult;
  /** Runs both checks. */
  detectAllInjections(text: string, options?: InjectionOptions): AllInjections;
  /**
   * Masks a text that arrives in pieces, in one session. Text is output when later text cannot change it, about two
   * thousand characters later. Without a `sessionId`, only tokens with an id can be restored.
   */
  maskStream(source: AsyncIterable<string>, options?: MaskOptions): AsyncGenerator<string, void>;
  /** Restores a stream of text pieces, however it is split. */
  restoreStream(session: SessionRef): TransformStream<string, string>;
  /** The same for the bytes of a response: `sse`, `ndjson`, `json` or `text`. */
  restoreStream(session: SessionRef, options: { readonly kind: StreamKind }): TransformStream<Uint8Array, Uint8Array>;
  /** The same for the stream object of an AI package, or any async iterable of texts or events. */
  restoreStream<T>(source: AsyncIterable<T>, session: SessionRef): AsyncGenerator<T, void>;
  /**
   * Masks a document and splits it into chunks for embedding, with tokens like `[SRAG:cat=PII,name=EMAIL,id=…]`.
   * @throws PrivetError `invalid_input`, or the reason of `signal`
   */
  ragIngest(text: string, options?: RagOptions): Promise<RagIngestResult>;
  /** Restores text made from chunks; `tokenMap` is that of the ingest, or a session. */
  ragResolve(
    text: string,
    tokenMap: Readonly<Record<string, string>> | SessionRef,
    options?: RestoreCallOptions,
  ): Promise<RestoreResult>;
  /**
   * Adds Laplace noise to the plain numbers of a text; identifiers, dates and versions do not change.
   * @throws PrivetError `invalid_input` for an `epsilon` that is not positive
   */
  addNoise(text: string, options: DpOptions): { text: string; changed: number };
  /** The tokens of a session; undefined if it is unknown or expired. */
  tokens(sessionId: string): Promise<TokenMap | undefined>;
  /** Deletes a session: its tokens can no longer be restored. */
  forget(sessionId: string): Promise<void>;
  /** A `fetch` that masks requests and restores responses; see `protectFetch`. */
  protectFetch(fetch?: typeof globalThis.fetch, options?: Omit<ProtectFetchOptions, 'privet'>): typeof globalThis.fetch;
}

/** Options of `protectFetch`. */
export type ProtectFetchOptions = {
  /** Default: a new one. */
  readonly privet?: Privet;
  /** The session of all calls, so that a value keeps its token over a conversation. Default: a new one per wrapper. */
  readonly sessionId?: string;
  /**
   * Parts that cannot be read or changed: images and audio are allowed by default; documents, unknown bytes, and signed
   * reasoning with personal data are refused.
   */
  readonly uninspectable?: Partial<Uninspectable>;
};
