/** Masking and restoring in the test console, and the code for it; run by test-console.test.ts. */
import { describe, expect, test } from 'vitest';
import { button, result, textField, type VisitView } from './tester.ts';
import { expectSoundView } from './visitor.ts';

/** `visit` opens a view of the test console. */
export function addMaskingTests(visit: VisitView): void {
  describe('mask and restore', () => {
    test('in Japanese, the reasons are Japanese too', async () => {
      const { page } = await visit('mask', { language: 'ja' });
      await page.getByRole('textbox', { name: 'テキスト', exact: true }).fill('生年月日は1985年4月12日です。');
      await button(page, 'マスクする').click();
      const reason = page.locator('td').filter({ hasText: '決め手' });
      await expect.poll(() => reason.textContent()).toMatch(/「生年/);
      expect(await reason.textContent()).not.toMatch(/[A-Za-z]/);
    });

    test('marks, tokens, JSON, and restoring', async () => {
      const open = await visit('mask');
      const { page } = open;
      await textField(page).fill('Ask Ana at ana@example.com or 4242 4242 4242 4242 <img src=x onerror=alert(1)>');
      await button(page, 'Mask').click();
      const marks = result(page).locator('.mark');
      await marks.first().waitFor();
      await expect
        .poll(() => marks.allTextContents())
        .toEqual(expect.arrayContaining(['ana@example.com', '4242 4242 4242 4242']));

      // Hover and focus show the same; Escape hides it.
      await marks.filter({ hasText: '4242' }).hover();
      const bubble = page.getByRole('tooltip');
      await bubble.getByText('Payment card number').waitFor();
      await expect.poll(() => bubble.textContent()).toMatch(/Recognizer: credit-card.*Score: 0\.\d\d.*Check digits/);
      await page.keyboard.press('Escape');
      await bubble.waitFor({ state: 'detached' });
      await marks.first().focus();
      await bubble.waitFor();
      // One Tab stop; arrow keys move from mark to mark.
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
        .getByLabel('Model answer')
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
      await page.getByLabel('Model answer').fill(`${'I will write to [EMAIL-1] at once. '.repeat(20)}Done.`);
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

    test('samples in both languages contain detections', async () => {
      const { page } = await visit('mask');
      for (const name of ['Support mail', 'Japanese mail', 'Japanese HR record', 'Server log']) {
        await button(page, name).click();
        await button(page, 'Detect only').click();
        await page.getByText('The text has changed since then.').waitFor({ state: 'detached' });
        await expect.poll(() => result(page).locator('.mark').count()).toBeGreaterThanOrEqual(3);
      }
    });

    test('options are sent with the call', async () => {
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

    test('continuing a session keeps the tokens of equal values', async () => {
      const { page } = await visit('mask');
      await textField(page).fill('ana@example.com');
      await button(page, 'Mask').click();
      await result(page).locator('.mark').first().waitFor();
      await page.getByText('Options').click();
      await page.getByLabel(/Continue the last session/).check();
      await textField(page).fill('bob@example.com and ana@example.com');
      await button(page, 'Mask').click();
      await page.getByRole('tab', { name: 'Masked' }).click();
      await result(page).getByText('[EMAIL-2]').waitFor();
      await expect.poll(() => result(page).getByRole('region').textContent()).toBe('[EMAIL-2] and [EMAIL-1]');
    });
  });

  test('sample code can be copied', async () => {
    const { page, context } = await visit('mask');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('tab', { name: 'Code' }).click();
    const code = await page.locator('.code pre').textContent();
    await button(page, 'Copy').click();
    await button(page, 'Copied').waitFor();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(code);
    // There is no clipboard API over plain HTTP on another host.
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("no"))');
    await page.getByRole('tab', { name: 'Node.js' }).click();
    await expect.poll(() => page.locator('.code pre').textContent()).not.toBe(code);
    const other = await page.locator('.code pre').textContent();
    await page.getByRole('button', { name: /^Cop/ }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(other);
  });
}
