/**
 * Searches and checks long texts in a worker thread, so that other requests need not wait. Each text is processed whole, so
 * the results are the same.
 */
import { setImmediate } from 'node:timers/promises';
import type { DetectorOptions } from '../../core/detect/detector.ts';
import {
  type AllInjections,
  detectAllInjections,
  detectInjection,
  detectSqlInjection,
  type InjectionOptions,
  type InjectionResult,
} from '../../core/injection/index.ts';
import type { RestoredBody } from '../../core/payload/response.ts';
import { type ChunkOptions, chunkSpans, type Span } from '../../core/rag/chunk.ts';
import type { Detection } from '../../core/recognizer.ts';
import type { RestoreResult } from '../../core/restore.ts';
import { type JobClient, ThreadPool } from '../threads/thread-pool.ts';

/** What a text can be checked for; see {@link checked}. */
export type InjectionChecks = { prompt: InjectionResult; sql: InjectionResult; all: AllInjections };
type Check = keyof InjectionChecks;

/** Detections outside a text's tokens, and these tokens, which a new value must not get. */
export type Survey = { readonly detections: Detection[]; readonly taken: readonly string[] };

/** How a text is restored. */
export type Restoring = 'text' | 'rag';

/** A text to restore, and the options. */
export type LongRestoring = {
  readonly restore: Restoring;
  readonly text: string;
  readonly guardUrls?: boolean | undefined;
  readonly lengthMax: number;
};

/** A JSON document in UTF-8 to restore. */
export type LongDocument = {
  readonly document: Uint8Array;
  /** Not JSON in UTF-8 but another file: see `coded-files.ts`. */
  readonly isFile?: boolean | undefined;
  readonly linkHosts: readonly string[];
  /** Tokens that replace numbers. */
  readonly numbers?: ReadonlySet<string> | undefined;
};

/** A restored document; with bytes only if a token was replaced. */
export type RestoredDocument = Omit<RestoredBody, 'body'> & { readonly bytes?: Uint8Array };

/** A text to split into chunks, never inside an unbreakable span. */
export type LongChunking = { readonly chunk: ChunkOptions; readonly text: string; readonly whole: readonly Span[] };

/** A job for the thread: what to search and where, or what to restore and how. */
export type LongText =
  | { readonly options: DetectorOptions; readonly text: string; readonly isSurvey?: boolean }
  | LongRestoring
  | LongDocument
  | LongChunking
  | { readonly check: Check; readonly options: InjectionOptions; readonly text: string };

type JobResult = Detection[] | Survey | RestoreResult | RestoredDocument | Span[] | InjectionChecks[Check];

/** Maximum tokens in one long text; each costs time on the main thread. */
export const namedTokensMax = 20_000;

