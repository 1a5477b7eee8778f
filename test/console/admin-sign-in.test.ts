/** Signing in to and out of the admin console, and failed calls. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { serviceId } from '../../policy/service.ts';
import { hostile, hosts, soon, startScene, storedEvents } from './administrator.ts';
import { expectSoundView, openPage } from './visitor.ts';

const scene = await startScene();

/** Replaces the answers to all further calls of a page to an address. */
async function answerWith(
  page: Page,
  path: string | RegExp,
  answer: { status: number; error?: object; headers?: Record<string, string> },
) {
  await page.route(path instanceof RegExp ? path : `**${path}`, (route) =>
    route.fulfill({
      status: answer.status,
      contentType: 'application/json',
      headers: answer.headers ?? {},
      body: JSON.stringify({
        error: { code: 'x', message: 'As the gateway says.', requestId: 'req-1', ...answer.error },
      }),
    }),
  );
}

describe('signing in', () => {
  test('with a wrong key, with the right one, across a reload, and signing out', async () => {
    const open = await openPage(scene.browser, `${scene.gateway.apiUrl}/admin/`);
    const { page } = open;
    const key = page.getByLabel('Admin key', { exact: true });
    await expect.poll(() => page.evaluate('document.activeElement.type'), soon).toBe('password');
    await expectSoundView(open, 'admin-sign-in');
    await page.keyboard.press('Enter');
    await page.getByText('Enter the key.').waitFor();
    await key.fill('pvt_admin_wrong');
    await page.keyboard.press('Enter');
    await page.getByText('Unknown key. 4 more failures lock this address out').waitFor();
    await expect.poll(() => key.inputValue()).toBe('pvt_admin_wrong');
    await key.fill(scene.gateway.adminKey);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    const stores = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])');
    expect(stores).not.toContain(scene.gateway.adminKey);
    expect(stores).not.toContain('privet_admin');

    await page.reload();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(open.faults).toEqual([]);
    await open.close();
  });

  test('after a session ends, signing in again keeps the input and repeats the action', async () => {
    const { page, context, close } = await scene.open('services');
    await page.getByRole('button', { name: 'Add a service' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Typed before the end');
    await page.getByLabel('Domain', { exact: true }).fill('typed.example');
    await context.clearCookies();
    // Not with the mouse: a background request of the page may have opened the dialog by now.
    await page.getByRole('button', { name: 'Save' }).dispatchEvent('click');
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByLabel('Admin key', { exact: true }).fill(scene.gateway.adminKey);
    await page.keyboard.press('Enter');
    await page.getByText('Typed before the end was saved').waitFor();
    expect(
      await (await scene.gateway.api(`/shadow-ai/services/${serviceId('typed-before-the-end')}`)).json(),
    ).toMatchObject({
      domain: 'typed.example',
    });
    await close();
  });

  test('a download continues after signing in again', async () => {
    const { page, context, close } = await scene.open('events');
    await page.getByText('No events yet.').waitFor();
    await context.clearCookies();
    await page.getByRole('link', { name: 'Export CSV' }).dispatchEvent('click');
    await page
      .getByRole('dialog', { name: 'Sign in again' })
      .getByLabel('Admin key', { exact: true })
      .fill(scene.gateway.adminKey);
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(await file.failure()).toBeNull();
    expect(file.suggestedFilename()).toBe('events.csv');
    await close();
  });

  test('the input stays without signing in again', async () => {
    const { page, close } = await scene.open('services');
    await page.getByRole('button', { name: 'Add a service' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Kept');
    await page.getByLabel('Domain', { exact: true }).fill('kept.example');
    await page.route('**/shadow-ai/services', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 401,
            contentType: 'application/json',
            body: '{"error":{"code":"unauthorized","message":"The key is unknown."}}',
          })
        : route.continue(),
    );
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog', { name: 'Sign in again' }).getByRole('button', { name: 'Not now' }).click();
    await page.getByText('The key was not accepted').waitFor();
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Kept');
    await close();
  });
});

