/** The views of the admin console: each flow of an administrator, by hand or by keys alone, against what people really did. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { personal } from '../support/personal.ts';
import { programPath } from '../support/programs.ts';
import { run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';
import { hostile, hosts, type Scene, soon, startScene, storedEvents } from './administrator.ts';
import { expectSoundView, fitsScreen, type OpenPage } from './visitor.ts';

let scene: Scene;

beforeAll(async () => {
  const list = join(tempFolder('feed'), 'services.csv');
  writeFileSync(
    list,
    'domain,service_name,category\nfeed-one.example,One of the feed,blocked\nfeed-two.example,,monitoring\n',
  );
  scene = await startScene({ config: { feeds: [{ name: 'corp', file: list }] } });
  for (let i = 0; i < 3; i++) await scene.use(hosts.approved);
  for (let i = 0; i < 2; i++) await scene.use(hosts.monitored);
  await scene.use(hosts.blocked);
  await scene.use(hosts.unknown);
  await storedEvents(scene.gateway, 7);
});
afterAll(() => scene?.close());

const get = async (path: string) => (await (await scene.gateway.api(path)).json()) as never;
const post = (path: string, body: unknown) => scene.gateway.api(path, { method: 'POST', body: JSON.stringify(body) });
const goTo = (page: Page, view: string) => page.evaluate(`location.hash = '#/${view}'`);
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true }).waitFor();

describe('every view looks right, and axe-core finds nothing serious', () => {
  const views: [view: string, until: string | RegExp][] = [
    ['overview', 'openai-api'],
    ['services', '01.AI'],
    ['policy', 'policy:'],
    ['policy?tab=explain', 'URL'],
    ['events', hosts.blocked],
    ['events?live=1', ''],
    ['discovery', ''],
    ['discovery?tab=pins', ''],
    ['requests', ''],
    ['accounts', 'tnt_'],
    ['accounts?tab=keys', 'Reporting'],
    ['accounts?tab=users', ''],
    ['accounts?tab=sessions', ''],
    ['system', 'proxy.pac'],
    ['system?tab=ca', ''],
    ['system?tab=licence', 'evaluation'],
    ['system?tab=replicas', 'rep_'],
    ['system?tab=feeds', ''],
  ];
  const some = ['overview', 'services', 'policy', 'events'];

  test.each([
    ['wide', 'light', 'en', views],
    ['narrow', 'dark', 'ja', views],
    ['wide', 'dark', 'en', views.filter(([view]) => some.includes(view))],
    ['narrow', 'light', 'ja', views.filter(([view]) => some.includes(view))],
  ] as const)(
    '%s, %s, %s',
    async (screen, theme, language, shown) => {
      if (screen === 'wide' && theme === 'light') await post('/admin/keys', { name: 'Reporting', plan: 'business' });
      const open = await scene.open('overview', { screen, theme, language });
      for (const [view, until] of shown) {
        await goTo(open.page, view);
        const content = open.page.locator('#content');
        await content.locator('h1').waitFor();
        await expect.poll(() => content.locator('.loading').count(), soon).toBe(0);
        // The text area of the policy is no text of the page.
        if (until !== '' && view !== 'policy')
          await content.getByText(until).filter({ visible: true }).first().waitFor();
        const name = view.replace(/\W+/g, '-');
        await expectSoundView(open, `admin-${name}-${screen}-${theme}-${language}`);
      }
      await open.close();
    },
    120_000,
  );
});

test('another view that is asked for while the first is being painted is shown', async () => {
  const { page: signedIn, context, close } = await scene.open('overview');
  const page = await context.newPage();
  // As soon as the overview is in the document, which is before the effects of its views run.
  await page.addInitScript(`
    const observer = new MutationObserver(() => {
      if (document.querySelector('#content') === null) return;
      observer.disconnect();
      location.hash = '#/system';
    });
    observer.observe(document, { childList: true, subtree: true });
  `);
  await page.goto(signedIn.url());
  await heading(page, 'System');
  await page.close();
  await close();
});

describe('services', () => {
  const service = async (id: string) =>
    (await get(`/shadow-ai/services/${id}`)) as { category: string; vendor?: string };
  let open: OpenPage;
  let page: Page;
  beforeAll(async () => {
    open = await scene.open('services');
    page = open.page;
  });
  afterAll(async () => {
    expect(open.faults).toEqual([]);
    await open.close();
  });
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });

  test('are found by text and by filters', async () => {
    await page.getByText('789 of 789 services').waitFor();
    await page.getByLabel('Search').fill('deepseek');
    await page.getByText(/^[1-9] of 789 services$/).waitFor();
    await page.getByLabel('Search').fill('');
    await page.getByLabel('Country', { exact: true }).selectOption('JP');
    await page.getByLabel('Category', { exact: true }).selectOption('approved');
    await expect.poll(() => page.getByText(/ of 789 services$/).innerText(), soon).toMatch(/^\d{1,2} of/);
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Page 2 of 16').waitFor();
  });

  test('one is changed in its row: at once where nobody used it, and undone', async () => {
    await page.getByLabel('Search').fill('11x.ai');
    await page.getByLabel('Category of 11x').selectOption('approved');
    await page.getByText('1 service is now Approved').waitFor();
    expect((await service('11x')).category).toBe('approved');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await service('11x')).category, soon).toBe('monitoring');
  });

  test('one that is used only after a look at whom it concerns', async () => {
    await page.getByLabel('Search').fill(hosts.approved);
    await page.getByLabel('Category of OpenAI API').selectOption('blocked');
    const dialog = page.getByRole('dialog', { name: 'Change 1 service' });
    await dialog.getByText('3 requests of 1 user in the last 7 days would be treated otherwise.').waitFor();
    await expectSoundView(open, 'admin-impact');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await service('openai-api')).category).toBe('approved');
    await expect.poll(() => page.getByLabel('Category of OpenAI API').inputValue()).toBe('approved');
  });

  test('many at once, with undo', async () => {
    await page.getByLabel('Search').fill('agent');
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Set to Blocked' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('What would change').waitFor();
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByText(/\d+ services are now Blocked/).waitFor();
    expect((await service('11x')).category).toBe('blocked');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await service('11x')).category, soon).toBe('monitoring');
  });

  test('one with the longest name and domain stays on the screen', async () => {
    const long = {
      service_name: 'Q'.repeat(200),
      domain: `${'a'.repeat(60)}.${'b'.repeat(60)}.example`,
      category: 'approved',
    };
    expect((await post('/shadow-ai/services', { ...long, vendor: 'V'.repeat(100), kind: 'chat' })).status).toBe(201);
    await page.reload();
    await page.getByLabel('Search').fill('aaaaaaaa');
    const edit = page.getByRole('button', { name: /^Edit Q/ });
    await edit.waitFor();
    const { x = 9_999 } = (await edit.boundingBox()) ?? {};
    expect(x).toBeLessThan(1_440);
    await edit.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Search').fill('');
  });

  test('one is added, edited and deleted', async () => {
    await page.getByRole('button', { name: 'Add a service' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('This is needed.').first().waitFor();
    await dialog.getByLabel('Name', { exact: true }).fill('Intranet model');
    await dialog.getByLabel('Domain', { exact: true }).fill(hosts.unknown);
    await dialog.getByLabel('Category').selectOption('approved');
    await dialog.getByText('1 request of 1 user').waitFor();
    await dialog.getByLabel('Country').fill('japan');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('is not an ISO 3166-1 alpha-2 code').first().waitFor();
    await dialog.getByLabel('Country').fill('jp');
    await dialog.getByLabel('Further domains').fill('a.intranet.test\nb.intranet.test');
    await dialog.getByLabel('Vendor').fill('Us');
    await page.keyboard.press('Enter');
    await page.getByText('Intranet model is saved').waitFor();
    await page.getByLabel('Search').fill('intranet');
    await row('Intranet model').getByRole('button', { name: 'Edit Intranet model' }).click();
    await dialog.getByLabel('Vendor').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await service('intranet-model')).vendor, soon).toBeUndefined();
    await row('Intranet model').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete 1 service' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('1 service was deleted').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect
      .poll(() => service('intranet-model'), soon)
      .toMatchObject({ alternate_domains: ['a.intranet.test', 'b.intranet.test'] });
    await page.getByText('Undone').last().waitFor();
  });
});

describe('events', () => {
  test('are filtered, paged, shown whole and exported; no value is anywhere', async () => {
    const open = await scene.open('events');
    const { page } = open;
    await page.getByLabel('Decision').selectOption('block');
    await page.getByRole('button', { name: 'Filter' }).click();
    await expect.poll(() => page.locator('#content tbody tr').count(), soon).toBe(1);
    await page.getByRole('button', { name: 'Details' }).click();
    const dialog = page.getByRole('dialog', { name: 'Event' });
    await dialog.getByText('01.AI is blocked').waitFor();
    await expectSoundView(open, 'admin-event');
    await dialog.getByRole('link', { name: 'Why this decision?' }).click();
    await page.locator('.tried .matched').waitFor();
    await goTo(page, 'events?type=EMAIL');
    await expect.poll(() => page.locator('#content tbody tr').count(), soon).toBe(5);

    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ]);
    const text = readFileSync(await csv.path(), 'utf8');
    expect(text.trim().split('\r\n')).toHaveLength(6);
    const [json] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export JSON' }).click(),
    ]);
    expect(JSON.parse(readFileSync(await json.path(), 'utf8'))).toHaveLength(5);
    const seen = text + (await page.content());
    for (const value of Object.values(personal)) expect(seen).not.toContain(value);
    await open.close();
  });

  test('the filters keep the focus, follow the way back, and are folded on a narrow screen; all fits at twice the size', async () => {
    const { page, close } = await scene.open('events');
    const host = page.getByLabel('Host', { exact: true });
    await host.fill(hosts.blocked);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('#content tbody tr').count(), soon).toBe(1);
    await expect.poll(() => page.evaluate('document.activeElement.value')).toBe(hosts.blocked);
    await page.goBack();
    await expect.poll(() => host.inputValue(), soon).toBe('');
    await close();

    // As at twice the size.
    const zoomed = await scene.open('events');
    await zoomed.page.setViewportSize({ width: 720, height: 450 });
    await zoomed.page.locator('#content tbody tr').first().waitFor();
    expect(await fitsScreen(zoomed.page)).toBe(true);
    await zoomed.close();

    const narrow = await scene.open(`events?host=${hosts.blocked}`, { screen: 'narrow' });
    const filters = narrow.page.getByRole('button', { name: 'Filters (1)' });
    await filters.waitFor();
    await narrow.page.getByLabel('Host', { exact: true }).waitFor({ state: 'hidden' });
    await narrow.page.locator('#content tbody tr').first().waitFor();
    await filters.focus();
    await narrow.page.keyboard.press('Enter');
    await narrow.page.getByLabel('Host', { exact: true }).fill('');
    await narrow.page.keyboard.press('Enter');
    await narrow.page.getByRole('button', { name: 'Filters', exact: true }).waitFor();
    await narrow.page.getByLabel('Host', { exact: true }).waitFor({ state: 'hidden' });
    await narrow.close();
  });

  test('come by themselves in the live view, page by page in the history', async () => {
    const { page, close, faults } = await scene.open('events?live=1');
    await page.getByText('Showing new events as they come').waitFor();
    // Whatever happens before the server has answered is no news of this view.
    await page.locator('.live-dot.live').waitFor({ state: 'attached' });
    await scene.use(hosts.monitored);
    await page.locator('#content tbody').getByText(hosts.monitored).first().waitFor();
    await page.getByRole('button', { name: 'History' }).click();
    const pages: string[][] = [[hosts.approved], [hosts.blocked]];
    await page.route('**/admin/events?**', (route) => {
      const second = route.request().url().includes('cursor=c1');
      const event = {
        ts: new Date().toISOString(),
        subject: 'ann',
        host: pages[second ? 1 : 0]?.[0],
        service: null,
        action: 'allow',
      };
      return route.fulfill({ json: { events: [event], ...(second ? {} : { next: 'c1' }) } });
    });
    await goTo(page, 'events?subject=ann');
    await page.locator('tbody').getByText(hosts.approved).waitFor();
    await page.getByRole('button', { name: 'Older' }).click();
    await page.locator('tbody').getByText(hosts.blocked).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Older' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Newest' }).click();
    await page.locator('tbody').getByText(hosts.approved).waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});

