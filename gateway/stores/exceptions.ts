/**
 * Exception requests: filed by users in the portal or on a block page, decided by an administrator. A granted one acts
 * as a rule until it expires (policy-store.ts). The texts come from outside: they are length-limited here and escaped
 * wherever they are shown.
 */
import { randomUUID } from 'node:crypto';
import { PrivetError } from '../../core/errors.ts';
import { normalizeHost } from '../../policy/host.ts';
import { dayMs } from '../durations.ts';
import { plainField } from '../observe/field.ts';
import { changeRecords, type Records } from './records.ts';

/** `open` until an administrator decides. */
export const exceptionStates = ['open', 'granted', 'denied'] as const;
export type ExceptionState = (typeof exceptionStates)[number];

/** An exception request; times are RFC 3339 in UTC. */
export type ExceptionRequest = {
  readonly id: string;
  /** The proxy user that filed it, else the address. */
  readonly subject: string;
  readonly host: string;
  /** Id of the service in the registry, if the host belongs to one. */
  readonly service: string | null;
  readonly reason: string;
  readonly at: string;
  readonly state: ExceptionState;
  /** The administrator's note, and when it was decided. */
  readonly note: string | null;
  readonly decided_at: string | null;
  /** When a granted one expires. */
  readonly expires_at: string | null;
};

export const reasonLengthMax = 500;
/** Maximum number of open requests per subject, and of stored requests in total. */
const openMax = 20;
const keptMax = 5_000;

/** Input from the portal; `host` in any spelling. */
export type ExceptionInput = {
  readonly subject: string;
  readonly host: string;
  readonly service?: string;
  readonly reason: string;
};

export class Exceptions {
  readonly #records: Records;
  readonly #now: () => Date;

  constructor(options: { records: Records; now?: () => Date }) {
    this.#records = options.records;
    this.#now = options.now ?? (() => new Date());
  }

  /**
   * Files a request; an open one for the same subject and host gets the new reason instead.
   * @throws PrivetError `bad_request` for an invalid host, `invalid_input` for an empty reason, `too_many_requests`
   * when the subject has {@link openMax} open, `unavailable` when the store is full or unavailable.
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
        throw new PrivetError('unavailable', 'The limit for stored requests is reached; ask your administrator.');
      return { changes, result: request };
    });
  }

  /** Exception requests, newest first. */
  async list(
    wanted: { readonly state?: ExceptionState; readonly subject?: string } = {},
  ): Promise<readonly ExceptionRequest[]> {
    const all = await this.#all();
    return all
      .filter(({ state, subject }) => (wanted.state ?? state) === state && (wanted.subject ?? subject) === subject)
      .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : a.id < b.id ? -1 : 1));
  }

  /**
   * Decides a request; a decided one may be decided again. `ttlMs`: how long a grant lasts (default 90 days).
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

/** The ids of decided requests to remove for space, those decided longest ago first. */
function surplus(all: readonly ExceptionRequest[]): string[] {
  if (all.length < keptMax) return [];
  const decided = all.filter(({ state, expires_at }) => state === 'denied' || isOver(expires_at));
  decided.sort((a, b) => (String(a.decided_at) < String(b.decided_at) ? -1 : 1));
  return decided.slice(0, 100).map(({ id }) => id);
}

function isOver(expires: string | null): boolean {
  return expires !== null && Date.parse(expires) <= Date.now();
}
