/** Attacks by pages: those of other sites on the API, and injected ones on the readers of the gateway's pages. */
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { hashPassword } from '../../gateway/users/password-hash.ts';
import { startBrowser } from '../support/browser.ts';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { exchangeRaw, isCompleteAnswer, startRecorder } from '../support/recorder.ts';
import { openTls, openTunnel, sendRaw } from '../support/tunnel.ts';

const blocked = '01.ai';
const watched = 'aicamp.so';
const watchedToo = 'alphaxiv.org';
const named = 'named.example';
const ruled = 'ruled.example';
const gone = 'gone.example';
const markup = '"\'><img src=x onerror=alert(1)><script>alert(1)</script><svg/onload=alert(1)>';
const password = 'correct-horse';
const names = [blocked, watched, watchedToo, named, ruled];

const origin = await startOrigin({ names });
/** Its pages belong to somebody else: it runs on this machine, like a program of the administrator. */
const evil = await startOrigin({
  handler: (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>evil</title>');
  },
});
const closed = await startRecorder();
await closed.close();
const users = ['ann', 'bob'].map((name) => ({ name, password_hash: hashPassword(password) }));
const gateway = await startGateway({
  hosts: { ...Object.fromEntries(names.map((name) => [name, origin])), [gone]: closed.address },
  config: {
    auth: { proxy: { mode: 'basic', users } },
    policy: {
      coach: true,
      rules: [{ name: markup, when: { hosts: [ruled, `http.${ruled}`] }, then: { action: 'block' } }],
    },
  },
});
const service = { service_name: markup, vendor: markup, reason: markup, domain: named, category: 'blocked' };
expect((await gateway.api('/shadow-ai/services', { method: 'POST', body: JSON.stringify(service) })).status).toBe(201);
const browser = await startBrowser(gateway, { username: 'ann', password, bypass: '127.0.0.1' });
beforeEach(() => origin.reset());

/** A page that reports every script that runs in it unexpectedly. */
async function openPage(): Promise<{ page: Page; ran: string[] }> {
  const page = await browser.context.newPage();
  onTestFinished(() => page.close());
  const ran: string[] = [];
  page.on('dialog', (dialog) => {
    ran.push(dialog.message());
    void dialog.dismiss();
  });
  return { page, ran };
}

