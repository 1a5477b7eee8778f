/**
 * What a browser keeps of restored answers, and the pages that could find it there or have it fetched for them. This
 * browser does not sign in to the proxy, because Playwright turns the cache off for that. Its engine does not separate the
 * cache by site, as in older browsers and in programs made of pages.
 */
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { startBrowser } from '../support/browser.ts';
import { startEcho } from '../support/echo.ts';
import { startGateway } from '../support/gateway.ts';
import type { OriginHandler } from '../support/origin.ts';
import { askedTokens, parrot } from './asking.ts';

const [app, evil, foo, bar] = ['chatgpt.com', 'evil.example', 'foo.chatgpt.site', 'bar.chatgpt.site'];
const names = [app, evil, foo, bar];
const values = { [app]: 'page@corp.example', [foo]: 'site@corp.example' };
const all = Object.values(values);
const kept = { 'cache-control': 'public, max-age=600', 'last-modified': 'Sun, 01 Nov 2026 00:00:00 GMT', etag: '"1"' };

/** Answers the page's requests with what it gets from the address in their query, directly or from a store. */
const serviceWorker = `
  self.addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  self.addEventListener('fetch', (event) => {
    const query = new URL(event.request.url).searchParams;
    const from = query.get('from');
    if (from === null) return;
    const answer = () => fetch(from, { mode: 'no-cors', credentials: 'include', referrerPolicy: 'no-referrer' });
    const stored = async (store) => store.put(from, await answer()).then(() => store.match(from));
    event.respondWith(query.has('stored') ? caches.open('x').then(stored) : answer());
  });`;

/** Answers that browsers may keep, and confirm to be current without sending them again. */
const handler: OriginHandler = (request, response) => {
  const { pathname } = new URL(request.url, 'https://x.example');
  if (request.method !== 'GET') return parrot(request, response);
  if (pathname === '/worker.js') {
    response.writeHead(200, { 'content-type': 'text/javascript' });
    return void response.end(serviceWorker);
  }
  response.setHeader('access-control-allow-origin', '*');
  if (pathname === '/' || pathname === '/around') {
    const frame = pathname === '/around' ? `<iframe src="https://${evil}/"></iframe>` : '';
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'session=1; Secure; SameSite=None' });
    return void response.end(`<!doctype html><title>page</title>${frame}`);
  }
  const isKnown = request.headers['if-none-match'] ?? request.headers['if-modified-since'];
  if (isKnown !== undefined) return void response.writeHead(304, kept).end();
  const isImage = pathname.endsWith('.png');
  response.writeHead(200, { 'content-type': isImage ? 'image/png' : 'text/plain', ...kept });
  return void response.end(`var read = ${JSON.stringify(askedTokens)};`);
};

const authority = new TestAuthority();
const origin = await startEcho({ authority, names, handler });
const gateway = await startGateway({ authority, hosts: Object.fromEntries(names.map((name) => [name, origin])) });
const browser = await startBrowser(gateway, { trust: [authority.file] });

beforeAll(async () => {
  for (const [host, value] of Object.entries(values)) {
    const body = JSON.stringify({ messages: [{ role: 'user', content: `write to ${value}` }] });
    const page = await open(`https://${host}/`);
    const sent = `fetch('/v1/chat/completions', { method: 'POST', headers: { 'content-type': 'application/json' },
      body: ${JSON.stringify(body)} }).then((answer) => answer.text())`;
    expect(await page.evaluate<string>(sent)).toContain(value);
  }
});

const pages: Page[] = [];
afterEach(async () => {
  for (const page of pages.splice(0)) await page.close();
});

async function open(url: string): Promise<Page> {
  const page = await browser.context.newPage();
  pages.push(page);
  await page.goto(url);
  return page;
}

const scriptOf = (url: string) => `new Promise((resolve, reject) => {
  const script = document.createElement('script');
  script.onload = () => resolve(read);
  script.onerror = () => reject(new Error('no script'));
  script.src = '${url}';
  document.head.append(script);
})`;
const fetched = (url: string, cache: string) =>
  `fetch('${url}', { cache: '${cache}' }).then((answer) => answer.text())`;

test('this browser keeps answers that are not restored', async () => {
  const url = `https://${app}/picture.png`;
  const requests = () => origin.requests.filter((request) => request.url === '/picture.png').length;
  for (const page of [await open(`https://${app}/`), await open(`https://${app}/`)])
    await page.evaluate(fetched(url, 'default'));
  expect(requests()).toBe(1);
});

