/** What the running gateway says of its licence, and its usage report. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { monthOf } from '../policy/credits.ts';
import type { LicencePlan } from '../policy/licence.ts';
import type { LicenceMode, OpenedLicence } from './licence.ts';
import type { Log } from './observe/log.ts';
import { type ReportLog, UsageReporter } from './observe/usage-report.ts';
import { readFileIfPresent, replaceFile } from './stores/atomic-file.ts';
import { changeRecords } from './stores/records.ts';
import type { Stores } from './stores/stores.ts';

/** A licence as /health shows it. */
export type LicenceView = {
  readonly status: 'valid' | 'expired';
  readonly mode: LicenceMode;
  readonly plan: LicencePlan;
  readonly evaluation: boolean;
  readonly customer: string;
  readonly expires_at: string;
};

/** Options of {@link LicenceState}. */
export type LicenceStateOptions = {
  readonly licence: OpenedLicence;
  /** Where reports go, in place of the address in the licence. */
  readonly reportUrl?: string;
  readonly stores: Pick<Stores, 'kind' | 'meter' | 'records' | 'opened'>;
  readonly dataDir: string;
  readonly version: string;
  readonly log: Log;
  readonly now?: () => Date;
};

/** How long /health waits for the store. */
const callsMsMax = 250;

/** The licence of this process. Reports are sent in mode `jwt` only, and only where an address is set. */
export class LicenceState {
  readonly #licence: OpenedLicence;
  readonly #now: () => Date;
  readonly #reporter: UsageReporter | undefined;
  readonly #log: Log;
  readonly #meter: Stores['meter'];
  #calls = { month: '', calls: 0 };

  constructor(options: LicenceStateOptions) {
    const { licence, stores, version, log } = options;
    this.#licence = licence;
    this.#now = options.now ?? (() => new Date());
    this.#log = log;
    this.#meter = stores.meter;
    const url = options.reportUrl ?? licence.reportUrl;
    if (licence.mode !== 'jwt' || url === undefined) return;
    this.#reporter = new UsageReporter({
      licenceKey: licence.token,
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

  view(): LicenceView {
    const { mode, plan, evaluation, customer, expiresAt } = this.#licence;
    const status = expiresAt.getTime() > this.#now().getTime() ? 'valid' : 'expired';
    return { status, mode, plan, evaluation, customer, expires_at: expiresAt.toISOString() };
  }

  /**
   * Calls of all accounts in this month (UTC). A store that does not answer at once delays nobody: the last known figure
   * is returned then, because /health reports on the process and not on the store.
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

  /** The state of the licence now, after a report where one is sent; one that does not arrive is only told. */
  async refresh(): Promise<LicenceView & { readonly reported: boolean }> {
    let reported = false;
    try {
      if (this.#reporter !== undefined) {
        await this.#reporter.send();
        reported = true;
      }
    } catch (error) {
      this.#log.warn({ event: 'usage_report_failed', error }, 'the usage report did not arrive');
    }
    return { ...this.view(), reported };
  }

  close(): void {
    this.#reporter?.close();
  }
}

const document = 'usage-report';
/** For so long the others leave a report to the one that has begun to send it. */
const claimMs = 120_000;

/** The month that was reported last, and who is sending another one now. */
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
          // One that ends later than any that begins now is of a clock that was put back since.
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

/** The memory store forgets at the end of the process; the data folder does not. */
function fileLog(dataDir: string): ReportLog {
  const file = join(dataDir, 'license', 'last-report');
  return {
    claim: async (month) => readFileIfPresent(file)?.trim() !== month,
    reported: async (month) => replaceFile(file, `${month}\n`),
  };
}
