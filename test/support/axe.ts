/** Findings of axe-core in a page. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * All findings of axe-core in the current page: rules of WCAG 2.2 A and AA, its best practices and its experimental
 * rules. `contrast` checks only the colours, for a page that was checked in the other colour scheme.
 */
export async function axeFaults(page: Page, rules: 'all' | 'contrast' = 'all'): Promise<string[]> {
  if (!(await inspect(page, '"axe" in globalThis'))) await inspect(page, `${source};0`);
  const which =
    rules === 'all'
      ? `rules: Object.fromEntries(axe.getRules(['experimental']).map(({ ruleId }) => [ruleId, { enabled: true }]))`
      : `runOnly: ['color-contrast']`;
  const found = await inspect(
    page,
    `axe.run(document, { resultTypes: ['violations'], ${which} }).then(({ violations }) => JSON.stringify(
    violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map((node) =>
      node.target.join(' ') + ' ' + (node.any[0]?.message ?? node.failureSummary ?? '')).join(' | '))))`,
  );
  return JSON.parse(String(found)) as string[];
}

/**
 * The problems of a page in dark mode on a phone and in light mode on a large screen: findings of axe-core, and widths
 * that it does not fit, including 1024 px. All rules are checked once, the colours in both schemes.
 */
export async function lookFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const [width, colorScheme, rules] of [
    [1024, undefined, undefined],
    [1440, 'light', 'contrast'],
    [390, 'dark', 'all'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    const isWide = `[...document.querySelectorAll('html, main, section')].some((one) => one.scrollWidth > one.clientWidth)`;
    if (await inspect(page, isWide)) faults.push(`is wider than ${width} px`);
    if (rules === undefined) continue;
    await page.emulateMedia({ colorScheme });
    faults.push(...(await axeFaults(page, rules)).map((fault) => `${width} px, ${colorScheme}: ${fault}`));
  }
  return faults;
}

/** The value of an expression. A page allows only its own scripts; the browser's own tools are not affected. */
async function inspect(page: Page, expression: string): Promise<unknown> {
  const session = await page.context().newCDPSession(page);
  const { result } = await session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
  await session.detach();
  return result.value;
}
