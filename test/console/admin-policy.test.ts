/**
 * The policy in the admin console: the list, the form and the text stay in sync; dry runs, publishing, explanations.
 */
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { hosts, soon, startScene, storedEvents } from './administrator.ts';
import { expectSoundView, holdAnswers } from './visitor.ts';

const yaml = `# ours
policy:
  unknown: allow
  rules:
    # the lawyers
    - name: legal
      when:
        groups: [legal]
      then: { action: allow, inspect: mask }
    - name: images
      when: { kinds: [image] }
      then: { action: block }
    # the rest is only watched
    - name: watch
      report_only: true
      when: { categories: [unknown] }
      then: { action: warn }
  coach: false
`;

const scene = await startScene();
for (let i = 0; i < 3; i++) await scene.use(hosts.approved);
await storedEvents(scene.gateway, 3);
beforeEach(async () => {
  await scene.gateway.api('/admin/policy', { method: 'DELETE', headers: { 'content-type': '' } });
  await put(yaml);
});

async function put(text: string): Promise<void> {
  const { version } = (await (await scene.gateway.api('/admin/policy')).json()) as { version: string };
  const answer = await scene.gateway.api('/admin/policy', {
    method: 'PUT',
    body: JSON.stringify({ yaml: text, version }),
  });
  expect(answer.status).toBe(200);
}

const inForce = async () => ((await (await scene.gateway.api('/admin/policy')).json()) as { yaml: string }).yaml;
const names = (page: Page) => page.locator('.rule-name strong').allInnerTexts();
const text = (page: Page) => page.getByLabel('As YAML').inputValue();
/** The names of the rules in the order of the text. */
const namesInText = async (page: Page) => [...(await text(page)).matchAll(/name: (\w+)/g)].map(([, name]) => name);

