/** Opens the configured stores, and waits for a store that is unavailable. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { PrivetError } from '../../core/errors.ts';
import { tokensPerSessionMax as defaultMax } from '../../core/vault.ts';
import type { Log } from '../observe/log.ts';
import { createFileOnce } from './atomic-file.ts';
import { eventsMax, eventsMs, type Retention } from './events.ts';
import { openMemoryStores } from './memory.ts';
import { NumbersFile } from './numbers-file.ts';
import { changeRecords, type Records } from './records.ts';
import { StoreKeys } from './sealing.ts';
import type { Backend, StoreKind, StoreOptions, Stores } from './stores.ts';

/** The settings of {@link openStores}, from config/environment.ts. */
export type StoreSettings = {
  readonly store: StoreKind;
  readonly storeUrl?: string;
  /** Keys, comma separated, the current one first. */
  readonly storeKey?: string;
  readonly dataDir: string;
  readonly tokenTtlMs: number;
  /** Default: that of core/vault.ts. */
  readonly tokensPerSessionMax?: number;
};

const retryMs = 500;
/** How long start-up waits for a store before it continues without it. */
const openWaitMs = 2_000;
const watchMs = 250;
/** How often the log repeats that the store is unavailable. */
const repeatMs = 10_000;

/** Loaded on demand: the drivers are heavy, and most gateways need none. */
const backends: Readonly<Record<Exclude<StoreKind, 'memory'>, (options: StoreOptions) => Promise<Backend>>> = {
  sqlite: async (options) => (await import('./sqlite/open.ts')).openSqlite(options),
  redis: async (options) => (await import('./redis/open.ts')).openRedis(options),
  postgres: async (options) => (await import('./postgres/open.ts')).openPostgres(options),
};

/**
 * Opens stores. A durable store that is unavailable is retried until it answers; `opened` resolves then. Until then
 * everything that needs it throws PrivetError `unavailable`.
 * @throws PrivetError `invalid_input` for a wrong `PROXY_STORE_KEY` or `PROXY_STORE_URL`, `unavailable` when the driver
 * is not installed.
 */
export async function openStores(
  settings: StoreSettings,
  options: {
    readonly log: Log;
    readonly onEvicted?: (sessions: number) => void;
    readonly onError?: () => void;
    readonly now?: () => number;
    /** Number of events to keep and for how long; default 1,000,000 (10,000 in memory) and 90 days. */
    readonly retention?: () => { readonly keep: number | null; readonly ms: number };
    /** How long to retry an unavailable store before `opened` rejects; default forever. */
    readonly tryMs?: number;
  },
): Promise<Stores> {
  const { log, onEvicted, onError = () => {}, now = Date.now, tryMs = Number.POSITIVE_INFINITY } = options;
  const { store: kind, tokenTtlMs: ttlMs, tokensPerSessionMax = defaultMax } = settings;
  const retention = (): Retention => {
    const { keep, ms } = options.retention?.() ?? { keep: null, ms: eventsMs };
    return { keep: keep ?? (kind === 'memory' ? eventsMax.memory : eventsMax.durable), ms };
  };
  if (kind === 'memory') {
    const numbers = NumbersFile.open(settings.dataDir, log);
    return openMemoryStores({ ttlMs, tokensPerSessionMax, now, retention, numbers, ...(onEvicted && { onEvicted }) });
  }
  const keys = readKeys(settings, log);
  const url = settings.storeUrl ?? join(settings.dataDir, 'privet.db');
  const state = { closed: false, checked: false, secret: randomBytes(32) };
  const isOpen = () => state.checked;
  const backendOptions = { url, keys, ttlMs, tokensPerSessionMax, now, onError, isOpen, retention };
  const backend = await backends[kind](backendOptions).catch((error: unknown) => {
    throw driverError(kind, error);
  });
  const opened = open({ backend, keys, kind, log, state, until: performance.now() + tryMs });
  // Callers handle the rejection; without a handler here the process would end.
  opened.catch(() => {});
  const watching = watch({ kind, log, isReady: () => !state.checked || backend.isReady() });
  return {
    ...backend,
    kind,
    opened,
    secret: () => state.secret,
    lineSecret: () => state.secret,
    isReady: () => state.checked && backend.isReady(),
    async close() {
      state.closed = true;
      clearInterval(watching);
      await backend.close();
    },
  };
}

