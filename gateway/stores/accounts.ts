/**
 * Tenants (accounts), their plans and keys, stored as records. Recent look-ups are cached until another process changes
 * them.
 */
import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { PrivetError } from '../../core/errors.ts';
import { isKey, type KeyRole, keyHash, keyId, newKey, sameHash } from '../../policy/api-keys.ts';
import { type CreditsView, creditsMax, creditsView, monthOf, resetsAt } from '../../policy/credits.ts';
import { type Plan, type PlanName, planForSeats, plans, planTitle } from '../../policy/plans.ts';
import type { Charge, ChargeResult } from './calls.ts';
import type { ChangeFeed } from './changes.ts';
import type { Meter } from './meter.ts';
import { changeRecords, type RecordSet, type Records } from './records.ts';

/** The authenticated sender of a request. */
export type Caller = {
  readonly keyId: string;
  readonly name: string;
  readonly tenant: string;
  readonly role: KeyRole;
  readonly plan: Plan;
};

/** Input for a new key. `plan` changes the plan of an existing tenant; without both, the plan is `free`. */
export type KeyRequest = {
  readonly name: string;
  readonly role?: KeyRole;
  readonly plan?: PlanName;
  readonly tenant?: string;
  /** Prefix `pvt_test_`. */
  readonly test?: boolean;
};

type TenantRecord = { readonly plan: PlanName; readonly keys: readonly string[]; readonly created_at: string };
type KeyRecord = {
  readonly hash: string;
  readonly name: string;
  readonly tenant: string;
  readonly role: KeyRole;
  readonly created_at: string;
  readonly revoked_at: string | null;
};

/** The tenant of the administrator's own key, which is not in any store. */
const adminTenant = 'admin';

const administrator: Caller = {
  keyId: adminTenant,
  name: adminTenant,
  tenant: adminTenant,
  role: 'admin',
  plan: plans.enterprise,
};

const rememberedMax = 10_000;
const rememberedMs = 60_000;
/** How long a cached look-up is valid while changes by others may be missed. */
const rememberedBlindMs = 1_000;

export type AccountsOptions = {
  readonly records: Records;
  readonly meter: Meter;
  readonly changes: ChangeFeed;
  /** Whether a text is the administrator's own key. */
  readonly verifyAdminKey: (presented: string) => boolean;
  /** Distinguishes this key from an earlier one ({@link AdminKey.print}). */
  readonly adminKeyPrint?: string;
  /** Calls per minute for accounts by plan, where they differ from the plan's default. */
  readonly callsPerMinute?: Readonly<Partial<Record<string, number>>>;
  readonly now?: () => Date;
};

