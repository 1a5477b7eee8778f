/** The views of the admin console: the flows of an administrator, by mouse or keyboard, checked against recorded traffic. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { programPath } from '../support/programs.ts';
import { run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';
import { goTo, hostile, hosts, soon, startScene, storedEvents } from './administrator.ts';
import { addEventTests } from './events-suite.ts';
import { addServiceTests } from './services-suite.ts';
import { brokenWords, expectSoundLooks, expectSoundView, fitsScreen, type OpenPage } from './visitor.ts';

const list = join(tempFolder('feed'), 'services.csv');
const rows = 'domain,service_name,category\nfeed-one.example,One of the feed,blocked\nfeed-two.example,,monitoring\n';
writeFileSync(list, rows);
const scene = await startScene({ config: { feeds: [{ name: 'corp', file: list }] } });
for (let i = 0; i < 3; i++) await scene.use(hosts.approved);
for (let i = 0; i < 2; i++) await scene.use(hosts.monitored);
await scene.use(hosts.blocked);
await scene.use(hosts.unknown);
await scene.use(hosts.approved, { 'Content-Encoding': 'unknown' }); // not sent: nobody can read the body
await storedEvents(scene.gateway, 8);

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true }).waitFor();

describe('every view looks right, and axe-core finds nothing', () => {
  let open: OpenPage;
  beforeAll(async () => {
    open = await scene.open('overview');
  });
  afterAll(() => open.close());

  const views: [view: string, until: string | RegExp][] = [
    ['overview', 'OpenAI API'],
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
    ['system?tab=license', 'Enterprise'],
    ['system?tab=replicas', 'rep_'],
    ['system?tab=feeds', ''],
  ];

  test.each(views)('%s', async (view, until) => {
    if (view === 'overview') await scene.post('/admin/keys', { name: 'Reporting', plan: 'business' });
    await goTo(open.page, view);
    const content = open.page.locator('#content');
    await content.locator('h1').waitFor();
    await expect.poll(() => content.locator('.loading').count(), soon).toBe(0);
    // The policy editor is not part of the page text.
    if (until !== '' && view !== 'policy') await content.getByText(until).filter({ visible: true }).first().waitFor();
    await expectSoundLooks(open, `admin-${view.replace(/\W+/g, '-')}`);
  });
});

describe('between a phone and a large screen', () => {
  const event = {
    ts: '2026-11-27T01:23:10.000Z',
    action: 'allow',
    inspect: 'mask',
    status: 200,
    service: 'openai-api',
  };
  const events = [
    { ...event, subject: '127.0.0.1', host: 'api.openai.com', piiTypes: { CREDIT_CARD: 12, DATE_OF_BIRTH: 1 } },
    { ...event, subject: '10.20.30.40', host: 'files.intranet.test', action: 'block', service: null },
    { ...event, subject: 'hanako.yamada@example.co.jp', host: `${'a-long-name.'.repeat(7)}example`, inspect: 'tunnel' },
    { ...event, subject: 'u'.repeat(90), host: 'generativelanguage.googleapis.com', service: 's'.repeat(70) },
  ].map((one, i) => ({ ...one, requestId: `r${i}` }));

  test.each([1440, 1200, 1000, 800, 390])(
    'at %i px no word of a table is broken apart, and everything can be reached',
    async (width) => {
      await scene.post('/admin/keys', { name: `Meeting notes of the legal department ${width}`, plan: 'business' });
      const { page, close } = await scene.open('overview');
      await page.setViewportSize({ width, height: 800 });
      await page.route(/\/admin\/events\?/, (route) => route.fulfill({ json: { events } }));
      for (const [view, until] of [
        ['events', 'api.openai.com'],
        ['services', '01.AI'],
        ['accounts?tab=keys', /legal department/],
        ['system?tab=replicas', 'rep_'],
      ] as const) {
        await goTo(page, view);
        await page.locator('#content tbody').getByText(until).first().waitFor();
        expect.soft(await brokenWords(page), view).toEqual([]);
        expect.soft(await fitsScreen(page), `${view}: fits the screen`).toBe(true);
        const hidden = `[...document.querySelectorAll('.table-scroll')].map((one) => one.scrollWidth - one.clientWidth)`;
        expect.soft(await page.evaluate(hidden), `${view}: nothing is scrolled to`).toEqual([0]);
      }
      await goTo(page, 'accounts');
      await page.locator('.tenants select').first().waitFor();
      const cut = `[...document.querySelectorAll('.tenants select')].filter((plan) => {
        const width = plan.offsetWidth;
        plan.style.width = 'max-content';
        return plan.offsetWidth > width;
      }).length`;
      expect.soft(await page.evaluate(cut), 'plans that cannot be read').toBe(0);
      await close();
    },
  );

  test('a text of several lines stays next to its icon', async () => {
    const { page, close } = await scene.open('overview');
    await page.setViewportSize({ width: 1200, height: 800 });
    const license = page.locator('.facts > div').filter({ hasText: 'License' }).locator('dd');
    await license.waitFor();
    for (const width of [1200, 800, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const [mark, text] = await Promise.all([
        license.locator('.icon').boundingBox(),
        license.locator('span').last().boundingBox(),
      ]);
      expect((text?.x ?? 0) - (mark?.x ?? 0), `${width}`).toBeGreaterThanOrEqual(mark?.width ?? 0);
      expect(Math.abs((text?.y ?? 0) - (mark?.y ?? 0)), `${width}`).toBeLessThan(10);
    }
    await close();
  });
});

test('the first page weighs at most 120 KB', async () => {
  const { page: signedIn, context, close } = await scene.open('overview');
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  await network.send('Network.enable');
  await network.send('Network.setCacheDisabled', { cacheDisabled: true });
  let bytes = 0;
  network.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(signedIn.url());
  await page.locator('.tile').first().waitFor();
  expect(bytes).toBeGreaterThan(20_000);
  expect(bytes).toBeLessThan(120_000);
  await page.close();
  await close();
});

test('a view requested during the first paint is shown', async () => {
  const { page: signedIn, context, close } = await scene.open('overview');
  const page = await context.newPage();
  // As soon as the overview is in the document: before the effects of its views run.
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

addServiceTests(() => scene);

addEventTests(() => scene);

test('a host that looks like AI is discovered and registered with one press', async () => {
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
  await page.getByText('name ends in .ai').waitFor();
  await expectSoundView(open, 'admin-found');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await page.getByText(/novel-gpt.ai is registered as/).waitFor();
  expect(await scene.get('/shadow-ai/services?q=novel-gpt')).toMatchObject({ total: 1 });
  await page.getByText('Nothing is waiting for a decision.').waitFor();
  await page.getByRole('button', { name: /^All/ }).click();
  await page.getByText('Registered', { exact: true }).waitFor();
  await open.close();
});

test('an exception request from the portal is granted with a note and an expiry', async () => {
  const curl = (...args: string[]) => run(programPath('curl'), ['-sS', '-x', scene.gateway.proxyUrl, ...args]);
  const form = await curl('http://privet.proxy/me/exceptions');
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(form.text) ?? [];
  const fields = { token, host: hosts.blocked, reason: `${hostile} for the audit` };
  await curl('-d', new URLSearchParams(fields).toString(), 'http://privet.proxy/me/exceptions');
  const open = await scene.open('overview');
  const { page } = open;
  await page.getByRole('link', { name: '1 exception request is open' }).click();
  await page.locator('blockquote').getByText(hostile).waitFor();
  await page.getByRole('link', { name: /^Exceptions\s*1$/ }).waitFor();
  await expectSoundView(open, 'admin-requests-open');
  await page.getByRole('button', { name: 'Grant' }).click();
  const dialog = page.getByRole('dialog', { name: `Grant ${hosts.blocked} to 127.0.0.1` });
  await dialog.getByLabel('Valid for').selectOption('7d');
  await dialog.getByLabel('Note to the user').fill('Until the audit is over.');
  await page.keyboard.press('Enter');
  await page.getByText('No request is waiting for a decision.').waitFor();
  await page.getByRole('button', { name: /^All/ }).click();
  await page.getByText('Until the audit is over.').waitFor();
  const { decision } = (await scene.get(`/admin/explain?url=${hosts.blocked}&from=127.0.0.1`)) as { decision: object };
  expect(decision).toMatchObject({ action: 'allow', inspect: 'mask' });
  expect(open.faults).toEqual([]);
  await open.close();
});

test('an explained decision names the steps, not the codes of the log', async () => {
  const { page, close } = await scene.open('policy?tab=explain&url=01.ai');
  await page.locator('.tried .matched').getByText('Service marked as blocked').waitFor();
  await page.locator('.tried').getByText('Bypass list').waitFor();
  expect(await page.locator('.facts').textContent()).not.toContain('is_blocked');
  await close();
});

describe('accounts', () => {
  test('a key is created, shown once, and revoked', async () => {
    const open = await scene.open('accounts');
    const { page } = open;
    await page.getByRole('button', { name: 'New account with a key' }).click();
    const dialog = page.getByRole('dialog');
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter a name.').waitFor();
    await dialog.getByLabel('Name').fill('Ann');
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
    // The account goes by the name of its first member.
    await page.locator('tbody tr').getByText('Ann', { exact: true }).waitFor();
    const row = page.locator('tbody tr').filter({ hasText: '127.0.0.1' }).filter({ hasText: 'OpenAI API' });
    await page.getByLabel('User or account').fill('127.0.0.1');
    await row.getByRole('button', { name: /^End the session/ }).click();
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
    const { ca } = (await scene.get('/admin/overview')) as { ca: { fingerprint256: string } };
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
    await page.getByRole('tab', { name: 'License' }).click();
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('The license was checked').waitFor();
    await close();
  });
});

test('the changes of a feed are shown, then approved', async () => {
  const open = await scene.open('system?tab=feeds');
  const { page } = open;
  await page.getByText('waiting for approval').waitFor();
  await page.getByRole('button', { name: 'Show the changes' }).click();
  await page.getByText('feed-one.example · One of the feed · Blocked').waitFor();
  await expectSoundView(open, 'admin-feed');
  // This list was fetched later and is not the one that was reviewed.
  writeFileSync(list, `${rows}feed-three.example,,approved\n`);
  expect((await scene.post('/admin/feeds/corp/fetch', undefined)).status).toBe(200);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText(/^This conflicts with the current state\. /).waitFor();
  await page.getByText('0 active').waitFor();
  await page.getByText(/^feed-three.example/).waitFor();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('The changes were applied').waitFor();
  await page.getByText('3 active').waitFor();
  await page.getByRole('tab', { name: 'Registry feeds', exact: true }).waitFor();
  expect(await scene.get('/admin/explain?url=feed-one.example')).toMatchObject({ decision: { action: 'block' } });
  expect(open.faults).toEqual([]);
  await open.close();
});

test('a next root is created and deleted', async () => {
  const open = await scene.open('system?tab=ca');
  const { page } = open;
  const { root } = (await scene.get('/admin/ca')) as { root: { fingerprint256: string } };
  await page.getByText(root.fingerprint256).waitFor();
  await page.getByRole('button', { name: 'Create a new root' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Next root' }).waitFor();
  await page.getByText('Install the next root on all clients before it takes over.').waitFor();
  await expectSoundView(open, 'admin-next-root');
  await page.getByRole('button', { name: 'Delete it' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete it' }).click();
  await page.getByRole('heading', { name: 'Next root', exact: true }).waitFor({ state: 'detached' });
  await open.close();
});

test('an expired root is stated, with what to do', async () => {
  const { page, close } = await scene.open('overview');
  const answer = (await scene.get('/admin/ca')) as { root: object };
  const root = { ...answer.root, not_after: '2026-01-02T12:00:00Z' };
  let next: object | null = null;
  await page.route(/\/admin\/ca$/, (route) => route.fulfill({ json: { ...answer, root, next } }));
  await goTo(page, 'system?tab=ca');
  await page.getByText('The root certificate expired on Jan 2, 2026.').waitFor();
  await page.getByText('Create a new root now and distribute it.').waitFor();
  next = answer.root;
  await page.reload();
  await page.getByText('Install the next root on all clients').waitFor();
  await close();
});

test('everything works by keyboard alone', async () => {
  const { page, close, faults } = await scene.open('overview');
  await heading(page, 'Overview');
  const focused = () =>
    page.evaluate(
      '(document.activeElement.getAttribute("aria-label") ?? document.activeElement.innerText ?? "").trim()',
    );
  /** Presses Tab until an element with that name has the focus. */
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