/**
 * Waits until the store is open, for two seconds at most; requests that need it would be refused meanwhile. Opening the
 * listeners only after that avoids refusing the first clients, and lets other workers on the port serve them.
 */
export async function openSoon(stores: Stores): Promise<void> {
  await Promise.race([stores.opened, setTimeout(openWaitMs, undefined, { ref: false })]).catch(() => {});
}

/** Retries until the store answers and its keys match ours. */
async function open(parts: {
  backend: Backend;
  keys: StoreKeys;
  kind: StoreKind;
  log: Log;
  state: { closed: boolean; checked: boolean; secret: Buffer };
  until: number;
}): Promise<void> {
  const { backend, keys, kind, log, state, until } = parts;
  let toldAt = Number.NEGATIVE_INFINITY;
  while (!state.closed) {
    try {
      await backend.connect();
      state.secret = await checkKeys(backend.records, keys);
      state.checked = true;
      if (toldAt > 0) log.info({ event: 'store_back', store: kind }, 'the store answers');
      return;
    } catch (error) {
      if (!(error instanceof PrivetError) || error.code !== 'unavailable') throw error;
      if (performance.now() >= until) throw error;
      if (performance.now() - toldAt > repeatMs) {
        toldAt = performance.now();
        log.error({ event: 'store_away', store: kind, error }, `${error.message} Retrying until it is available.`);
      }
      await setTimeout(retryMs);
    }
  }
}

/** Logs when the store becomes unavailable and when it is back. */
function watch(parts: { kind: StoreKind; log: Log; isReady: () => boolean }): NodeJS.Timeout {
  let wasReady = true;
  const check = () => {
    const isReady = parts.isReady();
    if (isReady === wasReady) return;
    wasReady = isReady;
    if (isReady) parts.log.info({ event: 'store_back', store: parts.kind }, 'the store answers again');
    else parts.log.error({ event: 'store_away', store: parts.kind }, 'the store does not answer');
  };
  return setInterval(check, watchMs).unref();
}

const keyDocument = 'store-key';

/**
 * The store records which key encrypts, because a replica with another key would write data that the others cannot
 * read. Returns the secret shared by all replicas, created by the first one.
 * @throws PrivetError `invalid_input` when that key is not among ours.
 */
async function checkKeys(records: Records, keys: StoreKeys): Promise<Buffer> {
  return changeRecords({
    records,
    kind: 'document',
    read: () => records.get('document', [keyDocument]),
    decide: (set) => {
      const known = set.records.get(keyDocument) as { id: string; secret: string } | undefined;
      if (known !== undefined && !keys.has(known.id)) {
        throw new PrivetError('invalid_input', 'The store was written under another key than PROXY_STORE_KEY.', {
          hint: 'Give every replica the same PROXY_STORE_KEY; to change it, list the new key and the old one.',
        });
      }
      const secret =
        known === undefined
          ? randomBytes(32).toString('hex')
          : keys.open(known.secret, keyDocument, '', () => undefined);
      const isCurrent = known?.id === keys.currentId;
      const renewed = { id: keys.currentId, secret: keys.seal(secret, keyDocument) };
      return { changes: new Map(isCurrent ? [] : [[keyDocument, renewed]]), result: Buffer.from(secret, 'hex') };
    },
  });
}

/** `PROXY_STORE_KEY`, else a generated key in the data folder. */
function readKeys(settings: StoreSettings, log: Log): StoreKeys {
  if (settings.storeKey !== undefined) return StoreKeys.parse(settings.storeKey);
  const file = join(settings.dataDir, 'store.key');
  const { text, isNew } = createFileOnce(file, () => `${randomBytes(32).toString('base64url')}\n`);
  const isShared = settings.store !== 'sqlite';
  if (isNew && isShared) {
    log.warn(
      { event: 'store_key_made', file },
      'PROXY_STORE_KEY is not set; a key was created in the data folder. Replicas that share the store need the same key.',
    );
  }
  return StoreKeys.parse(text.trim());
}

function driverError(kind: StoreKind, error: unknown): unknown {
  const { code } = error as { code?: string };
  if (code !== 'ERR_MODULE_NOT_FOUND') return error;
  const name = { memory: '', sqlite: 'node:sqlite', redis: '@redis/client', postgres: 'pg' }[kind];
  return new PrivetError('unavailable', `The store ${kind} needs the package ${name}, which is not installed.`, {
    hint: `Run: npm install ${name}`,
    cause: error,
  });
}
