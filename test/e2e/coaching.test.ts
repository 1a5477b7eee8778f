/** Users confirm the use of a monitored service: in a real browser over h2, with forged forms, and for programs. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { type Browser, shoot, startBrowser } from '../support/browser.ts';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { programPath } from '../support/programs.ts';
import { type RunResult, run } from '../support/run.ts';
import { openTls, openTunnel } from '../support/tunnel.ts';

// These are monitored in the shipped registry; the last two are not inspected here.
const [first, second, unread, unreadTwo] = ['aicamp.so', 'alphaxiv.org', 'aider.chat', 'ai2sql.io'];
const approved = 'chatgpt.com';
const names = [first, second, unread, unreadTwo, approved] as string[];

const authority = new TestAuthority();
const other = 'edge.unknown.test';

const origin = await startOrigin({
  authority,
  names,
  handler: (request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><title>Origin</title><h1>${request.serverName}</h1>`);
  },
});
const hosts = Object.fromEntries([...names, other].map((name) => [name, origin]));
/** Each test sets its own configuration. */
const asking = await startGateway({ authority, hosts });
const gateway = await startGateway({
  authority,
  hosts,
  config: {
    policy: {
      coach: true,
      coach_contact: 'it-help@company.test <b>',
      rules: [
        { name: 'unread', when: { hosts: [unread, unreadTwo] }, then: { inspect: 'tunnel' } },
        { name: 'reading only', when: { hosts: [second], methods: ['POST'] }, then: { action: 'block' } },
      ],
    },
  },
});
beforeEach(() => origin.reset());

test('coaching cannot be avoided with the name of another host', async () => {
  await asking.configure({ policy: { coach: true, coach_programs: 'refuse', inspect: { monitoring: 'tunnel' } } });
  expect((await openTunnel(asking, `${unread}:443`)).status).toBe(403);
  const inside = openTls(asking, `${other}:443`, { serverName: unread as string, ca: authority.pem });
  await expect(inside).rejects.toThrow();
  expect(origin.requests).toEqual([]);
});

test('a monitored service is recorded under the name of another host', async () => {
  await asking.configure({ policy: { inspect: { monitoring: 'tunnel' } } });
  const socket = await openTls(asking, `${other}:443`, { serverName: unread as string, ca: authority.pem });
  socket.destroy();
  expect(await asking.event((line) => line.host === other && line.kind === 'tunnel')).toMatchObject({
    action: 'warn',
    service: expect.anything(),
  });
});

function curl(...args: string[]): Promise<RunResult> {
  return run(programPath('curl'), ['-sS', '-x', gateway.proxyUrl, '--cacert', gateway.caFile, ...args]);
}
const navigation = [
  '-A',
  'Mozilla/5.0',
  '-H',
  'Accept: text/html',
  '-H',
  'Sec-Fetch-Mode: navigate',
  '-H',
  'Sec-Fetch-Dest: document',
];
const ticketIn = (page: string) => /name="ticket" value="([^"]+)"/.exec(page)?.[1] ?? '';

describe('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser(gateway);
  });

  test('the page appears once, and the navigation continues to its target, over h2', async () => {
    const page = await browser.context.newPage();
    const answer = await page.goto(`https://${first}/deep/page?q=a%20b&x=%3Cscript%3E`);
    expect(answer?.status()).toBe(403);
    expect(answer?.headers()['content-security-policy']).toContain("default-src 'none'");
    expect(await page.evaluate('performance.getEntriesByType("navigation")[0].nextHopProtocol')).toBe('h2');
    await shoot(page, 'coach-page');
    expect(await page.textContent('main')).toContain('Approved for the same purpose');
    expect(await page.textContent('main')).toContain('it-help@company.test <b>');
    expect(origin.requests).toEqual([]);

    await page.fill('textarea', 'to compare "notes" <script>alert(1)</script>');
    await page.click('button');
    await page.waitForURL(`https://${first}/deep/page?q=a%20b&x=%3Cscript%3E`);
    expect(await page.textContent('h1')).toBe(first);
    // The service sees neither the form nor its ticket.
    expect(origin.requests.map((request) => [request.method, request.url])).toEqual([
      ['GET', '/deep/page?q=a%20b&x=%3Cscript%3E'],
      ...origin.requests.slice(1).map((request) => ['GET', request.url]),
    ]);
    expect(origin.requests.some((request) => request.url.includes('privet'))).toBe(false);

    const again = await page.goto(`https://${first}/other`);
    expect(again?.status()).toBe(200);
    const event = await gateway.event(({ kind }) => kind === 'acknowledgement');
    expect(event).toMatchObject({
      event: 'decision',
      host: first,
      service: 'aicamp',
      action: 'warn',
      method: 'POST',
      status: 303,
      justification: 'to compare "notes" <script>alert(1)</script>',
    });
    // The words are in that event and nowhere else.
    expect(gateway.output().split('to compare').length).toBe(2);
    await page.close();
  });

  test('a tunnel is intercepted for the page, and no longer after it', async () => {
    const page = await browser.context.newPage();
    const answer = await page.goto(`https://${unread}/start`);
    expect(answer?.status()).toBe(403);
    await page.click('button');
    await page.waitForURL(`https://${unread}/start`);
    expect(await page.textContent('h1')).toBe(unread);
    await page.close();
    const tunnelled = await curl(
      `https://${unread}/`,
      '--cacert',
      authority.file,
      '-A',
      'Mozilla/5.0',
      '-o',
      '/dev/null',
      '-w',
      '%{http_code} %{ssl_verify_result}',
    );
    expect(tunnelled.text).toBe('200 0');
  });

  test('script requests do not get the page', async () => {
    const page = await browser.context.newPage();
    await page.goto(`https://${approved}/`);
    const seen = await page.evaluate(
      `fetch('https://${second}/api', { mode: 'no-cors' }).then((answer) => answer.type)`,
    );
    expect(seen).toBe('opaque');
    expect(origin.requests.some((request) => request.url === '/api')).toBe(true);
    await page.close();
  });
});

