/** The in-memory stores: the default, lost on restart. */
import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { MemoryVault, sessionUnknown } from '../../core/vault.ts';
import { type RateCount, type RateRule, type RateState, takeRate } from '../../policy/rate-limits.ts';
import { boundedCache } from '../bounded-cache.ts';
import type { Call, CallResult, CallStore, Charge, ChargeResult } from './calls.ts';
import { AnnouncedRecords, ChangeEmitter } from './changes.ts';
import { EventLog, eventsMax, eventsMs, type Retention } from './events.ts';
import { MemoryEvents } from './memory-events.ts';
import type { Meter } from './meter.ts';
import type { NumbersFile } from './numbers-file.ts';
import type { RecordKind, RecordSet } from './records.ts';
import type { Stores } from './stores.ts';

const sweepMs = 60_000;
/** Values numbered before yielding; other requests wait meanwhile. */
const entriesMax = 1_000;
const rateLimitsMax = 100_000;
/** Number of months whose counters are kept. */
const monthsMax = 13;

/** Opens in-memory stores. `onEvicted` is called for sessions dropped for lack of memory. */
export function openMemoryStores(options: {
  readonly ttlMs: number;
  readonly tokensPerSessionMax?: number;
  readonly onEvicted?: (sessions: number) => void;
  readonly now?: () => number;
  /** Default {@link eventsMax} and {@link eventsMs}. */
  readonly retention?: () => Retention;
  /** Keeps the token counters, not the tokens, across restarts. Default: the counters are lost with the process. */
  readonly numbers?: NumbersFile;
}): Stores {
  const now = options.now ?? Date.now;
  const { numbers } = options;
  const vault = new MemoryVault({ ...options, now, ...(numbers && { keptNumbers: numbers }) });
  const meter = new MemoryMeter(now);
  const changes = new ChangeEmitter(() => true);
  const secret = randomBytes(32);
  const retention = options.retention ?? (() => ({ keep: eventsMax.memory, ms: eventsMs }));
  const events = new EventLog(new MemoryEvents(() => retention().keep), { retention, now });
  const sweeping = setInterval(() => {
    vault.sweep();
    void events.sweep();
  }, sweepMs).unref();
  return {
    kind: 'memory',
    vault,
    calls: new MemoryCalls(vault, meter),
    meter,
    records: new MemoryRecords(changes),
    events,
    changes,
    secret: () => secret,
    lineSecret: () => numbers?.secret ?? secret,
    isReady: () => true,
    opened: Promise.resolve(),
    async close() {
      clearInterval(sweeping);
      numbers?.close(vault.numbers());
      vault.close();
    },
  };
}

class MemoryCalls implements CallStore {
  readonly #vault: MemoryVault;
  readonly #meter: MemoryMeter;

  constructor(vault: MemoryVault, meter: MemoryMeter) {
    this.#vault = vault;
    this.#meter = meter;
  }

  run(call: Call): CallResult | Promise<CallResult> {
    const { reserve } = call;
    if (reserve === undefined || reserve.entries.length <= entriesMax) return this.#run(call);
    return this.#runInParts(call, reserve);
  }

  async #runInParts(call: Call, reserve: NonNullable<Call['reserve']>): Promise<CallResult> {
    const { entries } = reserve;
    this.#vault.checkRoom(entries);
    const result = this.#run({ ...call, reserve: { ...reserve, entries: entries.slice(0, entriesMax) } });
    if (result.tokens === undefined) return result;
    const tokens = [...result.tokens];
    for (let from = entriesMax; from < entries.length; from += entriesMax) {
      await setImmediate();
      tokens.push(
        ...this.#vault.reserve(reserve.session, entries.slice(from, from + entriesMax), {
          ...reserve.options,
          create: true,
        }),
      );
    }
    return { ...result, tokens };
  }

  #run({ charge, reserve, read }: Call): CallResult {
    const map = read === undefined ? undefined : this.#vault.tokens(read);
    if (read !== undefined && map === undefined) throw sessionUnknown();
    if (reserve?.options?.create === false && this.#vault.tokens(reserve.session) === undefined) throw sessionUnknown();
    const charged = charge === undefined ? undefined : this.#meter.try(charge);
    if (charged?.refused !== undefined) return { charge: charged };
    const tokens = reserve && this.#vault.reserve(reserve.session, reserve.entries, reserve.options);
    if (charge !== undefined) this.#meter.count(charge);
    return { charge: charged, tokens, map };
  }

  refund(charge: Charge): void {
    this.#meter.refund(charge);
  }
}

