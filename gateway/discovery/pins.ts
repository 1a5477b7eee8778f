/**
 * Hosts whose clients reject our certificate. A client that pins its own certificate can only be exempted; a machine
 * that does not trust the CA needs the CA. They differ in whether the same subject has accepted our certificate for
 * another host. States: `seen` → (threshold reached) `proposed` → (administrator, or `auto`) `bypassed` → (expired)
 * `seen`; `dismissed` by an administrator, and not proposed again.
 */

import { PrivetError } from '../../core/errors.ts';
import type { Exemption, PolicyDecision } from '../../policy/decision.ts';
import { boundedCache } from '../bounded-cache.ts';
import { dayMs } from '../durations.ts';
import type { Log } from '../observe/log.ts';
import { isPortalName } from '../portal/page.ts';
import type { Client } from '../proxy/request/record.ts';
import { changeRecords } from '../stores/records.ts';
import type { Stores } from '../stores/stores.ts';

export type PinState = 'seen' | 'proposed' | 'bypassed' | 'dismissed';

/** How a client rejected our certificate: by TLS alert (RFC 8446 §6.2), or by disconnecting right after it. */
export type Rejection = 'bad_certificate' | 'certificate_unknown' | 'unknown_ca' | 'closed';

/** The data of a host. Times are RFC 3339 in UTC. */
export type Pin = {
  readonly alerts: Readonly<Partial<Record<Rejection, number>>>;
  readonly failures: number;
  readonly subjects: readonly string[];
  /** Subjects that had accepted our certificate for another host. */
  readonly trusting: readonly string[];
  readonly firstSeen: string;
  readonly lastSeen: string;
  readonly state: PinState;
  readonly expiresAt?: string;
  /** Who enabled the bypass: the learner or an administrator. */
  readonly by?: 'auto' | 'admin';
};

/** `policy.bypass_learning`; times in ms. */
export type LearningSettings = {
  readonly mode: 'off' | 'propose' | 'auto';
  readonly failures?: number | undefined;
  readonly subjects?: number | undefined;
  readonly window?: number | undefined;
  readonly ttl?: number | undefined;
};

const defaults = { failures: 5, subjects: 1, window: dayMs, ttl: 7 * dayMs };
const pinsMax = 2_000;
const forgottenAtOnce = 50;
const subjectsMax = 20;
const trustingMax = 20_000;
/** The counts after a single rejection. */
const once: Readonly<Record<Rejection, Pin['alerts']>> = {
  bad_certificate: { bad_certificate: 1 },
  certificate_unknown: { certificate_unknown: 1 },
  unknown_ca: { unknown_ca: 1 },
  closed: { closed: 1 },
};
/** A host's counts are stored for other replicas after this many rejections. */
const writtenEvery = 10;

/** A reported state change. */
export type PinChange = {
  readonly host: string;
  readonly state: PinState;
  readonly by: 'auto' | 'admin';
  readonly expiresAt?: string;
};

export type PinsOptions = {
  readonly stores: Pick<Stores, 'records' | 'changes' | 'opened'>;
  readonly settings: LearningSettings;
  /** The policy's decision about a host, ignoring exemptions: `auto` never bypasses blocked or masked hosts. */
  readonly decide: (host: string, client: Client) => PolicyDecision;
  readonly onChange: (change: PinChange) => void;
  readonly log: Log;
  readonly now?: () => number;
};

/** The rejection that a TLS error indicates; undefined for failures unrelated to the certificate. */
export function rejectionOf(code: string): Rejection | undefined {
  if (code === 'CLOSED' || code === 'DECLINED' || code === 'ECONNRESET' || code === 'EPIPE') return 'closed';
  if (/ALERT_BAD_CERTIFICATE$/.test(code)) return 'bad_certificate';
  if (/ALERT_CERTIFICATE_UNKNOWN$/.test(code)) return 'certificate_unknown';
  return /ALERT_UNKNOWN_CA$/.test(code) ? 'unknown_ca' : undefined;
}