describe('the order of the rules', () => {
  test('changes by dragging, buttons and keys, and the YAML follows with its comments', async () => {
    const open = await scene.open('policy');
    const { page } = open;
    await expect.poll(() => names(page), soon).toEqual(['legal', 'images', 'watch']);
    await expectSoundView(open, 'admin-policy');

    await page.locator('.rule').nth(2).dragTo(page.locator('.rule').nth(0));
    await expect.poll(() => names(page), soon).toEqual(['watch', 'legal', 'images']);
    await expect.poll(() => namesInText(page)).toEqual(['watch', 'legal', 'images']);
    await expect
      .poll(() => text(page))
      .toMatch(/# the rest is only watched\n {4}- name: watch[\s\S]*# the lawyers\n {4}- name: legal/);
    await expect.poll(() => text(page)).toMatch(/^# ours\n[\s\S]*\n {2}coach: false\n$/);

    await page.getByRole('button', { name: 'Move watch down' }).click();
    await expect.poll(() => namesInText(page), soon).toEqual(['legal', 'watch', 'images']);
    await expect.poll(() => names(page), soon).toEqual(['legal', 'watch', 'images']);

    await page.getByRole('button', { name: 'Move images. Press Alt and an arrow key.' }).focus();
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(() => names(page), soon).toEqual(['legal', 'images', 'watch']);
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(() => namesInText(page), soon).toEqual(['images', 'legal', 'watch']);
    await page.getByText('images is now rule 1 of 3').waitFor({ state: 'attached' });
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toContain('Move images');

    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('The policy was published', { exact: true }).waitFor();
    expect(await inForce()).toMatch(/images[\s\S]*# the lawyers[\s\S]*watch/);
    expect(open.faults).toEqual([]);
    await open.close();
  });
});

test('a condition without values and every setting of a type are shown in words', async () => {
  const setting = '{ action: allow, types: { EMAIL: mask, PHONE: hash } }';
  await put(`policy:\n  rules:\n    - name: empty\n      when: { users: [] }\n      then: ${setting}\n`);
  const open = await scene.open('policy');
  const rule = open.page.locator('.rule');
  await rule.getByText('Users: none', { exact: true }).waitFor();
  await rule.getByText('E-mail address: partly hidden', { exact: true }).waitFor();
  await rule.getByText('Telephone number: hashed', { exact: true }).waitFor();
  await open.close();
});

describe('the form', () => {
  test('changes only the lines of its rule, adds and deletes, and the YAML follows', async () => {
    const open = await scene.open('policy');
    const { page } = open;
    await page.getByRole('button', { name: 'Edit images' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Groups').fill('design, research: and more');
    await form.getByRole('button', { name: 'Add a type' }).click();
    await form.getByLabel('Type 1', { exact: true }).fill('e-mail');
    await form.getByRole('button', { name: 'Done' }).click();
    await form.getByText('Choose a type from the list').waitFor();
    // The message is below its field, which was at the bottom already.
    await expect
      .poll(() =>
        page.evaluate(`document.querySelector('dialog .error').getBoundingClientRect().bottom <=
          document.querySelector('.dialog-body').getBoundingClientRect().bottom`),
      )
      .toBe(true);
    await form.getByLabel('Type 1', { exact: true }).fill('E-mail address');
    await form.getByRole('button', { name: 'Add a type' }).click();
    await form.getByLabel('Type 2', { exact: true }).fill('phone');
    await form.getByLabel('What happens to type 2').selectOption('Not looked for');
    await form.getByLabel('Decision').selectOption('warn');
    await expectSoundView(open, 'admin-rule');
    await form.getByRole('button', { name: 'Done' }).click();
    await expect
      .poll(() => text(page))
      .toContain(
        [
          '    - name: images',
          '      when:',
          '        kinds: [image]',
          '        groups: [design, "research: and more"]',
          '      then:',
          '        action: warn',
          '        types: { EMAIL: block, PHONE: "off" }',
          '    # the rest is only watched',
        ].join('\n'),
      );
    await page.getByText('Valid', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Add a rule' }).click();
    // An empty form asks before it becomes a rule for everything.
    await page.keyboard.press('Enter');
    await form.getByText('Without a condition, the rule applies to every request.').waitFor();
    await form.getByLabel('Name', { exact: true }).fill('last');
    await form.getByLabel('Hosts').fill('tool.example');
    await form.getByLabel('Decision').selectOption('block');
    await page.keyboard.press('Enter');
    await expect.poll(() => names(page), soon).toEqual(['legal', 'images', 'watch', 'last']);
    await expect
      .poll(() => text(page))
      .toMatch(/ {4}- name: last\n {6}when:\n {8}hosts: \[tool.example\]\n {6}then:\n {8}action: block\n {2}coach/);
    await page.getByRole('button', { name: 'Delete legal' }).click();
    await expect.poll(() => names(page), soon).toEqual(['images', 'watch', 'last']);
    await page.getByRole('button', { name: 'Discard the changes' }).click();
    await expect.poll(() => names(page), soon).toEqual(['legal', 'images', 'watch']);
    await expect.poll(() => text(page)).toBe(yaml);
    await open.close();
  });

  test('offers the kinds of service by their names, and keeps one that has none', async () => {
    await put(yaml.replace('[image]', '[image, telepathy]'));
    const open = await scene.open('policy');
    const { page } = open;
    await page.getByRole('button', { name: 'Edit images' }).click();
    const kinds = page.getByRole('dialog').getByRole('group', { name: 'Kinds of service' });
    await kinds.getByLabel('Images').waitFor();
    const checked = page.getByRole('checkbox', { checked: true });
    expect(await kinds.getByRole('checkbox').count()).toBeGreaterThan(10);
    expect(await kinds.locator('label', { has: checked }).allTextContents()).toEqual(['Images', 'telepathy']);
    await kinds.getByLabel('Model API').check();
    await kinds.getByLabel('Images').uncheck();
    await expectSoundView(open, 'admin-rule-kinds');
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => text(page)).toContain('kinds: [telepathy, model-api]');
    await kinds.waitFor({ state: 'detached' });
    await page.getByText('Kinds of service: telepathy, Model API').waitFor();
    await open.close();
  });

  test('shows types of personal data by their names, and keeps settings that it does not offer', async () => {
    const types = '{ EMAIL: "on", PROJECT: hash, PHONE: { replace: Jane } }';
    await put(yaml.replace('{ action: block }', `{ action: block, types: ${types} }`));
    const { page, close } = await scene.open('policy');
    const edit = () => page.getByRole('button', { name: 'Edit images' }).click();
    const form = page.getByRole('dialog');
    const shown = () =>
      page.evaluate(`[...document.querySelectorAll('.type-row')].map((row) =>
        [...row.querySelectorAll('input, select')].map(({ selectedOptions: [one] = [], value }) => one?.text ?? value)
          .join(': '))`);
    await edit();
    await expect
      .poll(shown)
      .toEqual(['E-mail address: Masked', 'PROJECT: Hashed', 'Telephone number: Replaced by: Jane']);
    await form.getByRole('button', { name: 'Remove type 2' }).click();
    await form.getByLabel('Replacement for type 2').fill('a number');
    await form.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => text(page)).toContain('types: { EMAIL: "on", PHONE: { replace: a number } }');
    await page.getByText('Telephone number: replaced by “a number”').waitFor();
    await page.getByRole('button', { name: '日本語' }).click();
    await page.getByRole('button', { name: 'images を編集' }).click();
    await expect.poll(shown).toEqual(['メールアドレス: マスキング', '電話番号: 次の文字列に置き換え: a number']);
    await close();
  });

  test('cannot be opened before the rules have been read', async () => {
    const open = await scene.open('overview');
    const { page } = open;
    const answer = await holdAnswers(page, '**/admin/policy/validate*');
    await page.getByRole('link', { name: 'Policy' }).click();
    const add = page.getByRole('button', { name: 'Add a rule' });
    await add.waitFor();
    expect(await add.isDisabled()).toBe(true);
    answer();
    await add.click();
    await page.getByRole('dialog').getByLabel('Types of personal data').waitFor();
    await page.keyboard.press('Escape');

    const answerAgain = await holdAnswers(page, '**/admin/policy/validate*');
    await page.getByLabel('As YAML').fill(yaml.replace('legal', 'lawyers'));
    for (const name of ['Add a rule', 'Edit legal', 'Delete legal', 'Move legal down'])
      await expect.poll(() => page.getByRole('button', { name, exact: true }).isDisabled(), soon).toBe(true);
    answerAgain();
    await page.getByRole('button', { name: 'Delete lawyers' }).click();
    await expect.poll(() => names(page), soon).toEqual(['images', 'watch']);
    await open.close();
  });

  test('shows what it refuses, wherever it is scrolled to', async () => {
    const { page, close } = await scene.open('policy', { screen: 'narrow' });
    await page.getByRole('button', { name: 'Add a rule' }).click();
    const form = page.getByRole('dialog');
    const isVisible = (selector: string) =>
      page.evaluate(`(() => {
        const [inner, outer] = ['${selector}', '.dialog-body'].map((one) =>
          document.querySelector('dialog ' + one).getBoundingClientRect());
        return inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
      })()`);
    const done = form.getByRole('button', { name: 'Done' });
    await form.getByRole('button', { name: 'Add a type' }).click();
    await form.getByLabel('Name', { exact: true }).scrollIntoViewIfNeeded();
    expect(await isVisible('.type-row input')).toBe(false);
    await done.click();
    await expect.poll(() => isVisible('.type-row input')).toBe(true);
    expect(await page.evaluate("document.activeElement.matches('.type-row input')")).toBe(true);
    await form.getByRole('button', { name: 'Remove type 1' }).click();
    await done.click();
    await form.getByText('Without a condition, the rule applies to every request.').waitFor();
    await expect.poll(() => isVisible('[role="alert"]')).toBe(true);
    await close();
  });

  test('follows the YAML, and waits while it cannot be parsed', async () => {
    const { page, close } = await scene.open('policy');
    const area = page.getByLabel('As YAML');
    await area.fill(yaml.replace('name: images', 'name: pictures'));
    await expect.poll(() => names(page), soon).toEqual(['legal', 'pictures', 'watch']);
    await area.fill(yaml.replace('action: block', 'action: blok'));
    await page.getByRole('button', { name: /^Line 12, column \d+$/ }).click();
    await expect
      .poll(() =>
        page.evaluate(
          '((area) => area.value?.slice(area.selectionStart, area.selectionEnd) ?? "")(document.activeElement)',
        ),
      )
      .toMatch(/blok/);
    await page.getByText('1 error').waitFor();
    await page.locator('.rule').nth(1).getByText('then.action').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
    await area.fill('policy: [');
    await page.getByText('The YAML cannot be read at the moment').waitFor();
    await page.reload();
    await expect.poll(() => area.inputValue()).toBe('policy: [');
    await close();
  });
});

describe('publishing', () => {
  test('follows a dry run that shows the changes', async () => {
    const open = await scene.open('policy');
    const { page } = open;
    await page
      .getByLabel('As YAML')
      .fill(
        `policy:\n  rules:\n    - name: none of it\n      when: { hosts: [${hosts.approved}] }\n      then: { action: block }\n`,
      );
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByText('The decision would change for 3 of 3 recorded requests.').waitFor();
    const row = page.getByRole('row').filter({ hasText: 'none of it' });
    await row.getByText(hosts.approved).waitFor();
    await expectSoundView(open, 'admin-dry-run');
    await page.getByLabel('As YAML').fill(yaml);
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByText('Nothing changes').waitFor();
    await open.close();
  });

  test('shows the other version when somebody has published meanwhile', async () => {
    const open = await scene.open('policy');
    const { page } = open;
    await page.getByLabel('As YAML').fill('policy: { unknown: warn }\n');
    await put('policy: { unknown: block }\n');
    await page.getByRole('button', { name: 'Publish' }).click();
    const dialog = page.getByRole('dialog', { name: 'Someone else published a policy in the meantime' });
    await dialog.getByText('unknown: block').waitFor();
    await expectSoundView(open, 'admin-policy-conflict');
    await dialog.getByRole('button', { name: 'Publish mine anyway' }).click();
    await page.getByText('The policy was published', { exact: true }).waitFor();
    expect(await inForce()).toBe('policy: { unknown: warn }\n');
    await page.getByRole('button', { name: 'Back to the file' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Back to the file' }).click();
    await page.getByText('From the configuration file').waitFor();
    await open.close();
  });
});

test('an address that is none is refused at its field', async () => {
  const { page, close } = await scene.open('policy?tab=explain&url=notaurl');
  await page.getByText('Must be a host name with a dot, or an http(s) URL').waitFor();
  expect(await page.getByLabel('Address', { exact: true }).getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByText('The request has errors').count()).toBe(0);
  await close();
});

test('a decision is explained with every evaluated step', async () => {
  const open = await scene.open('policy?tab=explain');
  const { page } = open;
  await page.getByLabel('Address', { exact: true }).fill('https://claude.ai/new');
  await page.getByLabel('User').fill('ann');
  await page.getByLabel('Groups').fill('legal');
  await page.getByLabel('Client address').fill('10.1.2.3');
  await page.keyboard.press('Enter');
  await page.locator('.tried .matched').getByText('legal', { exact: true }).waitFor();
  await page.getByText('Allowed · masked').waitFor();
  await expectSoundView(open, 'admin-explain');
  await page.getByLabel('Client address').fill('nowhere');
  await page.keyboard.press('Enter');
  await page.getByText('is not an IP address').first().waitFor();
  await open.close();
});

test('an explanation shows the labels of kinds and categories, and local times', async () => {
  await put(`policy:
  rules:
    - { name: pictures, when: { kinds: [image] }, then: { action: block } }
    - { name: strangers, when: { categories: [unknown] }, then: { action: block } }
    - { name: past, expires: 2020-01-02, when: {}, then: { action: block } }
`);
  const { page, close } = await scene.open('policy?tab=explain&url=01.ai');
  const tried = page.locator('.tried');
  await tried.getByText('Kinds: no match (Model API)').waitFor();
  await tried.getByText('Categories: no match (Blocked)').waitFor();
  const time = await page.evaluate(
    "new Intl.DateTimeFormat('en', { dateStyle: 'short', timeStyle: 'medium' }).format(Date.parse('2020-01-03'))",
  );
  await tried.getByText(`Expires: no match (expired ${time})`).waitFor();
  await page.getByRole('button', { name: '日本語' }).click();
  await tried.getByText('サービスの種類が一致しません（モデル API）').waitFor();
  await tried.getByText('区分が一致しません（ブロック）').waitFor();
  await close();
});

test('a policy in flow style can be changed by the form', async () => {
  await put(
    `# ours\npolicy: { unknown: warn, rules: [{ name: legal, then: { action: allow } }, { name: images, then: { action: block } }] }\n`,
  );
  const { page, close } = await scene.open('policy');
  await expect.poll(() => names(page), soon).toEqual(['legal', 'images']);
  await page.getByRole('button', { name: 'Move images up' }).click();
  await expect.poll(() => names(page), soon).toEqual(['images', 'legal']);
  await expect.poll(() => text(page)).toMatch(/^# ours\npolicy:\n {2}unknown: warn\n {2}rules:\n {4}- \{ name: images/);
  await page.getByText('Valid', { exact: true }).waitFor();
  await close();
});

test('a thousand rules are paged, searched, and moved across pages', async () => {
  const many = Array.from(
    { length: 1_000 },
    (_, i) => `    - name: rule-${i + 1}\n      when: { hosts: [h${i + 1}.example] }\n      then: { action: warn }\n`,
  );
  await put(`policy:\n  rules:\n${many.join('')}`);
  const open = await scene.open('policy', { screen: 'narrow' });
  const { page } = open;
  await page.getByText('Page 1 of 20').waitFor();
  await expect.poll(async () => (await names(page)).length).toBe(50);
  await page.getByRole('button', { name: 'Move rule-50 down' }).click();
  await page.getByText('Page 2 of 20').waitFor();
  await expect.poll(async () => (await names(page)).slice(0, 2)).toEqual(['rule-50', 'rule-52']);
  await expect.poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Move rule-50 down');
  await page.getByPlaceholder('Name, condition or number').fill('h900.example');
  await expect.poll(() => names(page), soon).toEqual(['rule-900']);
  await page.getByRole('button', { name: 'Edit rule-900' }).click();
  await page.getByRole('dialog').getByLabel('Position').fill('2');
  await page.keyboard.press('Enter');
  await page.getByText('Page 1 of 20').waitFor();
  await expect.poll(async () => (await names(page)).slice(0, 3)).toEqual(['rule-1', 'rule-900', 'rule-2']);
  await expectSoundView(open, 'admin-policy-many');
  await open.close();
});
