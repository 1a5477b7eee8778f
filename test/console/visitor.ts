/** A visitor of the consoles: a real Chromium, the real gateway, and the checks that every view must pass. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { axeFaults } from '../support/axe.ts';
import { keepOpen, shoot } from '../support/browser.ts';

/** The screen sizes that every view must support. */
export const screens = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const;

export type Visit = {
  readonly screen?: keyof typeof screens;
  readonly theme?: 'light' | 'dark';
  readonly language?: 'en' | 'en-GB' | 'ja';
  /** What the browser has stored already. */
  readonly cookies?: Parameters<BrowserContext['addCookies']>[0];
};

/** An open page and everything that went wrong in it: script errors and violations of the content security policy. */
export type OpenPage = {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly faults: string[];
  /** Ends the visit; the next one with the same look reuses the page, emptied. */
  readonly close: () => Promise<void>;
};

/**
 * Pages between two visits, by look: a page in a new profile costs 1.5 s of CPU, another visit in an existing one 0.3
 * s.
 */
const waiting = new WeakMap<Browser, Map<string, Page[]>>();

/** Opens an address as a first-time visitor. */
export async function openPage(browser: Browser, url: string, visit: Visit = {}): Promise<OpenPage> {
  const { screen = 'wide', theme = 'light', language = 'en' } = visit;
  const pages = waiting.get(browser) ?? new Map<string, Page[]>();
  waiting.set(browser, pages);
  const look = `${screen} ${theme} ${language}`;
  const page = pages.get(look)?.pop() ?? (await newPage(browser, { screen, theme, language }));
  const context = page.context();
  keepOpen(context, false);
  await context.addCookies(visit.cookies ?? []);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // The browser also logs error responses; the page shows them, and the tests check that.
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
      keepOpen(context, true);
    },
  };
}

/** Holds back the answers to requests for an address until the returned function is called. */
export async function holdAnswers(page: Page, address: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
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

/** Clears everything that a visit has left; the page then shows an address without scripts. */
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

/** True when nothing overflows the screen horizontally. */
export function fitsScreen(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');
}

/**
 * The short words in table cells that are broken apart. Words may break at a space, a hyphen or a <wbr> of the page;
 * words of more than 20 characters may break only at those of the page.
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

/** Checks everything that holds for every view: no faults, accessible, not wider than the screen. */
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
 * Checks both languages, both colour schemes and three widths. All rules are checked in both languages, the colours
 * alone in the other scheme: a page is loaded once and only its look changes. Afterwards the page looks as {@link
 * openPage} opens pages.
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

/** The texts that are cut off with an ellipsis, and the chosen options that are wider than their field. */
export function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('body *')].filter((one) => {
    if (!(one instanceof HTMLSelectElement))
      return getComputedStyle(one).textOverflow === 'ellipsis' && one.scrollWidth > one.clientWidth;
    const alone = one.cloneNode();
    alone.style.cssText = 'position: absolute; width: max-content; min-width: 0';
    alone.append(...[...one.selectedOptions].map((option) => option.cloneNode(true)));
    one.after(alone);
    const width = alone.offsetWidth;
    alone.remove();
    return one.offsetWidth > 0 && width > one.offsetWidth + 1;
  }).map((one) => one instanceof HTMLSelectElement ? one.value : one.textContent)`);
}
