/**
 * Reading the configuration again: when the process is told to (SIGHUP, the API, another replica) and when one of its
 * files has changed. On any error the old one stays in force, and why is logged, counted and shown in the overview.
 */
import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../config/load.ts';
import { ConfigError, formatProblem } from '../config/problem.ts';
import type { ConfigState } from './api/routes/overview.ts';
import type { Log } from './observe/log.ts';
import type { Metrics } from './observe/metrics.ts';
import type { Stores } from './stores/stores.ts';

/** Who asked for it. */
export type ReloadCause = 'signal' | 'api' | 'replica' | 'file';

/** What came of a configuration that is in force now. */
export type Applied = {
  readonly warnings: readonly string[];
  readonly services: number;
  /** Keys whose change counts from the next start on. */
  readonly needRestart: readonly string[];
};

/** Options of {@link Reloader}. */
export type ReloaderOptions = {
  /** Reads everything, checks it and swaps it in one turn of the event loop; throws before anything is swapped. */
  readonly apply: () => Applied;
  /** The files that the configuration is read from now. */
  readonly files: () => readonly string[];
  readonly warnings: readonly string[];
  readonly stores: Pick<Stores, 'records' | 'changes' | 'opened' | 'kind'>;
  readonly metrics: Pick<Metrics, 'configReloads'>;
  readonly log: Log;
  /** Between looks at the files, in milliseconds. */
  readonly watchMs?: number;
};

/** Twice this is the longest time until a change of a file counts. */
const watchMs = 250;
/** Looks after which an emptied file counts as meant: the last user was taken out of a file of users. */
const emptyLooks = 6;
const notice = 'reload';
/** After reading, requests are served alone for this many times as long. */
const restFactor = 3;
const restMsMax = 2_000;

/** Reads the configuration again. */
export class Reloader {
  readonly #options: ReloaderOptions;
  #state: ConfigState;
  /** What the files looked like when they were read last, and at the last look. */
  #read = '';
  #seen = '';
  /** The files that were empty when they were read last. */
  #readEmpty: ReadonlySet<string> = new Set();
  #looksAtEmpty = 0;
  #watching: NodeJS.Timeout | undefined;
  #unfollow: (() => void) | undefined;
  #heard = '';
  #next: Promise<readonly string[]> | undefined;
  #restUntil = 0;

  constructor(options: ReloaderOptions) {
    this.#options = options;
    this.#state = { loadedAt: new Date(), warnings: options.warnings, problems: [] };
    this.#note();
  }

  /** For the overview. */
  get state(): ConfigState {
    return this.#state;
  }