/** Counts rejections and keeps the resulting exemptions. */
export class Pins {
  readonly #options: PinsOptions;
  readonly #now: () => number;
  readonly #pins = new Map<string, Pin>();
  /** When a subject last accepted our certificate, and for which host. */
  readonly #accepted = boundedCache<string, { readonly host: string; readonly atMs: number }>(trustingMax);
  /** Time of the last request over our certificate, by subject and host. */
  readonly #served = boundedCache<string, number>(trustingMax);
  /** Bypassed hosts, for the request path. */
  #bypassed = new Map<string, { readonly untilMs: number; readonly by: 'auto' | 'admin' }>();
  #settings: LearningSettings;
  #writing: Promise<unknown> = Promise.resolve();
  readonly #endListening: () => void;

  constructor(options: PinsOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#settings = options.settings;
    const { stores } = options;
    this.#endListening = stores.changes.onChange(({ kind, ids }) => {
      if (kind === 'pin') void this.#follow(ids);
    });
    stores.opened.then(
      () => this.#follow(),
      () => {},
    );
  }

  /** Applies new settings. With `off`, learned exemptions are kept but not applied. */
  configure(settings: LearningSettings): void {
    this.#settings = settings;
  }

  /** Records a request over our certificate: this subject trusts the CA. */
  accepted(host: string, client: Client): void {
    this.#accepted.set(client.subject, { host, atMs: this.#now() });
    this.#served.set(`${client.subject} ${host}`, this.#now());
  }

  /** True if a client closed a spare connection: Go and Chromium open several, and another one recently served them. */
  isSpare(host: string, client: Client, code: string): boolean {
    if (rejectionOf(code) !== 'closed') return false;
    const servedAt = this.#served.get(`${client.subject} ${host}`);
    return servedAt !== undefined && this.#now() - servedAt < this.#limit('window');
  }

  /** Records a rejected certificate. */
  rejected(host: string, client: Client, code: string): void {
    const alert = rejectionOf(code);
    // Our own page tests whether the certificate is trusted, which is not a finding.
    if (alert === undefined || this.#settings.mode === 'off' || isPortalName(host)) return;
    if (this.isSpare(host, client, code)) return;
    const now = this.#now();
    const before = this.#current(host, now);
    const accepted = this.#accepted.get(client.subject);
    const isTrusting =
      alert !== 'closed' &&
      accepted !== undefined &&
      accepted.host !== host &&
      now - accepted.atMs < this.#limit('window');
    const pin = withRejection(before, { alert, subject: client.subject, isTrusting, at: new Date(now).toISOString() });
    const isReached = alertsOf(pin) >= this.#limit('failures') && pin.subjects.length >= this.#limit('subjects');
    const isOpen = pin.state === 'seen' || (pin.state === 'proposed' && this.#settings.mode === 'auto');
    if (isOpen && isReached) this.#propose(host, client, pin, now);
    else this.#put(host, pin, pin.failures % writtenEvery === 0);
  }

  /** Why a host is exempt; undefined if it is not. */
  exemption(host: string): Exemption | undefined {
    if (this.#bypassed.size === 0 || this.#settings.mode === 'off') return undefined;
    const bypass = this.#bypassed.get(host);
    if (bypass === undefined || this.#now() >= bypass.untilMs) return undefined;
    const reason = 'its clients reject the certificate of the gateway';
    return { rule: 'learned bypass', reason, covers: bypass.by === 'auto' ? 'audited' : 'all' };
  }

  /** All hosts. An expired bypass counts as `seen`. */
  list(): ReadonlyMap<string, Pin> {
    const now = this.#now();
    const all = new Map<string, Pin>();
    for (const host of this.#pins.keys()) {
      const pin = this.#current(host, now);
      if (pin !== undefined) all.set(host, pin);
    }
    return all;
  }

  /**
   * Records an administrator's decision, in the store first. `ttlMs`: duration of a bypass.
   * @throws PrivetError `not_found`; `unavailable` if the store is
   */
  async decide(
    host: string,
    decision: { readonly state: 'bypassed' | 'dismissed' | 'seen'; readonly ttlMs?: number },
  ): Promise<Pin> {
    const before = this.#pins.get(host);
    if (before === undefined)
      throw new PrivetError('not_found', 'No client has rejected the certificate for this host.');
    const { expiresAt: _expires, by: _by, ...rest } = before;
    const expiresAt = new Date(this.#now() + (decision.ttlMs ?? this.#limit('ttl'))).toISOString();
    const pin: Pin =
      decision.state === 'bypassed'
        ? { ...rest, state: 'bypassed', by: 'admin', expiresAt }
        : {
            ...rest,
            state: decision.state,
            ...(decision.state === 'seen' ? { alerts: {}, failures: 0, subjects: [], trusting: [] } : {}),
          };
    await this.#write(host, pin, true);
    this.#show(host, pin);
    this.#tell(host, pin, 'admin');
    return pin;
  }

  /** Waits for pending writes, and stops. */
  async close(): Promise<void> {
    this.#endListening();
    await this.#writing;
  }

  #propose(host: string, client: Client, pin: Pin, now: number): void {
    const { mode } = this.#settings;
    const decision = this.#options.decide(host, client);
    const mayOpen = decision.action !== 'block' && decision.inspect !== 'mask';
    // Only a client that trusts the CA for other hosts proves that the host is the reason, not the CA.
    const next: Pin =
      mode === 'auto' && mayOpen && pin.trusting.length > 0
        ? { ...pin, state: 'bypassed', by: 'auto', expiresAt: new Date(now + this.#limit('ttl')).toISOString() }
        : { ...pin, state: 'proposed' };
    this.#put(host, next, next.state !== pin.state || pin.failures % writtenEvery === 0);
    if (next.state !== pin.state) this.#tell(host, next, 'auto');
  }

  #tell(host: string, { state, expiresAt }: Pin, by: 'auto' | 'admin'): void {
    this.#options.onChange({ host, state, by, ...(expiresAt === undefined ? {} : { expiresAt }) });
  }

  /** The current state of a host: `seen` counts expire after the window, a bypass after its time. */
  #current(host: string, now: number): Pin | undefined {
    const pin = this.#pins.get(host);
    if (pin === undefined) return undefined;
    if (pin.state === 'bypassed' && Date.parse(pin.expiresAt ?? '') <= now) {
      const { expiresAt: _expires, by: _by, ...rest } = pin;
      return { ...rest, alerts: {}, failures: 0, subjects: [], trusting: [], state: 'seen' };
    }
    if (pin.state === 'seen' && now - Date.parse(pin.lastSeen) >= this.#limit('window')) return undefined;
    return pin;
  }

  #limit(name: 'failures' | 'subjects' | 'window' | 'ttl'): number {
    return this.#settings[name] ?? defaults[name];
  }

  /** Sets a state, and stores it if other replicas need it. */
  #put(host: string, pin: Pin, isWritten: boolean): void {
    if (this.#pins.size >= pinsMax && !this.#pins.has(host)) this.#makeRoom();
    this.#show(host, pin);
    if (isWritten) this.#keep(this.#write(host, pin));
  }

  #keep(written: Promise<unknown>): void {
    const kept = written.catch((error: unknown) => {
      this.#options.log.warn({ event: 'pins_not_stored', error }, 'learned certificate rejections could not be stored');
    });
    this.#writing = Promise.all([this.#writing, kept]);
  }

  /**
   * Evicts hosts, also in the store: seen ones first, then proposed ones, least recently used first. Decisions by
   * administrators go last, so rejected certificates cannot displace them. Seen ones are removed in bulk, because a Map
   * skips over all deleted entries to reach its first.
   */
  #makeRoom(): void {
    let least: string[] = [];
    let leastRank = Number.POSITIVE_INFINITY;
    for (const [host, { state, by }] of this.#pins) {
      const rank = state === 'seen' ? 0 : state === 'proposed' ? 1 : by === 'auto' ? 2 : 3;
      if (rank < leastRank) [least, leastRank] = [[host], rank];
      else if (rank === 0) least.push(host);
      if (least.length === forgottenAtOnce) break;
    }
    for (const host of least) {
      const { failures = 0, state } = this.#pins.get(host) ?? {};
      this.#hide(host);
      if (state !== 'seen' || failures >= writtenEvery) this.#keep(this.#write(host, null));
    }
  }

  #hide(host: string): void {
    this.#pins.delete(host);
    this.#bypassed.delete(host);
  }

  #show(host: string, pin: Pin): void {
    this.#pins.delete(host);
    this.#pins.set(host, pin);
    if (pin.state === 'bypassed')
      this.#bypassed.set(host, { untilMs: Date.parse(pin.expiresAt ?? ''), by: pin.by ?? 'admin' });
    else this.#bypassed.delete(host);
  }

  /** Writes a host; null removes it. A concurrent decision on another replica is kept unless `byPerson`. */
  #write(host: string, pin: Pin | null, byPerson = false): Promise<unknown> {
    const { records } = this.#options.stores;
    return changeRecords({
      records,
      kind: 'pin',
      read: () => records.get('pin', [host]),
      decide: (set) => {
        const known = set.records.get(host) as Pin | undefined;
        const next = byPerson || pin === null ? pin : withDecision(pin, known, this.#now());
        return { changes: new Map([[host, next]]), result: undefined };
      },
    });
  }

  async #follow(ids?: readonly string[]): Promise<void> {
    const { records, changes } = this.#options.stores;
    try {
      const set = ids === undefined ? await records.list('pin') : await records.get('pin', ids);
      for (const host of ids ?? []) if (!set.records.has(host)) this.#hide(host);
      for (const [host, pin] of set.records) this.#show(host, pin as Pin);
    } catch (error) {
      this.#options.log.warn(
        { event: 'pins_not_read', error },
        'certificate rejections of other replicas could not be read',
      );
      changes.again('pin');
    }
  }
}

