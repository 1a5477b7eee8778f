/** Views of the admin console without content say why they are empty, and what to do or what will appear there. */
import { expect, test } from 'vitest';
import { goTo, startScene } from './administrator.ts';

const scene = await startScene();

const views = [
  'services?q=zzzz',
  'events',
  'events?live=1',
  'events?host=zzzz.example',
  'agents',
  'agents?tab=servers',
  'agents?tab=tools',
  'agents?tab=agents',
  'discovery',
  'discovery?tab=pins',
  'requests',
  'accounts',
  'accounts?tab=keys',
  'accounts?tab=users',
  'accounts?tab=sessions',
  'system?tab=feeds',
  'policy',
];

test.each(['en', 'ja'] as const)('every empty view has advice: %s', async (language) => {
  const { page, close, faults } = await scene.open('overview', { language });
  for (const view of views) {
    await goTo(page, view);
    const note = page.locator('#content .empty');
    await note.waitFor();
    const [title = '', ...advice] = await note.locator('p').allInnerTexts();
    expect
      .soft(
        [title, advice.join('')].map((text) => text.length > 5),
        view,
      )
      .toEqual([true, true]);
    await goTo(page, 'overview');
    await page.locator('#content h1', { hasText: language === 'en' ? 'Overview' : '概要' }).waitFor();
  }
  expect(faults).toEqual([]);
  await close();
});

test('a search without a match has advice', async () => {
  await scene.post('/admin/keys', { name: 'a program' });
  const { page, close } = await scene.open('accounts');
  await page.getByRole('searchbox').fill('zzzz');
  await page.getByText('No account matches.').waitFor();
  await page.getByText('Shorten the search').waitFor();
  await close();
});
