/** A real browser: what its user has masked at a service, and the pages that the user happens to open. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { hashPassword } from '../../gateway/users/password-hash.ts';
import { TestAuthority } from '../support/authority.ts';
import { startBrowser } from '../support/browser.ts';
import { startEcho } from '../support/echo.ts';
import { startGateway } from '../support/gateway.ts';
import type { OriginHandler } from '../support/origin.ts';
import { ask, askedTokens, parrot } from './asking.ts';

const [api, app, otherApp] = ['api.openai.com', 'chatgpt.com', 'chat.openai.com'];
const [foo, bar] = ['foo.chatgpt.site', 'bar.chatgpt.site'];
const [corp, evil] = ['app.corp.example', 'evil.example'];
/** Of the service of `app`, in plain http. */
const plainApp = 'chat.com';
const names = [api, app, otherApp, foo, bar, corp, evil];
const values = {
  program: 'program@corp.example',
  page: 'page@corp.example',
  corp: 'corp-app@corp.example',
  site: 'site@corp.example',
  plain: 'plain@corp.example',
};
const all = Object.values(values);

/** A service that lets every page read its answers, and pages for all other hosts. */
const handler: OriginHandler = (request, response) => {
  const url = new URL(request.url, 'https://x.example');
  const { origin = '*' } = request.headers;
  response.setHeader('access-control-allow-origin', origin as string);
  response.setHeader('access-control-allow-credentials', 'true');
  response.setHeader('vary', 'origin');
  const to = url.searchParams.get('to');
  if (request.method === 'OPTIONS') {
    const asked = request.headers['access-control-request-headers'] ?? '';
    response.writeHead(204, { 'access-control-allow-headers': asked as string });
    return void response.end();
  }
  if (to !== null) {
    response.writeHead(307, { location: to });
    return void response.end();
  }
  if (url.pathname === '/events') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    return void response.end(`data: ${JSON.stringify({ text: askedTokens })}\n\n`);
  }
  // Privet restores nothing in scripts, but browsers also run plain text.
  if (url.pathname === '/script.txt') {
    response.writeHead(200, { 'content-type': 'text/plain' });
    return void response.end(`var read = ${JSON.stringify(askedTokens)};`);
  }
  if (url.pathname === '/') {
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'session=1; Secure; SameSite=None' });
    return void response.end(`<!doctype html><title>page</title><a href="https://${app}/page.html">open</a>`);
  }
  return parrot(request, response);
};

const authority = new TestAuthority();

const origin = await startEcho({ authority, names, handler });
const plain = await startEcho({ handler });
const users = [{ name: 'ann', password_hash: hashPassword('ann-pass') }];
const gateway = await startGateway({
  authority,
  hosts: { ...Object.fromEntries(names.map((name) => [name, origin])), 'plain.example': plain, [plainApp]: plain },
  config: { auth: { proxy: { mode: 'basic', users } } },
});
const browser = await startBrowser(gateway, { username: 'ann', password: 'ann-pass', trust: [authority.file] });
const program = { user: 'ann', host: api, fields: ['Authorization: Bearer sk-ann'] };
beforeAll(async () => {
  expect(await ask(gateway, program, `write to ${values.program}`)).toContain(values.program);
  for (const [host, to, value, key] of [
    [app, app, values.page, ''],
    [corp, api, values.corp, 'sk-ann'],
    [foo, foo, values.site, ''],
    [plainApp, plainApp, values.plain, ''],
  ] as const) {
    const scheme = host === plainApp ? 'http' : 'https';
    const page = await open(`${scheme}://${host}/`);
    const script = fetched(to, key, `write to ${value}`).replace('https:', `${scheme}:`);
    expect(await page.evaluate<string>(script)).toContain(value);
    await page.close();
  }
  expect(origin.everything()).not.toMatch(/(?<!evil|app)[\w-]+@corp\.example/);
});

async function open(url: string): Promise<Page> {
  const page = await browser.context.newPage();
  await page.goto(url);
  return page;
}

const textOf = (content: string) => JSON.stringify(JSON.stringify({ messages: [{ role: 'user', content }] }));
const everything = `say ${askedTokens}`;

/** A script that sends a text, with a key or with cookies, and gives the answer. */
function fetched(host: string, key: string, content = everything, path = '/v1/chat/completions'): string {
  const headers = `{ 'content-type': 'application/json'${key === '' ? '' : `, authorization: 'Bearer ${key}'`} }`;
  return `fetch('https://${host}${path}', { method: 'POST', headers: ${headers}, credentials: '${
    key === '' ? 'include' : 'omit'
  }', body: ${textOf(content)} }).then((answer) => answer.text())`;
}

const got = (url: string, options = '{}') => `fetch('${url}', ${options}).then((answer) => answer.text())`;

