/** What pages of a monitored service can and cannot do about the coaching page, in Chromium and over HTTP/2. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lookFaults } from '../support/axe.ts';
import { shoot, startBrowser } from '../support/browser.ts';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { programPath } from '../support/programs.ts';
import { run } from '../support/run.ts';

// Monitored services of the shipped registry, and an approved one.
const [watched, posted, other, framed, approved] = [
  'aicamp.so',
  'alphaxiv.org',
  'aider.chat',
  'ai2sql.io',
  'chatgpt.com',
];
const names = [watched, posted, other, framed, approved] as string[];

const origin = await startOrigin({
  names,
  handler: (request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'access-control-allow-origin': '*' });
    response.end(`<!doctype html><title>Origin</title><h1>${request.serverName}</h1>`);
  },
});
const gateway = await startGateway({
  hosts: Object.fromEntries(names.map((name) => [name, origin])),
  config: {
    policy: {
      coach: true,
      coach_programs: 'refuse',
      rules: [
        {
          name: 'landing pages',
          when: { hosts: [watched], paths: ['/open'] },
          then: { action: 'warn', coach: false },
        },
        {
          name: 'ask before sending',
          when: { hosts: [posted], methods: ['POST'], paths: ['/send'] },
          then: { action: 'warn', coach: true },
        },
        { name: 'reading', when: { hosts: [posted] }, then: { action: 'allow' } },
        {
          name: 'trial',
          report_only: true,
          when: { hosts: [approved] },
          then: { action: 'block', types: { EMAIL: 'block' } },
        },
      ],
    },
  },
});
const browser = await startBrowser(gateway);
beforeEach(() => origin.reset());

const curl = (...args: string[]) =>
  run(programPath('curl'), ['-sSi', '-x', gateway.proxyUrl, '--cacert', gateway.caFile, ...args]);
const navigation = ['-A', 'Mozilla/5.0', '-H', 'Accept: text/html'];
const ticketIn = (page: string) => /name="ticket" value="([^"]+)"/.exec(page)?.[1] ?? '';

describe('a page of the service without coaching', () => {
  test('cannot confirm on behalf of its reader: not by fetch, frame or window', async () => {
    const page = await browser.context.newPage();
    expect((await page.goto(`https://${watched}/open`))?.status()).toBe(200);
    expect(
      await page.evaluate(`fetch('/.privet/coach').then(async (a) => [a.status, (await a.text()).includes('ticket')])`),
    ).toEqual([403, false]);
    expect(
      await page.evaluate(
        `fetch('/.privet/coach', { method: 'POST', body: new URLSearchParams({ ticket: 'x' }) }).then(async (a) => [a.status, (await a.text()).includes('ticket')])`,
      ),
    ).toEqual([403, false]);
    expect(
      await page.evaluate(`new Promise((done) => {
        const frame = document.createElement('iframe');
        frame.src = '/.privet/coach';
        frame.onload = () => { try { done(frame.contentDocument.querySelector('form') === null); } catch { done(true); } };
        document.body.append(frame);
      })`),
    ).toBe(true);
    const opened = browser.context.waitForEvent('page');
    await page.evaluate(`void (globalThis.other = window.open('/.privet/coach'))`);
    const other = await opened;
    await other.waitForSelector('form');
    expect(
      await page.evaluate(
        `(() => { try { return other.closed || !other.document.forms.length } catch { return true } })()`,
      ),
    ).toBe(true);
    await page.close();
    await other.close();
    expect(gateway.events().some(({ kind }) => kind === 'acknowledgement')).toBe(false);
  });

  test('frames, preflights and script requests get a readable refusal instead of the page', async () => {
    const page = await browser.context.newPage();
    await page.goto(`https://${approved}/`);
    const fetched = `fetch('https://${framed}/api', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).then((a) => a.status, () => 'failed')`;
    expect(await page.evaluate(fetched)).toBe('failed');
    expect(origin.requests.filter(({ url }) => url === '/api')).toEqual([]);
    const preflight = await curl(
      '-X',
      'OPTIONS',
      '-H',
      'Origin: https://a.example',
      '-H',
      'Access-Control-Request-Method: POST',
      `https://${framed}/api`,
    );
    expect(preflight.text).toContain('"code":"confirmation_required"');
    await page.close();
  });
});

test('a form submission is coached first, and continues at the root without its content', async () => {
  const page = await browser.context.newPage();
  expect((await page.goto(`https://${posted}/form`))?.status()).toBe(200);
  await page.evaluate(
    `(() => { const f = document.createElement('form'); f.method = 'post'; f.action = '/send?x=1'; document.body.append(f); f.submit(); })()`,
  );
  await page.waitForSelector('textarea');
  expect(origin.requests.some(({ method }) => method === 'POST')).toBe(false);
  await page.fill('textarea', 'a form');
  await page.click('button');
  await page.waitForURL(`https://${posted}/`);
  expect((await curl('-d', 'x=1', `https://${posted}/send`)).text).toMatch(/^HTTP\/[\d.]+ 200/m);
  await page.close();
});

test('the page is in Japanese if the browser prefers it', async () => {
  const page = await browser.context.newPage();
  await page.setExtraHTTPHeaders({ 'accept-language': 'ja' });
  await page.goto(`https://${other}/`);
  expect(await page.getAttribute('html', 'lang')).toBe('ja');
  expect(await page.textContent('h1')).toBe('Aider を利用する前に');
  expect(await page.textContent('form')).toContain('8 時間有効です');
  expect(await page.textContent('main')).not.toMatch(/\b(?:Your|company|Address|reason|optional)\b/);
  await shoot(page, 'coach-page-ja');
  expect(await lookFaults(page)).toEqual([]);
  await page.close();
});

test('a rule in report_only changes nothing, not even for types', async () => {
  const mail = ['ann.example', 'company.test'].join('@');
  const body = JSON.stringify({ messages: [{ role: 'user', content: `write to ${mail}` }] });
  const answer = await curl('-H', 'Content-Type: application/json', '-d', body, `https://${approved}/v1`);
  expect(answer.text).toMatch(/^HTTP\/[\d.]+ 200/m);
  const event = await gateway.event(({ host, method }) => host === approved && method === 'POST');
  expect(event).toMatchObject({ action: 'allow', inspect: 'mask', wouldAction: 'block', wouldRule: 'trial' });
});

describe('coaching on some paths or methods only', () => {
  beforeAll(() =>
    gateway.configure({
      policy: {
        coach_programs: 'refuse',
        rules: [
          { when: { hosts: [other], upload_over: '1kB' }, then: { action: 'warn', coach: true } },
          { when: { hosts: [other], methods: ['PUT'], paths: ['/v1'] }, then: { action: 'warn', coach: true } },
          { when: { hosts: [other] }, then: { action: 'allow' } },
        ],
      },
    }),
  );

  test.each([
    ['a method', ['-X', 'PUT', '-d', '{}'], '/v1/x?secret=1', '?method=PUT&path=%2Fv1%2Fx&size=2'],
    ['a size', ['-d', 'y'.repeat(2_000)], '/any', '?method=POST&path=%2Fany&size=2000'],
    [
      'an undeclared size',
      ['-H', 'Transfer-Encoding: chunked', '-d', 'y'.repeat(2_000)],
      '/any',
      '?method=POST&path=%2Fany&size=',
    ],
  ])('can be confirmed at the address given to programs: %s', async (_name, args, path, query) => {
    const refused = await curl(...args, `https://${other}${path}`);
    const url = /"url":"([^"]+)"/.exec(refused.text)?.[1] ?? '';
    expect(url).toContain(`https://${other}/.privet/coach${query}`);
    expect((await curl(`https://${other}/`)).text).toMatch(/^HTTP\/[\d.]+ 200/m);
    const page = await curl(...navigation, url);
    expect(page.text).toMatch(/^HTTP\/[\d.]+ 200/m);
    // A form that is no longer valid is shown again with the question.
    const expired = await curl('--data-urlencode', 'ticket=old', url);
    expect([expired.text.includes('no longer valid'), ticketIn(expired.text) !== '']).toEqual([true, true]);
  });

  test.each([
    '?method=GET&path=//evil.example/',
    '?method=GET&path=/%5Cevil.example',
    '?path=/x',
    '?method=GET&path=/',
  ])('a target that leads elsewhere or nowhere: %s', async (query) => {
    const page = await curl(...navigation, `https://${other}/.privet/coach${query}`);
    expect(page.text).toMatch(/^HTTP\/[\d.]+ 404/m);
  });
});
