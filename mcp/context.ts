/** State shared by all tools of one server: its sessions, settings and language. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import {
  actionNames,
  checkActions,
  type MaskActions,
  type Replacements,
  replacementLengthMax,
  replacementsOf,
} from '../core/actions.ts';
import { builtinTypes, Detector } from '../core/detect/detector.ts';
import type { CustomRecognizer } from '../core/dictionary/custom-recognizers.ts';
import { type DictionaryEntry, dictionaryEntriesMax, patternLengthMax } from '../core/dictionary/dictionary.ts';
import { chunkSizeMax, chunkSizeMin } from '../core/rag/chunk.ts';
import { labelLengthMax } from '../core/tokens/token-types.ts';
import { MemoryVault, type SessionSummary } from '../core/vault.ts';
import { type Language, type Words, words } from './words.ts';

/** Settings of the MCP server. */
export type ToolServerOptions = {
  readonly version: string;
  readonly lang?: Language;
  /** `SERVICE_BASE_URL`: reserved; only reported by store_status. */
  readonly baseUrl?: string;
  /** How long a session lives after its last use, in milliseconds; 0 = no expiry. Default 24 hours. */
  readonly ttlMs?: number;
  /** Types to detect when a call names none. Default: all. */
  readonly types?: readonly string[];
  /** Custom terms to detect in every call. */
  readonly dictionary?: readonly DictionaryEntry[];
  /** Custom types to detect in every call. */
  readonly recognizers?: readonly CustomRecognizer[];
  /** Replacement of values, by type or group, unless a call overrides it. */
  readonly actions?: Readonly<Record<string, unknown>>;
  /** Key of the action `hash`. Default: a random one for this process. */
  readonly hashKey?: Uint8Array;
};

/** The types and terms that a call detects. */
export type Wanted = {
  /** Default: the server's language. */
  readonly lang?: Language | undefined;
  readonly types?: readonly string[] | undefined;
  readonly dictionary?: readonly DictionaryEntry[] | undefined;
  readonly minScore?: number | undefined;
};

/** Maximum number of sessions; then the least recently used one is evicted. */
const sessionsMax = 10_000;

/** One per process: all connections and HTTP requests share the same sessions. */
export class ToolContext {
  readonly vault: MemoryVault;
  readonly ttlMs: number;
  readonly words: Words;
  readonly lang: Language;
  readonly version: string;
  readonly baseUrl: string | undefined;
  readonly types: readonly string[];
  readonly dictionary: readonly DictionaryEntry[];
  readonly recognizers: readonly CustomRecognizer[];
  readonly fields: Fields;
  readonly #detector: Detector;
  readonly #actions: Readonly<Record<string, unknown>>;
  readonly #hashKey: Uint8Array;
  readonly #running = new Set<Promise<unknown>>();

