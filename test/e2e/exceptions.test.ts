/** From a refusal to an exception and back: two employees in Chromium, the administrator over the API. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hashPassword } from '../../gateway/users/password-hash.ts';
import { lookFaults } from '../support/axe.ts';
import { shoot, startBrowser } from '../support/browser.ts';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { programPath } from '../support/programs.ts';
import { run } from '../support/run.ts';

const password = 'exception-test';
const wanted = 'wanted.example';
const names = [wanted, `api.${wanted}`, `not-${wanted}`, 'other.example', 'gpt-chat.example'];

const block = (name: string, when: object) => ({ name, when, then: { action: 'block' } });
const blocking = [
  block('none of these', { hosts: names.slice(0, 4) }),
  block('no large uploads', { hosts: ['gpt-chat.example'], upload_over: 100 }),
];

const origin = await startOrigin({
  names,
  handler: (request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>Origin</title><h1>${request.serverName}</h1>`);
  },
});
const gateway = await startGateway({
  hosts: Object.fromEntries(names.map((name) => [name, origin])),
  config: {
    auth: {
      proxy: {
        mode: 'basic',
        users: ['ann', 'bob'].map((name) => ({ name, password_hash: hashPassword(password) })),
      },
    },
    policy: { inspect: { unknown: 'audit' }, rules: blocking },
  },
});
const ann = await startBrowser(gateway, { username: 'ann', password });

// biome-ignore lint/suspicious/noExplicitAny: every test knows the shape of its own answer.
async function call(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await gateway.api(path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  return { status: answer.status, ...((await answer.json()) as object) };
}
async function statusFor(user: string, host: string, ...args: string[]): Promise<string> {
  const common = ['-sS', '-o', '/dev/null', '-w', '%{http_code}', '--cacert', gateway.caFile, '-x', gateway.proxyUrl];
  const who = ['-U', `${user}:${password}`];
  const { text } = await run(programPath('curl'), [...common, ...who, ...args, `https://${host}/`]);
  return text === '000' ? '403' : text;
}
async function askFor(page: Page, host: string): Promise<void> {
  await page.goto(`https://${host}/some?page`);
  await page.click('text=Ask for an exception');
  await page.waitForURL(/^http:\/\/privet\.proxy\/me\/exceptions/);
  await page.fill('textarea', 'a <b>trial</b> "until" Friday');
  await page.click('button[type=submit]');
  await page.waitForURL(/\/me\?sent=1/);
}

describe('an exception', () => {
  test('is requested on the block page, granted, used by that person only, and revoked', async () => {
    const page = await ann.context.newPage();
    expect((await page.goto(`https://${wanted}/some?page`))?.status()).toBe(403);
    expect(await page.textContent('main')).toContain('none of these');
    await askFor(page, wanted);
    expect(await page.textContent('main')).toContain(wanted);

    const { requests } = await call('GET', '/admin/exceptions?state=open');
    expect(requests).toMatchObject([{ subject: 'ann', host: wanted, reason: 'a <b>trial</b> "until" Friday' }]);
    const { id } = requests[0] as { id: string };
    expect(await statusFor('ann', wanted)).toBe('403');
    expect((await call('POST', `/admin/exceptions/${id}`, { state: 'granted', ttl: '1h', note: 'fine' })).status).toBe(
      200,
    );
    await expect.poll(() => statusFor('ann', wanted)).toBe('200');
    expect((await page.goto(`https://${wanted}/some?page`))?.status()).toBe(200);
    expect(await page.textContent('h1')).toBe(wanted);
    await page.goto('http://privet.proxy/me');
    expect(await page.textContent('main')).toMatch(/Granted[\s\S]*fine/);

    // The requested path and everything below it; nobody else and nothing else.
    const got = Object.fromEntries(
      await Promise.all(names.slice(0, 4).map(async (name) => [name, await statusFor('ann', name)])),
    );
    expect(got).toEqual({
      [wanted]: '200',
      [`api.${wanted}`]: '200',
      [`not-${wanted}`]: '403',
      'other.example': '403',
    });
    expect(await statusFor('bob', wanted)).toBe('403');
    const { decision } = await call('GET', `/admin/explain?url=${encodeURIComponent(`https://${wanted}/`)}&user=ann`);
    expect(decision).toMatchObject({ action: 'allow', inspect: 'mask', rule: `exception ${id}` });

    // Dry run with the same rules. The exception stays, so nothing changes for her.
    const tried = await call('POST', '/admin/policy/dry-run', { yaml: JSON.stringify({ rules: blocking }) });
    expect(tried.diffs.filter(({ after }: { after: { action: string } }) => after.action === 'block')).toEqual([]);

    expect((await call('POST', `/admin/exceptions/${id}`, { state: 'denied' })).status).toBe(200);
    await expect.poll(() => statusFor('ann', wanted)).toBe('403');
    expect((await page.goto(`https://${wanted}/some?page`))?.status()).toBe(403);
    await page.close();
  });

  test('expires', async () => {
    const page = await ann.context.newPage();
    await askFor(page, 'other.example');
    await page.close();
    const { requests } = await call('GET', '/admin/exceptions?state=open');
    await call('POST', `/admin/exceptions/${requests[0].id}`, { state: 'granted', ttl: '6s' });
    await expect.poll(() => statusFor('ann', 'other.example')).toBe('200');
    await expect.poll(() => statusFor('ann', 'other.example')).toBe('403');
  });
});

describe('recorded events', () => {
  test('a dry run of the same policy changes nothing, even if a body was refused unread', async () => {
    const large = ['-d', 'x'.repeat(200)];
    expect(await statusFor('bob', 'gpt-chat.example', ...large)).toBe('403');
    expect(await statusFor('bob', 'gpt-chat.example', '-d', 'small')).toBe('200');
    const yaml = JSON.stringify({ inspect: { unknown: 'audit' }, rules: blocking });
    const try_ = (text: string) => call('POST', '/admin/policy/dry-run', { yaml: text });
    await expect.poll(async () => (await try_(yaml)).undecided).toBeGreaterThan(0);
    expect(await try_(yaml)).toMatchObject({ changed: 0, diffs: [] });
    // A policy without the rule: the small request is unchanged, the size of the other one is unknown.
    const { diffs } = await try_(JSON.stringify({ inspect: { unknown: 'audit' }, rules: blocking.slice(0, 1) }));
    expect(diffs).toEqual([]);
  });

  test('the report has the figures of the events', async () => {
    const day = new Date().toISOString().slice(0, 10);
    const all: Record<string, unknown>[] = [];
    await expect
      .poll(async () => {
        all.length = 0;
        let next: string | undefined = '';
        while (next !== undefined) {
          const page = await call('GET', `/admin/events?limit=100${next === '' ? '' : `&cursor=${next}`}`);
          all.push(...page.events);
          next = page.next;
        }
        return all.length;
      })
      .toBeGreaterThan(10);
    const decided = all.filter(({ action }) => action !== undefined && action !== null && action !== '');
    const report = await call('GET', `/admin/report?from=${day}`);
    expect(report.totals).toMatchObject({
      requests: decided.length,
      blocked: decided.filter(({ action }) => action === 'block').length,
      subjects: new Set(decided.map(({ subject }) => subject)).size,
    });
    const hosts = new Map<unknown, number>();
    for (const { host } of decided) hosts.set(host, (hosts.get(host) ?? 0) + 1);
    const rows = report.unregistered as { host: string; requests: number; confidence: string | null }[];
    expect(new Map(rows.map(({ host, requests }) => [host, requests]))).toEqual(hosts);
    expect(rows[0]).toMatchObject({ host: 'gpt-chat.example', confidence: expect.stringMatching(/weak|low|medium/) });
  });
});

describe('in Japanese', () => {
  test('the block page and its form are in the language of the browser', async () => {
    const page = await ann.context.newPage();
    await page.setExtraHTTPHeaders({ 'accept-language': 'ja-JP,ja;q=0.9,en;q=0.5' });
    await page.goto(`https://other.example/`);
    expect(await page.getAttribute('html', 'lang')).toBe('ja');
    expect(await page.textContent('h1')).toBe('other.example は利用できません');
    expect(await page.textContent('main')).not.toMatch(/\b(?:Ask|blocked|Address|administrator)\b/);
    await shoot(page, 'block-page-ja');
    expect(await lookFaults(page)).toEqual([]);
    await page.click('text=例外を申請する');
    await page.waitForURL(/privet\.proxy\/me\/exceptions/);
    expect(await page.textContent('h1')).toBe('例外を申請する');
    await page.close();
  });
});