function webSocket(host: string, protocols = '[]'): string {
  return `new Promise((resolve, reject) => {
    const socket = new WebSocket('wss://${host}/ws', ${protocols});
    socket.onopen = () => socket.send(${textOf(everything)});
    socket.onmessage = ({ data }) => { resolve(data); socket.close(); };
    socket.onerror = () => reject(new Error('no WebSocket'));
  })`;
}

/** A script that runs in a frame or worker, and gives what it found to the page. */
function inside(script: string, make: string): string {
  const code = JSON.stringify(
    `(${script}).catch(String).then((text) => self.document ? parent.postMessage(text, '*') : postMessage(text))`,
  );
  return `new Promise((resolve) => { const code = ${code}; ${make} })`;
}
const sandbox = `addEventListener('message', ({ data }) => resolve(data), { once: true });
  const frame = document.createElement('iframe');
  frame.sandbox = 'allow-scripts';
  frame.srcdoc = '<script>' + code + '</' + 'script>';
  document.body.append(frame);`;
const worker = `const worker = new Worker(URL.createObjectURL(new Blob([code])));
  worker.onmessage = ({ data }) => resolve(data);`;

/** A script that runs what a URL returns, with or without the page's address, and gives its variable. */
function scriptOf(url: string, policy = ''): string {
  return `new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.onload = () => resolve(read);
    script.onerror = () => reject(new Error('no script'));
    script.referrerPolicy = '${policy}';
    script.src = '${url}';
    document.head.append(script);
  })`;
}

function preloaded(url: string): string {
  return `new Promise((resolve) => {
    const link = Object.assign(document.createElement('link'), { rel: 'preload', as: 'script', href: '${url}' });
    link.onload = link.onerror = resolve;
    document.head.append(link);
  }).then(() => ${scriptOf(url)})`;
}

