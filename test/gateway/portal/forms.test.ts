/** Forms for employees, in a real browser: a field with an error is marked, described and has the focus. */
import { expect, test } from 'vitest';
import { plainBrand } from '../../../gateway/portal/brand.ts';
import { coachPage } from '../../../gateway/proxy/admit/coach-page.ts';
import { lookFaults } from '../../support/axe.ts';
import { sharedChromium } from '../../support/browser.ts';
import { startGateway } from '../../support/gateway.ts';

const gateway = await startGateway();
const chrome = await sharedChromium();

/** Per field: whether it is marked for eyes and for screen readers, has the focus, and what describes it. */
const fields = `JSON.stringify([...document.querySelectorAll('form :is(input:not([type=hidden]), textarea)')].map((field) => {
  const { borderColor } = getComputedStyle(field);
  const described = (field.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean);
  return {
    isRed: borderColor === getComputedStyle(document.querySelector('.problem')).color,
    isInvalid: field.getAttribute('aria-invalid') === 'true',
    hasFocus: field === document.activeElement,
    says: described.map((id) => document.getElementById(id).textContent)[0],
  };
}))`;

test('the request for an exception', async () => {
  const context = await chrome.newContext({ locale: 'en-US', proxy: { server: gateway.proxyUrl } });
  const page = await context.newPage();
  const send = async (host: string, reason: string) => {
    await page.goto('http://privet.proxy/me/exceptions');
    await page.getByLabel('Address').fill(host);
    await page.getByLabel('Reason').fill(reason);
    await page.getByRole('button').click();
    await page.getByRole('alert').first().waitFor();
    expect(await lookFaults(page)).toEqual([]);
    return JSON.parse(await page.evaluate(fields)) as object[];
  };
  const wrong = { isRed: true, isInvalid: true };
  const right = { isRed: false, isInvalid: false, hasFocus: false };
  const address = 'Enter an address such as chat.example.com.';
  expect(await send('nonsense', 'A trial.')).toMatchObject([{ ...wrong, hasFocus: true, says: address }, right]);
  expect(await send('chat.example.com', ' ')).toMatchObject([
    right,
    { ...wrong, hasFocus: true, says: 'Enter a reason.' },
  ]);
  expect(await send('nonsense', ' ')).toMatchObject([
    { ...wrong, hasFocus: true, says: address },
    { ...wrong, hasFocus: false, says: 'Enter a reason.' },
  ]);
  await context.close();
});

test('the confirmation before a monitored service', async () => {
  const page = await (await chrome.newContext()).newPage();
  await page.setContent(
    coachPage({
      language: 'en',
      brand: plainBrand,
      host: 'chat.example.com',
      service: undefined,
      alternatives: [],
      text: null,
      contact: null,
      ttlMs: 3_600_000,
      needsReason: true,
      action: '/',
      ticket: 't',
      problem: 'problemReason',
    }),
  );
  expect(JSON.parse(await page.evaluate(fields))).toEqual([
    { isRed: true, isInvalid: true, hasFocus: true, says: 'Please write what you need it for.' },
  ]);
  expect(await lookFaults(page)).toEqual([]);
});
