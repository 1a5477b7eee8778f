/** Every program that the test console shows is copied from the page and run; and chat with a provider of the test. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sharedChromium } from '../support/browser.ts';
import { startGateway } from '../support/gateway.ts';
import { jsonPost } from '../support/json-post.ts';
import { startOrigin } from '../support/origin.ts';
import { programPath } from '../support/programs.ts';
import { makeProvider } from '../support/provider.ts';
import { run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';
import { expectSoundView, openPage } from './visitor.ts';

const provider = makeProvider();
let key: string;

/** Whatever could end a quote, a line or a document. */
const nasty = `It's "quoted" $HOME \`id\` \\n \${x} ''' """ JSON
PYTHON
%s <b>&amp;</b> 日本語😀\u2028 write to ana@example.com`;

const folder = tempFolder('samples');
const origin = await startOrigin({ handler: provider.handler, names: ['api.openai.com'] });
const plain = await startOrigin({ handler: provider.handler });
const [gateway, browser] = await Promise.all([
  startGateway({
    hosts: { 'api.openai.com': origin },
    env: {
      CUSTOM_LLM_BASE_URL: `http://${plain.address}/v1`,
      CUSTOM_LLM_API_KEY: 'none',
      CUSTOM_LLM_MODEL: 'gpt-4o',
    },
  }),
  sharedChromium(),
]);
const made = await gateway.api('/admin/keys', jsonPost({ name: 'code', plan: 'starter' }));
({ key } = (await made.json()) as { key: string });

async function useKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sandbox' }).click();
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Use it' }).click();
  await page.getByText('starter').waitFor();
}

/** The program that the page shows. */
async function shownCode(page: Page, language: string): Promise<string> {
  await page.getByRole('tab', { name: language }).click();
  return (await page.locator('.code pre').first().textContent()) ?? '';
}

/** Runs a program as its heading says, in an empty folder, with Debian's Python first in the PATH. */
async function runSample(code: string, how: 'sh' | 'sample.mjs' | 'sample.py', env: Record<string, string>) {
  const cwd = join(folder, Math.random().toString(36).slice(2));
  mkdirSync(cwd);
  const python = programPath('python3');
  const PATH = [dirname(python), process.env.PATH].join(delimiter);
  if (how === 'sh') return run('/bin/sh', ['-euc', code], { cwd, env: { PATH, ...env } });
  writeFileSync(join(cwd, how), code);
  return run(how === 'sample.mjs' ? process.execPath : python, [how], { cwd, env: { PATH, ...env } });
}

test.each(['sandbox', 'key'])('curl, Node.js and Python run as shown (%s)', async (access) => {
  const { page, close } = await openPage(browser, `${gateway.apiUrl}/console/#/mask`);
  if (access === 'key') await useKey(page);
  const env: Record<string, string> = access === 'key' ? { PRIVET_KEY: key } : {};
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill(nasty);
  await page.getByRole('tab', { name: 'Code' }).click();
  const expected = nasty.replace('ana@example.com', '[EMAIL-1]');

  const curl = await runSample(await shownCode(page, 'curl'), 'sh', env);
  expect(curl.stderr).toBe('');
  expect(JSON.parse(curl.text).masked).toBe(expected);
  for (const [language, file] of [
    ['Node.js', 'sample.mjs'],
    ['Python', 'sample.py'],
  ] as const) {
    const code = await shownCode(page, language);
    expect(code).not.toContain(key);
    const { text, stderr, code: status } = await runSample(code, file, env);
    expect([status, stderr]).toEqual([0, '']);
    expect(text).toBe(`${expected}\n${nasty}\n`);
  }
  await close();
});

test('the program for the proxy runs as shown, and no value leaves', async () => {
  const { page, close } = await openPage(browser, `${gateway.apiUrl}/console/#/mask`);
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill(nasty);
  await page.getByRole('tab', { name: 'Code' }).click();
  const code = await shownCode(page, 'Through the proxy');
  expect(code).toContain(`HTTPS_PROXY=${gateway.proxyUrl}`);
  const { text, stderr, code: status } = await runSample(code, 'sh', { OPENAI_API_KEY: 'none' });
  expect([status, stderr]).toEqual([0, '']);
  expect(text).toContain('I will use ana@example.com');
  expect(origin.everything()).not.toContain('ana@example.com');
  expect(JSON.parse(origin.requests.at(-1)?.body.toString() ?? '').messages[0].content).toBe(
    nasty.replace('ana@example.com', '[EMAIL-1]'),
  );
  await close();
});

test('other calls have sample programs too', async () => {
  const open = await openPage(browser, `${gateway.apiUrl}/console/#/injection`);
  const { page } = open;
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill(nasty);
  await page.getByRole('tab', { name: 'Code' }).click();
  for (const [language, how] of [
    ['curl', 'sh'],
    ['Node.js', 'sample.mjs'],
    ['Python', 'sample.py'],
  ] as const) {
    const { code, text, stderr } = await runSample(await shownCode(page, language), how, {});
    expect([code, stderr]).toEqual([0, '']);
    expect(text).toContain('compositeRisk');
  }
  await expectSoundView(open, 'code');
  await open.close();
});

test.each(['whole', 'stream'])('chat shows what the model received and the restored answer (%s)', async (kind) => {
  const open = await openPage(browser, `${gateway.apiUrl}/console/#/mask`);
  const { page } = open;
  await useKey(page);
  await page.getByRole('link', { name: 'Chat' }).click();
  await page.getByLabel('Message', { exact: true }).fill('Write to ana@example.com.');
  if (kind === 'stream') await page.getByLabel('Stream the answer').check();
  await page.getByRole('button', { name: 'Ask' }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByRole('region', { name: 'What you read' }).getByText('ana@example.com').waitFor();
  await expect
    .poll(() => result.getByRole('region', { name: 'What the model received' }).textContent())
    .toBe('Write to [EMAIL-1].');
  await expectSoundView(open, `chat-${kind}`);
  expect(plain.everything()).not.toContain('ana@example.com');
  await open.close();
});

test('several models at once; one that is not configured is named', async () => {
  const { page, close } = await openPage(browser, `${gateway.apiUrl}/console/#/mask`);
  await useKey(page);
  await page.getByRole('link', { name: 'Chat' }).click();
  await page.getByLabel('Message', { exact: true }).fill('Write to ana@example.com.');
  await page.getByLabel('Model provider').selectOption('all');
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByRole('alert').getByText('is not set up').first().waitFor();
  const which = page.getByRole('group', { name: 'Providers to ask' });
  await which.getByLabel('OpenAI').uncheck();
  await which.getByLabel('Anthropic').uncheck();
  await expect.poll(() => page.getByRole('button', { name: 'Ask' }).isDisabled()).toBe(true);
  await which.getByLabel('Custom').check();
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByRole('region', { name: 'What you read' }).getByText('ana@example.com').waitFor();
  await close();
});