  /** @throws PrivetError `invalid_input` for an invalid dictionary entry */
  constructor(options: ToolServerOptions) {
    this.version = options.version;
    this.lang = options.lang ?? 'en';
    this.words = words[this.lang];
    this.baseUrl = options.baseUrl;
    this.types = options.types ?? builtinTypes;
    this.dictionary = options.dictionary ?? [];
    this.recognizers = options.recognizers ?? [];
    this.#actions = options.actions ?? {};
    this.#hashKey = options.hashKey ?? randomBytes(32);
    this.ttlMs = options.ttlMs ?? 86_400_000;
    this.vault = new MemoryVault({ ttlMs: this.ttlMs, sessionsMax });
    this.fields = fieldsOf(this.words);
    this.#detector = new Detector({
      lang: this.lang,
      types: this.types,
      dictionary: this.dictionary,
      recognizers: this.recognizers,
    });
  }

  /** Registers longer work, for which {@link idle} waits. */
  running<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work);
    const done = () => this.#running.delete(work);
    work.then(done, done);
    return work;
  }

  /** Resolves when no work is running. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  /** All live sessions, most recently used first. */
  sessions(): readonly SessionSummary[] {
    const { sessions } = this.vault.sessions({ limit: sessionsMax });
    return sessions.toSorted((a, b) => (b.expiresAt ?? 0) - (a.expiresAt ?? 0));
  }

  /**
   * The replacements in a call; undefined if all values get a token.
   * @throws PrivetError `invalid_input` for an unknown action or type
   */
  replacementsFor(actions: MaskActions = {}, dictionary: readonly DictionaryEntry[] = []): Replacements | undefined {
    const labels = [...this.dictionary, ...dictionary].map(({ label }) => label);
    checkActions(actions, [...labels, ...this.recognizers.map(({ type }) => type)]);
    return replacementsOf({ ...this.#actions, ...actions }, this.#hashKey);
  }

  /** The detector for a call. @throws PrivetError `invalid_input` for an invalid dictionary entry. */
  detectorFor({ lang = this.lang, types, dictionary, minScore }: Wanted): Detector {
    const isUsual = types === undefined && dictionary === undefined && minScore === undefined;
    if (isUsual && lang === this.lang) return this.#detector;
    return new Detector({
      lang,
      types: types ?? this.types,
      dictionary: [...this.dictionary, ...(dictionary ?? [])],
      recognizers: this.recognizers,
      ...(minScore === undefined ? {} : { minScore }),
    });
  }
}

/** Maximum text length per call, in UTF-16 code units. */
const textLengthMax = 5_000_000;

/** Schemas of the fields in one language. */
type Fields = ReturnType<typeof fieldsOf>;

/** The schemas, described in the language of `words`. */
function fieldsOf(words: Words) {
  const { fields } = words;
  const sessionId = z.string().min(1).max(128);
  const dictionary = z
    .array(z.strictObject({ label: z.string().max(labelLengthMax), pattern: z.string().min(1).max(patternLengthMax) }))
    .max(dictionaryEntriesMax);
  return {
    text: z.string().max(textLengthMax).describe(fields.text),
    maskedText: z.string().max(textLengthMax).describe(fields.maskedText),
    types: z
      .array(z.enum(builtinTypes as [string, ...string[]]))
      .min(1)
      .optional()
      .describe(fields.types),
    extraTypes: z.array(z.string().min(1).max(40)).max(100).optional().describe(fields.extraTypes),
    minScore: z.number().min(0).max(1).optional().describe(fields.minScore),
    dictionary: dictionary.optional().describe(fields.dictionary),
    actions: z
      .record(
        z.string().max(40),
        z.union([z.enum(actionNames), z.strictObject({ replace: z.string().max(replacementLengthMax) })]),
      )
      .optional()
      .describe(fields.actions),
    tokenFormat: z.enum(['secured', 'counter']).optional().describe(fields.tokenFormat),
    sessionId,
    newSession: sessionId.optional().describe(fields.newSession),
    anySession: sessionId.optional().describe(fields.anySession),
    token: z.string().min(3).max(200).describe(fields.token),
    tokenMap: z.record(z.string().max(200), z.string()).optional().describe(fields.tokenMap),
    issuedMap: z.record(z.string(), z.string()).describe(fields.issuedMap),
    chunkSize: z.int().min(chunkSizeMin).max(chunkSizeMax).optional().describe(fields.chunkSize),
    overlap: z.int().min(0).max(90_000).optional().describe(fields.overlap),
    lang: z.enum(['en', 'ja']).optional().describe(fields.lang),
    unusedLang: z.enum(['en', 'ja']).optional().describe(fields.unusedLang),
    creditsUsed: z.int().describe(fields.creditsUsed),
    sensitivity: z.enum(['low', 'normal', 'high']).optional().describe(fields.sensitivity),
    restored: { restored: z.string(), restoredCount: z.int(), unresolved: z.array(z.string()) },
    counts: z.record(z.string(), z.int()),
    position: { start: z.int(), end: z.int() },
  };
}
