/** External text in the consoles and in the report, in a real browser: none of it runs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { hashPassword } from '../../gateway/users/password-hash.ts';
import { sharedChromium } from '../support/browser.ts';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { makeProvider } from '../support/provider.ts';
import { exchangeRaw } from '../support/recorder.ts';
import { tempFolder } from '../support/temp.ts';

const markup = '"><img src=x onerror=alert(1)><script>alert(1)</script>';
const address = 'javascript:alert(1)';
const user = `<img src=x onerror=alert(1)>`;
const password = 'markup-in-consoles';

/** A page, the scripts that ran unexpectedly, and what its policy blocked. */
async function openPage(path: string): Promise<{ page: Page; faults: string[] }> {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  page.setDefaultTimeout(45_000);
  const faults: string[] = [];
  await page.exposeFunction('noteViolation', (what: string) => void faults.push(what));
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => noteViolation(event.violatedDirective + ' ' + event.blockedURI))`,
  );
  page.on('dialog', (dialog) => {
    faults.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(`${gateway.apiUrl}${path}`);
  return { page, faults };
}

/** The elements of a page that its own scripts have not created, and links that run scripts. */
const strangers = (page: Page) =>
  page.evaluate(
    `[...document.querySelectorAll('img[onerror], body script:not([src]), [href^="javascript:" i], [src^="javascript:" i], iframe')].map((one) => one.outerHTML)`,
  );

const post = (path: string, body: unknown) => gateway.api(path, { method: 'POST', body: JSON.stringify(body) });

const provider = await startOrigin({ handler: makeProvider().handler });
const origin = await startOrigin({});
const [gateway, browser] = await Promise.all([
  startGateway({
    hosts: { 'markup.example': origin },
    env: { CUSTOM_LLM_BASE_URL: `http://${provider.address}/v1`, CUSTOM_LLM_API_KEY: 'k', CUSTOM_LLM_MODEL: markup },
    config: { auth: { proxy: { mode: 'basic', users: [{ name: user, password_hash: hashPassword(password) }] } } },
  }),
  sharedChromium(),
]);
const made = await post('/admin/keys', { name: markup, plan: 'starter' });
const starter = ((await made.json()) as { key: string }).key;
for (const [name, host] of [
  [markup, 'markup.example'],
  [address, 'address.example'],
]) {
  const service = { service_name: name, vendor: name, reason: name, domain: host, category: 'monitoring' };
  expect((await post('/shadow-ai/services', service)).status).toBe(201);
}
const lines = [
  'GET http://markup.example/ HTTP/1.1',
  'Host: markup.example',
  `Referer: ${address}`,
  `User-Agent: ${markup}`,
  `Proxy-Authorization: Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
  'Connection: close',
];
expect(await exchangeRaw(gateway.proxyPort, `${lines.join('\r\n')}\r\n\r\n`)).toMatch(/ 200 /);

test('names of users, services and keys in the admin console', async () => {
  // Events are written shortly after the answer.
  await expect.poll(async () => (await gateway.api('/admin/events')).text()).toContain('onerror');
  const { page, faults } = await openPage('/admin/');
  await page.evaluate(
    `fetch('/admin/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(JSON.stringify({ key: gateway.adminKey }))} }).then((answer) => answer.status)`,
  );
  await page.reload();
  for (const [view, text] of [
    ['services?q=address.example', address],
    ['services?q=markup.example', 'onerror'],
    ['events', user],
    ['accounts?tab=keys', 'onerror'],
    ['accounts?tab=users', user],
    ['overview', 'onerror'],
    [`services?q=${encodeURIComponent(markup)}`, 'onerror'],
    [`policy?tab=explain&url=${encodeURIComponent(address)}&user=${encodeURIComponent(markup)}`, ''],
  ]) {
    await page.evaluate(`location.hash = ${JSON.stringify(`#/${view}`)}`);
    await expect.poll(() => page.locator('#content').innerText(), { message: view }).toContain(text);
    expect(await strangers(page), view).toEqual([]);
  }
  // The report is a separate document.
  await page.goto(`${gateway.apiUrl}/admin/report?format=html`);
  expect(await page.innerText('body')).toContain('onerror');
  expect(await strangers(page)).toEqual([]);
  expect(faults).toEqual([]);
});

test('texts, file names, labels and answers in the test console', async () => {
  const { page, faults } = await openPage('/console/#/mask');
  await page.getByRole('button', { name: 'Sandbox' }).click();
  await page.getByLabel('Key', { exact: true }).fill(starter);
  await page.getByRole('button', { name: 'Use it' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const text = page.getByRole('textbox', { name: 'Text', exact: true });
  await text.fill(`${markup} ana@example.com ${address}`);
  await page.getByRole('button', { name: 'Mask', exact: true }).click();
  await page.getByRole('region', { name: 'Result' }).locator('.mark').first().waitFor();
  expect(await strangers(page)).toEqual([]);

  // An invalid label is rejected; the reason shows it, or its position.
  await page.evaluate(`location.hash = '#/dictionary'`);
  const entries = JSON.stringify([{ label: markup, pattern: markup }]);
  await page.getByLabel(/Entries as a JSON array/).fill(entries);
  await page.getByRole('switch', { name: 'Use the dictionary' }).click();
  await page.getByText(/Line 1, column/).waitFor();
  expect(await strangers(page)).toEqual([]);

  await page.evaluate(`location.hash = '#/documents'`);
  const file = join(tempFolder('markup'), '<img src=x onerror=alert(1)>.csv');
  writeFileSync(file, `name,address\n${markup},ana@example.com\n`);
  await page.getByLabel('File', { exact: true }).setInputFiles(file);
  await page.getByRole('button', { name: 'Mask the file' }).click();
  await page.getByText('[EMAIL_1]').or(page.getByText('[EMAIL-1]')).first().waitFor();
  expect(await strangers(page)).toEqual([]);

  await page.evaluate(`location.hash = '#/services'`);
  for (const host of ['markup.example', 'address.example', address, `${markup}/`]) {
    const answered = page.waitForResponse('**/shadow-ai/check');
    const field = page.getByRole('textbox').first();
    await field.fill(host);
    await field.press('Enter');
    await answered;
    await page.locator('[role=status], [role=alert]').first().waitFor();
    expect(await strangers(page), host).toEqual([]);
  }
  expect(faults).toEqual([]);
});

test('the CSP of both consoles refuses markup, code as text, and script links', async () => {
  for (const path of ['/admin/', '/console/']) {
    const { page, faults } = await openPage(path);
    const refused = await page.evaluate(`[
      () => document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(markup)}),
      () => { document.body.innerHTML = ${JSON.stringify(markup)}; },
      () => { document.createElement('script').text = 'alert(1)'; },
      () => document.body.setAttribute('onclick', 'alert(1)'),
      () => { document.createElement('iframe').srcdoc = ${JSON.stringify(markup)}; },
    ].map((run) => { try { run(); return 'done'; } catch (error) { return error.name; } })`);
    expect(refused).toEqual(Array(5).fill('TypeError'));
    const before = faults.length;
    await page.evaluate(
      `(() => { const link = document.createElement('a'); link.href = 'javascript:alert(1)'; document.body.append(link); link.click(); })()`,
    );
    await expect.poll(() => faults.slice(before).join()).toMatch(/script-src|trusted-types/);
    expect(faults.filter((fault) => fault.startsWith('dialog'))).toEqual([]);
  }
});
