/** The license status of the running gateway, and its usage report. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { monthOf } from '../policy/credits.ts';
import type { LicensePlan } from '../policy/license.ts';
import type { LicenseMode, OpenedLicense } from './license.ts';
import type { Log } from './observe/log.ts';
import { type ReportLog, UsageReporter } from './observe/usage-report.ts';
import { readFileIfPresent, replaceFile } from './stores/atomic-file.ts';
import { changeRecords } from './stores/records.ts';
import type { Stores } from './stores/stores.ts';

/** The license as shown by /health. */
export type LicenseView = {
  readonly status: 'valid' | 'expired';
  readonly mode: LicenseMode;
  readonly plan: LicensePlan;
  readonly evaluation: boolean;
  readonly customer: string;
  readonly expires_at: string;
};

export type LicenseStateOptions = {
  readonly license: OpenedLicense;
  /** Where reports go, instead of the address in the license. */
  readonly reportUrl?: string;
  readonly stores: Pick<Stores, 'kind' | 'meter' | 'records' | 'opened'>;
  readonly dataDir: string;
  readonly version: string;
  readonly log: Log;
  readonly now?: () => Date;
};

/** How long /health waits for the store. */
const callsMsMax = 250;

/** The license of this process. Reports are sent only in mode `jwt`, and only if an address is set. */
export class LicenseState {
  readonly #license: OpenedLicense;
  readonly #now: () => Date;
  readonly #reporter: UsageReporter | undefined;
  readonly #log: Log;
  readonly #meter: Stores['meter'];
  #calls = { month: '', calls: 0 };

  constructor(options: LicenseStateOptions) {
    const { license, stores, version, log } = options;
    this.#license = license;
    this.#now = options.now ?? (() => new Date());
    this.#log = log;
    this.#meter = stores.meter;
    const url = options.reportUrl ?? license.reportUrl;
    if (license.mode !== 'jwt' || url === undefined) return;
    this.#reporter = new UsageReporter({
      licenseKey: license.token,
      url,
      version,
      log,
      callsIn: (month) => stores.meter.usedByAll(month),
      reports: stores.kind === 'memory' ? fileLog(options.dataDir) : recordLog(stores.records, this.#now),
      now: this.#now,
    });
    stores.opened.then(
      () => this.#reporter?.start(),
      () => {},
    );
  }

  view(): LicenseView {
    const { mode, plan, evaluation, customer, expiresAt } = this.#license;
    const status = expiresAt.getTime() > this.#now().getTime() ? 'valid' : 'expired';
    return { status, mode, plan, evaluation, customer, expires_at: expiresAt.toISOString() };
  }

  /**
   * Calls of all accounts this month (UTC). If the store does not answer in time, returns the last known figure:
   * /health reports on the process, not on the store.
   */
  async callsThisMonth(): Promise<number> {
    const month = monthOf(this.#now());
    const asked = this.#meter.usedByAll(month).then(
      (calls) => {
        this.#calls = { month, calls };
      },
      () => {},
    );
    await Promise.race([asked, setTimeout(callsMsMax, undefined, { ref: false })]);
    return this.#calls.month === month ? this.#calls.calls : 0;
  }

  /** The current license status, after sending a report if one is due. A failed report is only logged. */
  async refresh(): Promise<LicenseView & { readonly reported: boolean }> {
    let reported = false;
    try {
      if (this.#reporter !== undefined) {
        await this.#reporter.send();
        reported = true;
      }
    } catch (error) {
      this.#log.warn({ event: 'usage_report_failed', error }, 'the usage report could not be delivered');
    }
    return { ...this.view(), reported };
  }

  close(): void {
    this.#reporter?.close();
  }
}

const document = 'usage-report';
/** How long other replicas wait for the one that has started to send a report. */
const claimMs = 120_000;

/** The last reported month, and which replica is sending another one now. */
type ReportRecord = { readonly month?: string; readonly claim?: { readonly by: string; readonly until: number } };

/** Replicas that share a store send one report together. */
function recordLog(records: Stores['records'], now: () => Date): ReportLog {
  const by = randomBytes(6).toString('hex');
  return {
    claim: (month) =>
      changeRecords({
        records,
        kind: 'document',
        read: () => records.get('document', [document]),
        decide(set) {
          const known = set.records.get(document) as ReportRecord | undefined;
          const at = now().getTime();
          const { claim } = known ?? {};
          // A claim that ends later than any new one could was made before the clock was set back.
          const isOthers = claim !== undefined && claim.by !== by && claim.until > at && claim.until <= at + claimMs;
          if (known?.month === month || isOthers) return { changes: new Map(), result: false };
          const next: ReportRecord = { ...known, claim: { by, until: at + claimMs } };
          return { changes: new Map([[document, next]]), result: true };
        },
      }),
    async reported(month) {
      await records.write('document', new Map([[document, { month }]]));
    },
  };
}

/** The memory store forgets when the process ends; the data folder does not. */
function fileLog(dataDir: string): ReportLog {
  const file = join(dataDir, 'license', 'last-report');
  return {
    claim: async (month) => readFileIfPresent(file)?.trim() !== month,
    reported: async (month) => replaceFile(file, `${month}\n`),
  };
}