describe('failed calls say what to do, and keep the input', () => {
  const table: [answer: { status: number; error?: object; headers?: Record<string, string> }, title: string][] = [
    [{ status: 403, error: { code: 'forbidden' } }, 'Your key does not allow this'],
    [{ status: 409, error: { code: 'conflict' } }, 'This conflicts with the current state'],
    [{ status: 422, error: { details: [{ field: 'domain', message: 'has one label' }] } }, 'The request has errors'],
    [{ status: 429, headers: { 'retry-after': '30' } }, 'Try again in'],
    [{ status: 500 }, 'Something went wrong in the gateway'],
    [{ status: 503 }, 'Part of the gateway is unavailable'],
  ];

  test('403, 409, 422, 429, 500, 503', async () => {
    const { page, close, faults } = await scene.open('services');
    await page.getByRole('button', { name: 'Add a service' }).click();
    const name = page.getByLabel('Name', { exact: true });
    await name.fill(hostile);
    await page.getByLabel('Domain', { exact: true }).fill('typed.example');
    for (const [answer, title] of table) {
      await page.unrouteAll();
      await answerWith(page, /\/shadow-ai\/services$/, answer);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText(title).first().waitFor();
      await expect.poll(() => name.inputValue()).toBe(hostile);
    }
    expect(faults).toEqual([]);
    await close();
  });

  test('an unreachable gateway, and its return', async () => {
    const { page, context, close } = await scene.open('events');
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
    await context.setOffline(true);
    await page.getByLabel('Host', { exact: true }).fill('typed.example');
    await page.keyboard.press('Enter');
    await page.getByText('The gateway does not respond').waitFor();
    await expect.poll(() => page.getByLabel('Host', { exact: true }).inputValue()).toBe('typed.example');
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No event matches the filters.').waitFor();
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are still signed in').waitFor();
    await close();
  });

  test('an unreachable gateway before anybody has signed in', async () => {
    const open = await openPage(scene.browser, `${scene.gateway.apiUrl}/admin/`);
    const { page } = open;
    await page.route('**/admin/session', (route) => route.abort());
    await page.reload();
    await page.getByText('The gateway does not respond').waitFor();
    await expectSoundView(open, 'admin-sign-in-away');
    await open.close();
  });

  test('an unreachable gateway, reported in a toast', async () => {
    await scene.gateway.api('/admin/keys', { method: 'POST', body: JSON.stringify({ name: 'Plan', plan: 'free' }) });
    const { page, context, close } = await scene.open('accounts');
    const plan = page.getByLabel(/^Plan of/).first();
    await plan.waitFor();
    await context.setOffline(true);
    await plan.selectOption('business');
    await page.locator('.toast').getByText('The gateway does not respond. It may be restarting').waitFor();
    await close();
  });

  test('an address that this gateway does not have', async () => {
    const { page, close } = await scene.open('system');
    await answerWith(page, '/admin/feeds', { status: 404, error: { code: 'not_found' } });
    await page.getByRole('tab', { name: 'Registry feeds' }).click();
    await page.getByText('Not available').waitFor();
    await close();
  });
});

test('names, hosts and reasons from outside are shown as text', async () => {
  await scene.post('/admin/keys', { name: hostile, plan: 'business' });
  await scene.post('/shadow-ai/services', {
    service_name: hostile,
    domain: 'hostile.example',
    category: 'approved',
    vendor: hostile,
    kind: 'chat',
  });
  await scene.use(hosts.approved, { 'User-Agent': hostile, Referer: hostile });
  await storedEvents(scene.gateway, 1);
  const event = {
    ts: new Date().toISOString(),
    subject: hostile,
    host: hostile,
    service: hostile,
    action: hostile,
    reason: hostile,
    piiTypes: { [hostile]: 1 },
  };
  const found = {
    host: hostile,
    hosts: [hostile],
    reason: hostile,
    confidence: hostile,
    signals: [{ signal: hostile, weight: 'A', count: 1 }],
    requests: 1,
    subjects: 1,
    first_seen: event.ts,
    last_seen: event.ts,
    state: 'proposed',
    category_proposed: 'blocked',
    imitates: hostile,
  };
  const answers: Record<string, unknown> = {
    '/admin/events?': { events: [event] },
    '/admin/discovery?': { hosts: [found] },
    '/admin/pins': {
      hosts: [{ host: hostile, alert: hostile, failures: 1, subjects: 1, last_seen: event.ts, state: hostile }],
    },
    '/admin/exceptions': {
      requests: [
        { id: hostile, subject: hostile, host: hostile, reason: hostile, at: event.ts, state: 'open', note: hostile },
      ],
    },
    '/admin/users': { users: [{ name: hostile, groups: [hostile], source: 'file' }] },
    '/admin/feeds': {
      feeds: [
        {
          name: hostile,
          source: { url: hostile },
          last_fetch: null,
          state: hostile,
          error: hostile,
          entries: 0,
          diff: { added: 1, changed: 0, removed: 0 },
          warnings: [hostile],
        },
      ],
    },
  };
  const { page, close, faults } = await scene.open('overview');
  await page.route(/\/admin\//, (route) => {
    const url = new URL(route.request().url());
    const found = Object.entries(answers).find(([path]) => (url.pathname + url.search).startsWith(path));
    return found === undefined ? route.continue() : route.fulfill({ json: found[1] });
  });
  for (const view of [
    'services?q=hostile.example',
    'accounts',
    'accounts?tab=keys',
    'accounts?tab=users',
    'events',
    'discovery',
    'discovery?tab=pins',
    'requests',
    'system?tab=feeds',
  ]) {
    await page.evaluate(`location.hash = '#/${view}'`);
    await expect
      .poll(() => page.locator('#content').innerText(), { ...soon, message: view })
      .toContain('<script>document.title=1337</script>');
    expect(await page.locator('#content img, #content script').count(), view).toBe(0);
  }
  expect(await page.title()).not.toContain('1337');
  expect(faults).toEqual([]);
  await close();
});

test('after five failures the address is locked out, and the page says for how long', async () => {
  const open = await openPage(scene.browser, `${scene.gateway.apiUrl}/admin/`, {
    language: 'ja',
    screen: 'narrow',
    theme: 'dark',
  });
  const key = open.page.getByLabel('管理者キー', { exact: true });
  for (let i = 0; i < 5; i++) {
    await key.fill(`pvt_admin_wrong${i}`);
    await Promise.all([open.page.waitForResponse('**/admin/login'), open.page.keyboard.press('Enter')]);
    // The form accepts no further key before it has reported this one.
    await expect.poll(() => open.page.locator('button[type=submit]').isEnabled(), soon).toBe(true);
  }
  await open.page.getByText(/このアドレスからの失敗が多すぎます。1[45] 分後に/).waitFor();
  await expectSoundView(open, 'admin-locked-out');
  await open.close();
});
