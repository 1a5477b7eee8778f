/** The test console as a person uses it, in a real browser against the real gateway. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startChromium } from '../support/browser.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { tempFolder } from '../support/temp.ts';
import { expectSoundView, type OpenPage, openPage, type Visit } from './visitor.ts';

let gateway: Gateway;
let browser: Browser;
const keys: Record<string, string> = {};

beforeAll(async () => {
  [gateway, browser] = await Promise.all([
    startGateway({ config: { api: { rate_limits: { demo: 500 } } } }),
    startChromium(),
  ]);
  for (const plan of ['free', 'starter']) {
    const made = await gateway.api('/admin/keys', { method: 'POST', body: JSON.stringify({ name: plan, plan }) });
    keys[plan] = ((await made.json()) as { key: string }).key;
  }
  keys.admin = gateway.adminKey;
});
afterAll(async () => {
  await Promise.all([browser.close(), gateway.stop()]);
});

/** Opens a view; with a key that key is in use. */
async function visit(view: string, { as, ...how }: Visit & { readonly as?: string } = {}): Promise<OpenPage> {
  const open = await openPage(browser, `${gateway.apiUrl}/console/#/${view}`, how);
  onTestFinished(() => open.close());
  if (as !== undefined) await useKey(open.page, keys[as] ?? '');
  return open;
}