  /**
   * Reads soon; what is wrong, nothing when it is in force. Reading takes a quarter of the time at most, however often it
   * is asked for: whoever asks meanwhile shares the next one.
   */
  reload(cause: ReloadCause): Promise<readonly string[]> {
    if (this.#next === undefined) {
      const wait = this.#restUntil - performance.now();
      this.#next = new Promise((resolve) => {
        const run = () => {
          this.#next = undefined;
          resolve(this.#run(cause));
        };
        if (wait > 0) setTimeout(run, wait);
        else setImmediate(run);
      });
    }
    return this.#next;
  }

  #run(cause: ReloadCause): readonly string[] {
    const begun = performance.now();
    try {
      return this.#readNow(cause);
    } finally {
      const end = performance.now();
      this.#restUntil = end + Math.min(restMsMax, restFactor * (end - begun));
    }
  }

  #readNow(cause: ReloadCause): readonly string[] {
    const { apply, metrics, log } = this.#options;
    // Before reading: what is written in between is read once more.
    this.#note();
    try {
      const { warnings, services, needRestart } = apply();
      metrics.configReloads.with('ok').value++;
      this.#state = { loadedAt: new Date(), warnings, problems: [] };
      // The new one may name other files.
      this.#note();
      log.info({ event: 'config_reloaded', cause, services }, 'the configuration was read again');
      if (needRestart.length > 0)
        log.warn({ event: 'config_needs_restart', keys: needRestart }, 'some changes count from the next start on');
      return [];
    } catch (error) {
      metrics.configReloads.with('failed').value++;
      const problems =
        error instanceof ConfigError ? error.problems.map(formatProblem) : [String((error as Error).message)];
      this.#state = { ...this.#state, problems };
      log.error({ event: 'config_reload_failed', cause, problems }, 'the configuration has errors; the old one stays');
      return problems;
    }
  }

  /** The same, and every replica reads its own files within a second. @returns what is wrong with ours */
  async reloadAll(): Promise<readonly string[]> {
    const problems = await this.reload('api');
    const { stores, log } = this.#options;
    if (problems.length > 0 || stores.kind === 'memory') return problems;
    this.#heard = `${Date.now()}.${process.pid}.${Math.random().toString(36).slice(2)}`;
    await stores.records.write('document', new Map([[notice, this.#heard]])).catch((error: unknown) => {
      log.warn({ event: 'reload_not_shared', error }, 'other replicas were not told to read their configuration');
    });
    return problems;
  }

  /** Begins to look at the files, where that is wanted, and to listen to other replicas. */
  start(options: { readonly watch: boolean }): void {
    if (options.watch) {
      this.#watching = setInterval(() => void this.#look(), this.#options.watchMs ?? watchMs).unref();
    }
    const { stores } = this.#options;
    if (stores.kind === 'memory') return;
    stores.opened.then(
      async () => {
        await this.#listen(false);
        this.#unfollow = stores.changes.onChange(({ kind, ids }) => {
          if (kind === 'document' && (ids === undefined || ids.includes(notice))) void this.#listen(true);
        });
      },
      () => {},
    );
  }

  close(): void {
    clearInterval(this.#watching);
    this.#unfollow?.();
  }

  /** Reads the notice of another replica; the first one seen is history. */
  async #listen(isNews: boolean): Promise<void> {
    try {
      const { records } = await this.#options.stores.records.get('document', [notice]);
      const said = String(records.get(notice) ?? '');
      const isNew = said !== this.#heard;
      this.#heard = said;
      if (isNew && isNews) await this.reload('replica');
    } catch {
      this.#options.stores.changes.again('document');
    }
  }

  /**
   * Files are looked at by their name, so that an editor that renames and a volume whose links are swapped are seen, too.
   * A change counts when it has stood still for one look; a file that has become empty is probably being written, so it
   * gets longer.
   */
  async #look(): Promise<void> {
    const files = this.#options.files();
    const before = this.#read;
    const stats = await Promise.all(files.map((file) => stat(file).catch(() => undefined)));
    if (this.#read !== before) return;
    const print = printOf(stats);
    const isStill = print === this.#seen;
    this.#seen = print;
    if (!isStill || print === this.#read) {
      this.#looksAtEmpty = 0;
      return;
    }
    const isEmptied = files.some((file, i) => stats[i]?.size === 0 && !this.#readEmpty.has(file));
    if (isEmptied && ++this.#looksAtEmpty < emptyLooks) return;
    await this.reload('file');
  }

  /** Notes what the files look like that are read now. */
  #note(): void {
    const files = this.#options.files();
    const stats = files.map(lookAt);
    this.#read = this.#seen = printOf(stats);
    this.#readEmpty = new Set(files.filter((_file, i) => stats[i]?.size === 0));
    this.#looksAtEmpty = 0;
  }
}

/** Undefined for a file that cannot be looked at, whatever the reason: reading it tells. */
function lookAt(file: string): Look | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}

type Look = { readonly ino: number; readonly size: number; readonly mtimeMs: number; readonly ctimeMs: number };

function printOf(stats: readonly (Look | undefined)[]): string {
  return stats.map((one) => (one ? `${one.ino} ${one.size} ${one.mtimeMs} ${one.ctimeMs}` : '-')).join(' | ');
}

/** Of `upstream.timeouts`: those of clients, and of the end. Those of origins are swapped with the way out. */
const timeoutsOfStart = ['header', 'body', 'tls', 'keep_alive', 'tunnel_idle', 'drain', 'drain_delay'] as const;

/**
 * The keys that differ and are read at a start only. `keep_alive` holds for both sides: connections to origins take
 * another one at once, those of clients do not.
 */
export function restartKeys(before: Config, after: Config): string[] {
  const parts = ({ listen, reload, workers, upstream }: Config): [string, unknown][] => [
    ['workers', workers],
    ['listen', [listen.proxy, listen.api, listen.proxy_tls?.listen]],
    ...timeoutsOfStart.map((key): [string, unknown] => [`upstream.timeouts.${key}`, upstream.timeouts[key]]),
    ['reload.watch', reload.watch],
  ];
  const old = new Map(parts(before));
  return parts(after).flatMap(([key, value]) => (isDeepStrictEqual(value, old.get(key)) ? [] : [key]));
}
