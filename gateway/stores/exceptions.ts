/**
 * Requests of users for an exception from the policy: filed in the portal or on a block page, decided by an administrator.
 * A granted one is a rule of its own until it expires (policy-store.ts). Their texts come from outside: they are bounded
 * here and escaped wherever they are shown.
 */
import { randomUUID } from 'node:crypto';
import { PrivetError } from '../../core/errors.ts';
import { normalizeHost } from '../../policy/host.ts';
import { dayMs } from '../durations.ts';
import { plainField } from '../observe/field.ts';
import { changeRecords, type Records } from './records.ts';

/** `open` until an administrator has decided. */
export const exceptionStates = ['open', 'granted', 'denied'] as const;
export type ExceptionState = (typeof exceptionStates)[number];

/** A request; times are RFC 3339 in UTC. */
export type ExceptionRequest = {
  readonly id: string;
  /** The proxy user, else the address, that asked. */
  readonly subject: string;
  readonly host: string;
  /** Id of the service in the registry, when the host belongs to one. */
  readonly service: string | null;
  readonly reason: string;
  readonly at: string;
  readonly state: ExceptionState;
  /** What the administrator wrote, and when. */
  readonly note: string | null;
  readonly decided_at: string | null;
  /** When a granted one ends. */
  readonly expires_at: string | null;
};

export const reasonLengthMax = 500;
/** Requests of one subject that may be open at once, and requests kept in all. */
const openMax = 20;
const keptMax = 5_000;

/** What the portal hands over; `host` in any spelling. */
export type ExceptionInput = {
  readonly subject: string;
  readonly host: string;
  readonly service?: string;
  readonly reason: string;
};

/** The requests in the store. */
export class Exceptions {
  readonly #records: Records;
  readonly #now: () => Date;

  constructor(options: { records: Records; now?: () => Date }) {
    this.#records = options.records;
    this.#now = options.now ?? (() => new Date());
  }

  /**
   * Files a request; one that is open for the same subject and host already takes the new reason.
   * @throws PrivetError `bad_request` for a host that is none, `invalid_input` for an empty reason, `too_many_requests`
   * when the subject has {@link openMax} open, `unavailable` when the store is full or away.
   */
  async file(input: ExceptionInput): Promise<ExceptionRequest> {
    const { host } = normalizeHost(input.host);
    const reason = plainField(input.reason.trim(), reasonLengthMax);
    if (reason === '') throw new PrivetError('invalid_input', 'The reason is empty.');
    const subject = plainField(input.subject, 256);
    return this.#change((all) => {
      const open = all.filter((request) => request.subject === subject && request.state === 'open');
      const same = open.find((request) => request.host === host);
      if (same === undefined && open.length >= openMax)
        throw new PrivetError('too_many_requests', `You have ${openMax} open requests already.`);
      const request: ExceptionRequest = {
        id: same?.id ?? randomUUID(),
        subject,
        host,
        service: input.service ?? null,
        reason,
        at: this.#now().toISOString(),
        state: 'open',
        note: null,
        decided_at: null,
        expires_at: null,
      };
      const changes = new Map<string, unknown>([[request.id, request]]);
      if (same === undefined) for (const id of surplus(all)) changes.set(id, null);
      if (same === undefined && all.length - changes.size + 1 >= keptMax)
        throw new PrivetError('unavailable', 'There is no room for another request; ask your administrator.');
      return { changes, result: request };
    });
  }

  /** Requests, the newest first. */
  async list(
    wanted: { readonly state?: ExceptionState; readonly subject?: string } = {},
  ): Promise<readonly ExceptionRequest[]> {
    const all = await this.#all();
    return all
      .filter(({ state, subject }) => (wanted.state ?? state) === state && (wanted.subject ?? subject) === subject)
      .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : a.id < b.id ? -1 : 1));
  }

  /**
   * Decides a request; a decided one may be decided anew. `ttlMs`: how long a grant holds (default 90 days).
   * @throws PrivetError `not_found`.
   */
  async decide(
    id: string,
    decision: { readonly state: 'granted' | 'denied'; readonly note?: string; readonly ttlMs?: number },
  ): Promise<ExceptionRequest> {
    const now = this.#now();
    return this.#change((all) => {
      const before = all.find((request) => request.id === id);
      if (before === undefined) throw new PrivetError('not_found', 'There is no request with this id.');
      const end = new Date(now.getTime() + (decision.ttlMs ?? grantMs)).toISOString();
      const request: ExceptionRequest = {
        ...before,
        state: decision.state,
        note: decision.note === undefined ? null : plainField(decision.note.trim(), reasonLengthMax),
        decided_at: now.toISOString(),
        expires_at: decision.state === 'granted' ? end : null,
      };
      return { changes: new Map([[id, request]]), result: request };
    });
  }

  async #all(): Promise<ExceptionRequest[]> {
    return [...(await this.#records.list('exception')).records.values()] as ExceptionRequest[];
  }

  #change<T>(
    decide: (all: readonly ExceptionRequest[]) => { changes: ReadonlyMap<string, unknown>; result: T },
  ): Promise<T> {
    return changeRecords({
      records: this.#records,
      kind: 'exception',
      read: () => this.#records.list('exception'),
      decide: (set) => decide([...set.records.values()] as ExceptionRequest[]),
    });
  }
}

const grantMs = 90 * dayMs;

/** The ids of decided requests that make room, the longest decided first. */
function surplus(all: readonly ExceptionRequest[]): string[] {
  if (all.length < keptMax) return [];
  const decided = all.filter(({ state, expires_at }) => state === 'denied' || isOver(expires_at));
  decided.sort((a, b) => (String(a.decided_at) < String(b.decided_at) ? -1 : 1));
  return decided.slice(0, 100).map(({ id }) => id);
}

function isOver(expires: string | null): boolean {
  return expires !== null && Date.parse(expires) <= Date.now();
}
