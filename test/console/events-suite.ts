/** The events in the admin console: search, display, export and live view; run by admin.test.ts. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findingKinds } from '../../gateway/agents/facts.ts';
import { personal } from '../support/personal.ts';
import { goTo, hosts, type Scene, soon } from './administrator.ts';
import { cutTexts, expectSoundView, fitsScreen, holdAnswers } from './visitor.ts';

/** Events that are not requests. */
const notes = ['acknowledgement', 'bypass'];
type AuditRow = {
  readonly kind?: string;
  readonly action: string;
  readonly service: string | null;
  readonly masked?: number;
  readonly error?: string;
};
type Figures = {
  readonly requests: number;
  readonly masked: number;
  readonly actions: Readonly<Record<string, number>>;
  readonly subjects: readonly unknown[];
  readonly services: readonly { readonly service: string; readonly requests: number }[];
  readonly types: readonly { readonly type: string; readonly count: number; readonly masked?: number }[];
};

/** `scene` returns the scene once it is ready. */
export function addEventTests(scene: () => Scene): void {
  describe('events', () => {
    test('are filtered, paged, shown in full and exported, without any value', async () => {
      const open = await scene().open('events');
      const { page } = open;
      await page.getByLabel('Decision').selectOption('Blocked or not sent');
      await page.getByRole('button', { name: 'Filter' }).click();
      await expect.poll(() => page.locator('#content tbody tr').count(), soon).toBe(2);
      const rows = page.locator('#content tbody tr');
      await rows.getByText('Allowed · not sent').waitFor();
      await rows.filter({ hasText: hosts.blocked }).getByRole('button', { name: 'Details' }).click();
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

    test('are shown in words, not in codes of the log', async () => {
      const { page, close } = await scene().open('overview', { language: 'ja' });
      const event = {
        ...{ ts: '2026-11-27T01:23:10.000Z', requestId: 'r1', subject: 'ann', host: '01.ai', service: null },
        ...{ action: 'block', inspect: 'mask', status: 403, kind: 'request', rule: 'service is_blocked' },
        injection: { kind: 'tool_results', risk: 'high', categories: ['role_override'], place: '/x', answer: 'block' },
        toolFindings: findingKinds.map((kind) => ({ kind, tool: '', place: '/x', answer: 'report' })),
      };
      await page.route(/\/admin\/events\?/, (route) => route.fulfill({ json: { events: [event] } }));
      await goTo(page, 'events');
      await page.getByRole('button', { name: '詳細' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('高 · 役割の上書き · ツールの結果 · ブロック').waitFor();
      await dialog.getByText('ブロック指定のサービス').waitFor();
      expect((await dialog.locator('li').allTextContents()).join('')).not.toMatch(/[a-z]/);
      await close();
    });

    test('warnings about the configuration are in the language of the page', async () => {
      const line = 'privet.yaml:3:5: policy.rules[0].when.users: ';
      const { page, close } = await scene().open('policy', { language: 'ja' });
      await page.route(/\/admin\/overview$/, async (route) => {
        const response = await route.fetch();
        const state = await response.json();
        const warnings = [`${line}the list is empty, so the rule can never match`];
        await route.fulfill({ response, json: { ...state, config: { ...state.config, warnings } } });
      });
      await goTo(page, 'overview');
      await page.getByText(`${line}リストが空のため、このルールは一致しません`).waitFor();
      await page.getByRole('button', { name: 'EN', exact: true }).click();
      await page.getByText(`${line}the list is empty, so the rule can never match`).waitFor();
      await close();
    });

    test('the report fits a phone, with readable text', async () => {
      const { page, close } = await scene().open('overview', { screen: 'narrow', language: 'ja' });
      await page.goto(`${scene().gateway.apiUrl}/admin/report?format=html&lang=ja`);
      await page.locator('.bars li').first().waitFor();
      const sizes = (await page.evaluate(`[...document.querySelectorAll('body *')]
        .filter((one) => one.tagName !== 'title')
        .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
        .map((one) => one.closest('svg') ? 0 : parseFloat(getComputedStyle(one).fontSize))`)) as number[];
      expect(sizes.length).toBeGreaterThan(30);
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(11);
      expect(await fitsScreen(page)).toBe(true);
      await close();
    });

    test('the figures of the overview, the report and the list agree', async () => {
      const from = new Date(Date.now() - 86_400_000).toISOString();
      const get = async (path: string) => (await scene().get(`${path}from=${from}`)) as Record<string, never>;
      const [stats, report, list] = [
        await get('/admin/stats?'),
        await get('/admin/report?'),
        await get('/admin/events?limit=1000&'),
      ] as unknown as [Figures, { totals: Record<string, number> } & Figures, { events: AuditRow[] }];
      const events = list.events.filter(({ kind = '', action }) => action !== 'none' && !notes.includes(kind));
      const sum = (rows: readonly { masked?: number }[]) => rows.reduce((all, { masked = 0 }) => all + masked, 0);
      const counted = (action: string) => events.filter((event) => event.action === action && !event.error).length;
      const stopped = (await get('/admin/events?limit=1000&action=block&')) as unknown as { events: AuditRow[] };
      expect(stats).toMatchObject({
        requests: events.length,
        masked: sum(events),
        actions: { allow: counted('allow'), warn: counted('warn'), block: stopped.events.length },
      });
      expect(report.totals).toMatchObject({
        requests: stats.requests,
        blocked: stats.actions.block,
        warned: stats.actions.warn,
        values_masked: stats.masked,
        subjects: stats.subjects.length,
      });
      expect(stats.requests).toBeGreaterThan(6);
      for (const { service, requests } of stats.services) {
        expect(events.filter((event) => event.service === service)).toHaveLength(requests);
        expect(report.services.find((row) => row.service === service)?.requests).toBe(requests);
      }
      for (const { type, count } of stats.types) {
        expect(report.types.find((row) => row.type === type)?.masked).toBe(count);
      }
      const { page, close } = await scene().open('overview');
      const tile = (name: string) =>
        page.locator('.tile', { has: page.getByRole('heading', { name, exact: true }) }).locator('.tile-value');
      await expect.poll(() => tile('Requests').textContent(), soon).toBe(String(stats.requests));
      expect(await tile('Values masked').textContent()).toBe(String(stats.masked));
      expect(await tile('Blocked').textContent()).toBe(String(stats.actions.block));
      // The counts begin at a whole hour, and so do the report and the lists.
      const [answer] = await Promise.all([
        page.waitForResponse(/\/admin\/stats/),
        page.getByRole('button', { name: '6 hours' }).click(),
      ]);
      const begin = encodeURIComponent(((await answer.json()) as { from: string }).from);
      for (const name of ['Report', 'OpenAI API', 'Events']) {
        const link = page.getByRole('link', { name, exact: true });
        await expect.poll(() => link.getAttribute('href'), soon).toContain(`from=${begin}`);
      }
      await close();
    });

    test('the filters keep the focus, follow Back, fold on a narrow screen, and fit at 200 % zoom', async () => {
      const { page, close } = await scene().open('events');
      const host = page.getByLabel('Host', { exact: true });
      await host.fill(hosts.blocked);
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('#content tbody tr').count(), soon).toBe(1);
      await expect.poll(() => page.evaluate('document.activeElement.value')).toBe(hosts.blocked);
      // Leave the view and return: the filters are unchanged.
      await page.getByRole('link', { name: 'Policy' }).click();
      await page.getByRole('link', { name: 'Events' }).click();
      await expect.poll(() => page.locator('#content tbody tr').count(), soon).toBe(1);
      expect(await host.inputValue()).toBe(hosts.blocked);
      await page.goBack();
      await page.goBack();
      await page.goBack();
      await expect.poll(() => host.inputValue(), soon).toBe('');
      await close();

      // As at 200 % zoom.
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
      const decision = narrow.page.getByLabel('Decision');
      await decision.selectOption('Blocked or not sent');
      expect(await cutTexts(narrow.page)).toEqual([]);
      await decision.selectOption('');
      await narrow.page.getByLabel('Host', { exact: true }).fill('');
      await narrow.page.keyboard.press('Enter');
      await narrow.page.getByRole('button', { name: 'Filters', exact: true }).waitFor();
      await narrow.page.getByLabel('Host', { exact: true }).waitFor({ state: 'hidden' });
      await narrow.close();
    });

    test('are filtered by the name of a service, even before the names are known', async () => {
      const { page, close } = await scene().open('events');
      const answer = await holdAnswers(page, /admin\/labels\?/);
      await page.reload();
      await page.getByLabel('Service', { exact: true }).fill('openai api');
      await page.keyboard.press('Enter');
      answer();
      await expect.poll(() => page.url(), soon).toContain('service=openai-api');
      await page.locator('#content tbody tr').first().waitFor();
      await close();
    });

    test('arrive in the live view, and are paged in the history', async () => {
      const { page, close, faults } = await scene().open('events?live=1');
      await page.getByText('New events appear as they happen').waitFor();
      // What happens before the server has answered is not new to this view.
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
