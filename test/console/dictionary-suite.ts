/** The dictionary of the test console; run by test-console.test.ts. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { button, result, textField, type VisitView } from './tester.ts';
import { expectSoundView, holdAnswers } from './visitor.ts';

/** `visit` opens a view of the test console. */
export function addDictionaryTests(visit: VisitView): void {
  describe('the dictionary', () => {
    const editor = (page: Page) => page.getByLabel(/Entries as a JSON array/);
    const toggle = (page: Page) => page.getByRole('switch', { name: 'Use the dictionary' });

    test('is switched on with valid JSON, shows the number of entries, and applies to the next call', async () => {
      const { page } = await visit('dictionary', { as: 'starter' });
      await expect.poll(() => toggle(page).getAttribute('aria-checked')).toBe('false');
      await editor(page).fill('[{"label":"PROJECT","pattern":"Apollo"},{"label":"ROOM","pattern":"/room \\\\d+/i"}]');
      await toggle(page).click();
      await expect.poll(() => toggle(page).getAttribute('aria-checked')).toBe('true');
      await page.getByText('2 active entries').waitFor();

      await page.getByRole('link', { name: 'Mask and restore' }).click();
      await page.getByText('on, 2 entries').waitFor();
      await textField(page).fill('Apollo meets in Room 12.');
      await button(page, 'Mask').click();
      await page.getByRole('tab', { name: 'Masked' }).click();
      await result(page).getByText('[PROJECT_1]').waitFor();
      await expect.poll(() => result(page).getByRole('region').textContent()).toBe('[PROJECT_1] meets in [ROOM_1].');

      // It survives a reload; when switched off, calls do not use it.
      await page.reload();
      await page.getByRole('link', { name: 'Dictionary', exact: false }).first().click();
      await expect.poll(() => toggle(page).getAttribute('aria-checked')).toBe('true');
      await toggle(page).click();
      await expect.poll(() => page.getByText('2 active entries').count()).toBe(0);
      await page.getByRole('link', { name: 'Mask and restore' }).click();
      const [request] = await Promise.all([page.waitForRequest('**/mask'), button(page, 'Mask').click()]);
      expect(request.postDataJSON().dictionary).toBeUndefined();
    });

    test('stays off with invalid JSON, shows line and column, and keeps the text', async () => {
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

    test('the form and the JSON are in sync, and errors are shown while typing', async () => {
      const { page } = await visit('dictionary');
      await editor(page).fill('[{"label":"A","pattern":"b"}');
      await page.getByText(/Line 1, column 29:/).waitFor();
      await page.getByText('Correct the JSON to use the form.').waitFor();
      await editor(page).fill('[{"label":"A","pattern":"b"}]');
      await button(page, 'Add an entry').click();
      await page.getByLabel('Label of entry 2').fill('room no');
      await page.getByLabel('Pattern of entry 2').fill('/room \\d+/');
      await expect
        .poll(async () => JSON.parse(await editor(page).inputValue()))
        .toEqual([
          { label: 'A', pattern: 'b' },
          { label: 'ROOM_NO', pattern: '/room \\d+/' },
        ]);
      await button(page, 'Remove entry 1').click();
      await expect.poll(() => page.getByLabel('Pattern of entry 1').inputValue()).toBe('/room \\d+/');
    });

    test('a change takes effect when it is applied, unless it is invalid', async () => {
      const { page } = await visit('dictionary', { as: 'starter' });
      await toggle(page).click();
      await page.getByText('2 active entries').waitFor();
      await editor(page).fill('[{"label":"A","pattern":"b"}');
      await button(page, 'Use the changes').click();
      await page.getByText(/Line 1, column 29:.*stay as they are/).waitFor();
      await page.getByText('2 active entries').waitFor();
      await editor(page).fill('[{"label":"A","pattern":"b"}]');
      await button(page, 'Use the changes').click();
      await page.getByText('1 active entry').waitFor();
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

    test('applies to a call made before the limits of the sandbox are known', async () => {
      const { page } = await visit('dictionary');
      await editor(page).fill('[{"label":"PROJECT","pattern":"Zanzibar-7"}]');
      await toggle(page).click();
      await page.getByText('1 active entry').waitFor();
      await page.getByRole('link', { name: 'Mask and restore' }).click();
      const answer = await holdAnswers(page, '**/console/settings');
      await page.reload();
      await textField(page).fill('Zanzibar-7 starts.');
      await button(page, 'Mask').click();
      await page.getByRole('tab', { name: 'Masked' }).click();
      await result(page).getByText('[PROJECT_1]').waitFor();
      answer();
    });

    test('works in the sandbox too, within its limit', async () => {
      const { page } = await visit('dictionary');
      await editor(page).fill('[{"label":"PROJECT","pattern":"Zanzibar-7"}]');
      await toggle(page).click();
      await page.getByText('1 active entry').waitFor();
      await page.getByRole('link', { name: 'Mask and restore' }).click();
      await textField(page).fill('Zanzibar-7 starts.');
      await button(page, 'Mask').click();
      await page.getByRole('tab', { name: 'Masked' }).click();
      await result(page).getByText('[PROJECT_1]').waitFor();

      await page.getByRole('link', { name: 'Dictionary', exact: false }).first().click();
      await editor(page).fill(JSON.stringify(Array(21).fill({ label: 'PROJECT', pattern: 'Zanzibar-7' })));
      await button(page, 'Use the changes').click();
      await page.getByText('The sandbox accepts 20 entries').waitFor();
      await page.getByRole('link', { name: 'Mask and restore' }).click();
      await page.getByText('too long for the sandbox').waitFor();
      await textField(page).fill('Zanzibar-7 starts.');
      await button(page, 'Mask').click();
      await page.getByRole('tab', { name: 'Masked' }).click();
      await result(page).getByText('Zanzibar-7 starts.').first().waitFor();
    });
  });
}