/** Number of explicit rejections: a client that only closes its connection may have other reasons. */
export function alertsOf({ failures, alerts }: Pick<Pin, 'failures' | 'alerts'>): number {
  return failures - (alerts.closed ?? 0);
}

/** The counts of one pin with the decision of the other. */
function withDecision(pin: Pin, known: Pin | undefined, now: number): Pin {
  if (known === undefined) return pin;
  const isBypassed = known.state === 'bypassed' && known.by === 'admin' && Date.parse(known.expiresAt ?? '') > now;
  if (!isBypassed && known.state !== 'dismissed') return pin;
  const { expiresAt: _expires, by: _by, ...counts } = pin;
  const { state, expiresAt, by } = known;
  return { ...counts, state, ...(expiresAt === undefined ? {} : { expiresAt }), ...(by === undefined ? {} : { by }) };
}

/** The counts plus one rejection. Most hosts are rejected once, for which no copy is made. */
function withRejection(
  before: Pin | undefined,
  { alert, subject, isTrusting, at }: { alert: Rejection; subject: string; isTrusting: boolean; at: string },
): Pin {
  if (before === undefined) {
    const trusting = isTrusting ? [subject] : [];
    return {
      alerts: once[alert],
      failures: 1,
      subjects: [subject],
      trusting,
      firstSeen: at,
      lastSeen: at,
      state: 'seen',
    };
  }
  return {
    ...before,
    alerts: { ...before.alerts, [alert]: (before.alerts[alert] ?? 0) + 1 },
    failures: before.failures + 1,
    subjects: withOne(before.subjects, subject),
    trusting: isTrusting ? withOne(before.trusting, subject) : before.trusting,
    lastSeen: at,
  };
}

function withOne(list: readonly string[], one: string): readonly string[] {
  return list.includes(one) || list.length >= subjectsMax ? list : [...list, one];
}
