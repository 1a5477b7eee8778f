/** Actions that destroy something say what it means before they are done; cancelled, they do nothing. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp.ts';
import { hosts, startScene } from './administrator.ts';

const usersFile = join(tempFolder('admin-confirm'), 'users');
writeFileSync(usersFile, '');
const scene = await startScene({ config: { auth: { proxy: { users_file: usersFile } } } });
await scene.post('/admin/users', { name: 'ann', password: 'correct horse', groups: [] });
await scene.post('/admin/keys', { name: 'Billing', plan: 'free' });
await scene.post('/mask', { text: 'Write to ana@example.com.' });
await scene.post('/admin/ca/rotate', { activate_at: new Date(Date.now() + 86_400_000).toISOString() });
const { version } = (await scene.get('/admin/policy')) as { version: string };
const published = { method: 'PUT', body: JSON.stringify({ yaml: 'policy: { unknown: warn }\n', version }) };
await scene.gateway.api('/admin/policy', published);

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();

const actions = [
  {
    action: 'deleting a user',
    view: 'accounts?tab=users',
    open: press('Delete ann'),
    sentence: 'ann can no longer sign in to the proxy.',
    kept: '/admin/users',
  },
  {
    action: 'revoking a key',
    view: 'accounts?tab=keys',
    open: press('Revoke the key of Billing'),
    sentence: 'Within a second, the key of Billing stops working everywhere. This cannot be undone.',
    kept: '/admin/keys',
  },
  {
    action: 'ending a session',
    view: 'accounts?tab=sessions',
    open: press(/^End the session/),
    sentence:
      'Its tokens can no longer be turned back into values: later answers show the tokens. This cannot be undone.',
    kept: '/admin/sessions',
  },
  {
    action: 'deleting a service',
    view: `services?q=${hosts.monitored}`,
    async open(page: Page) {
      await page.locator('tbody input[type=checkbox]').first().check();
      await press('Delete')(page);
    },
    sentence: 'Its hosts then count as unregistered.',
    kept: '/shadow-ai/services',
  },
  {
    action: 'going back to the policy of the file',
    view: 'policy',
    open: press('Back to the file'),
    sentence: 'The policy of the configuration file replaces the one published here, on all replicas.',
    kept: '/admin/policy',
  },
  {
    action: 'deleting the next root',
    view: 'system?tab=ca',
    open: press('Delete it'),
    sentence: 'Its key is deleted. If you create a root again, clients need that one instead.',
    kept: '/admin/ca',
  },
];

test.each(actions)('$action is confirmed by a sentence about its effect', async ({ view, open, sentence, kept }) => {
  const before = await scene.get(kept);
  const { page, close } = await scene.open(view);
  await open(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByText(sentence, { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await scene.get(kept)).toEqual(before);
  await close();
});