test('a host that looks like AI is found in the traffic and registered with one press', async () => {
  for (let i = 0; i < 3; i++) await scene.use(hosts.suspect);
  const open = await scene.open('discovery');
  const { page } = open;
  await expect
    .poll(async () => {
      await page.reload();
      await page.getByText(/^To decide/).waitFor();
      return page.getByText('novel-gpt.ai', { exact: true }).count();
    }, soon)
    .toBe(1);
  await page.getByText('host-tld-ai').waitFor();
  await expectSoundView(open, 'admin-found');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await page.getByText(/novel-gpt.ai is registered as/).waitFor();
  expect(await get('/shadow-ai/services?q=novel-gpt')).toMatchObject({ total: 1 });
  await page.getByText('Nothing found').waitFor();
  await page.getByRole('button', { name: /^All/ }).click();
  await page.getByText('Registered', { exact: true }).waitFor();
  await open.close();
});

test('what somebody asks for in the portal is granted with a note and an end', async () => {
  const curl = (...args: string[]) => run(programPath('curl'), ['-sS', '-x', scene.gateway.proxyUrl, ...args]);
  const form = await curl('http://privet.proxy/me/exceptions');
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(form.text) ?? [];
  const fields = { token, host: hosts.blocked, reason: `${hostile} for the audit` };
  await curl('-d', new URLSearchParams(fields).toString(), 'http://privet.proxy/me/exceptions');
  const open = await scene.open('requests');
  const { page } = open;
  await page.locator('blockquote').getByText(hostile).waitFor();
  await page.getByRole('link', { name: /^Requests\s*1$/ }).waitFor();
  await expectSoundView(open, 'admin-requests-open');
  await page.getByRole('button', { name: 'Grant' }).click();
  const dialog = page.getByRole('dialog', { name: `Grant ${hosts.blocked} to 127.0.0.1` });
  await dialog.getByLabel('Holds for').selectOption('7d');
  await dialog.getByLabel('Note to the person').fill('Until the audit is over.');
  await page.keyboard.press('Enter');
  await page.getByText('Nobody is waiting for a decision.').waitFor();
  await page.getByRole('button', { name: /^All/ }).click();
  await page.getByText('Until the audit is over.').waitFor();
  const { decision } = (await get(`/admin/explain?url=${hosts.blocked}&from=127.0.0.1`)) as { decision: object };
  expect(decision).toMatchObject({ action: 'allow', inspect: 'mask' });
  expect(open.faults).toEqual([]);
  await open.close();
});