describe('forms', () => {
  test('confirmation works even if a rule blocks POST, and only for its own host', async () => {
    const page = (await curl(...navigation, `https://${second}/x`)).text;
    const ticket = ticketIn(page);
    expect(ticket).toMatch(/^[\w-]+\.[\w-]+$/);
    const post = (host: string, ...more: string[]) =>
      curl('-i', '-A', 'Mozilla/5.0', ...more, '--data-urlencode', 'reason=because', `https://${host}/.privet/coach`);
    for (const [host, args] of [
      [unreadTwo, ['--data-urlencode', `ticket=${ticket}`]],
      [second, ['--data-urlencode', `ticket=${ticket.slice(0, -2)}AA`]],
      [second, ['--data-urlencode', `ticket=${ticket.split('.')[0]}.`]],
      [second, ['--data-urlencode', 'ticket=']],
      [second, []],
      [second, ['-H', 'Origin: https://evil.example', '--data-urlencode', `ticket=${ticket}`]],
      [second, ['-H', 'Sec-Fetch-Site: cross-site', '--data-urlencode', `ticket=${ticket}`]],
    ] as [string, string[]][]) {
      const refused = await post(host, ...args);
      expect(refused.text).toMatch(/^HTTP\/[\d.]+ 403/m);
      expect(refused.text).toContain('no longer valid');
      expect(refused.text).not.toContain('because');
    }
    expect((await curl(...navigation, '-o', '/dev/null', '-w', '%{http_code}', `https://${second}/x`)).text).toBe(
      '403',
    );
    const confirmed = await post(second, '--data-urlencode', `ticket=${ticket}`);
    expect(confirmed.text).toMatch(/^HTTP\/[\d.]+ 303/m);
    expect(confirmed.text).toMatch(/^location: \/x\r$/im);
    expect((await curl(...navigation, '-o', '/dev/null', '-w', '%{http_code}', `https://${second}/x`)).text).toBe(
      '200',
    );
    expect((await curl('-d', 'x=1', '-o', '/dev/null', '-w', '%{http_code}', `https://${second}/x`)).text).toBe('403');
    expect(origin.requests.some((request) => request.url.includes('privet'))).toBe(false);
  });

  test.each([
    ['another host', '//evil.example/'],
    ['another host with a backslash', '/\\evil.example/'],
    ['the page itself', '/.privet/coach?again'],
    ['a long path', `/${'x'.repeat(5_000)}`],
  ])('a navigation to %s continues at the root', async (_name, path) => {
    const gatewayTwo = unreadTwo as string;
    const page = (await curl(...navigation, '--path-as-is', `https://${gatewayTwo}${path}`)).text;
    const payload = JSON.parse(
      Buffer.from(ticketIn(page).split('.')[0] as string, 'base64url').toString(),
    ) as unknown[];
    expect(payload[4]).toBe('/');
  });
});

describe('programs', () => {
  test('are told where to confirm, and continue', async () => {
    await asking.configure({ policy: { coach: true } });
    const told = await run(programPath('curl'), [
      '-sSi',
      '-x',
      asking.proxyUrl,
      '--cacert',
      asking.caFile,
      `https://${first}/v1`,
    ]);
    expect(told.text).toMatch(/^HTTP\/[\d.]+ 200/m);
    expect(told.text).toMatch(
      /^x-privet-warning: monitored; service="AICamp"; confirm="https:\/\/aicamp\.so\/\.privet\/coach"\r$/im,
    );
  });

  test('are refused with the address if so configured, also before a tunnel opens', async () => {
    await asking.configure({
      policy: {
        coach: true,
        coach_programs: 'refuse',
        coach_reason: 'required',
        rules: [{ when: { hosts: [unread] }, then: { inspect: 'tunnel' } }],
      },
    });
    const ask = (...args: string[]) =>
      run(programPath('curl'), ['-sSi', '-x', asking.proxyUrl, '--cacert', asking.caFile, ...args]);
    const refused = await ask('-d', '{}', `https://${first}/v1`);
    expect(refused.text).toMatch(/^HTTP\/[\d.]+ 403/m);
    expect(refused.text).toContain('"code":"confirmation_required"');
    expect(refused.text).toContain('"url":"https://aicamp.so/.privet/coach"');
    expect((await ask('-w', '%{http_connect}', `https://${unread}/`)).text).toContain('403');
    // The page at that address; a user on the same machine confirms for its programs, too.
    const page = await ask(...navigation, `https://${first}/.privet/coach`);
    expect(page.text).toMatch(/^HTTP\/[\d.]+ 200/m);
    const form = ['--data-urlencode', `ticket=${ticketIn(page.text)}`, `https://${first}/.privet/coach`];
    expect((await ask('--data-urlencode', 'reason= ', ...form)).text).toContain('Please write what you need it for.');
    expect((await ask('--data-urlencode', 'reason=tests', ...form)).text).toMatch(/^HTTP\/[\d.]+ 303/m);
    expect((await ask('-d', '{}', `https://${first}/v1`)).text).toMatch(/^HTTP\/[\d.]+ 200/m);
    const metrics = await (await asking.api('/metrics')).text();
    expect(metrics).toContain('privet_coach_total{result="confirmed"} 1');
  });
});
