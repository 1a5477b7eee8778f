/**
 * The usage report: once a month, three figures and nothing else, to the address set by the operator or the license. It
 * is retried until it arrives; nothing waits for it.
 */
import { createHash } from 'node:crypto';
import { monthOf } from '../../policy/credits.ts';
import type { Log } from './log.ts';

/** The month that was reported last, stored across restarts. */
export interface ReportLog {
  /** Whether this process should report the month: only one of several processes gets true. */
  claim(month: string): Promise<boolean>;
  reported(month: string): Promise<void>;
}

const requestMsMax = 10_000;
/** Retry delays in milliseconds; the last one repeats. */
const retryMs = [1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000];
const checkMs = 3_600_000;

export type UsageReporterOptions = {
  readonly licenseKey: string;
  /** https, or http to this machine. */
  readonly url: string;
  readonly version: string;
  /** Calls of all tenants in a month. */
  readonly callsIn: (month: string) => Promise<number>;
  readonly reports: ReportLog;
  readonly log: Log;
  readonly now?: () => Date;
};

export class UsageReporter {
  readonly #options: UsageReporterOptions;
  readonly #now: () => Date;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;

  constructor(options: UsageReporterOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
  }

  /** Starts sending once a month. */
  start(): void {
    this.#schedule(0);
  }

  /** Sends now. Rejects when it does not arrive; the monthly report is retried automatically. */
  async send() {
    const { licenseKey, url, version, callsIn, reports } = this.#options;
    const month = monthOf(this.#now());
    const report = {
      license_key_hash: `sha256:${createHash('sha256').update(licenseKey).digest('hex')}`,
      api_calls_this_month: await callsIn(month),
      proxy_version: version,
    };
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(report),
      redirect: 'error',
      signal: AbortSignal.timeout(requestMsMax),
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    await reports.reported(month);
    return report;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(ms: number): void {
    this.#timer = setTimeout(() => void this.#check(), ms).unref();
  }

  async #check(): Promise<void> {
    const { reports, log } = this.#options;
    let nextMs = checkMs;
    try {
      if (await reports.claim(monthOf(this.#now()))) await this.send();
      this.#failures = 0;
    } catch (error) {
      nextMs = retryMs[Math.min(this.#failures++, retryMs.length - 1)] as number;
      log.warn({ event: 'usage_report_failed', error, retryMs: nextMs }, 'the usage report could not be delivered');
    }
    if (this.#timer !== undefined) this.#schedule(nextMs);
  }
}