async function useKey(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Sandbox' }).click();
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Use it' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

const textField = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true });
const result = (page: Page) => page.getByRole('region', { name: 'Result' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe('how every view looks', () => {
  const views = ['mask', 'injection', 'documents', 'chat', 'services', 'dictionary', 'endpoints'];
  const looks: Visit[] = [
    { screen: 'wide', theme: 'light', language: 'en' },
    { screen: 'wide', theme: 'dark', language: 'ja' },
    { screen: 'narrow', theme: 'light', language: 'ja' },
    { screen: 'narrow', theme: 'dark', language: 'en' },
  ];
  test.each(looks)('$screen $theme $language', async (look) => {
    const open = await visit('mask', look);
    const name = `${look.screen}-${look.theme}-${look.language}`;
    await open.page.locator('.button.primary').first().click();
    await open.page.locator('.mark').first().waitFor();
    await expectSoundView(open, `mask-${name}`);
    for (const view of views.slice(1)) {
      await open.page.goto(`${gateway.apiUrl}/console/#/${view}`);
      await open.page.getByRole('heading', { level: 1 }).waitFor();
      if (view === 'injection') {
        await open.page.locator('.button.primary').first().click();
        await open.page.locator('.mark').first().waitFor();
      }
      if (view === 'dictionary') await open.page.getByRole('switch').click();
      if (view === 'endpoints') await open.page.locator('.endpoint').first().waitFor();
      await expectSoundView(open, `${view}-${name}`);
    }
  });
});

describe('mask and restore', () => {
  test('marks, tokens, JSON, and the way back', async () => {
    const open = await visit('mask');
    const { page } = open;
    await textField(page).fill('Ask Ana at ana@example.com or 4242 4242 4242 4242 <img src=x onerror=alert(1)>');
    await button(page, 'Mask').click();
    const marks = result(page).locator('.mark');
    await marks.first().waitFor();
    await expect
      .poll(() => marks.allTextContents())
      .toEqual(expect.arrayContaining(['ana@example.com', '4242 4242 4242 4242']));

    // Hover and focus tell the same; Escape takes it away.
    await marks.filter({ hasText: '4242' }).hover();
    const bubble = page.getByRole('tooltip');
    await bubble.getByText('Credit card').waitFor();
    await expect.poll(() => bubble.textContent()).toMatch(/Recognizer: credit-card.*Score: 0\.\d\d.*check digits/);
    await page.keyboard.press('Escape');
    await bubble.waitFor({ state: 'detached' });
    await marks.first().focus();
    await bubble.waitFor();
    // One stop for Tab; arrow keys go from mark to mark.
    await page.keyboard.press('ArrowRight');
    const focused = () => page.evaluate('document.activeElement.textContent');
    await expect.poll(focused).toBe(await marks.nth(1).textContent());
    await page.keyboard.press('ArrowLeft');
    await expect.poll(focused).toBe(await marks.first().textContent());

    await page.getByRole('tab', { name: 'Masked' }).click();
    const masked = result(page).getByRole('region', { name: 'Text with tokens' });
    await expect.poll(() => masked.textContent()).toContain('[EMAIL-1]');
    expect(await masked.textContent()).not.toContain('ana@example.com');
    await page.getByRole('tab', { name: 'JSON' }).click();
    const raw = JSON.parse((await result(page).locator('.code pre').textContent()) ?? '');
    expect(raw.tokenMap['[EMAIL-1]']).toBe('ana@example.com');

    await page
      .getByLabel('Answer of the model')
      .fill('Mail sent to [email-1] and ![x](https://a.example/[CREDIT_CARD-1]) [EMAIL-7].');
    await button(page, 'Restore').click();
    const restored = page.getByRole('region', { name: 'Restored answer' });
    await restored.getByText('Mail sent to ana@example.com and').waitFor();
    await expect.poll(() => restored.textContent()).toContain('[CREDIT_CARD-1]');
    await page.getByText('1 token restored').waitFor();
    await page.getByText('[EMAIL-7]', { exact: false }).first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
    await expectSoundView(open, 'round-trip');
  });

  test('a simulated stream shows every value at its end', async () => {
    const open = await visit('mask');
    const { page } = open;
    await textField(page).fill('Ask ana@example.com.');
    await button(page, 'Mask').click();
    await page.getByLabel('Answer of the model').fill(`${'I will write to [EMAIL-1] at once. '.repeat(20)}Done.`);
    await button(page, 'Play as a stream').click();
    await page.locator('.stream').filter({ hasText: 'Held back: [' }).waitFor();
    await page.locator('.mark.arrives').first().waitFor();
    await expectSoundView(open, 'stream');
    await button(page, 'Skip to the end').click();
    const restored = page.getByRole('region', { name: 'Restored answer' });
    await restored.getByText('Done.').waitFor();
    await expect
      .poll(() => restored.textContent())
      .toBe(`${'I will write to ana@example.com at once. '.repeat(20)}Done.`);
  });

  test('samples in both languages have something in them', async () => {
    const { page } = await visit('mask');
    for (const name of ['Support mail', 'Japanese mail', 'Japanese HR record', 'Server log']) {
      await button(page, name).click();
      await button(page, 'Only detect').click();
      await page.getByText('The text has changed since.').waitFor({ state: 'detached' });
      await expect.poll(() => result(page).locator('.mark').count()).toBeGreaterThanOrEqual(3);
    }
  });

  test('options go out with the call', async () => {
    const { page } = await visit('mask', { as: 'starter' });
    await textField(page).fill('Ask ana@example.com or 4242 4242 4242 4242');
    await page.getByText('Options').click();
    await page.getByLabel('E-mail address').check();
    await page.getByLabel('Tokens', { exact: true }).selectOption('secured');
    const [request] = await Promise.all([page.waitForRequest('**/mask'), button(page, 'Mask').click()]);
    expect(request.postDataJSON()).toMatchObject({ types: ['EMAIL'], tokenFormat: 'secured' });
    await page.getByRole('tab', { name: 'Masked' }).click();
    const masked = result(page).getByRole('region', { name: 'Text with tokens' });
    await masked.waitFor();
    await expect.poll(() => masked.textContent()).toMatch(/Ask \[SECURED:type=EMAIL,id=.+\] or 4242 4242 4242 4242/);
  });

  test('going on with a session keeps the tokens of equal values', async () => {
    const { page } = await visit('mask');
    await textField(page).fill('ana@example.com');
    await button(page, 'Mask').click();
    await result(page).locator('.mark').first().waitFor();
    await page.getByText('Options').click();
    await page.getByLabel(/Go on with the last session/).check();
    await textField(page).fill('bob@example.com and ana@example.com');
    await button(page, 'Mask').click();
    await page.getByRole('tab', { name: 'Masked' }).click();
    await result(page).getByText('[EMAIL-2]').waitFor();
    await expect.poll(() => result(page).getByRole('region').textContent()).toBe('[EMAIL-2] and [EMAIL-1]');
  });
});

test('what is shown as code can be copied', async () => {
  const { page, context } = await visit('mask');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('tab', { name: 'Code' }).click();
  const code = await page.locator('.code pre').textContent();
  await button(page, 'Copy').click();
  await button(page, 'Copied').waitFor();
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(code);
  // Over plain HTTP on another host there is no clipboard API.
  await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("no"))');
  await page.getByRole('tab', { name: 'Node.js' }).click();
  await expect.poll(() => page.locator('.code pre').textContent()).not.toBe(code);
  const other = await page.locator('.code pre').textContent();
  await page.getByRole('button', { name: /^Cop/ }).click();
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(other);
});

describe('the injection lab', () => {
  test('tells risk, categories and pieces; a harmless text has none', async () => {
    const { page } = await visit('injection');
    await button(page, 'Override').click();
    await button(page, 'Check').click();
    await result(page).getByText('Role override').first().waitFor();
    await expect.poll(() => result(page).locator('.risk').textContent()).toMatch(/high|critical/);
    expect((await result(page).locator('.mark').allTextContents()).join('')).toContain(
      'Ignore all previous instructions',
    );
    await button(page, 'SQL').click();
    await button(page, 'Check').click();
    await result(page).getByText('It would change a query of a database.').first().waitFor();
    await button(page, 'Harmless').click();
    await button(page, 'Check').click();
    await result(page).getByText('Nothing was found').waitFor();
    await expect.poll(() => result(page).locator('.mark').count()).toBe(0);
  });

  test('with a key each check can be called alone', async () => {
    const { page } = await visit('injection', { as: 'free' });
    for (const path of ['/detect-injection', '/detect-sql-injection']) {
      await page.getByLabel('What to look for').selectOption(path);
      const [answer] = await Promise.all([page.waitForResponse(`**${path}`), button(page, 'Check').click()]);
      expect(answer.status()).toBe(200);
    }
  });
});

describe('the dictionary', () => {
  const editor = (page: Page) => page.getByLabel(/Entries as a JSON array/);
  const toggle = (page: Page) => page.getByRole('switch', { name: 'Use the dictionary' });

  test('goes on with valid JSON, shows the number of entries, and is used from the next call on', async () => {
    const { page } = await visit('dictionary', { as: 'starter' });
    await expect.poll(() => toggle(page).getAttribute('aria-checked')).toBe('false');
    await editor(page).fill('[{"label":"PROJECT","pattern":"Apollo"},{"label":"ROOM","pattern":"/room \\\\d+/i"}]');
    await toggle(page).click();
    await expect.poll(() => toggle(page).getAttribute('aria-checked')).toBe('true');
    await page.getByText('2 entries in force').waitFor();

    await page.getByRole('link', { name: 'Mask and restore' }).click();
    await page.getByText('on, 2 entries').waitFor();
    await textField(page).fill('Apollo meets in Room 12.');
    await button(page, 'Mask').click();
    await page.getByRole('tab', { name: 'Masked' }).click();
    await result(page).getByText('[PROJECT_1]').waitFor();
    await expect.poll(() => result(page).getByRole('region').textContent()).toBe('[PROJECT_1] meets in [ROOM_1].');

    // Kept over a reload; off again, calls go without it.
    await page.reload();
    await page.getByRole('link', { name: 'Dictionary', exact: false }).first().click();
    await expect.poll(() => toggle(page).getAttribute('aria-checked')).toBe('true');
    await toggle(page).click();
    await expect.poll(() => page.getByText('in force').count()).toBe(0);
    await page.getByRole('link', { name: 'Mask and restore' }).click();
    const [request] = await Promise.all([page.waitForRequest('**/mask'), button(page, 'Mask').click()]);
    expect(request.postDataJSON().dictionary).toBeUndefined();
  });

  test('stays off with invalid JSON and shows line and column; the text stays', async () => {
    const open = await visit('dictionary');
    const { page } = open;
    const wrong = '[\n  {"label":"PROJECT","pattern":"Apollo"},\n  {"label":"project","pattern":"x"}\n]';
    await editor(page).fill(wrong);
    await toggle(page).click();
    await expect.poll(() => toggle(page).getAttribute('aria-checked')).toBe('false');
    await page.getByText('Line 3, column 12:').waitFor();
    await expectSoundView(open, 'dictionary-wrong');
    await editor(page).fill('[{"label":"A"');
    await toggle(page).click();
    await page.getByText('Line 1, column 14:').waitFor();
    await page.reload();
    await expect.poll(() => editor(page).inputValue()).toBe('[{"label":"A"');
    await expect.poll(() => toggle(page).getAttribute('aria-checked')).toBe('false');
  });

  test('a change while it is on is used when it is applied, and not when it is wrong', async () => {
    const { page } = await visit('dictionary', { as: 'starter' });
    await toggle(page).click();
    await page.getByText('2 entries in force').waitFor();
    await editor(page).fill('[{"label":"A","pattern":"b"}');
    await button(page, 'Use the changes').click();
    await page.getByText(/Line 1, column 29:.*stay as they are/).waitFor();
    await page.getByText('2 entries in force').waitFor();
    await editor(page).fill('[{"label":"A","pattern":"b"}]');
    await button(page, 'Use the changes').click();
    await page.getByText('1 entry in force').waitFor();
  });

  test('never leaves the browser unless a call uses it', async () => {
    const { page } = await visit('dictionary');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url() + (request.postData() ?? '')));
    await editor(page).fill('[{"label":"PROJECT","pattern":"Zanzibar-7"}]');
    await page.getByRole('link', { name: 'Mask and restore' }).click();
    await button(page, 'Mask').click();
    await result(page).locator('.mark').first().waitFor();
    expect(sent.join('\n')).not.toContain('Zanzibar');
    expect(sent.some((line) => line.includes('/demo/mask'))).toBe(true);
  });

  test('works in the sandbox too, as long as it is short', async () => {
    const { page } = await visit('dictionary');
    await editor(page).fill('[{"label":"PROJECT","pattern":"Zanzibar-7"}]');
    await toggle(page).click();
    await page.getByText('1 entry in force').waitFor();
    await page.getByRole('link', { name: 'Mask and restore' }).click();
    await textField(page).fill('Zanzibar-7 starts.');
    await button(page, 'Mask').click();
    await page.getByRole('tab', { name: 'Masked' }).click();
    await result(page).getByText('[PROJECT_1]').waitFor();

    await page.getByRole('link', { name: 'Dictionary', exact: false }).first().click();
    await editor(page).fill(JSON.stringify(Array(21).fill({ label: 'PROJECT', pattern: 'Zanzibar-7' })));
    await button(page, 'Use the changes').click();
    await page.getByText('The sandbox takes 20 entries').waitFor();
    await page.getByRole('link', { name: 'Mask and restore' }).click();
    await page.getByText('too long for the sandbox').waitFor();
    await textField(page).fill('Zanzibar-7 starts.');
    await button(page, 'Mask').click();
    await page.getByRole('tab', { name: 'Masked' }).click();
    await result(page).getByText('Zanzibar-7 starts.').first().waitFor();
  });
});

