/**
 * Registry feeds: external lists, fetched on a schedule and applied once an administrator has approved the changes.
 * With a shared store, one process fetches and all apply approved lists within a second. States of a feed: `new`
 * (nothing approved yet), `current` (the fetched list is applied), `pending` (waits for approval), `rejected` (the last
 * fetched list was rejected; the approved one stays), `failed` (could not be fetched or parsed).
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../../config/schema.ts';
import { PrivetError } from '../../core/errors.ts';
import type { ServiceList } from '../../policy/service-table.ts';
import type { Log } from '../observe/log.ts';
import { readFileIfPresent, replaceFile } from '../stores/atomic-file.ts';
import { changeRecords } from '../stores/records.ts';
import type { Stores } from '../stores/stores.ts';
import { diffOf, type FeedDiff, type FeedList, overlay, readEntries } from './entries.ts';
import { type FetchParts, fetchList } from './fetch.ts';
import { keyText } from './files.ts';
import { checkDetached, openJws, readPublicKey } from './signature.ts';

/** One configured feed. */
export type FeedSettings = Config['feeds'][number];

const listShape = z.object({
  digest: z.string(),
  at: z.iso.datetime(),
  entries: z.array(z.looseObject({ domain: z.string() })),
  warnings: z.array(z.string()),
});
const recordShape = z.object({
  fetched_at: z.iso.datetime().nullable().default(null),
  error: z.string().nullable().default(null),
  approved: listShape.nullable().default(null),
  pending: listShape.nullable().default(null),
  /** Digest of the last rejected list. */
  rejected: z.string().nullable().default(null),
  /** Digests of previously applied lists, newest first. */
  former: z.array(z.string()).default([]),
});
type FeedRecord = z.infer<typeof recordShape>;
type StoredList = z.infer<typeof listShape>;

/** The status of a feed. */
export type FeedView = {
  readonly name: string;
  readonly source: { readonly url: string } | { readonly file: string };
  readonly approve: 'manual' | 'auto';
  readonly state: 'new' | 'current' | 'pending' | 'rejected' | 'failed';
  readonly last_fetch: string | null;
  readonly error: string | null;
  readonly entries: number;
  readonly diff: { readonly added: number; readonly changed: number; readonly removed: number };
  /** Digest of the list waiting for approval; null if there is none. */
  readonly digest: string | null;
  readonly warnings: readonly string[];
};

/** The digest of the reviewed diff; without it the decision applies to whichever list is waiting. */
export type Seen = { readonly digest?: string | undefined };

export type FeedsOptions = {
  readonly settings: () => readonly FeedSettings[];
  readonly stores: Pick<Stores, 'records' | 'changes' | 'opened' | 'kind'>;
  readonly dataDir: string;
  readonly log: Log;
  /** Absent until the gateway can connect. */
  readonly fetching: () => FetchParts;
  /** Called when the approved lists have changed. */
  readonly onChange: () => void | Promise<void>;
};

/** Number of former versions that are recognised. */
const formerMax = 500;
const tickMs = 30_000;
const kind = 'feed';
const fileName = 'feeds.json';
const empty: FeedRecord = recordShape.parse({});

export class Feeds {
  readonly #options: FeedsOptions;
  readonly #file: string;
  #records = new Map<string, FeedRecord>();
  #timer: NodeJS.Timeout | undefined;
  #unfollow: (() => void) | undefined;
  #merged: { base: ServiceList; of: string; services: ServiceList; warnings: string[] } | undefined;

  /** Reads the last known state from the data folder. */
  constructor(options: FeedsOptions) {
    this.#options = options;
    this.#file = join(options.dataDir, fileName);
    try {
      this.#records = savedRecords(this.#file);
    } catch (error) {
      options.log.error({ event: 'feeds_unreadable', error }, 'feeds.json cannot be read; all feeds start over');
    }
  }