/** Creates, lists and revokes keys, authenticates callers and determines the charge for a call. */
export class Accounts {
  readonly #options: AccountsOptions;
  readonly #now: () => Date;
  readonly #remembered = new LRUCache<string, { readonly caller: Caller; readonly hash: string; readonly at: number }>({
    max: rememberedMax,
  });
  readonly #asking = new Map<string, Promise<{ caller: Caller; hash: string } | undefined>>();
  #generation = 0;
  #running = { name: '', from: 0, to: 0 };

  constructor(options: AccountsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
    options.changes.onChange(({ kind }) => {
      if (kind !== 'account') return;
      this.#generation++;
      this.#remembered.clear();
      this.#asking.clear();
    });
  }

  /**
   * Increases whenever an account or key may have changed: earlier results of {@link authenticate} are then invalid.
   */
  get generation(): number {
    return this.#generation;
  }

  /** The caller a key belongs to; undefined when the key is unknown or revoked. @throws PrivetError `unavailable`. */
  async authenticate(presented: string): Promise<Caller | undefined> {
    if (this.#options.verifyAdminKey(presented)) return administrator;
    if (!isKey(presented)) return undefined;
    const hash = keyHash(presented);
    const found = await this.#find(keyId(hash));
    return found !== undefined && sameHash(found.hash, hash) ? found.caller : undefined;
  }

  /** What a session is bound to in addition to the key id; see {@link callerOf}. */
  printOf(caller: Caller): string {
    return caller.keyId === adminTenant ? (this.#options.adminKeyPrint ?? '') : '';
  }

  /**
   * The caller of an already authenticated key, by its id and {@link printOf}; undefined when it has been revoked
   * since, or when the administrator's own key has changed. @throws PrivetError `unavailable`.
   */
  async callerOf(key: { readonly id: string; readonly print: string }): Promise<Caller | undefined> {
    if (key.id === adminTenant) return key.print === this.printOf(administrator) ? administrator : undefined;
    return (await this.#find(key.id))?.caller;
  }

  async #find(id: string): Promise<{ readonly caller: Caller; readonly hash: string } | undefined> {
    const known = this.#remembered.get(id);
    const heldMs = this.#options.changes.isLive ? rememberedMs : rememberedBlindMs;
    if (known !== undefined && performance.now() - known.at < heldMs) return known;
    let asking = this.#asking.get(id);
    if (asking === undefined) {
      asking = this.#ask(id);
      this.#asking.set(id, asking);
      const forget = () => {
        if (this.#asking.get(id) === asking) this.#asking.delete(id);
      };
      asking.then(forget, forget);
    }
    return asking;
  }

  /** The charge for a call: 1 credit, or 0 for what is free on every plan. */
  charge(caller: Caller, credits: 0 | 1): Charge {
    const { plan } = caller;
    const limit = this.#options.callsPerMinute?.[plan.name] ?? plan.callsPerMinute;
    return {
      tenant: caller.tenant,
      keyId: caller.keyId,
      month: this.#month(),
      credits,
      creditsMax: creditsMax(plan),
      rate: limit === null ? undefined : { limit, windowMs: 60_000 },
    };
  }

  /** The current month; formatted once per month. */
  #month(): string {
    const at = this.#now();
    const time = at.getTime();
    if (time < this.#running.from || time >= this.#running.to) {
      const to = resetsAt(at).getTime();
      this.#running = { name: monthOf(at), from: time, to };
    }
    return this.#running.name;
  }

  async credits(caller: Caller): Promise<CreditsView> {
    const at = this.#now();
    return creditsView(caller.plan, await this.#options.meter.used(caller.tenant, monthOf(at)), at);
  }

  /**
   * Creates a key, and a tenant when none is given.
   * @throws PrivetError `not_found` for an unknown tenant, `forbidden` when the plan has no seat for another name.
   */
  async createKey(request: KeyRequest) {
    const { name, role = 'user' } = request;
    const key = newKey(role === 'admin' ? 'admin' : request.test ? 'test' : 'live');
    const hash = keyHash(key);
    const id = keyId(hash);
    const created_at = this.#now().toISOString();
    const tenant = request.tenant ?? `tnt_${randomBytes(8).toString('hex')}`;
    const plan = await this.#change(tenant, (set) => {
      const known = set.records.get(tenantId(tenant)) as TenantRecord | undefined;
      if (known === undefined && request.tenant !== undefined) {
        throw unknownTenant('Leave "tenant" out to create a new one.');
      }
      const plan = request.plan ?? known?.plan ?? 'free';
      if (role === 'user') assertSeat(plans[plan], [...membersOf(set, known), name]);
      const record: TenantRecord = { created_at, ...known, plan, keys: [...(known?.keys ?? []), id] };
      const keyRecord: KeyRecord = { hash, name, tenant, role, created_at, revoked_at: null };
      const changes = new Map<string, unknown>([
        [tenantId(tenant), record],
        [recordId(id), keyRecord],
      ]);
      return { changes, result: plan };
    });
    return { id, key, name, tenant, plan, role, created_at };
  }

  /** All keys, or those of one tenant, newest last, including revoked ones, with the credits that each used this month. */
  async keys(filter: { readonly tenant?: string } = {}) {
    const { records } = await this.#options.records.list('account');
    const month = monthOf(this.#now());
    const found = [...records].flatMap(([id, value]) => {
      const record = value as KeyRecord;
      if (!id.startsWith('key:') || (filter.tenant !== undefined && record.tenant !== filter.tenant)) return [];
      return [{ id: id.slice('key:'.length), record }];
    });
    const used = await this.#options.meter.usedByKey(
      found.map(({ id }) => id),
      month,
    );
    const views = found.map(({ id, record: { hash: _hash, ...shown } }) => ({
      id,
      ...shown,
      plan: (records.get(tenantId(shown.tenant)) as TenantRecord | undefined)?.plan ?? 'free',
      usage: { month, calls: used.get(id) ?? 0 },
    }));
    return views.sort(byCreation);
  }

  /** All accounts with their members and usage of the month, oldest first. */
  async tenants() {
    const { records } = await this.#options.records.list('account');
    const month = monthOf(this.#now());
    const found = [...records].filter(([id]) => id.startsWith('tenant:')) as [string, TenantRecord][];
    const views = found.map(async ([id, { plan, keys, created_at }]) => {
      const tenant = id.slice('tenant:'.length);
      const live = keys.flatMap((key) => {
        const record = records.get(recordId(key)) as KeyRecord | undefined;
        return record === undefined || record.revoked_at !== null
          ? []
          : [{ id: key, name: record.name, role: record.role }];
      });
      const used = await this.#options.meter.used(tenant, month);
      const usage = { month, credits_used: used, credits_limit: plans[plan].credits };
      return { tenant, plan, created_at, keys: live.length, seats: plans[plan].seats, members: live, usage };
    });
    const all = await Promise.all(views);
    return all.sort(byCreation);
  }

  /** Revokes a key; every process refuses it within a second. @throws PrivetError `not_found`. */
  async revokeKey(id: string): Promise<void> {
    const { records } = this.#options;
    await changeRecords({
      records,
      kind: 'account',
      read: () => records.get('account', [recordId(id)]),
      decide: (set) => {
        const record = set.records.get(recordId(id)) as KeyRecord | undefined;
        if (record === undefined) throw new PrivetError('not_found', 'There is no key with this id.');
        const changes = new Map<string, unknown>();
        if (record.revoked_at === null) changes.set(recordId(id), { ...record, revoked_at: this.#now().toISOString() });
        return { changes, result: undefined };
      },
    });
  }

  /** Moves a tenant to another plan. @throws PrivetError `not_found`. */
  async setPlan(tenant: string, plan: PlanName): Promise<void> {
    await this.#change(tenant, (set) => {
      const known = set.records.get(tenantId(tenant)) as TenantRecord | undefined;
      if (known === undefined) throw unknownTenant('Check its id; GET /admin/tenants lists all.');
      return { changes: new Map([[tenantId(tenant), { ...known, plan }]]), result: undefined };
    });
  }

  async #change<T>(
    tenant: string,
    decide: (set: RecordSet) => { changes: ReadonlyMap<string, unknown>; result: T },
  ): Promise<T> {
    const { records } = this.#options;
    return changeRecords({
      records,
      kind: 'account',
      read: async () => {
        // Keys are only ever added: another process may have created one since the tenant was read.
        for (let keys: readonly string[] = []; ; ) {
          const ids = [tenantId(tenant), ...keys.map(recordId)];
          const set = await records.get('account', ids);
          keys = (set.records.get(tenantId(tenant)) as TenantRecord | undefined)?.keys ?? [];
          if (keys.length < ids.length) return set;
        }
      },
      decide,
    });
  }

  async #ask(id: string): Promise<{ caller: Caller; hash: string } | undefined> {
    const generation = this.#generation;
    const { records } = this.#options;
    const key = (await records.get('account', [recordId(id)])).records.get(recordId(id)) as KeyRecord | undefined;
    if (key === undefined || key.revoked_at !== null) return undefined;
    const tenant = (await records.get('account', [tenantId(key.tenant)])).records.get(tenantId(key.tenant)) as
      | TenantRecord
      | undefined;
    if (tenant === undefined) return undefined;
    const caller = { keyId: id, name: key.name, tenant: key.tenant, role: key.role, plan: plans[tenant.plan] };
    // Something changed during the look-up, so the result may be outdated: use it, but do not cache it.
    if (generation === this.#generation) this.#remembered.set(id, { caller, hash: key.hash, at: performance.now() });
    return { caller, hash: key.hash };
  }
}