class MemoryMeter implements Meter {
  readonly #now: () => number;
  readonly #months = new Map<string, { tenants: Map<string, number>; keys: Map<string, number> }>();
  readonly #rates = boundedCache<string, RateCount>(rateLimitsMax);

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The result a charge would have; only its rate limit has been counted. */
  try(charge: Charge): ChargeResult {
    const rate = charge.rate && this.#take(`tenant:${charge.tenant}`, charge.rate);
    const used = this.#months.get(charge.month)?.tenants.get(charge.tenant) ?? 0;
    if (rate?.allowed === false) return { refused: 'rate', used, rate };
    const isOver = charge.credits > 0 && charge.creditsMax !== null && used + charge.credits > charge.creditsMax;
    return isOver ? { refused: 'credits', used, rate } : { used: used + charge.credits, rate };
  }

  count(charge: Charge): void {
    if (charge.credits === 0) return;
    let month = this.#months.get(charge.month);
    if (month === undefined) {
      month = { tenants: new Map(), keys: new Map() };
      this.#months.set(charge.month, month);
      const oldest = [...this.#months.keys()].sort().slice(0, -monthsMax);
      for (const name of oldest) this.#months.delete(name);
    }
    month.tenants.set(charge.tenant, (month.tenants.get(charge.tenant) ?? 0) + charge.credits);
    month.keys.set(charge.keyId, (month.keys.get(charge.keyId) ?? 0) + charge.credits);
  }

  refund({ month, tenant, keyId, credits }: Charge): void {
    const counted = this.#months.get(month);
    if (counted === undefined) return;
    counted.tenants.set(tenant, Math.max(0, (counted.tenants.get(tenant) ?? 0) - credits));
    counted.keys.set(keyId, Math.max(0, (counted.keys.get(keyId) ?? 0) - credits));
  }

  async used(tenant: string, month: string): Promise<number> {
    return this.#months.get(month)?.tenants.get(tenant) ?? 0;
  }

  async usedByKey(keyIds: readonly string[], month: string): Promise<Map<string, number>> {
    const keys = this.#months.get(month)?.keys;
    return new Map(keyIds.flatMap((id) => (keys?.has(id) ? [[id, keys.get(id) ?? 0]] : [])));
  }

  async usedByAll(month: string): Promise<number> {
    let sum = 0;
    for (const used of this.#months.get(month)?.tenants.values() ?? []) sum += used;
    return sum;
  }

  async takeRate(id: string, rule: RateRule): Promise<RateState> {
    return this.#take(`own:${id}`, rule);
  }

  #take(id: string, rule: RateRule): RateState {
    const { state, count } = takeRate(rule, this.#rates.get(id), this.#now());
    this.#rates.set(id, count);
    return state;
  }
}

class MemoryRecords extends AnnouncedRecords {
  readonly #kinds = new Map<RecordKind, { revision: number; records: Map<string, unknown> }>();

  async get(kind: RecordKind, ids: readonly string[]): Promise<RecordSet> {
    const { revision, records } = this.#of(kind);
    return { revision, records: new Map(ids.flatMap((id) => (records.has(id) ? [[id, records.get(id)]] : []))) };
  }

  async list(kind: RecordKind): Promise<RecordSet> {
    const { revision, records } = this.#of(kind);
    return { revision, records: new Map(records) };
  }

  protected async put(
    kind: RecordKind,
    changes: ReadonlyMap<string, unknown>,
    ifRevision: number | undefined,
  ): Promise<number | undefined> {
    const state = this.#of(kind);
    if (ifRevision !== undefined && ifRevision !== state.revision) return undefined;
    for (const [id, value] of changes) {
      if (value === null) state.records.delete(id);
      else state.records.set(id, value);
    }
    return ++state.revision;
  }

  #of(kind: RecordKind): { revision: number; records: Map<string, unknown> } {
    let state = this.#kinds.get(kind);
    if (state === undefined) {
      state = { revision: 0, records: new Map() };
      this.#kinds.set(kind, state);
    }
    return state;
  }
}
