/** A person in front of the consoles: a real Chromium, the real gateway, and the checks that every view has to pass. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { shoot } from '../support/browser.ts';

/** The sizes that every view has to look right at. */
export const screens = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const;

export type Visit = {
  readonly screen?: keyof typeof screens;
  readonly theme?: 'light' | 'dark';
  readonly language?: 'en' | 'ja';
  /** What the browser has already. */
  readonly cookies?: Parameters<BrowserContext['addCookies']>[0];
};

/** A page that someone has open, and all that went wrong in it: errors of scripts and refusals of the policy. */
export type OpenPage = {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly faults: string[];
  /** Ends the visit; the next one with the same look gets the page, with nothing left in it. */
  readonly close: () => Promise<void>;
};

/** Pages between two visits, by look: a page in a profile of its own takes 1.5 s of CPU, another visit in one 0.3 s. */
const waiting = new WeakMap<Browser, Map<string, Page[]>>();

/** Opens an address as somebody who has never been there. */
export async function openPage(browser: Browser, url: string, visit: Visit = {}): Promise<OpenPage> {
  const { screen = 'wide', theme = 'light', language = 'en' } = visit;
  const pages = waiting.get(browser) ?? new Map<string, Page[]>();
  waiting.set(browser, pages);
  const look = `${screen} ${theme} ${language}`;
  const page = pages.get(look)?.pop() ?? (await newPage(browser, { screen, theme, language }));
  const context = page.context();
  await context.addCookies(visit.cookies ?? []);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // What the server answers with an error is told by the browser too; the page shows it, and the tests look there.
    if (message.type() === 'error' && !/^Failed to load resource/.test(message.text())) faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL(url).origin) && !request.url().startsWith('data:')) {
      faults.push(`request to ${request.url()}`);
    }
  });
  await page.goto(url);
  return {
    page,
    context,
    faults,
    async close() {
      await forget(page, { origin: new URL(url).origin, screen });
      pages.set(look, [...(pages.get(look) ?? []), page]);
    },
  };
}

async function newPage(browser: Browser, { screen, theme, language }: Required<Omit<Visit, 'cookies'>>): Promise<Page> {
  const context = await browser.newContext({
    viewport: screens[screen],
    colorScheme: theme,
    locale: language,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(60_000);
  return context.newPage();
}

/** Takes away all that a visit has left; the page stands at an address without programs then. */
async function forget(page: Page, { origin, screen }: { origin: string } & Required<Pick<Visit, 'screen'>>) {
  const context = page.context();
  page.removeAllListeners();
  await Promise.all([page.unrouteAll(), context.unrouteAll(), context.setOffline(false), context.clearPermissions()]);
  await page.setViewportSize(screens[screen]);
  await page.goto(`${origin}/health`);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await context.clearCookies();
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe-core finds in the page as it is now: rules of WCAG 2.2 A and AA and its best practices, serious or worse, and what
 * stands outside of every landmark. */
async function accessibilityFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axeSource);
  const found = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.slice(0, 3).map((node) =>
      node.target.join(' ') + ' ' + (node.any[0]?.message ?? node.failureSummary ?? '')) })))`)) as {
    id: string;
    impact: string;
    nodes: string[];
  }[];
  return found
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || id === 'region')
    .map(({ id, nodes }) => `${id}: ${nodes.join(' | ')}`);
}

/** True when nothing sticks out to the side of the screen. */
export function fitsScreen(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');
}

/**
 * The short words in the cells of tables that are broken apart. A space, a hyphen or a place that the page itself has
 * named (<wbr>) parts words; of words beyond 20 characters only such a place can be asked.
 */
export function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('.table tbody')].flatMap((body) => {
    const broken = [];
    const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      for (const { 0: word, index } of node.data.matchAll(/[^\\s\\-]{1,20}/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
      }
    }
    return broken;
  })`);
}

/** Everything that a view has to be, whatever it shows: without faults, readable for all, not wider than the screen. */
export async function expectSoundView({ page, faults }: OpenPage, name: string): Promise<void> {
  await shoot(page, name);
  expect.soft(await accessibilityFaults(page), `${name}: accessibility`).toEqual([]);
  expect.soft(await fitsScreen(page), `${name}: fits the screen`).toBe(true);
  expect.soft(await cutTexts(page), `${name}: cut off`).toEqual([]);
  expect.soft(faults, `${name}: faults`).toEqual([]);
}

/** The texts that end in an ellipsis because there is no room for them. */
function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('body *')].filter((one) =>
    getComputedStyle(one).textOverflow === 'ellipsis' && one.scrollWidth > one.clientWidth).map((one) => one.textContent)`);
}