/** @throws PrivetError `too_many_requests` or `credits_exhausted` when a charge was refused. */
export function assertCharged(result: ChargeResult): void {
  if (result.refused === 'rate') {
    throw new PrivetError('too_many_requests', 'The account has sent too many requests.', {
      details: {
        limit: result.rate?.limit,
        windowMs: result.rate?.windowMs,
        retryMs: result.rate && Math.ceil(result.rate.retryMs),
      },
    });
  }
  if (result.refused === 'credits') {
    throw new PrivetError('credits_exhausted', 'The credits of this month are used up.', {
      details: { used: result.used },
    });
  }
}

const tenantId = (tenant: string): string => `tenant:${tenant}`;
const recordId = (key: string): string => `key:${key}`;

function byCreation(a: { readonly created_at: string }, b: { readonly created_at: string }): number {
  return a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : 0;
}

function membersOf(set: RecordSet, tenant: TenantRecord | undefined): string[] {
  const keys = (tenant?.keys ?? []).map((id) => set.records.get(recordId(id)) as KeyRecord | undefined);
  return keys.flatMap((key) => (key !== undefined && key.revoked_at === null && key.role === 'user' ? [key.name] : []));
}

/** A member is a name with a live key: a second key under the same name takes no further seat. */
function assertSeat(plan: Plan, members: readonly string[]): void {
  const count = new Set(members).size;
  if (plan.seats === null || count <= plan.seats) return;
  const needed = planForSeats(count).name;
  const taken = plan.seats === 1 ? '1 seat, which is taken' : `${plan.seats} seats; all are taken`;
  throw new PrivetError('forbidden', `The ${planTitle(plan.name)} plan has ${taken}.`, {
    hint: `Revoke the key of a member, or move the account to the ${planTitle(needed)} plan.`,
    details: { seats: plan.seats, plan: plan.name, requiredPlan: needed },
  });
}

function unknownTenant(hint: string): PrivetError {
  return new PrivetError('not_found', 'The tenant does not exist.', { hint });
}
