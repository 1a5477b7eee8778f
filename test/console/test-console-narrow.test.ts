/** The test console on a phone: what a button was pressed for comes into view. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { button, startDesk } from './tester.ts';

const desk = await startDesk();

/** The view, and how to get a result in it. */
const views: [view: string, act: (page: Page) => Promise<void>][] = [
  ['mask', (page) => button(page, 'Mask').click()],
  ['injection', (page) => button(page, 'Check').click()],
  ['chat', (page) => button(page, 'Ask').click()],
  ['endpoints', (page) => button(page, 'Send').click()],
  [
    'documents',
    async (page) => {
      const file = {
        name: 'a.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('Write to ana@example.com.\n'.repeat(60)),
      };
      await page.locator('input[type=file]').setInputFiles(file);
      await button(page, 'Mask the file').click();
    },
  ],
];

test.each(views)('the result of %s comes into view', async (view, act) => {
  const { page } = await desk.visit(view, { screen: 'narrow' });
  const place = page.locator('.outcome');
  await place.waitFor();
  const top = async () => (await place.boundingBox())?.y ?? Number.NaN;
  await page.evaluate('scrollTo(0, 0)');
  const before = await top();
  await act(page);
  // The answer is there, below the header that stays at the top, with as much of it in view as there is.
  await page.locator('.outcome .empty').waitFor({ state: 'detached' });
  const isInView = async () => {
    const [y, left] = [
      await top(),
      Number(await page.evaluate('document.documentElement.scrollHeight - scrollY - innerHeight')),
    ];
    return y > 50 && y < before && (y < 80 || left < 2);
  };
  await expect.poll(isInView).toBe(true);
});
