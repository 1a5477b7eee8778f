/** The services in the admin console: search, changes one by one and in bulk; run by admin.test.ts. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serviceId } from '../../policy/service.ts';
import { goTo, hosts, type Scene, soon } from './administrator.ts';
import { expectSoundView, type OpenPage } from './visitor.ts';

/** `scene` returns the scene once it is ready. */
export function addServiceTests(scene: () => Scene): void {
  describe('services', () => {
    const service = async (key: string) =>
      (await scene().get(`/shadow-ai/services/${serviceId(key)}`)) as { category: string; vendor?: string };
    let open: OpenPage;
    let page: Page;
    beforeAll(async () => {
      open = await scene().open('services');
      page = open.page;
    });
    afterAll(async () => {
      expect(open.faults).toEqual([]);
      await open.close();
    });
    const row = (name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });

    test('are found by text and by filters', async () => {
      await page.getByText('789 services', { exact: true }).waitFor();
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

    test('no code is shown before the names are known', async () => {
      const { page, close } = await scene().open('overview');
      let release = (): void => {};
      const known = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(/\/admin\/labels\?/, async (route) => {
        await known;
        await route.continue();
      });
      await goTo(page, 'services?q=11x.ai');
      await page.reload({ waitUntil: 'commit' });
      const kind = page.locator('tbody [data-column="kind"]').first();
      await kind.waitFor();
      expect((await kind.innerText()).trim()).toBe('');
      release();
      await expect.poll(async () => (await kind.innerText()).trim(), soon).toBe('Agent');
      await close();
    });

    test('an unused service changes immediately in its row, with undo', async () => {
      await page.getByLabel('Search').fill('11x.ai');
      await page.getByLabel('Category of 11x').selectOption('approved');
      await page.getByText('1 service is now Approved').waitFor();
      expect((await service('11x')).category).toBe('approved');
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(async () => (await service('11x')).category, soon).toBe('monitoring');
    });

    test('a service in use changes only after a preview of the impact', async () => {
      await page.getByLabel('Search').fill(hosts.approved);
      await page.getByLabel('Category of OpenAI API').selectOption('blocked');
      const dialog = page.getByRole('dialog', { name: 'Change 1 service' });
      await dialog.getByText('4 requests by 1 user in the last 7 days would change.').waitFor();
      await dialog.getByText('Allowed · masked').waitFor();
      await expectSoundView(open, 'admin-impact');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect((await service('openai-api')).category).toBe('approved');
      await expect.poll(() => page.getByLabel('Category of OpenAI API').inputValue()).toBe('approved');
    });

    test('the examples of an impact are aligned, however long their hosts and users are', async () => {
      const { page, close } = await scene().open(`services?q=${hosts.approved}`);
      await page.route('**/admin/services/impact', async (route) => {
        const impact = (await (await route.fetch()).json()) as object;
        const examples = ['ann', 'someone.with.a.long.name', 'ben'].map((subject, i) => ({
          host: i === 2 ? 'a-long-name-of-a-host.in-some.subdomain.example' : 'a.example',
          subject,
          requests: 10 ** i,
          before: 'allow (mask)',
          after: 'block',
        }));
        await route.fulfill({ json: { ...impact, requests: 3, changed: { requests: 3, subjects: 3 }, examples } });
      });
      await page.locator('tbody select').first().selectOption('blocked');
      const changes = page.locator('.examples .change');
      await changes.nth(2).waitFor();
      const boxes = await Promise.all((await changes.all()).map((one) => one.boundingBox()));
      expect(new Set(boxes.map((box) => Math.round(box?.x ?? 0))).size).toBe(1);
      expect(new Set(boxes.map((box) => Math.round(box?.height ?? 0))).size).toBe(1);
      await close();
    });

    test.each([
      ['en', 'Save', 'The domain "api.openai.com" belongs to the service "OpenAI API".'],
      ['ja', '保存', 'ドメイン「api.openai.com」はサービス「OpenAI API」で使用中です。'],
    ] as const)('a conflict names the other service: %s', async (language, save, message) => {
      const { page, close } = await scene().open('services', { language });
      await page.getByRole('button', { name: language === 'en' ? 'Add a service' : 'サービスを追加' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.locator('input').nth(0).fill('Another');
      await dialog.locator('input').nth(1).fill(hosts.approved);
      await dialog.getByRole('button', { name: save }).click();
      await dialog.getByText(message).first().waitFor();
      await close();
    });

    test('bulk changes and undo', async () => {
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

    test('on a phone the check box and the edit button of each card are next to its name', async () => {
      const { page, close } = await scene().open('services', { screen: 'narrow' });
      const card = page.locator('#content tbody tr').nth(1);
      const parts = [card.locator('strong'), card.getByRole('checkbox'), card.getByRole('button')];
      const tops = await Promise.all(parts.map(async (part) => (await part.boundingBox())?.y ?? 0));
      expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(20);
      await close();
    });

    test('the longest name and domain fit the screen', async () => {
      const long = {
        service_name: 'Q'.repeat(200),
        domain: `${'a'.repeat(60)}.${'b'.repeat(60)}.example`,
        category: 'approved',
      };
      expect(
        (await scene().post('/shadow-ai/services', { ...long, vendor: 'V'.repeat(100), kind: 'chat' })).status,
      ).toBe(201);
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

    test('a service is added, edited and deleted', async () => {
      await page.getByRole('button', { name: 'Add a service' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('Required.').first().waitFor();
      await dialog.getByLabel('Name', { exact: true }).fill('Intranet model');
      await dialog.getByLabel('Domain', { exact: true }).fill(hosts.unknown);
      await dialog.getByLabel('Category').selectOption('approved');
      await dialog.getByText('1 request by 1 user').waitFor();
      await dialog.getByLabel('Country').fill('japan');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('Must be a two-letter country code like JP').first().waitFor();
      await dialog.getByLabel('Country').fill('jp');
      await dialog.getByLabel('Additional domains').fill('a.intranet.test\nb.intranet.test');
      await dialog.getByLabel('Vendor').fill('Us');
      await page.keyboard.press('Enter');
      await page.getByText('Intranet model was saved').waitFor();
      await page.getByLabel('Search').fill('intranet');
      await row('Intranet model').getByRole('button', { name: 'Edit Intranet model' }).click();
      await dialog.getByLabel('Vendor').fill('');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect.poll(async () => (await service('intranet-model')).vendor, soon).toBeUndefined();
      const before = await service('intranet-model');
      await row('Intranet model').getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog', { name: 'Delete 1 service' }).getByRole('button', { name: 'Delete' }).click();
      await page.getByText('1 service was deleted').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(() => service('intranet-model'), soon).toEqual({ ...before, updated_at: expect.any(String) });
      await page.getByText('Undone').last().waitFor();
    });
  });
}