describe('keys', () => {
  test('without one, the banner tells the limits of the sandbox', async () => {
    const { page } = await visit('mask');
    await page.getByText(/Texts up to 2,000 characters, 500 calls a minute/).waitFor();
    await textField(page).fill('x'.repeat(2001));
    await page.getByText('The sandbox takes up to 2,000 characters.').waitFor();
    await button(page, 'Mask').click();
    await page.getByRole('alert').getByText('text:').first().waitFor();
  });

  test('a gateway without the sandbox says so', async () => {
    const { page, context } = await visit('injection');
    await context.route('**/console/settings', (route) =>
      route.fulfill({
        json: {
          version: '1',
          proxy: null,
          demo: { isOn: false, callsPerMinute: 30, textLengthMax: 2000, dictionaryEntriesMax: 20 },
        },
      }),
    );
    await page.reload();
    await page.getByText('The sandbox is switched off here.').waitFor();
    await page.getByRole('link', { name: 'Mask and restore' }).click();
    await page.getByRole('tab', { name: 'Code' }).click();
    await page.getByRole('tab', { name: 'Through the proxy' }).click();
    await page.getByText('This gateway does not say where its proxy is.').waitFor();
  });

  test('a wrong one is refused in the dialog, and what was typed stays', async () => {
    const open = await visit('mask');
    const { page } = open;
    await button(page, 'Enter a key').click();
    await page.getByLabel('Key', { exact: true }).fill('no key');
    await button(page, 'Use it').click();
    await page.getByText('A key begins with pvt_').waitFor();
    const wrong = `pvt_live_${'0'.repeat(32)}`;
    await page.getByLabel('Key', { exact: true }).fill(wrong);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The key was not accepted').waitFor();
    await expect.poll(() => page.getByLabel('Key', { exact: true }).inputValue()).toBe(wrong);
    await expectSoundView(open, 'key-refused');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement?.textContent.trim()')).toBe('Enter a key');
  });

  test('a good one lives in the session storage of the tab only, and the credits count down', async () => {
    const { page } = await visit('mask', { as: 'starter' });
    const key = keys.starter ?? '';
    await expect.poll(() => page.evaluate('sessionStorage.getItem("privet.key")')).toBe(key);
    expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie')).not.toContain(key);
    const left = async () => Number((await page.locator('.key-plan').textContent())?.replace(/\D/g, ''));
    const before = await left();
    await button(page, 'Mask').click();
    await expect.poll(left).toBe(before - 1);
    await page.reload();
    await page.locator('.key-plan').waitFor();
    await page.getByRole('button', { name: /^Key …/ }).click();
    await page.getByText(/In use: a key of the plan starter\. \d+ of 10,000 credits used/).waitFor();
    await button(page, 'Back to the sandbox').click();
    await page.getByText('Sandbox, no key needed.').waitFor();
    await expect.poll(() => page.evaluate('sessionStorage.getItem("privet.key")')).toBeNull();
  });
});

