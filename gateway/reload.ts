/**
 * Reloads the configuration: on request (SIGHUP, the API, another replica) and when one of its files changes. On any
 * error the old one stays, and the reason is logged, counted and shown in the overview.
 */

import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../config/load.ts';
import { ConfigError, formatProblem } from '../config/problem.ts';
import type { ConfigState } from './api/parts.ts';
import type { Log } from './observe/log.ts';
import type { Metrics } from './observe/metrics.ts';
import type { Stores } from './stores/stores.ts';

/** What triggered the reload. */
export type ReloadCause = 'signal' | 'api' | 'replica' | 'file';

/** The result of applying a configuration. */
export type Applied = {
  readonly warnings: readonly string[];
  readonly services: number;
  /** Keys whose change takes effect at the next start. */
  readonly needRestart: readonly string[];
};

export type ReloaderOptions = {
  /** Reads, validates and swaps everything in one turn of the event loop; throws before anything is swapped. */
  readonly apply: () => Applied;
  /** The files the current configuration was read from. */
  readonly files: () => readonly string[];
  readonly warnings: readonly string[];
  readonly stores: Pick<Stores, 'records' | 'changes' | 'opened' | 'kind'>;
  readonly metrics: Pick<Metrics, 'configReloads'>;
  readonly log: Log;
  /** Polling interval for the files, in milliseconds. */
  readonly watchMs?: number;
};

/** A file change takes effect within twice this time. */
const watchMs = 250;
/** Number of polls after which an emptied file counts as intended, for example when the last user was removed. */
const emptyLooks = 6;
const notice = 'reload';
/** After a reload, wait this many times as long as it took before the next one. */
const restFactor = 3;
const restMsMax = 2_000;

/** Reloads the configuration. */
export class Reloader {
  readonly #options: ReloaderOptions;
  #state: ConfigState;
  /** The state of the files when last read, and at the last poll. */
  #read = '';
  #seen = '';
  /** The files that were empty when last read. */
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
   * Schedules a reload; resolves to the errors, empty on success. Reloading takes a quarter of the time at most,
   * however often it is requested: requests that arrive meanwhile share the next reload.
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
    // Note the state before reading, so that a change in between causes another reload.
    this.#note();
    try {
      const { warnings, services, needRestart } = apply();
      metrics.configReloads.with('ok').value++;
      this.#state = { loadedAt: new Date(), warnings, problems: [] };
      // The new configuration may use other files.
      this.#note();
      log.info({ event: 'config_reloaded', cause, services }, 'the configuration was reloaded');
      if (needRestart.length > 0)
        log.warn({ event: 'config_needs_restart', keys: needRestart }, 'some changes take effect at the next start');
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

  /**
   * Like {@link reload}, and tells every replica to reload its own files within a second. @returns the errors of our
   * own reload
   */
  async reloadAll(): Promise<readonly string[]> {
    const problems = await this.reload('api');
    const { stores, log } = this.#options;
    if (problems.length > 0 || stores.kind === 'memory') return problems;
    this.#heard = `${Date.now()}.${process.pid}.${Math.random().toString(36).slice(2)}`;
    await stores.records.write('document', new Map([[notice, this.#heard]])).catch((error: unknown) => {
      log.warn({ event: 'reload_not_shared', error }, 'other replicas could not be notified of the reload');
    });
    return problems;
  }

  /** Starts polling the files, if wanted, and listening to other replicas. */
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

  /** Reads another replica's reload notice; the first one seen is old. */
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
   * Files are polled by name, which also detects editors that rename and volumes that swap links. A change counts once
   * the file has stayed the same for one poll; an emptied file is probably being written, so it gets longer.
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

  /** Records the state of the files about to be read. */
  #note(): void {
    const files = this.#options.files();
    const stats = files.map(lookAt);
    this.#read = this.#seen = printOf(stats);
    this.#readEmpty = new Set(files.filter((_file, i) => stats[i]?.size === 0));
    this.#looksAtEmpty = 0;
  }
}

/** Undefined when a file cannot be inspected; reading it reports the reason. */
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

/** In `upstream.timeouts`: those of clients and of shutdown. Those of origins are swapped with the egress settings. */
const timeoutsOfStart = ['header', 'body', 'tls', 'keep_alive', 'tunnel_idle', 'drain', 'drain_delay'] as const;

/**
 * The changed keys that are read only at start. `keep_alive` applies to both sides: connections to origins use the new
 * value at once, those of clients do not.
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
