/**
 * The cost of storing and querying events: `node bench/events.ts [sqlite|redis|postgres|memory] [EVENTS]`.
 * Redis and PostgreSQL are at PROXY_STORE_URL, which should contain nothing else.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, env, memoryUsage, stdout } from 'node:process';
import { createLog } from '../gateway/observe/log.ts';
import type { EventQuery, StoredEvent } from '../gateway/stores/events.ts';
import { openStores } from '../gateway/stores/open-stores.ts';
import type { StoreKind } from '../gateway/stores/stores.ts';

const kind = (argv[2] ?? 'sqlite') as StoreKind;
const count = Number(argv[3] ?? 1_000_000);
const dayMs = 86_400_000;
const now = Date.now();
const batch = 1_000;

/** Events over 90 days, by 5,000 people to 300 services; one of ten thousand is by "rare". */
function eventAt(i: number): StoredEvent {
  const mixed = Math.imul(i, 2_654_435_761) >>> 0;
  const subject = i % 10_000 === 7 ? 'rare' : `user${mixed % 5_000}`;
  const service = mixed % 4 === 0 ? '' : `service-${mixed % 300}`;
  const action = mixed % 20 === 0 ? 'block' : mixed % 5 === 0 ? 'warn' : 'allow';
  const piiTypes = mixed % 7 === 0 ? { EMAIL: 2, ...(i % 50_000 === 3 ? { MY_NUMBER: 1 } : {}) } : undefined;
  const fields = {
    requestId: `1a2b3c-${i.toString(36)}`,
    subject,
    clientAddress: '10.1.2.3',
    kind: 'request',
    host: `host${mixed % 2_000}.example.com`,
    port: 443,
    service,
    category: 'approved',
    action,
    inspect: 'mask',
    rule: 'category approved',
    reason: 'Some service is in category approved',
    method: 'POST',
    status: 200,
    bytesIn: 2_048,
    bytesOut: 65_536,
    durationMs: 812.5,
    intercepted: true,
    ...(piiTypes === undefined ? {} : { piiTypes, masked: 2, restored: 2 }),
  };
  return { at: now - 90 * dayMs + Math.floor((i / count) * 90 * dayMs), subject, service, action, fields };
}

const dataDir = mkdtempSync(join(tmpdir(), 'privet-events-'));
const stores = await openStores(
  {
    store: kind,
    dataDir,
    tokenTtlMs: 0,
    storeKey: 'a key for measuring of 32 letters',
    ...(env.PROXY_STORE_URL === undefined ? {} : { storeUrl: env.PROXY_STORE_URL }),
  },
  { log: createLog({ level: 'error' }).log, retention: () => ({ keep: 2 * count, ms: 400 * dayMs }) },
);
await stores.opened;
const { events } = stores;

const loaded = performance.now();
for (let i = 0; i < count; i += batch) {
  await events.append(Array.from({ length: Math.min(batch, count - i) }, (_, n) => eventAt(i + n)));
}
const seconds = (performance.now() - loaded) / 1_000;
stdout.write(`${kind}, ${count.toLocaleString('en')} events\n`);
stdout.write(`  append        ${Math.round(count / seconds).toLocaleString('en')} events/s, batches of ${batch}\n`);

/** Median and longest of nine calls. */
async function time(name: string, work: () => Promise<string>): Promise<void> {
  const times: number[] = [];
  let result = '';
  for (let i = 0; i < 9; i++) {
    const start = performance.now();
    result = await work();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const ms = (value: number | undefined) => `${(value ?? 0).toFixed(1).padStart(8)} ms`;
  stdout.write(`  ${name.padEnd(34)}${ms(times[4])} p50 ${ms(times[8])} max   ${result}\n`);
}

const stats = (days: number, bucket: 'minute' | 'hour' | 'day') => async () => {
  const answer = await events.stats({ from: now - days * dayMs, to: now, bucket });
  return `${answer.series.length} points, ${answer.counts.slice(0, 4).reduce((a, b) => a + b, 0)} requests`;
};
await time('stats, a day by the minute', stats(1, 'minute'));
await time('stats, 14 days by the hour', stats(14, 'hour'));
await time('stats, 90 days by the hour', stats(90, 'hour'));
await time('stats, 90 days by the day', stats(90, 'day'));

const page = (query: EventQuery) => async () => {
  const { events: found, next } = await events.query({ limit: 100, ...query });
  return `${found.length} events${next === undefined ? '' : ', more'}`;
};
/** Pages to the end in steps of 1000; returns the last cursor and the times. */
async function lastCursor(query: EventQuery): Promise<{ cursor: string; pages: number; ms: number; longest: number }> {
  const start = performance.now();
  let [cursor, pages, longest] = ['', 0, 0];
  for (let after: string | undefined; ; pages++) {
    const began = performance.now();
    const { next } = await events.query({ ...query, limit: 1_000, ...(after === undefined ? {} : { after }) });
    longest = Math.max(longest, performance.now() - began);
    if (next === undefined) return { cursor, pages: pages + 1, ms: performance.now() - start, longest };
    cursor = next;
    after = next;
  }
}
const all = await lastCursor({});
await time('page 1 of 100', page({}));
await time('last page', page({ after: all.cursor }));
stdout.write(
  `  all pages of 1000: ${all.pages} in ${(all.ms / 1_000).toFixed(1)} s, the longest ${all.longest.toFixed(1)} ms\n`,
);
await time('of a subject that is rare', page({ subject: 'rare' }));
await time('of a host', page({ host: 'host77.example.com' }));
await time('of a service, blocked', page({ service: 'service-40', action: 'block' }));
await time('of a type that is rare', page({ type: 'MY_NUMBER' }));
await time('of a subject, a service of none', page({ subject: 'user77', service: 'service-none' }));
await time('of a day two months ago', page({ from: now - 61 * dayMs, to: now - 60 * dayMs }));
await time('of nobody', page({ subject: 'nobody' }));
stdout.write(`  memory of this process ${Math.round(memoryUsage().rss / 2 ** 20)} MiB\n`);

await stores.close();
rmSync(dataDir, { recursive: true, force: true });