describe('what is left', () => {
  test('a dialog stays when a text in it is selected up to beside it, and goes with a click there', async () => {
    const { page } = await visit('mask');
    await button(page, 'Enter a key').click();
    const field = page.getByLabel('Key', { exact: true });
    await field.fill('pvt_live_typed');
    const { x = 0, y = 0, width = 0, height = 0 } = (await field.boundingBox()) ?? {};
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(3, 3, { steps: 4 });
    await page.mouse.up();
    expect(await field.inputValue()).toBe('pvt_live_typed');
    await page.mouse.click(3, 3);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('a chat whose view is left ends its call', async () => {
    const { page } = await visit('chat', { as: 'starter' });
    await page.route('**/chat', () => {});
    const asked = page.waitForRequest('**/chat');
    await button(page, 'Ask').click();
    await asked;
    const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/chat'));
    await page.getByRole('link', { name: 'Mask and restore' }).click();
    await ended;
  });
});

describe('documents, services, all endpoints', () => {
  test('a file is masked part by part', async () => {
    const open = await visit('documents', { as: 'starter' });
    const { page } = open;
    const file = join(tempFolder('upload'), 'people.csv');
    writeFileSync(file, 'name,mail\nAna,ana@example.com\n"<script>alert(1)</script>",bob@example.com\n');
    await page.getByLabel('File', { exact: true }).setInputFiles(file);
    await button(page, 'Mask the file').click();
    await result(page).getByText('[EMAIL-1]').first().waitFor();
    await expectSoundView(open, 'upload');
  });

  test('a document becomes chunks, and values come back', async () => {
    const open = await visit('documents', { as: 'starter' });
    const { page } = open;
    await page.getByRole('tab', { name: /RAG/ }).click();
    await button(page, 'Cut and mask').click();
    await result(page).getByRole('heading', { name: 'Chunk 2' }).waitFor();
    expect(await result(page).locator('.marked').allTextContents()).not.toContain('emma.clarke@example.com');
    await button(page, 'Put the values back').click();
    const answer = result(page).getByRole('region', { name: 'Answer with values' });
    await answer.waitFor();
    await expect.poll(() => answer.textContent()).toContain('emma.clarke@example.com');
    await expectSoundView(open, 'rag');
  });

  test('the plan free is told that RAG takes another', async () => {
    const { page } = await visit('documents', { as: 'free' });
    await page.getByRole('tab', { name: /RAG/ }).click();
    await button(page, 'Cut and mask').click();
    await page.getByRole('alert').getByText('This is not allowed with your key').waitFor();
    await page.getByRole('alert').getByText('requiredPlan: starter').waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'Enter a key' }).click();
    await page.getByRole('dialog', { name: 'Use a key' }).waitFor();
  });

  test('an address is checked against the registry with the admin key', async () => {
    const open = await visit('services', { as: 'admin' });
    const { page } = open;
    await page.getByLabel('Address or host name').fill('https://chat.deepseek.com/');
    await page.keyboard.press('Enter');
    await page
      .getByText(/^(?:Blocked|Allowed)/)
      .first()
      .waitFor();
    await expectSoundView(open, 'services-checked');
  });

  test('every operation of the reference is there and can be sent', async () => {
    const open = await visit('endpoints', { as: 'admin' });
    const { page } = open;
    const reference = (await (await gateway.api('/openapi.json')).json()) as { paths: Record<string, object> };
    const operations = Object.values(reference.paths).flatMap((methods) => Object.keys(methods));
    await page.locator('.endpoint').first().waitFor();
    await expect.poll(() => page.locator('.endpoint').count()).toBe(operations.length);

    const send = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('heading', { level: 2, name: name.replace(/^\w+/, '').trim(), exact: true }).waitFor();
      await button(page, 'Send').click();
      const answer = page.getByRole('region', { name: 'Answer' });
      await answer.getByRole('status').first().waitFor();
      return answer;
    };
    await (await send('GET /health')).getByText('"status": "ok"').waitFor();
    await (await send('POST /restore-all')).getByText('I have written to ana@example.com.').waitFor();
    await (await send('GET /shadow-ai/services')).getByText('"services"').waitFor();
    await (await send('GET /metrics')).getByText('privet_').first().waitFor();
    await expectSoundView(open, 'endpoint-answer');

    await page.getByRole('button', { name: 'POST /mask', exact: true }).click();
    await page.getByLabel('Body (JSON)').fill('{\n  "text": "x",\n}');
    await button(page, 'Send').click();
    await page.getByText('This is not JSON: line 3, column 1.').waitFor();
    await page.getByLabel('Filter').fill('injection');
    await expect.poll(() => page.locator('.endpoint').count()).toBe(4);
  });
});