describe('accounts', () => {
  test('a key is made and shown once, then revoked', async () => {
    const open = await scene.open('accounts');
    const { page } = open;
    await page.getByRole('button', { name: 'New account with a key' }).click();
    const dialog = page.getByRole('dialog');
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter a name.').waitFor();
    await dialog.getByLabel('Name of the member').fill('Ann');
    await dialog.getByLabel('Plan of the account').selectOption('business');
    await page.keyboard.press('Enter');
    const key = await dialog.locator('pre').innerText();
    expect(key).toMatch(/^pvt_live_/);
    await expectSoundView(open, 'admin-key');
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page.locator('.members').getByText('Ann', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(key);
    expect(
      (
        await scene.gateway.api('/mask', {
          method: 'POST',
          body: '{"text":"ana@example.com"}',
          headers: { authorization: `Bearer ${key}` },
        })
      ).status,
    ).toBe(200);

    await page.getByRole('tab', { name: 'Sessions' }).click();
    await page
      .getByRole('button', { name: /^End the session/ })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('The session has ended').waitFor();

    await page.getByRole('tab', { name: 'Keys' }).click();
    await page.getByRole('button', { name: 'Revoke the key of Ann' }).click();
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('The key of Ann is revoked').waitFor();
    await page.getByRole('button', { name: 'Revoke the key of Ann' }).waitFor({ state: 'detached' });
    // The button that had the focus is gone.
    await expect.poll(() => page.evaluate('document.activeElement.tagName'), soon).not.toBe('BODY');
    await expect
      .poll(
        async () => (await scene.gateway.api('/credits', { headers: { authorization: `Bearer ${key}` } })).status,
        soon,
      )
      .toBe(401);
    expect(open.faults).toEqual([]);
    await open.close();
  });
});

describe('system', () => {
  test('the certificate with its fingerprint and how to install it, by platform', async () => {
    const { page, close } = await scene.open('system');
    const { ca } = (await get('/admin/overview')) as { ca: { fingerprint256: string } };
    await page.getByText(ca.fingerprint256).waitFor();
    for (const [id, words] of [
      ['macos', 'security add-trusted-cert'],
      ['node', 'NODE_EXTRA_CA_CERTS'],
      ['java', 'keytool -importcert'],
      ['linux', 'update-ca-certificates'],
    ] as const) {
      await page.getByLabel('Platform').selectOption(id);
      await page.locator('pre').getByText(words).waitFor();
    }
    const href = (await page.getByRole('link', { name: 'Download the certificate' }).getAttribute('href')) ?? '';
    expect(await (await fetch(href)).text()).toBe(scene.gateway.ca);
    await page.getByRole('tab', { name: 'Licence' }).click();
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('The licence was checked').waitFor();
    await close();
  });
});

test('what a feed brings is looked at, then approved', async () => {
  const open = await scene.open('system?tab=feeds');
  const { page } = open;
  await page.getByText('waits for approval').waitFor();
  await page.getByRole('button', { name: 'Show what would change' }).click();
  await page.getByText('feed-one.example · One of the feed · blocked').waitFor();
  await expectSoundView(open, 'admin-feed');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('The changes are in force').waitFor();
  await page.getByText('2 in force').waitFor();
  expect(await get('/admin/explain?url=feed-one.example')).toMatchObject({ decision: { action: 'block' } });
  expect(open.faults).toEqual([]);
  await open.close();
});

test('a next root is made and given up', async () => {
  const open = await scene.open('system?tab=ca');
  const { page } = open;
  const { root } = (await get('/admin/ca')) as { root: { fingerprint256: string } };
  await page.getByText(root.fingerprint256).waitFor();
  await page.getByRole('button', { name: 'Make a new root' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make it' }).click();
  await page.getByRole('heading', { name: 'Next root' }).waitFor();
  await expectSoundView(open, 'admin-next-root');
  await page.getByRole('button', { name: 'Give it up' }).click();
  await page.getByRole('heading', { name: 'Next root' }).waitFor({ state: 'detached' });
  await open.close();
});

test('all of it with the keyboard alone', async () => {
  const { page, close, faults } = await scene.open('overview');
  await heading(page, 'Overview');
  const focused = () =>
    page.evaluate(
      '(document.activeElement.getAttribute("aria-label") ?? document.activeElement.innerText ?? "").trim()',
    );
  /** Presses Tab until something of that name has the focus. */
  const tabTo = async (name: string | RegExp, key = 'Tab') => {
    for (let i = 0; i < 80; i++) {
      await page.keyboard.press(key);
      const at = String(await focused());
      if (typeof name === 'string' ? at === name : name.test(at)) return;
    }
    throw new Error(`nothing called ${name} gets the focus`);
  };
  await tabTo('Services');
  await page.keyboard.press('Enter');
  await heading(page, 'Services');
  await tabTo('Add a service');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add a service' });
  await dialog.waitFor();
  await page.keyboard.type('By keys');
  await page.keyboard.press('Tab');
  await page.keyboard.type('keys.example');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(focused).toBe('Add a service');
  await tabTo('Policy', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await heading(page, 'Policy');
  await tabTo('Rules');
  await page.keyboard.press('ArrowRight');
  await page.getByLabel('Address', { exact: true }).waitFor();
  await expect.poll(focused).toBe('Explain a decision');
  await tabTo('Sign out', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(faults).toEqual([]);
  await close();
});