  /** Applies the approved feeds to the services; returns the same result while nothing has changed. */
  over(base: ServiceList, settings: readonly FeedSettings[]): { services: ServiceList; warnings: readonly string[] } {
    const approved = approvedOf(settings, this.#records);
    const of = approved.map(({ digest }) => digest).join(' ');
    if (this.#merged?.base === base && this.#merged.of === of) return this.#merged;
    if (approved.length === 0) return { services: base, warnings: [] };
    const { services, warnings } = laid(base, approved);
    this.#merged = { base, of, services, warnings };
    return this.#merged;
  }

  /** Follows the store, and fetches feeds when due. */
  start(): void {
    const { stores } = this.#options;
    this.#timer = setInterval(() => void this.#fetchDue(), tickMs).unref();
    stores.opened.then(
      async () => {
        await this.#seed().catch(() => {});
        await this.#follow();
        this.#unfollow = stores.changes.onChange((change) => {
          if (change.kind === kind) void this.#follow();
        });
        await this.#fetchDue();
      },
      () => {},
    );
  }

  close(): void {
    clearInterval(this.#timer);
    this.#unfollow?.();
  }

  list(): FeedView[] {
    return this.#options.settings().map((settings) => this.#view(settings));
  }

  /**
   * The changes that approval would make, and the digest of the waiting list, null if there is none. @throws
   * PrivetError `not_found`
   */
  diff(name: string): FeedDiff & { readonly digest: string | null; readonly warnings: readonly string[] } {
    this.#settings(name);
    const { approved, pending } = this.#records.get(name) ?? empty;
    const before = approved?.entries ?? [];
    return {
      ...diffOf(before, (pending ?? approved)?.entries ?? []),
      digest: pending?.digest ?? null,
      warnings: pending?.warnings ?? [],
    };
  }

  /**
   * Applies the waiting list. @throws PrivetError `not_found`; `conflict` if none is waiting, or not the reviewed one
   */
  async approve(name: string, seen: Seen = {}): Promise<FeedView> {
    const settings = this.#settings(name);
    await this.#change(name, (record) => inForce(record, waiting(record, seen)));
    this.#options.log.info({ event: 'feed_approved', feed: name }, 'a registry feed was approved');
    return this.#view(settings);
  }

  /** Rejects the waiting list, which will not wait again. @throws like {@link approve} */
  async reject(name: string, seen: Seen = {}): Promise<FeedView> {
    const settings = this.#settings(name);
    await this.#change(name, (record) => ({ ...record, pending: null, rejected: waiting(record, seen).digest }));
    return this.#view(settings);
  }

  /** Fetches now. Errors are in the feed's status. @throws PrivetError `not_found` */
  async fetch(name: string): Promise<FeedView> {
    const settings = this.#settings(name);
    await this.#fetch(settings);
    return this.#view(settings);
  }

  #settings(name: string): FeedSettings {
    const found = this.#options.settings().find((settings) => settings.name === name);
    if (found === undefined) throw new PrivetError('not_found', 'There is no feed with this name.');
    return found;
  }