describe('when something is wrong, the page says what to do, and nothing typed is lost', () => {
  const typed = 'Ask ana@example.com, please.';

  const problems: [status: number, title: string][] = [
    [401, 'The key was not accepted'],
    [402, 'The credits of this month are used up'],
    [403, 'This is not allowed with your key'],
    [404, 'It is not there'],
    [429, 'Too many calls'],
    [500, 'The gateway failed'],
    [503, 'A part of the gateway is away'],
  ];

  test('errors of the server: 401, 402, 403, 404, 429, 500, 503', async () => {
    const open = await visit('mask');
    const { page } = open;
    await textField(page).fill(typed);
    for (const [status, title] of problems) {
      const headers = { 'content-type': 'application/json', ...(status === 429 ? { 'retry-after': '6' } : {}) };
      const error = { code: 'x', message: 'As the server says. <b>', requestId: `r-${status}` };
      await page.route('**/demo/mask', (route) => route.fulfill({ status, headers, body: JSON.stringify({ error }) }));
      await button(page, 'Mask').click();
      const alert = page.getByRole('alert');
      await alert.getByText(title).waitFor();
      await alert.getByText('As the server says. <b>').waitFor();
      await alert.getByText(`Request r-${status}`).waitFor();
      if (status === 429) {
        await alert.getByText(/Try again in \d s/).waitFor();
        await expectSoundView(open, 'problem-429');
      }
      await page.unroute('**/demo/mask');
      await expect.poll(() => textField(page).inputValue()).toBe(typed);
      // After 429 the button waits as long as the server says.
      await alert.getByRole('button', { name: 'Try again', exact: true }).click();
      await alert.waitFor({ state: 'detached' });
      await result(page).locator('.mark').first().waitFor();
    }
  });

  test('the server is away', async () => {
    const open = await visit('mask');
    const { page } = open;
    await textField(page).fill(typed);
    await page.context().setOffline(true);
    await button(page, 'Mask').click();
    await page.getByRole('alert').getByText('The gateway does not answer').waitFor();
    await expect.poll(() => textField(page).inputValue()).toBe(typed);
    await page.context().setOffline(false);
    await button(page, 'Try again').click();
    await result(page).locator('.mark').first().waitFor();
  });

  test('no provider is set up', async () => {
    const open = await visit('chat', { as: 'starter' });
    const { page } = open;
    await button(page, 'Ask').click();
    await page
      .getByRole('alert')
      .getByText(/not set up/)
      .first()
      .waitFor();
    await expectSoundView(open, 'chat-no-provider');
  });
});