test.each([
  ['another site', app, evil],
  ['another published page', foo, bar],
])('%s: no value in a restored answer to a page before', async (_who, host, other) => {
  const value = values[host];
  for (const [path, read] of [
    ['/script.txt', scriptOf],
    ['/text.txt', (url: string) => fetched(url, 'force-cache')],
    ['/same.txt', (url: string) => fetched(url, 'no-cache')],
  ] as const) {
    const url = `https://${host}${path}`;
    const page = await open(`https://${host}/`);
    expect(await page.evaluate<string>(read(url))).toContain(value);
    const answer = await (await open(`https://${other}/`)).evaluate<string>(read(url));
    expect(answer, path).toContain('[EMAIL-150]');
    expect(
      all.filter((one) => answer.includes(one)),
      path,
    ).toEqual([]);
  }
});

test('a frame of another site in the page of the service: no value, not even in cached responses', async () => {
  const page = await open(`https://${app}/around`);
  const url = `https://${app}/framed.txt`;
  expect(await page.evaluate<string>(fetched(url, 'default'))).toContain(values[app]);
  const frame = page.frames().find((one) => one.url().includes(evil));
  for (const script of [scriptOf(url), fetched(url, 'force-cache'), fetched(url, 'only-if-cached')]) {
    const read = await frame?.evaluate<string>(script).catch(String);
    expect(all.filter((value) => read?.includes(value))).toEqual([]);
  }
  expect(await frame?.evaluate<string>(scriptOf(url))).toContain('[EMAIL-150]');
});

const links = (rel: string, url: string) => `new Promise((resolve) => {
  const link = Object.assign(document.createElement('link'), { rel: '${rel}', href: '${url}', as: 'script' });
  link.onload = link.onerror = resolve;
  document.head.append(link);
})`;
const framed = (script: string, attributes: string) => `new Promise((resolve) => {
  addEventListener('message', ({ data }) => resolve(data), { once: true });
  const code = ${JSON.stringify(`Promise.resolve().then(() => ${script}).then((text) => parent.postMessage(text, '*'))`)};
  const frame = document.createElement('iframe');
  const page = '<head><script>' + code + '</' + 'script>';
  ${attributes}
  document.body.append(frame);
})`;
const sandboxed = "frame.sandbox = 'allow-scripts'; frame.srcdoc = page;";
const viaWorker = (url: string, more = '') => `navigator.serviceWorker.register('/worker.js').then(async () => {
  await navigator.serviceWorker.ready;
  while (navigator.serviceWorker.controller === null) await new Promise((resolve) => setTimeout(resolve, 10));
  return ${scriptOf(`/x.js?from=${encodeURIComponent(url)}${more}`)};
})`;

test.each<[what: string, at: string, read: (url: string) => string]>([
  ['a script after a prefetch', evil, (url) => `${links('prefetch', url)}.then(() => ${scriptOf(url)})`],
  ['a script after a preload', evil, (url) => `${links('preload', url)}.then(() => ${scriptOf(url)})`],
  [
    'a script after a fetch that hides its answer',
    evil,
    (url) => `fetch('${url}', { mode: 'no-cors', credentials: 'include' }).then(() => ${scriptOf(url)})`,
  ],
  ['a script from a service worker', evil, (url) => viaWorker(url)],
  ['a script from the store of a service worker', evil, (url) => viaWorker(url, '&stored')],
  ['a script in a sandboxed frame', evil, (url) => framed(scriptOf(url), sandboxed)],
  [
    'a script in a frame of its own data',
    evil,
    (url) => framed(scriptOf(url), "frame.src = 'data:text/html,' + page;"),
  ],
  ['a script in a sandboxed frame of the page of the service', app, (url) => framed(scriptOf(url), sandboxed)],
])('%s: no value', async (what, at, read) => {
  const url = `https://${app}/${what.replaceAll(' ', '-')}.txt`;
  // The page of the service reads the value with a script.
  expect(await (await open(`https://${app}/`)).evaluate<string>(scriptOf(url))).toContain(values[app]);
  const answer = await (await open(`https://${at}/`)).evaluate<string>(read(url));
  expect(answer).toContain('[EMAIL-150]');
  expect(all.filter((value) => answer.includes(value))).toEqual([]);
});
