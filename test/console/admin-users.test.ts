/** What an administrator decides for one user: the account at the proxy, and exceptions. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { programPath } from '../support/programs.ts';
import { run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';
import { hosts, startScene } from './administrator.ts';

const usersFile = join(tempFolder('admin-users'), 'users');
writeFileSync(usersFile, '');
const scene = await startScene({ config: { auth: { proxy: { users_file: usersFile } } } });

test('a user is added once, and then edited without a new password', async () => {
  const { page, faults, close } = await scene.open('accounts?tab=users');
  const dialog = page.getByRole('dialog');
  const add = async () => {
    await page.getByRole('button', { name: 'Add a user' }).click();
    await dialog.getByLabel('Name').fill('ann');
    await dialog.getByLabel('Password').fill('correct horse');
    await page.keyboard.press('Enter');
  };
  await page.getByRole('button', { name: 'Add a user' }).click();
  await dialog.getByLabel('Name').fill('ann');
  await page.keyboard.press('Enter');
  await dialog.getByText('Enter a password.').waitFor();
  expect(await dialog.locator('[aria-invalid=true]').getAttribute('type')).toBe('password');
  await page.keyboard.press('Escape');
  await add();
  await page.getByText('ann was added').waitFor();
  const hashOf = () => /ann:([^:\s]+)/.exec(readFileSync(usersFile, 'utf8'))?.[1];
  const hash = hashOf();
  expect(hash).toMatch(/^\$/);
  await add();
  await dialog.getByText('ann exists already').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Edit ann' }).click();
  await dialog.getByLabel('Groups').fill('legal, staff');
  await page.keyboard.press('Enter');
  await page.getByText('ann was saved').waitFor();
  expect(await scene.get('/admin/users')).toEqual({
    users: [{ name: 'ann', groups: ['legal', 'staff'], source: 'file' }],
  });
  expect(hashOf()).toBe(hash);
  expect(faults).toEqual([]);
  await close();
});

test('a user whom someone else has just added is not overwritten', async () => {
  await scene.post('/admin/users', { name: 'ann', password: 'correct horse' });
  const { page, close } = await scene.open('accounts?tab=users');
  await page.getByRole('button', { name: 'Delete ann' }).waitFor();
  await scene.post('/admin/users', { name: 'bob', password: 'correct horse' });
  const before = readFileSync(usersFile, 'utf8');
  await page.getByRole('button', { name: 'Add a user' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('bob');
  await page.getByRole('dialog').getByLabel('Password').fill('another horse');
  await page.keyboard.press('Enter');
  await page.getByText('bob exists already').waitFor();
  expect(readFileSync(usersFile, 'utf8')).toBe(before);
  await close();
});

test('a granted exception is revoked, and a denied one granted', async () => {
  const curl = (...args: string[]) => run(programPath('curl'), ['-sS', '-x', scene.gateway.proxyUrl, ...args]);
  const form = await curl('http://privet.proxy/me/exceptions');
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(form.text) ?? [];
  const fields = new URLSearchParams({ token, host: hosts.blocked, reason: 'For the audit' });
  await curl('-d', fields.toString(), 'http://privet.proxy/me/exceptions');
  const { page, faults, close } = await scene.open('requests');
  const dialog = page.getByRole('dialog');
  const state = async () => {
    const { requests } = (await scene.get('/admin/exceptions')) as { requests: { state: string }[] };
    return requests.map((request) => request.state);
  };
  await page.getByRole('button', { name: 'Grant' }).click();
  await dialog.getByRole('button', { name: 'Grant' }).click();
  await page.getByText('No request is waiting for a decision.').waitFor();
  await page.getByRole('button', { name: /^All/ }).click();
  await page.getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await expect.poll(state).toEqual(['denied']);
  await page.getByRole('button', { name: 'Grant' }).click();
  await dialog.getByRole('button', { name: 'Grant' }).click();
  await expect.poll(state).toEqual(['granted']);
  expect(faults).toEqual([]);
  await close();
});

test('a member too many is blamed on the plan, not on the key of the administrator', async () => {
  await scene.post('/admin/keys', { name: 'Ann', plan: 'business' });
  const { page, close } = await scene.open('accounts');
  await page.getByRole('button', { name: 'Add a member' }).click();
  const dialog = page.getByRole('dialog');
  // Meanwhile another administrator moves the account.
  const { tenants } = (await scene.get('/admin/tenants')) as { tenants: { tenant: string }[] };
  const path = `/admin/tenants/${tenants[0]?.tenant}`;
  await scene.gateway.api(path, { method: 'PATCH', body: JSON.stringify({ plan: 'free' }) });
  await dialog.getByLabel('Name').fill('Ben');
  await page.keyboard.press('Enter');
  await dialog.getByText('The account has no seat left').waitFor();
  await close();
});

test('nobody is added to an account whose seats are taken', async () => {
  await scene.post('/admin/keys', { name: 'Cleo', plan: 'free' });
  await scene.post('/admin/keys', { name: 'Dora', plan: 'business' });
  const { page, close } = await scene.open('accounts');
  const add = (member: string) =>
    page.locator('article').filter({ hasText: member }).getByRole('button', { name: 'Add a member' });
  await page.getByText('1 of 1 member · All seats are taken. A larger plan has more.').last().waitFor();
  expect(await add('Cleo').isDisabled()).toBe(true);
  expect(await add('Dora').isDisabled()).toBe(false);
  await close();
});
