/** What `createPrivet` takes and gives. */
import type { MaskActions } from '../core/actions.ts';
import type { CustomRecognizer } from '../core/detect/custom-recognizers.ts';
import type { DictionaryEntry } from '../core/detect/dictionary.ts';
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

/** Options of `protectFetch`. */
export type ProtectFetchOptions = {
  /** Default: one of its own. */
  readonly privet?: Privet;
  /** The session of all calls, so that a value keeps its token over a conversation. Default: a new one per wrapper. */
  readonly sessionId?: string;
  /** Parts that cannot be read: images and audio are allowed by default, documents and unknown bytes are refused. */
  readonly uninspectable?: Partial<Uninspectable>;
};
