/** The events in the admin console: found, shown, exported, and as they come; run by admin.test.ts. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { personal } from '../support/personal.ts';
import { goTo, hosts, type Scene, soon } from './administrator.ts';
import { expectSoundView, fitsScreen } from './visitor.ts';

/** `scene` gives the scene once it is there. */
export function addEventTests(scene: () => Scene): void {
  describe('events', () => {
    test('are filtered, paged, shown whole and exported; no value is anywhere', async () => {
      const open = await scene().open('events');
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
      const { page, close } = await scene().open('events');
      const host = page.getByLabel('Host', { exact: true });
      await host.fill(hosts.blocked);
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('#content tbody tr').count(), soon).toBe(1);
      await expect.poll(() => page.evaluate('document.activeElement.value')).toBe(hosts.blocked);
      await page.goBack();
      await expect.poll(() => host.inputValue(), soon).toBe('');
      await close();

      // As at twice the size.
      const zoomed = await scene().open('events');
      await zoomed.page.setViewportSize({ width: 720, height: 450 });
      await zoomed.page.locator('#content tbody tr').first().waitFor();
      expect(await fitsScreen(zoomed.page)).toBe(true);
      await zoomed.close();

      const narrow = await scene().open(`events?host=${hosts.blocked}`, { screen: 'narrow' });
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
      const { page, close, faults } = await scene().open('events?live=1');
      await page.getByText('Showing new events as they come').waitFor();
      // Whatever happens before the server has answered is no news of this view.
      await page.locator('.live-dot.live').waitFor({ state: 'attached' });
      await scene().use(hosts.monitored);
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
}
