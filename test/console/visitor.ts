/** A person in front of the consoles: a real Chromium, the real gateway, and the checks that every view has to pass. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { axeFaults } from '../support/axe.ts';
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
      await forget(page, { origin: new URL(url).origin, screen, theme });
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
async function forget(page: Page, look: { origin: string } & Required<Pick<Visit, 'screen' | 'theme'>>) {
  const { origin, screen, theme } = look;
  const context = page.context();
  page.removeAllListeners();
  await Promise.all([page.unrouteAll(), context.unrouteAll(), context.setOffline(false), context.clearPermissions()]);
  await page.setViewportSize(screens[screen]);
  await page.emulateMedia({ colorScheme: theme });
  await page.goto(`${origin}/health`);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await context.clearCookies();
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
  expect.soft(await axeFaults(page), `${name}: accessibility`).toEqual([]);
  expect.soft(await fitsScreen(page), `${name}: fits the screen`).toBe(true);
  expect.soft(await cutTexts(page), `${name}: cut off`).toEqual([]);
  expect.soft(faults, `${name}: faults`).toEqual([]);
}

/** Between a phone and a large screen. */
const middle = { width: 1024, height: 800 };

/**
 * The same in both languages, in both colour schemes and at three widths. All rules are checked twice, the colours in
 * the other scheme alone: a page is loaded once and only its look changes. It is left as {@link openPage} opens pages.
 */
export async function expectSoundLooks(open: OpenPage, name: string): Promise<void> {
  const { page } = open;
  for (const [screen, theme, other, language, button] of [
    ['narrow', 'dark', 'light', 'ja', '日本語'],
    ['wide', 'light', 'dark', 'en', 'EN'],
  ] as const) {
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.setViewportSize(middle);
    expect.soft(await fitsScreen(page), `${name} ${language}: fits 1024 px`).toBe(true);
    await page.setViewportSize(screens[screen]);
    await page.emulateMedia({ colorScheme: other });
    expect.soft(await axeFaults(page, 'contrast'), `${name} ${screen} ${other} ${language}: colours`).toEqual([]);
    await page.emulateMedia({ colorScheme: theme });
    await expectSoundView(open, `${name}-${screen}-${theme}-${language}`);
  }
}

/** The texts that end in an ellipsis because there is no room for them. */
function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('body *')].filter((one) =>
    getComputedStyle(one).textOverflow === 'ellipsis' && one.scrollWidth > one.clientWidth).map((one) => one.textContent)`);
}
