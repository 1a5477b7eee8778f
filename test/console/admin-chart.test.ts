/** The chart of the overview: what its tooltip says, where it is, and the colours of its bars. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Stats } from '../../gateway/api/routes/stats.ts';
import { startScene } from './administrator.ts';
import type { Visit } from './visitor.ts';

const scene = await startScene();
const day = Date.parse('2026-11-30T00:00:00Z');

/** Opens the overview of a day whose hour N has 1,000 + N allowed requests; hour 20 also has 3 warned and 2 blocked. */
async function open(visit: Visit) {
  const opened = await scene.open('policy', visit);
  const { page } = opened;
  await page.route('**/admin/stats*', async (route) => {
    const stats = (await (await route.fetch()).json()) as Stats;
    const series = Array.from({ length: 24 }, (_, hour) => ({
      at: new Date(day + hour * 3_600_000).toISOString(),
      allow: 1_000 + hour,
      warn: hour === 20 ? 3 : 0,
      block: hour === 20 ? 2 : 0,
      none: 0,
    }));
    await route.fulfill({ json: { ...stats, requests: 24_000, bucket: 'hour', series } });
  });
  await page.evaluate("location.hash = '#/overview'");
  await page.locator('.chart canvas').waitFor();
  return opened;
}

/** Points at the middle of an hour, and returns the tooltip. */
async function pointAt(page: Page, hour: number) {
  const bars = page.locator('.chart .u-over');
  await bars.scrollIntoViewIfNeeded();
  const { width = 0, height = 0 } = (await bars.boundingBox()) ?? {};
  await bars.hover({ position: { x: (width * (hour + 0.5)) / 24, y: height / 2 } });
  return page.locator('.chart-tip');
}

test.each(['wide', 'narrow'] as const)(
  'its tooltip has the numbers of the bar and stays inside: %s',
  async (screen) => {
    const { page, close, faults } = await open({ screen, language: 'en-GB' });
    const at = (hour: number) =>
      page.evaluate(
        `new Intl.DateTimeFormat('en-GB', { dateStyle: 'short', timeStyle: 'short' }).format(${day + hour * 3_600_000})`,
      );
    const parts = async (hour: number) => (await (await pointAt(page, hour)).innerText()).split(/\s*\n\s*/);
    const row = (hour: number) => page.locator('.chart tbody tr').nth(hour).locator('th, td').allTextContents();
    for (const hour of [0, 11, 12, 20, 23]) {
      const [allowed, warned, blocked] = [`1,${String(hour).padStart(3, '0')}`, ...(hour === 20 ? '32' : '00')];
      await expect
        .poll(() => parts(hour))
        .toEqual([await at(hour), 'Allowed', allowed, 'Warned', warned, 'Blocked', blocked]);
      expect(await row(hour)).toEqual([await at(hour), allowed, warned, blocked]);
      const [tip, frame] = await Promise.all([
        page.locator('.chart-tip').boundingBox(),
        page.locator('.chart-frame').boundingBox(),
      ]);
      expect(tip?.x).toBeGreaterThanOrEqual(frame?.x ?? Number.NaN);
      expect((tip?.x ?? 0) + (tip?.width ?? 0)).toBeLessThanOrEqual((frame?.x ?? 0) + (frame?.width ?? 0));
    }
    await page.mouse.move(2, 2);
    await page.locator('.chart-tip').waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
    await close();
  },
);

test('the colour of a value of 0 does not shine through at the edges of the bar over it', async () => {
  const { page, close } = await open({ screen: 'narrow' });
  // The red share of a pixel is above the green one in warned and blocked bars alone.
  const columns = `JSON.stringify((() => {
    const canvas = document.querySelector('.chart canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const found = new Set();
    for (let i = 0; i < data.length; i += 4)
      if (data[i + 3] > 0 && data[i] > data[i + 1] + 12) found.add((i / 4) % canvas.width);
    return [Math.min(...found) / canvas.width, Math.max(...found) / canvas.width];
  })())`;
  await expect.poll(async () => (JSON.parse(await page.evaluate(columns)) as number[])[1]).toBeGreaterThan(0.5);
  const [left = 0, right = 1] = JSON.parse(await page.evaluate(columns)) as number[];
  expect(right - left).toBeLessThan(0.05);
  await close();
});
