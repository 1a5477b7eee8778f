/**
 * Makes the pictures of README.md from the running product: `npm run pictures`. Needs Chromium, like the tests, and a
 * Japanese font for the language menu.
 */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { sharedChromium } from '../test/support/browser.ts';
import { startGatewayProcess } from '../test/support/gateway-process.ts';
import { tempFolder } from '../test/support/temp.ts';
import { writeBusyDay } from './pictures/busy-day.ts';
import { recordExchange } from './pictures/recorded-exchange.ts';
import { streamPicture } from './pictures/stream-picture.ts';

const folder = join(import.meta.dirname, '../docs/pictures');
const bytesMax = 300 * 1024;
const sample = `Hi, my name is Emma Clarke, my order is late.
Reach me at emma.clarke@example.com
or +44 20 7946 0958. I paid with
4242 4242 4242 4242. Please write a reply.`;

mkdirSync(folder, { recursive: true });
const dataDir = join(tempFolder('pictures'), 'data');
mkdirSync(dataDir, { mode: 0o700 });
await writeBusyDay(dataDir);
const gateway = await startGatewayProcess({ env: { PROXY_DATA_DIR: dataDir, PROXY_STORE: 'sqlite' } });
const browser = await sharedChromium();
try {
  const exchange = await recordExchange(gateway.apiUrl, sample);
  writeFileSync(join(folder, 'stream.svg'), streamPicture(exchange));

  const context = await browser.newContext({
    viewport: { width: 1280, height: 720 },
    colorScheme: 'light',
    locale: 'en',
  });
  const page = await context.newPage();
  await page.goto(`${gateway.apiUrl}/console/`);
  await page.getByRole('button', { name: 'Send to the model' }).click();
  await page.getByRole('region', { name: 'You read' }).getByText('emma.clarke@example.com').waitFor();
  await page.getByText('Held back').waitFor();
  await shoot(page, 'demo');

  await page.goto(`${gateway.apiUrl}/admin/`);
  const key = { method: 'POST', body: JSON.stringify({ key: gateway.adminKey }) };
  const answer = await gateway.api('/admin/login', key);
  const [, value = ''] = /privet_admin=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '') ?? [];
  await context.addCookies([{ name: 'privet_admin', value, url: gateway.apiUrl, httpOnly: true, sameSite: 'Strict' }]);
  await page.reload();
  await page.locator('.uplot canvas').first().waitFor();
  await page.waitForTimeout(1_000);
  await shoot(page, 'admin');
} finally {
  await browser.close();
  await gateway.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function shoot(page: Page, name: string): Promise<void> {
  const file = join(folder, `${name}.png`);
  await page.screenshot({ path: file });
  const { size } = statSync(file);
  if (size > bytesMax) throw new Error(`${name}.png has ${size} bytes, more than ${bytesMax}`);
  console.log(`${name}.png ${size} bytes, ${readFileSync(file).subarray(16, 24).readUInt32BE(0)} pixels wide`);
}