/** Texts up to this many code units are searched synchronously, in about ten milliseconds at most. */
export const atOnceMax = 65_536;
/** Regular expressions of users that may need hundreds of steps per character. */
const slowPattern = /[*+]|\{\d*,|\{\d{3}|[)?]\{\d\d/;
/** The same for a detector with these options: less if it has slow expressions. */
export function atOnceFor({ dictionary = [], recognizers = [] }: DetectorOptions): number {
  const patterns = [dictionary.map(({ pattern }) => pattern), recognizers.map(({ forms }) => forms)].flat(2);
  return patterns.some((pattern) => slowPattern.test(pattern)) ? atOnceMax / 16 : atOnceMax;
}
/** Longer texts are limited per client. */
export const shortTextMax = 262_144;
/** Code units or bytes above which a job is heavy. */
const lightUnitsMax = 2 * 1024 * 1024;
/** Ordinary text takes a second for 50 MB. */
const timeMs = 60_000;

// Starts no thread before the first long text.
const pool = new ThreadPool<LongText, JobResult>({
  script: new URL('./thread.ts', import.meta.url),
  timeMs: () => timeMs,
  isHeavy: (job) => ('document' in job ? job.document.length : job.text.length) > lightUnitsMax,
  sentences: {
    tooMany: 'Too many long texts are being searched.',
    tooLong: 'The text takes too long to search.',
    tooLarge: 'The text takes too much memory to search.',
    failed: 'The text cannot be searched.',
    hint: 'Send the text in smaller parts.',
  },
});

/**
 * Detections of a detector with these options in a client's text, searched in a thread.
 * @throws PrivetError like a detector, `body_too_large` when the search takes too long or too much memory, `unavailable`
 * when too many wait.
 */
export function detectAside(options: DetectorOptions, text: string, client?: JobClient): Promise<Detection[]> {
  return pool.run({ options, text }, client) as Promise<Detection[]>;
}

/**
 * Waits for `aside`, a job in a thread, or runs `here` if no thread has room: for texts up to {@link shortTextMax}.
 * @throws PrivetError like the job.
 */
export async function asideOrHere<T>(aside: Promise<T>, here: () => T): Promise<T> {
  try {
    return await aside;
  } catch (error) {
    if ((error as { code?: string }).code !== 'unavailable') throw error;
    await setImmediate();
    return here();
  }
}

/** Detections of a detector with these options outside the text's tokens. @throws PrivetError as {@link detectAside}. */
export function surveyAside(options: DetectorOptions, text: string, client?: JobClient): Promise<Survey> {
  return pool.run({ options, text, isSurvey: true }, client) as Promise<Survey>;
}

/**
 * The result of `restoreText` or `ragResolve` for a long text. `valuesOf` is called once, with all possible tokens in order.
 * @throws PrivetError as {@link detectAside}, and `body_too_large` for more than {@link namedTokensMax} different tokens.
 */
export function restoreAside(
  restore: Restoring,
  text: string,
  options: { readonly guardUrls?: boolean | undefined; readonly lengthMax: number } & JobClient,
  valuesOf: (tokens: readonly string[]) => Promise<(string | undefined)[]>,
): Promise<RestoreResult> {
  const { client, gone, ...rest } = options;
  const answer = (tokens: unknown) => valuesOf(tokens as readonly string[]);
  return pool.run({ restore, text, ...rest }, { answer, client, gone }) as Promise<RestoreResult>;
}

/**
 * The result of `restoreJsonBody` for a long document. `valuesOf` is called for some tokens at a time.
 * @throws PrivetError as {@link detectAside}.
 */
export function restoreDocumentAside(
  job: LongDocument,
  valuesOf: (tokens: readonly string[]) => Promise<(string | undefined)[]>,
  client?: JobClient,
): Promise<RestoredDocument> {
  const answer = (tokens: unknown) => valuesOf(tokens as readonly string[]);
  return pool.run(job, { ...client, answer }) as Promise<RestoredDocument>;
}

/** The result of `chunkSpans`, computed in a thread for a long text. @throws PrivetError as {@link detectAside}. */
export function chunkSpansOf(
  text: string,
  chunk: ChunkOptions,
  whole: readonly Span[],
  client?: JobClient,
): Span[] | Promise<Span[]> {
  if (text.length <= atOnceMax) return chunkSpans(text, chunk, whole);
  const spans = whole.map(({ start, end }) => ({ start, end }));
  return pool.run({ chunk, text, whole: spans }, client) as Promise<Span[]>;
}

/** The checks by name. */
export const injectionChecks: { [K in Check]: (text: string, options: InjectionOptions) => InjectionChecks[K] } = {
  prompt: detectInjection,
  sql: detectSqlInjection,
  all: detectAllInjections,
};

/**
 * The result of an injection check; a text that is long, alone or after `before` characters of its call, is checked in a thread.
 * @throws PrivetError as {@link detectAside}.
 */
export function checked<K extends Check>(
  check: K,
  text: string,
  options: InjectionOptions = {},
  client?: JobClient,
  before = 0,
): InjectionChecks[K] | Promise<InjectionChecks[K]> {
  const here = () => injectionChecks[check](text, options);
  if (before + text.length <= atOnceMax) return here();
  const aside = pool.run({ check, options, text }, client) as Promise<InjectionChecks[K]>;
  return text.length <= shortTextMax ? asideOrHere(aside, here) : aside;
}