describe('by keyboard alone', () => {
  test('from the first key press to a restored answer', async () => {
    const { page } = await visit('mask');
    const focused = () =>
      page.evaluate('document.activeElement?.textContent?.trim() || document.activeElement?.tagName');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(focused).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    const tabTo = async (name: string | RegExp) => {
      for (let i = 0; i < 80; i++) {
        await page.keyboard.press('Tab');
        const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
        expect(outline, `focus is visible at ${await focused()}`).not.toBe('none');
        const label = (await page.evaluate(
          '(() => { const e = document.activeElement; return e.labels?.[0]?.textContent ?? e.getAttribute("aria-label") ?? e.textContent; })()',
        )) as string;
        if (typeof name === 'string' ? label.trim() === name : name.test(label)) return;
      }
      throw new Error(`no way to ${name}`);
    };
    await tabTo('Text');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Ask ana@example.com');
    await page.keyboard.press('Control+Enter');
    await result(page).locator('.mark').first().waitFor();
    await tabTo(/^Highlighted/);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.getByRole('tab', { name: 'Masked' }).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('End');
    await expect.poll(() => page.getByRole('tab', { name: 'Code' }).getAttribute('aria-selected')).toBe('true');
    await tabTo('Answer of the model');
    await tabTo('Restore');
    await page.keyboard.press('Enter');
    await page.getByText(/tokens? restored/).waitFor();
  });

  test('the menu of a narrow screen, and the dialog that keeps the focus', async () => {
    const { page } = await visit('mask', { screen: 'narrow' });
    const menu = button(page, 'Menu');
    await menu.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('true');
    await page.getByRole('link', { name: 'Injection lab' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Injection lab' }).waitFor();
    await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('false');
    await button(page, 'Enter a key').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press('Tab');
      expect(
        await page.evaluate(
          'document.activeElement === document.body || document.activeElement.closest("dialog") !== null',
        ),
      ).toBe(true);
    }
  });
});

test('markup in everything that people type or servers say shows as text', async () => {
  const open = await visit('mask', { as: 'starter' });
  const { page } = open;
  const attack = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
  await page.evaluate(
    `localStorage.setItem('privet.dictionary', JSON.stringify({ draft: ${JSON.stringify(attack)}, saved: '', isOn: true }))`,
  );
  await textField(page).fill(`${attack} ana@example.com`);
  await button(page, 'Mask').click();
  await page.getByLabel('Answer of the model').fill(`${attack} [EMAIL-1]`);
  await button(page, 'Restore').click();
  await page.getByText('1 token restored').waitFor();
  for (const view of ['dictionary', 'injection', 'endpoints?call=<img src=x onerror=alert(1)>', '<img src=x>']) {
    await page.goto(`${gateway.apiUrl}/console/#/${view}`);
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
  }
  expect(await page.locator('img, #app script').count()).toBe(0);
  expect(await page.title()).toMatch(/Privet$/);
  expect(open.faults).toEqual([]);
});
