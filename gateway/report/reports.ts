/** Creates reports from stored events, on demand and on a schedule into a folder. */

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { makeFolder } from '../../certs/folders.ts';
import type { Config } from '../../config/load.ts';
import type { ServiceRegistry } from '../../policy/registry.ts';
import { dayMs } from '../durations.ts';
import type { Log } from '../observe/log.ts';
import { replaceFile } from '../stores/atomic-file.ts';
import type { EventStore } from '../stores/events.ts';
import { formatReport } from './formats.ts';
import { UsageCounter, type UsageFacts, type UsageReport } from './usage.ts';

export type ReportsOptions = {
  readonly events: EventStore;
  readonly registry: ServiceRegistry;
  readonly log: Log;
  readonly settings: () => Config['report'];
  readonly confidenceOf?: UsageFacts['confidenceOf'];
  readonly now?: () => Date;
};

const pageMax = 1_000;
const checkMs = 15 * 60_000;

/** Creates reports on demand and on the configured schedule. */
export class Reports {
  readonly #options: ReportsOptions;
  readonly #now: () => Date;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ReportsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
  }

  /**
   * The report for a period, Unix ms, `to` exclusive. @throws PrivetError `unavailable` while the store is unavailable.
   */
  async make(from: number, to: number): Promise<UsageReport> {
    const { events, registry, confidenceOf } = this.#options;
    const counter = new UsageCounter({ from, to, facts: factsOf(registry, confidenceOf) });
    let after: string | undefined;
    do {
      const page = await events.query({ from, to, limit: pageMax, after });
      for (const { at, fields } of page.events) counter.add(at, fields);
      after = page.next;
      // A store in this process answers synchronously: yield to others.
      await setImmediate();
    } while (after !== undefined);
    return counter.report(this.#now());
  }

  /** While the process runs, writes the report of each period into the folder once it has ended. */
  start(): void {
    const check = () => void this.writeDue().catch((error: unknown) => this.#failed(error));
    this.#timer = setInterval(check, checkMs).unref();
    setTimeout(check, 5_000).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Writes the report of the last complete period unless it exists. Returns the names of the files written. */
  async writeDue(): Promise<string[]> {
    const { dir, every, formats, lang, keep } = this.#options.settings();
    if (dir === null) return [];
    const { from, to, name } = lastPeriod(this.#now(), every);
    makeFolder(dir, 0o750);
    const present = new Set(readdirSync(dir));
    const missing = formats.filter((format) => !present.has(`${name}.${format}`));
    if (missing.length === 0) return [];
    const report = await this.make(from, to);
    const written = missing.map((format) => {
      replaceFile(join(dir, `${name}.${format}`), formatReport(report, format, lang));
      return `${name}.${format}`;
    });
    for (const format of formats) dropOld(dir, format, every, keep);
    this.#options.log.info({ event: 'report_written', files: written }, 'the report of AI use was written');
    return written;
  }

  #failed(error: unknown): void {
    this.#options.log.error(
      { event: 'report_failed', error },
      'the report of AI use could not be written; retrying later',
    );
  }
}

export function factsOf(registry: ServiceRegistry, confidenceOf?: UsageFacts['confidenceOf']) {
  return {
    serviceOf(id: string) {
      const service = registry.get(id);
      return service && { name: service.service_name, category: service.is_blocked ? 'blocked' : service.category };
    },
    confidenceOf,
  };
}

/** The last complete day, or week from Monday to Sunday (UTC). */
export function lastPeriod(now: Date, every: 'day' | 'week'): { from: number; to: number; name: string } {
  const today = Math.floor(now.getTime() / dayMs) * dayMs;
  const to = every === 'day' ? today : today - ((new Date(today).getUTCDay() + 6) % 7) * dayMs;
  const from = to - (every === 'day' ? 1 : 7) * dayMs;
  return { from, to, name: `privet-${every}-${new Date(from).toISOString().slice(0, 10)}` };
}

/** File names of one kind begin with the date, so the oldest sort first. */
function dropOld(dir: string, format: string, every: string, keep: number): void {
  const own = new RegExp(`^privet-${every}-\\d{4}-\\d{2}-\\d{2}\\.${format}$`);
  const names = readdirSync(dir)
    .filter((name) => own.test(name))
    .sort();
  for (const name of names.slice(0, Math.max(0, names.length - keep))) rmSync(join(dir, name), { force: true });
}
