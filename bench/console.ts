/**
 * Load time of the admin console's overview with a million stored events, and its size; each load uses a fresh browser
 * profile without a cache. Limits: 1 s and 120 KB compressed. The other views, loaded later while idle, are only reported.
 *
 *   node bench/console.ts [EVENTS]
 */
import path from 'node:path';
import { argv, exit, stdout } from 'node:process';
import { type Browser, chromium, type Page } from 'playwright-core';
import { createLog } from '../gateway/observe/log.ts';
import type { StoredEvent } from '../gateway/stores/events.ts';
import { openStores } from '../gateway/stores/open-stores.ts';
import { cleanUp, folder, start } from './support.ts';

const count = Number(argv[2] ?? 1_000_000);
const loads = Number(process.env.BENCH_ROUNDS ?? 7);
const limitMs = 1_000;
const limitBytes = 120_000;
const daysMs = 7 * 86_400_000;
const batch = 1_000;
const key = `pvt_admin_${'0'.repeat(32)}`;
const storeKey = 'a key for measuring of 32 letters';
const dataDir = path.join(folder, 'data');
const now = Date.now();

function eventAt(i: number): StoredEvent {
  const mixed = Math.imul(i, 2_654_435_761) >>> 0;
  const subject = `user${mixed % 5_000}`;
  const service = mixed % 4 === 0 ? '' : `service-${mixed % 300}`;
  const action = mixed % 20 === 0 ? 'block' : mixed % 5 === 0 ? 'warn' : 'allow';
  const found = mixed % 7 === 0 ? { piiTypes: { EMAIL: 2, PHONE: 1 }, masked: 3, restored: 3 } : {};
  const host = `host${mixed % 2_000}.example.com`;
  const fields = {
    requestId: `r-${i}`,
    subject,
    host,
    port: 443,
    service,
    action,
    method: 'POST',
    status: 200,
    ...found,
  };
  return { at: now - daysMs + Math.floor((i / count) * daysMs), subject, service, action, fields };
}

async function fill(): Promise<void> {
  const log = createLog({ level: 'error' }).log;
  const stores = await openStores({ store: 'sqlite', dataDir, tokenTtlMs: 0, storeKey }, { log });
  await stores.opened;
  for (let i = 0; i < count; i += batch) {
    await stores.events.append(Array.from({ length: Math.min(batch, count - i) }, (_, n) => eventAt(i + n)));
  }
  await stores.close();
}

type Load = { readonly paintMs: number; readonly usableMs: number; readonly bytes: number; readonly files: number };

/** Marks in the page when numbers and chart are shown and the page is responsive. */
const watch = `new MutationObserver((_, observer) => {
  if (document.querySelector('.tile-value') === null || document.querySelector('canvas') === null) return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window.usableMs = performance.now(); }));
}).observe(document, { childList: true, subtree: true })`;

/** Queries the page from outside, because its policy does not allow eval. */
async function until(page: Page, condition: string): Promise<void> {
  while (!(await page.evaluate(condition))) await page.waitForTimeout(20);
}

/** Loads the overview; with `all`, waits until every view of the console is loaded. */
async function load(browser: Browser, url: string, cookie: string, all: boolean): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([{ name: 'privet_admin', value: cookie, url }]);
  const page = await context.newPage();
  await page.addInitScript(watch);
  await page.goto(`${url}/admin/`);
  await until(page, 'window.usableMs !== undefined');
  if (all) {
    await until(page, "performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/system.ts'))");
    await page.waitForTimeout(2_000);
  }
  const seen = (await page.evaluate(`({
    usableMs: window.usableMs,
    paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    files: performance.getEntriesByType('resource').length + 1,
    bytes: [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  })`)) as Load;
  await context.close();
  return seen;
}

const begun = performance.now();
await fill();
stdout.write(
  `${count.toLocaleString('en')} events in SQLite after ${Math.round((performance.now() - begun) / 1000)} s\n`,
);
const gateway = start('gateway/main.ts', ['serve'], {
  PROXY_DATA_DIR: dataDir,
  PROXY_STORE: 'sqlite',
  PROXY_STORE_KEY: storeKey,
  PROXY_ADMIN_KEY: key,
  PORT: '0',
  GATEWAY_PORT: '0',
});
const { port } = await gateway.line((event) => event.event === 'listening' && event.listener === 'api');
const url = `http://127.0.0.1:${port}`;
const answer = await fetch(`${url}/admin/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ key }),
});
const [, cookie = ''] = /privet_admin=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '') ?? [];
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
// The first load builds the page files, which later users do not wait for.
const first = await load(browser, url, cookie, false);
const seen: Load[] = [];
for (let i = 0; i < loads; i++) seen.push(await load(browser, url, cookie, false));
const complete = await load(browser, url, cookie, true);
await browser.close();
await gateway.stop();
cleanUp();

const middle = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const usableMs = middle(seen.map((load) => load.usableMs));
const bytes = middle(seen.map((load) => load.bytes));
const kb = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;
stdout.write(`  first paint      ${middle(seen.map(({ paintMs }) => paintMs)).toFixed(0)} ms, median of ${loads}\n`);
stdout.write(
  `  can be used      ${usableMs.toFixed(0)} ms (${seen.map((load) => load.usableMs.toFixed(0)).join(', ')})\n`,
);
stdout.write(`  after a start    ${first.usableMs.toFixed(0)} ms: the files are packed then\n`);
stdout.write(`  weight           ${kb(bytes)} packed, ${seen[0]?.files} files\n`);
stdout.write(`  with every view  ${kb(complete.bytes)} packed, ${complete.files} files\n`);
exit(usableMs <= limitMs && bytes <= limitBytes ? 0 : 1);
