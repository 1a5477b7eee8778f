/** The test console as a person uses it, in a real browser against the real gateway. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../support/temp.ts';
import { addDictionaryTests } from './dictionary-suite.ts';
import { addMaskingTests } from './mask-suite.ts';
import { addProblemTests } from './problems-suite.ts';
import { button, result, startDesk, textField, type VisitView } from './tester.ts';
import { expectSoundLooks, expectSoundView } from './visitor.ts';

const visit: VisitView = (view, how) => desk.visit(view, how);

const desk = await startDesk();

test('every view looks right, and axe-core finds nothing', async () => {
  const open = await visit('mask');
  const { page } = open;
  for (const view of ['mask', 'try', 'injection', 'documents', 'chat', 'services', 'dictionary', 'endpoints']) {
    await page.goto(`${desk.gateway.apiUrl}/console/#/${view}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    if (view === 'mask' || view === 'injection') {
      await page.locator('.button.primary').first().click();
      await page.locator('.mark').first().waitFor();
    }
    if (view === 'dictionary') await page.getByRole('switch').click();
    if (view === 'endpoints') await page.locator('.endpoint').first().waitFor();
    await expectSoundLooks(open, view);
  }
});

describe('the first view', () => {
  test('shows what the model receives, and the restored answer as it streams', async () => {
    const open = await visit('');
    const { page } = open;
    const text = (name: string) => page.getByRole('region', { name, exact: true }).textContent();
    await textField(page).fill('I am Emma Clarke, write to ana@example.com.');
    // It is shown for a moment only, which a busy machine may paint over.
    await page.evaluate(`new MutationObserver(() => {
      if (document.body.textContent.includes('Held back, may become a token: [')) document.wasHeldBack = true;
    }).observe(document.body, { subtree: true, childList: true, characterData: true })`);
    await button(page, 'Send to the model').click();
    await page.getByText('2 values were replaced, and the model never saw them.').waitFor();
    expect(await page.evaluate('document.wasHeldBack')).toBe(true);
    expect(await text('The model receives')).toBe('I am [NAME-1], write to [EMAIL-1].');
    expect(await text('As the model wrote it')).not.toMatch(/Emma|ana@/);
    expect(await text('You read')).toMatch(/^Dear Emma Clarke,.*I will write to ana@example\.com today\./s);
    await expectSoundView(open, 'try');
  });

  test('documents, the policy check and a chat can be tried without a key', async () => {
    const { page } = await visit('services');
    await button(page, 'Check').click();
    await page.getByText('Allowed', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Chat' }).click();
    await button(page, 'Ask').click();
    await page.getByText('Stand-in model', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Documents' }).click();
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('ana@example.com') });
    await button(page, 'Mask the file').click();
    await page.getByText('[EMAIL-1]').first().waitFor();
  });
});

addMaskingTests(visit);

describe('the injection lab', () => {
  test('shows risk, categories and matches; nothing for a harmless text', async () => {
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
    await result(page).getByText('It would change a database query.').first().waitFor();
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

addDictionaryTests(visit);

describe('keys', () => {
  test('without a key, the banner shows the limits of the sandbox', async () => {
    const { page } = await visit('mask');
    await page.getByText(/Up to 2,000 characters, 500 calls a minute/).waitFor();
    await textField(page).fill('x'.repeat(2001));
    await page.getByText('The sandbox accepts up to 2,000 characters.').waitFor();
    for (const name of ['Mask', 'Detect only']) expect(await button(page, name).isDisabled()).toBe(true);
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

  test('a wrong key is rejected in the dialog, which keeps the input', async () => {
    const open = await visit('mask');
    const { page } = open;
    await button(page, 'Enter a key').click();
    await page.getByLabel('Key', { exact: true }).fill('no key');
    await button(page, 'Use it').click();
    await page.getByText('A key starts with pvt_').waitFor();
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

  test("a valid key is kept in the tab's session storage only, and the credits count down", async () => {
    const { page } = await visit('mask', { as: 'starter' });
    const key = desk.keys.starter ?? '';
    await expect.poll(() => page.evaluate('sessionStorage.getItem("privet.key")')).toBe(key);
    expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie')).not.toContain(key);
    const left = async () => Number((await page.locator('.key-plan').textContent())?.replace(/\D/g, ''));
    const before = await left();
    await button(page, 'Mask').click();
    await expect.poll(left).toBe(before - 1);
    await page.reload();
    await page.locator('.key-plan').waitFor();
    await page.getByRole('button', { name: /^Key …/ }).click();
    await page.getByText(/In use: a key of the Starter plan\. \d+ of 10,000 credits used/).waitFor();
    await button(page, 'Back to the sandbox').click();
    await page.getByText('Sandbox, no key needed.').waitFor();
    await expect.poll(() => page.evaluate('sessionStorage.getItem("privet.key")')).toBeNull();
  });
});

describe('leaving', () => {
  test('a dialog stays open when a text selection ends outside it, and closes with a click there', async () => {
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

  test('leaving the chat aborts its call', async () => {
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
    const empty = { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.from('\n') };
    await page.getByLabel('File', { exact: true }).setInputFiles(empty);
    await button(page, 'Mask the file').click();
    await result(page).getByText('No readable text').waitFor();
  });

  test('a document is split into chunks, and values are restored', async () => {
    const open = await visit('documents', { as: 'starter' });
    const { page } = open;
    await page.getByRole('tab', { name: /RAG/ }).click();
    await button(page, 'Split and mask').click();
    await result(page).getByRole('heading', { name: 'Chunk 2' }).waitFor();
    expect(await result(page).locator('.marked').allTextContents()).not.toContain('emma.clarke@example.com');
    await button(page, 'Restore').click();
    const answer = result(page).getByRole('region', { name: 'Restored answer' });
    await answer.waitFor();
    await expect.poll(() => answer.textContent()).toContain('emma.clarke@example.com');
    await expectSoundView(open, 'rag');
  });

  test('the free plan learns that RAG needs another plan', async () => {
    const { page } = await visit('documents', { as: 'free' });
    await page
      .getByRole('banner')
      .getByText(/^Free, \d+ credits left$/)
      .waitFor();
    await page.getByRole('tab', { name: /RAG/ }).click();
    await button(page, 'Split and mask').click();
    await page.getByRole('alert').getByText('Your key does not allow this').waitFor();
    await page.getByRole('alert').getByText('this account has the Free plan').waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'Enter a key' }).click();
    await page.getByRole('dialog', { name: 'Use a key' }).waitFor();
  });

  test('an address is checked against the registry with the admin key', async () => {
    const open = await visit('services', { as: 'admin' });
    const { page } = open;
    await page.getByLabel('Address or host name').fill('deepseek');
    await page.keyboard.press('Enter');
    await page.getByText('Enter a whole address').waitFor();
    // Only part of this host is a service.
    await page.getByLabel('Address or host name').fill('canva.com');
    await page.keyboard.press('Enter');
    await page.getByText('To check a page, enter its whole address').waitFor();
    await page.getByLabel('Address or host name').fill('https://chat.deepseek.com/');
    await page.keyboard.press('Enter');
    await page
      .getByText(/^(?:Blocked|Allowed)/)
      .first()
      .waitFor();
    await expectSoundView(open, 'services-checked');
  });

  test('every operation of the API is listed and can be sent', async () => {
    const open = await visit('endpoints', { as: 'admin' });
    const { page } = open;
    const reference = (await (await desk.gateway.api('/openapi.json')).json()) as { paths: Record<string, object> };
    const operations = Object.values(reference.paths).flatMap((methods) => Object.keys(methods));
    await page.locator('.endpoint').first().waitFor();
    await expect.poll(() => page.locator('.endpoint').count()).toBe(operations.length);

    const send = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('heading', { level: 2, name: name.replace(/^\w+/, '').trim(), exact: true }).waitFor();
      await button(page, 'Send').click();
      const answer = page.getByRole('region', { name: 'Response' });
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

addProblemTests(visit);

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
    await tabTo('Model answer');
    await tabTo('Restore');
    await page.keyboard.press('Enter');
    await page.getByText(/tokens? restored/).waitFor();
  });

  test('the menu on a narrow screen, and the focus trap of the dialog', async () => {
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

test('markup in input and responses is shown as text', async () => {
  const open = await visit('mask', { as: 'starter' });
  const { page } = open;
  const attack = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
  await page.evaluate(
    `localStorage.setItem('privet.dictionary', JSON.stringify({ draft: ${JSON.stringify(attack)}, saved: '', isOn: true }))`,
  );
  await textField(page).fill(`${attack} ana@example.com`);
  await button(page, 'Mask').click();
  await page.getByLabel('Model answer').fill(`${attack} [EMAIL-1]`);
  await button(page, 'Restore').click();
  await page.getByText('1 token restored').waitFor();
  for (const view of ['dictionary', 'injection', 'endpoints?call=<img src=x onerror=alert(1)>', '<img src=x>']) {
    await page.goto(`${desk.gateway.apiUrl}/console/#/${view}`);
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
  }
  expect(await page.locator('img, #app script').count()).toBe(0);
  expect(await page.title()).toMatch(/Privet$/);
  expect(open.faults).toEqual([]);
});