  #view(settings: FeedSettings): FeedView {
    const record = this.#records.get(settings.name) ?? empty;
    const { added, changed, removed, digest } = this.diff(settings.name);
    return {
      name: settings.name,
      source: settings.url === undefined ? { file: settings.file ?? '' } : { url: settings.url },
      approve: settings.approve,
      state: stateOf(record),
      last_fetch: record.fetched_at,
      error: record.error,
      entries: record.approved?.entries.length ?? 0,
      diff: { added: added.length, changed: changed.length, removed: removed.length },
      digest,
      warnings: (record.pending ?? record.approved)?.warnings ?? [],
    };
  }

  async #fetchDue(): Promise<void> {
    for (const settings of this.#options.settings()) {
      const last = Date.parse(this.#records.get(settings.name)?.fetched_at ?? '1970-01-01T00:00:00Z');
      // A time in the future comes from a clock that was ahead.
      const since = Date.now() - last;
      if (since >= 0 && since < settings.every) continue;
      await this.#fetch(settings, last).catch((error: unknown) => {
        this.#options.log.warn({ event: 'feed_not_fetched', feed: settings.name, error }, 'the store is unavailable');
      });
    }
  }

  /** `ifLast`: fetches only if no other process has since; the first to write the new time does it. */
  async #fetch(settings: FeedSettings, ifLast?: number): Promise<void> {
    const { name } = settings;
    const now = new Date().toISOString();
    const isOurs = await this.#change(name, (record) => {
      const last = Date.parse(record.fetched_at ?? '1970-01-01T00:00:00Z');
      return ifLast !== undefined && last > ifLast ? undefined : { ...record, fetched_at: now };
    });
    if (!isOurs) return;
    let list: FeedList;
    try {
      list = await this.#read(settings);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#options.log.warn({ event: 'feed_failed', feed: name, error }, 'a registry feed could not be read');
      await this.#change(name, (record) => ({ ...record, error: message.slice(0, 500) }));
      return;
    }
    const entries = list.entries as StoredList['entries'];
    const digest = createHash('sha256').update(JSON.stringify(entries)).digest('hex');
    const fetched: StoredList = { digest, at: now, entries, warnings: [...list.warnings] };
    await this.#change(name, (record) => {
      const same = { ...record, error: null, pending: null };
      if (digest === record.approved?.digest) return { ...same, approved: fetched };
      // A signature proves who wrote a list, not when: a compromised server may serve an old one again.
      const isOld = settings.url !== undefined && record.former.includes(digest);
      if (settings.approve === 'auto' && !isOld) return inForce(same, fetched);
      if (digest === record.rejected) return same;
      return { ...same, pending: isOld ? { ...fetched, warnings: [oldWarning, ...fetched.warnings] } : fetched };
    });
    const view = this.#view(settings);
    const { state, diff } = view;
    this.#options.log.info({ event: 'feed_fetched', feed: name, state, ...diff }, 'a registry feed was fetched');
  }

  /** Reads the list and checks its signature; included lists are in the same location, each with its own signature. */
  async #read(settings: FeedSettings): Promise<FeedList> {
    const { name, url, file, format, category, max_size: bytesMax, timeout: timeoutMs } = settings;
    if (url === undefined) {
      const path = file as string;
      const text = async (of: string) => (await bounded(of, bytesMax)).toString('utf8');
      const include = (list: string) => text(join(dirname(path), list));
      return readEntries(await text(path), { format, category, name, include, ...attributesOf(settings) });
    }
    const key = readPublicKey(keyText(settings.public_key ?? ''));
    // Both limits cover the list with all its includes.
    const end = performance.now() + timeoutMs;
    let bytesLeft = bytesMax;
    const load = async (address: string) => {
      const limits = { bytesMax: bytesLeft, timeoutMs: Math.max(1, Math.round(end - performance.now())) };
      const content = await fetchList(address, limits, this.#options.fetching());
      bytesLeft -= content.length;
      return content;
    };
    const signed = async (address: string): Promise<string> => {
      const content = await load(address);
      if (settings.signature === 'jws') return openJws(content.toString('latin1'), key).toString('utf8');
      checkDetached(content, await load(`${address}.sig`), key);
      return content.toString('utf8');
    };
    const include = (list: string) => signed(new URL(encodeURIComponent(list), url).href);
    return readEntries(await signed(url), { format, category, name, include, ...attributesOf(settings) });
  }

  /** Changes the stored record; `decide` returns undefined to leave it. Returns true if it was changed. */
  async #change(name: string, decide: (record: FeedRecord) => FeedRecord | undefined): Promise<boolean> {
    const { records } = this.#options.stores;
    const changed = await changeRecords({
      records,
      kind,
      read: () => records.get(kind, [name]),
      decide: (set) => {
        const next = decide(recordsOf(set.records).get(name) ?? empty);
        return { changes: new Map(next === undefined ? [] : [[name, next]]), result: next !== undefined };
      },
    });
    if (changed) await this.#follow();
    return changed;
  }

  /** Copies earlier records into an empty store. */
  async #seed(): Promise<void> {
    if (this.#records.size === 0) return;
    await this.#options.stores.records.write(kind, new Map(this.#records), { ifRevision: 0 });
  }

  async #follow(): Promise<void> {
    const { stores, log, onChange } = this.#options;
    try {
      const before = digestsOf(this.#records);
      this.#records = recordsOf((await stores.records.list(kind)).records);
      replaceFile(this.#file, `${JSON.stringify(Object.fromEntries(this.#records))}\n`);
      if (digestsOf(this.#records) !== before) await onChange();
    } catch (error) {
      log.error({ event: 'feeds_not_followed', error }, 'the state of the feeds cannot be read or saved');
      stores.changes.again(kind);
    }
  }
}

/** Applies this data folder's approved feeds to the services. @throws SyntaxError if its file is damaged */
export function withSavedFeeds(base: ServiceList, settings: readonly FeedSettings[], dataDir: string): ServiceList {
  return settings.length === 0
    ? base
    : laid(base, approvedOf(settings, savedRecords(join(dataDir, fileName)))).services;
}

function savedRecords(file: string): Map<string, FeedRecord> {
  const text = readFileIfPresent(file);
  return recordsOf(text === undefined ? [] : Object.entries(JSON.parse(text)));
}

function approvedOf(settings: readonly FeedSettings[], records: ReadonlyMap<string, FeedRecord>): StoredList[] {
  return settings.flatMap(({ name }) => records.get(name)?.approved ?? []);
}

/** Applies the feeds in configuration order. */
function laid(base: ServiceList, lists: readonly StoredList[]) {
  let services = base;
  const warnings: string[] = [];
  for (const { entries } of lists) {
    const next = overlay(services, entries);
    services = next.services;
    warnings.push(...next.warnings);
  }
  return { services, warnings };
}

const oldWarning = 'this list was superseded by another one; the server may be withholding newer ones';

function inForce(record: FeedRecord, list: StoredList): FeedRecord {
  const { approved, former } = record;
  const before = approved === null || approved.digest === list.digest ? [] : [approved.digest];
  return {
    ...record,
    approved: list,
    pending: null,
    rejected: null,
    former: [...before, ...former.filter((digest) => digest !== list.digest)].slice(0, formerMax),
  };
}

function waiting({ pending }: FeedRecord, { digest }: Seen): StoredList {
  if (pending === null) throw new PrivetError('conflict', 'This feed has nothing to approve.');
  if (digest === undefined || digest === pending.digest) return pending;
  throw new PrivetError('conflict', 'The list waiting for approval is not the one that was reviewed.', {
    hint: 'Review GET /admin/feeds/:name/diff again and send its digest.',
  });
}

function stateOf({ error, pending, approved, rejected }: FeedRecord): FeedView['state'] {
  if (error !== null) return 'failed';
  if (pending !== null) return 'pending';
  if (rejected !== null) return 'rejected';
  return approved === null ? 'new' : 'current';
}

/** Parses records; those that this version cannot read are skipped. */
function recordsOf(pairs: Iterable<readonly [string, unknown]>): Map<string, FeedRecord> {
  const found = new Map<string, FeedRecord>();
  for (const [name, value] of pairs) {
    const { data } = recordShape.safeParse(value);
    if (data !== undefined) found.set(name, data);
  }
  return found;
}

const digestsOf = (records: ReadonlyMap<string, FeedRecord>): string =>
  [...records]
    .map(([name, { approved }]) => `${name} ${approved?.digest}`)
    .sort()
    .join('|');

const attributesOf = ({ only, without }: FeedSettings) => ({ only, without });

async function bounded(file: string, bytesMax: number): Promise<Buffer> {
  const content = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
    throw new PrivetError('unavailable', `The list ${file} cannot be read (${cause.code}).`, { cause });
  });
  if (content.length > bytesMax) throw new PrivetError('body_too_large', `The list is larger than ${bytesMax} bytes.`);
  return content;
}