describe('the API', () => {
  const services = async () => (await (await gateway.api('/shadow-ai/services?limit=1000')).text()).length;

  test('a page of another origin is refused, although its reader is signed in to the console', async () => {
    const { page } = await openPage();
    await page.goto(`${gateway.apiUrl}/admin/`);
    const login = JSON.stringify({ key: gateway.adminKey });
    const signedIn = await page.evaluate(
      `fetch('/admin/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(login)} })
        .then((answer) => answer.status)`,
    );
    expect(signedIn).toBe(200);
    // The cookie exists, and because the same host is the same site on every port, browsers send it.
    expect(await page.evaluate(`fetch('/admin/login').then((answer) => answer.status)`)).toBe(200);
    const before = await services();

    await page.goto(`http://${evil.address}/`);
    const service = JSON.stringify(
      JSON.stringify({ service_name: 'Mine', domain: 'mine.example', category: 'approved' }),
    );
    const ask = (path: string, init: string) =>
      page.evaluate(
        `fetch(${JSON.stringify(gateway.apiUrl + path)}, { credentials: 'include', ${init} })
          .then((answer) => answer.text().then((text) => answer.type + ' ' + answer.status + ' ' + text.length), (error) => error.name)`,
      );
    const body = `method: 'POST', body: ${service}`;
    const json = `headers: { 'content-type': 'application/json' }`;
    const asked: [string, string][] = [
      ['/admin/overview', ''],
      ['/admin/events', ''],
      ['/admin/login', ''],
      ['/shadow-ai/services', `${body}, ${json}`],
      ['/shadow-ai/services', body],
      ['/admin/overview', `headers: { authorization: 'Bearer ${gateway.adminKey}' }`],
      ['/admin/reload', `method: 'POST'`],
      ['/metrics', ''],
    ];
    for (const [path, init] of asked) expect(await ask(path, init), `${path} ${init}`).toBe('TypeError');
    // Without permission to read the response, the request is still sent; it changes nothing.
    for (const init of [
      body,
      `${body}, headers: { 'content-type': 'text/plain' }`,
      `${body}, headers: { 'content-type': 'application/x-www-form-urlencoded' }`,
    ]) {
      expect(await ask('/shadow-ai/services', `mode: 'no-cors', ${init}`)).toBe('opaque 0 0');
    }
    expect(await ask('/admin/reload', `mode: 'no-cors', method: 'POST'`)).toBe('opaque 0 0');
    expect(await services()).toBe(before);
    const reloads = /^privet_config_reloads_total.* ([1-9])/m.exec(await (await gateway.api('/metrics')).text());
    expect(reloads).toBeNull();

    // It cannot be shown in a frame of that page either.
    await page.setContent(`<iframe src="${gateway.apiUrl}/admin/"></iframe>`);
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
  });

  test('a client of the proxy is refused the API address in every spelling', async () => {
    const port = new URL(gateway.apiUrl).port;
    const user = `Proxy-Authorization: Basic ${Buffer.from(`ann:${password}`).toString('base64')}`;
    const hosts = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0.0.0.0',
      '[::1]',
      '[::ffff:127.0.0.1]',
      'localhost',
      'LOCALHOST.',
      '127.0.0.2',
    ];
    for (const host of hosts) {
      const at = `${host}:${port}`;
      const connect = await openTunnel(gateway, at, [user]);
      connect.socket.destroy();
      expect([403, 508], `CONNECT ${host}`).toContain(connect.status);
      const get = await exchangeRaw(
        gateway.proxyPort,
        `GET http://${at}/admin/overview HTTP/1.1\r\nHost: ${at}\r\n${user}\r\nAuthorization: Bearer ${gateway.adminKey}\r\n\r\n`,
        { until: isCompleteAnswer },
      );
      expect(get, `GET ${host}`).toMatch(/^HTTP\/1\.1 (?:403|508) /);
    }
  });

  test('requests forwarded by another gateway are refused, even with the admin key', async () => {
    // That gateway may not recognise this address as its own; Via shows it.
    const target = `http://${evil.address}/`;
    const user = Buffer.from(`ann:${password}`).toString('base64');
    const head = `GET ${target} HTTP/1.1\r\nHost: ${evil.address}\r\nProxy-Authorization: Basic ${user}\r\n\r\n`;
    evil.reset();
    await exchangeRaw(gateway.proxyPort, head, { until: (text) => text.includes('</title>') });
    const via = String(evil.requests[0]?.headers.via);
    expect(via).toMatch(/^1\.1 privet-/);
    const answer = await gateway.api('/admin/overview', { headers: { via } });
    expect([answer.status, await answer.text()]).toEqual([
      403,
      expect.stringContaining('not served through the proxy'),
    ]);
    expect((await gateway.api('/admin/overview', { headers: { via: '1.1 nginx' } })).status).toBe(200);
  });

  test('without a key, only liveness is revealed', async () => {
    for (const path of ['/admin/overview', '/admin/events', '/shadow-ai/services', '/admin/keys', '/admin/policy']) {
      const answer = await fetch(`${gateway.apiUrl}${path}`);
      expect([path, answer.status]).toEqual([path, 401]);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});

test('a start as an open proxy is refused', async () => {
  const config = { listen: { proxy: '0.0.0.0:0' }, auth: { clients: ['0.0.0.0/1', '128.0.0.0/1'] } };
  await expect(startGateway({ config })).rejects.toThrow(/would make an open proxy/);
});

describe('markup in a page of the gateway is text', () => {
  const path = `/${encodeURIComponent(markup)}?q=${encodeURIComponent(markup)}&${markup.replaceAll(' ', '+')}`;
  test.each<[what: string, url: string, status: number, isShown?: boolean]>([
    ['a blocked service, path and query', `https://${blocked}${path}`, 403],
    ['a blocked service over plain http', `http://${blocked}${path}`, 403],
    ['a service whose name is markup', `https://${named}${path}`, 403, true],
    ['the same over plain http', `http://${named}${path}`, 403, true],
    ['a rule whose name is markup', `http://http.${ruled}${path}`, 403, true],
    ['an unavailable site', `http://${gone}${path}`, 502],
    ['the coach page', `https://${watched}${path}`, 403],
    ['a page that the portal does not have', `http://privet.proxy${path}`, 404],
    ['the request for an exception', `http://privet.proxy/me/exceptions?host=${encodeURIComponent(markup)}`, 200],
    ['the search for a service', `http://privet.proxy/services?q=${encodeURIComponent(markup)}`, 200, true],
  ])('%s', async (_what, url, status, isShown = false) => {
    const { page, ran } = await openPage();
    const answer = await page.goto(url);
    expect(answer?.status()).toBe(status);
    expect(answer?.headers()['content-security-policy']).toContain("default-src 'none'");
    expect(answer?.headers()['content-type']).toMatch(/^text\/html/);
    expect(
      await page.evaluate(
        `document.querySelectorAll('script:not([src$="/local-times.js"]), img, svg[onload], [onerror], iframe').length`,
      ),
    ).toBe(0);
    // The content of the address is not repeated; names entered by an administrator are shown unchanged.
    expect((await page.innerText('body')).includes('onerror')).toBe(isShown);
    expect(ran).toEqual([]);
    expect(origin.requests).toEqual([]);
  });
});

describe('the coach page', () => {
  const fieldsOf = (user: string) => [
    `Proxy-Authorization: Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
  ];
  const navigation = [
    'Accept: text/html',
    'Sec-Fetch-Mode: navigate',
    'Sec-Fetch-Dest: document',
    'User-Agent: Mozilla/5.0',
  ];
  const ask = async (user: string, host: string, body?: string) => {
    const socket = await openTls(gateway, `${host}:443`, { fields: fieldsOf(user) });
    onTestFinished(() => void socket.destroy());
    const head =
      body === undefined
        ? [`GET /x HTTP/1.1`, `Host: ${host}`, ...navigation]
        : [
            'POST /.privet/coach HTTP/1.1',
            `Host: ${host}`,
            ...navigation,
            'Content-Type: application/x-www-form-urlencoded',
            `Content-Length: ${Buffer.byteLength(body)}`,
          ];
    return sendRaw(socket, `${head.join('\r\n')}\r\n\r\n${body ?? ''}`);
  };
  const ticketOf = async (user: string, host: string) => {
    const page = await ask(user, host);
    expect(page.status).toBe(403);
    return /name="ticket" value="([^"]+)"/.exec(page.body.toString())?.[1] as string;
  };

  test('forged tickets, and those of another user or host, are refused', async () => {
    const ticket = await ticketOf('ann', watchedToo);
    const [payload = '', seal = ''] = ticket.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown[];
    const forged = claims.map((claim) => (claim === 'ann' ? 'bob' : claim));
    expect(forged).not.toEqual(claims);
    const wrong: [user: string, host: string, ticket: string][] = [
      ['bob', watchedToo, ticket],
      ['bob', watchedToo, `${Buffer.from(JSON.stringify(forged)).toString('base64url')}.${seal}`],
      ['bob', watchedToo, `${payload}.${Buffer.alloc(32).toString('base64url')}`],
      ['ann', watched, ticket],
      ['ann', watchedToo, `${payload}.`],
      ['ann', watchedToo, payload],
    ];
    for (const [user, host, value] of wrong) {
      expect((await ask(user, host, `ticket=${encodeURIComponent(value)}`)).status).toBe(403);
    }
    for (const user of ['ann', 'bob']) expect((await ask(user, watchedToo)).status).toBe(403);

    // The valid one confirms for its user; submitted again by the other user it is still refused.
    expect((await ask('ann', watchedToo, `ticket=${ticket}`)).status).toBe(303);
    expect((await ask('bob', watchedToo, `ticket=${ticket}`)).status).toBe(403);
    expect((await ask('ann', watchedToo)).status).toBe(200);
    expect((await ask('bob', watchedToo)).status).toBe(403);
    expect(origin.requests.map(({ url }) => url)).toEqual(['/x']);
  });
});