const realtime = (key: string) => `['realtime', 'openai-insecure-api-key.${key}']`;
const ways: [what: string, script: string][] = [
  ['fetch, with a key of its own', fetched(api, 'sk-evil')],
  ['fetch, with cookies', fetched(app, '')],
  ['fetch of an answer', got(`https://${app}/data.json`, `{ credentials: 'include' }`)],
  ['fetch of a text', got(`https://${app}/data.txt`, `{ credentials: 'include', referrerPolicy: 'no-referrer' }`)],
  [
    'fetch after a redirect of its own',
    fetched(evil, 'sk-evil', everything, `/?to=${encodeURIComponent(`https://${api}/v1/chat/completions`)}`),
  ],
  [
    'fetch after a redirect of the service',
    got(`https://${app}/?to=${encodeURIComponent(`https://${otherApp}/data.json`)}`),
  ],
  [
    'XMLHttpRequest',
    `new Promise((resolve) => {
      const request = new XMLHttpRequest();
      request.onload = () => resolve(request.responseText);
      request.withCredentials = true;
      request.open('POST', 'https://${app}/v1/chat/completions');
      request.setRequestHeader('content-type', 'application/json');
      request.send(${textOf(everything)});
    })`,
  ],
  [
    'EventSource',
    `new Promise((resolve) => {
      const source = new EventSource('https://${app}/events', { withCredentials: true });
      source.onmessage = ({ data }) => { source.close(); resolve(data); };
    })`,
  ],
  ['WebSocket, with a key in the subprotocol', webSocket(api, realtime('sk-evil'))],
  ['WebSocket, with the key of the user', webSocket(api, realtime('sk-ann'))],
  ['WebSocket, with cookies', webSocket(app)],
  ['fetch in a sandboxed frame', inside(fetched(app, ''), sandbox)],
  ['fetch in a sandboxed frame, with a key', inside(fetched(api, 'sk-evil'), sandbox)],
  ['WebSocket in a sandboxed frame', inside(webSocket(app), sandbox)],
  ['fetch in a worker', inside(fetched(app, ''), worker)],
  ['WebSocket in a worker', inside(webSocket(app), worker)],
  ['a script of the service', scriptOf(`https://${app}/script.txt`)],
  ['a script of the service that the page preloads', preloaded(`https://${app}/script.txt`)],
];

describe.each([
  ['another site', `https://${evil}/`],
  ['another site in plain http', 'http://plain.example/'],
  ['a page that another user has published', `https://${bar}/`],
])('%s', (_who, url) => {
  test.each(ways)('%s: no value', async (_way, script) => {
    const page = await open(url);
    onTestFinished(() => page.close());
    const read = await page.evaluate<string>(script);
    expect(read).toContain('[EMAIL-150]');
    expect(all.filter((value) => read.includes(value))).toEqual([]);
  });

  test('frames: no value', async () => {
    const page = await open(url);
    onTestFinished(() => page.close());
    await page.evaluate(`new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.onload = resolve;
      frame.src = 'https://${app}/page.html';
      document.body.append(frame);
    })`);
    const read = (await page.frames().at(-1)?.content()) ?? '';
    expect(read).toContain('[EMAIL-150]');
    expect(all.filter((value) => read.includes(value))).toEqual([]);
  });
});

describe('a service in plain http, about whose pages browsers send less', () => {
  const url = `http://${plainApp}/script.txt`;
  const socket = webSocket(plainApp).replace('wss:', 'ws:');
  const posted = fetched(plainApp, '').replace('https:', 'http:');
  test.each<[who: string, page: string, ways: [what: string, script: string][]]>([
    [
      'another site',
      'http://plain.example/',
      [
        ['a script', scriptOf(url)],
        ['a script without a referrer', scriptOf(url, 'no-referrer')],
        ['a script that the page preloads', preloaded(url)],
        ['a script in a sandboxed frame', inside(scriptOf(url), sandbox)],
        ['a script behind a redirect', scriptOf(`http://plain.example/?to=${encodeURIComponent(url)}`, 'no-referrer')],
        ['fetch', got(url)],
        ['fetch with POST', posted],
        ['WebSocket', socket],
      ],
    ],
    [
      'its page on another port',
      `http://${plainApp}:8080/`,
      [
        ['a script', scriptOf(url)],
        ['fetch', got(url)],
        ['WebSocket', socket],
      ],
    ],
  ])('%s: no value', async (_who, at, ways) => {
    for (const [what, script] of ways) {
      const page = await open(at);
      const read = await page.evaluate<string>(script).finally(() => page.close());
      expect(read, what).toContain('[EMAIL-150]');
      expect(
        all.filter((value) => read.includes(value)),
        what,
      ).toEqual([]);
    }
  });

  test.each([
    ['with a script', scriptOf(url)],
    ['with fetch', got(url)],
    ['with POST', posted],
    ['over a WebSocket', socket],
  ])('its own page continues %s, and has none of the page in https', async (_way, script) => {
    const page = await open(`http://${plainApp}/`);
    onTestFinished(() => page.close());
    const read = await page.evaluate<string>(script);
    expect(all.filter((value) => read.includes(value))).toEqual([values.plain]);
  });
});

test('a published page: no value in it, its files or its WebSocket', async () => {
  const page = await open(`https://${bar}/page.html`);
  onTestFinished(() => page.close());
  const reads = [await page.content()];
  for (const script of [got('/data.json'), got('/data.txt'), fetched(bar, ''), webSocket(bar)])
    reads.push(await page.evaluate<string>(script));
  for (const read of reads) {
    expect(read).toContain('[EMAIL-150]');
    expect(all.filter((value) => read.includes(value))).toEqual([]);
  }
});

describe('the original senders continue', () => {
  test.each<[what: string, url: string, script: string, value: string]>([
    ['the page', `https://${app}/`, fetched(app, ''), values.page],
    ['the page, with a token', `https://${app}/`, fetched(app, 'eyJ'), values.page],
    ['the page, over its WebSocket', `https://${app}/`, webSocket(app), values.page],
    ['the page, at another host of the service', `https://${app}/`, fetched(otherApp, ''), values.page],
    ['another page of the service', `https://${otherApp}/`, fetched(app, ''), values.page],
    ['the page, with events', `https://${app}/`, got('/events'), values.page],
    ['the page, with a script', `https://${app}/`, scriptOf(`https://${app}/script.txt`), values.page],
    ['an opened conversation', `https://${app}/page.html`, 'document.body.innerText', values.page],
    ['the page of the company', `https://${corp}/`, fetched(api, 'sk-ann'), values.corp],
    ['the page of the company, over a WebSocket', `https://${corp}/`, webSocket(api, realtime('sk-ann')), values.corp],
    ['the published page', `https://${foo}/`, got('/data.json'), values.site],
  ])('%s', async (_what, url, script, value) => {
    const page = await open(url);
    onTestFinished(() => page.close());
    const read = await page.evaluate<string>(script);
    expect(all.filter((one) => read.includes(one))).toEqual([value]);
  });

  test('a conversation opened by a link on another site, which cannot read it', async () => {
    const page = await open(`https://${evil}/`);
    onTestFinished(() => page.close());
    const [opened] = await Promise.all([
      browser.context.waitForEvent('page'),
      page.evaluate(`void (other = window.open('https://${app}/page.html'))`),
    ]);
    onTestFinished(() => opened.close());
    await opened.waitForLoadState();
    expect(await opened.content()).toContain(values.page);
    expect(
      await page.evaluate(`(() => { try { return other.document.body.innerText; } catch { return 'refused'; } })()`),
    ).toBe('refused');
  });
});
