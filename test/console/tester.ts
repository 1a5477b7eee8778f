/** A visitor of a gateway's test console: the views, with or without a key, and their content. */
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { sharedChromium } from '../support/browser.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { type OpenPage, openPage, type Visit } from './visitor.ts';

/** Opens a view; `as`: the key in use. */
export type VisitView = (view: string, how?: Visit & { readonly as?: string }) => Promise<OpenPage>;

/** The console of a running gateway, and functions to open it. */
export type Desk = {
  readonly gateway: Gateway;
  /** The keys that a view can be opened with: one per plan, or `admin`. */
  readonly keys: Readonly<Record<string, string>>;
  readonly visit: VisitView;
};

/** Starts a gateway and a browser, and creates the keys. */
export async function startDesk(): Promise<Desk> {
  const [gateway, browser] = await Promise.all([
    startGateway({ config: { api: { rate_limits: { demo: 500 } } } }),
    sharedChromium(),
  ]);
  const keys: Record<string, string> = { admin: gateway.adminKey };
  for (const plan of ['free', 'starter']) {
    const made = await gateway.api('/admin/keys', { method: 'POST', body: JSON.stringify({ name: plan, plan }) });
    keys[plan] = ((await made.json()) as { key: string }).key;
  }
  return {
    gateway,
    keys,
    async visit(view, { as, ...how } = {}) {
      const open = await openPage(browser, `${gateway.apiUrl}/console/#/${view}`, how);
      onTestFinished(() => open.close());
      if (as !== undefined) await useKey(open.page, keys[as] ?? '');
      return open;
    },
  };
}

async function useKey(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Sandbox' }).click();
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Use it' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** The input, the result, and a button by its full name. */
export const textField = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true });
export const result = (page: Page) => page.getByRole('region', { name: 'Result' });
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
