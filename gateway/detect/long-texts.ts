/**
 * Long texts are searched and checked in a thread of their own, so that the other requests of the process need not wait: the
 * whole text at once, so that what is found is the same.
 */
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

/** What is found in a text beside its tokens, and these tokens, which a new value must not get. */
export type Survey = { readonly detections: Detection[]; readonly taken: readonly string[] };

/** How a text is restored. */
export type Restoring = 'text' | 'rag';

/** A text that is to be restored, and how. */
export type LongRestoring = {
  readonly restore: Restoring;
  readonly text: string;
  readonly guardUrls?: boolean | undefined;
  readonly lengthMax: number;
};

/** A JSON document in UTF-8 that is to be restored. */
export type LongDocument = {
  readonly document: Uint8Array;
  /** It is a file that is no JSON in UTF-8: see `coded-files.ts`. */
  readonly isFile?: boolean | undefined;
  readonly linkHosts: readonly string[];
  /** Tokens that stand for numbers. */
  readonly numbers?: ReadonlySet<string> | undefined;
};

/** How a document comes back: its bytes are there where a token was replaced. */
export type RestoredDocument = Omit<RestoredBody, 'body'> & { readonly bytes?: Uint8Array };

/** A text that is to be cut into chunks, none of them within a span that is whole. */
export type LongChunking = { readonly chunk: ChunkOptions; readonly text: string; readonly whole: readonly Span[] };

/** What the thread is asked: what to look for, and where; or what is to be restored, and how. */
export type LongText =
  | { readonly options: DetectorOptions; readonly text: string; readonly isSurvey?: boolean }
  | LongRestoring
  | LongDocument
  | LongChunking
  | { readonly check: Check; readonly options: InjectionOptions; readonly text: string };

type Answer = Detection[] | Survey | RestoreResult | RestoredDocument | Span[] | InjectionChecks[Check];

/** Tokens that one long text may name; whatever is done with them is done here, for each. */
export const namedTokensMax = 20_000;

/** Texts up to so many code units are searched at once: that takes up to some ten milliseconds. */
export const atOnceMax = 65_536;
/** Longer ones count as long: one client may have some of them at a time. */
export const shortTextMax = 262_144;
/** Code units or bytes above which a job is heavy. */
const lightUnitsMax = 2 * 1024 * 1024;
/** Ordinary text takes a second for 50 MB. */
const timeMs = 60_000;

// Starts no thread before the first long text.
const pool = new ThreadPool<LongText, Answer>({
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
 * What a detector with these options finds in the text of a client, found elsewhere.
 * @throws PrivetError as a detector does, `body_too_large` when the search takes too long or too much memory, `unavailable`
 * when too many wait.
 */
export function detectAside(options: DetectorOptions, text: string, client?: JobClient): Promise<Detection[]> {
  return pool.run({ options, text }, client) as Promise<Detection[]>;
}

/**
 * What is done aside where a thread has room for it, and at once where none has: for texts up to {@link shortTextMax}.
 * @throws PrivetError as what is done.
 */
export async function asideOrHere<T>(aside: Promise<T>, here: () => T): Promise<T> {
  try {
    return await aside;
  } catch (error) {
    if ((error as { code?: string }).code !== 'unavailable') throw error;
    return here();
  }
}

/** What a detector with these options finds in the text beside its tokens. @throws PrivetError as {@link detectAside}. */
export function surveyAside(options: DetectorOptions, text: string, client?: JobClient): Promise<Survey> {
  return pool.run({ options, text, isSurvey: true }, client) as Promise<Survey>;
}

/**
 * What `restoreText` or `ragResolve` gives for a long text. `valuesOf` is asked once for the values of all tokens that may be
 * meant, in their order.
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
 * What `restoreJsonBody` gives for a long document. `valuesOf` is asked for the values of tokens, some at a time.
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

/** What `chunkSpans` gives; for a long text from a thread. @throws PrivetError as {@link detectAside}. */
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
 * What a check for injections says of a text; a long one is looked at elsewhere.
 * @throws PrivetError as {@link detectAside}.
 */
export function checked<K extends Check>(
  check: K,
  text: string,
  options: InjectionOptions = {},
  client?: JobClient,
): InjectionChecks[K] | Promise<InjectionChecks[K]> {
  const here = () => injectionChecks[check](text, options);
  if (text.length <= atOnceMax) return here();
  const aside = pool.run({ check, options, text }, client) as Promise<InjectionChecks[K]>;
  return text.length <= shortTextMax ? asideOrHere(aside, here) : aside;
}
