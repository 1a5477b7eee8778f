/** What all tools of one server share: its sessions, its settings and its language. */
import { builtinTypes, Detector } from '../core/detection.ts';
import type { DictionaryEntry } from '../core/dictionary.ts';
import { MemoryVault, type SessionSummary } from '../core/vault.ts';
import { type Fields, fieldsOf } from './fields.ts';
import { type Language, type Words, words } from './words.ts';

/** Settings of a tool server. */
export type ToolServerOptions = {
  readonly version: string;
  readonly lang?: Language;
  /** `SERVICE_BASE_URL`: reserved; only told by store_status. */
  readonly baseUrl?: string;
  /** Lifetime of a session since its last use, in milliseconds; 0 = no expiry. Default 24 hours. */
  readonly ttlMs?: number;
  /** Types that are looked for when a call names none. Default: all. */
  readonly types?: readonly string[];
  /** Own terms that are looked for in every call. */
  readonly dictionary?: readonly DictionaryEntry[];
};

/** Which personal data a call looks for. */
export type Wanted = {
  /** Default: the language of the server. */
  readonly lang?: Language | undefined;
  readonly types?: readonly string[] | undefined;
  readonly dictionary?: readonly DictionaryEntry[] | undefined;
  readonly minScore?: number | undefined;
};

/** When passed, the session that was used longest ago is forgotten. */
const sessionsMax = 10_000;

/** One per process: every connection and every HTTP request works on the same sessions. */
export class ToolContext {
  readonly vault: MemoryVault;
  readonly ttlMs: number;
  readonly words: Words;
  readonly lang: Language;
  readonly version: string;
  readonly baseUrl: string | undefined;
  readonly types: readonly string[];
  readonly dictionary: readonly DictionaryEntry[];
  readonly fields: Fields;
  readonly #detector: Detector;
  readonly #running = new Set<Promise<unknown>>();

  /** @throws PrivetError `invalid_input` for a wrong dictionary entry. */
  constructor(options: ToolServerOptions) {
    this.version = options.version;
    this.lang = options.lang ?? 'en';
    this.words = words[this.lang];
    this.baseUrl = options.baseUrl;
    this.types = options.types ?? builtinTypes;
    this.dictionary = options.dictionary ?? [];
    this.ttlMs = options.ttlMs ?? 86_400_000;
    this.vault = new MemoryVault({ ttlMs: this.ttlMs, sessionsMax });
    this.fields = fieldsOf(this.words);
    this.#detector = new Detector({ lang: this.lang, types: this.types, dictionary: this.dictionary });
  }

  /** Work that takes more than a moment; {@link idle} waits for it. */
  running<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work);
    const done = () => this.#running.delete(work);
    work.then(done, done);
    return work;
  }

  /** Resolves when nothing is being worked on. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  /** All live sessions, the one used last first. */
  sessions(): readonly SessionSummary[] {
    const { sessions } = this.vault.sessions({ limit: sessionsMax });
    return sessions.toSorted((a, b) => (b.expiresAt ?? 0) - (a.expiresAt ?? 0));
  }

  /** The detector of a call. @throws PrivetError `invalid_input` for a wrong dictionary entry. */
  detectorFor({ lang = this.lang, types, dictionary, minScore }: Wanted): Detector {
    const isUsual = types === undefined && dictionary === undefined && minScore === undefined;
    if (isUsual && lang === this.lang) return this.#detector;
    return new Detector({
      lang,
      types: types ?? this.types,
      dictionary: [...this.dictionary, ...(dictionary ?? [])],
      ...(minScore === undefined ? {} : { minScore }),
    });
  }
}
