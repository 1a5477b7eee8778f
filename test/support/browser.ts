/** Headless Chromium that uses the gateway as its proxy and trusts its root, like a managed desktop. */
import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrowserContext, type Browser as Chromium, chromium, type Page } from 'playwright-core';
import { closedAtEnd } from './closing.ts';
import type { Gateway } from './gateway.ts';
import { onPath, programPath } from './programs.ts';
import { run } from './run.ts';
import { tempFolder } from './temp.ts';

/** A running browser. */
export type Browser = { readonly context: BrowserContext; readonly close: () => Promise<void> };

/** Credentials for the proxy, and trusted roots in addition to the gateway's, as files. */
export type BrowserOptions = {
  readonly username?: string;
  readonly password?: string;
  readonly trust?: readonly string[];
  /** Replaces the gateway's proxy URL. */
  readonly proxyUrl?: string;
  /** Hosts that are reached without the proxy; by default none, not even loopback. */
  readonly bypass?: string;
  /** The complete browser instead of its engine alone. */
  readonly isDesktop?: boolean;
};

const quiet = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];

/** The same engine without the parts of a desktop takes a third of the CPU. */
const executablePath = onPath('chromium-headless-shell') ?? programPath('chromium');

let shared: Promise<Chromium> | undefined;
/** Contexts that stay open for the next file. */
const kept = new WeakSet<BrowserContext>();

/**
 * A Chromium without a proxy, for pages that are opened directly or with their own proxy. The test files of a process
 * share it; after the last test of a file its contexts are closed, except those that {@link keepOpen} names. It ends
 * with the process.
 */
export async function sharedChromium(): Promise<Chromium> {
  shared ??= chromium.launch({ executablePath, args: quiet });
  const browser = await shared;
  browser.once('disconnected', () => {
    shared = undefined;
  });
  closedAtEnd(() => Promise.all(browser.contexts().map((context) => kept.has(context) || context.close())));
  return browser;
}

/** Keeps a context open for the next file, or no longer. */
export function keepOpen(context: BrowserContext, isKept: boolean): void {
  if (isKept) kept.add(context);
  else kept.delete(context);
}

/**
 * Starts Chromium with a new profile. The root goes into the profile's NSS database, so certificates are really
 * verified. Loopback goes through the proxy too.
 */
export async function startBrowser(gateway: Gateway, options: BrowserOptions = {}): Promise<Browser> {
  const {
    trust = [],
    proxyUrl = gateway.proxyUrl,
    bypass = '<-loopback>',
    isDesktop = false,
    ...credentials
  } = options;
  const home = tempFolder('browser');
  const database = join(home, '.pki/nssdb');
  await mkdir(database, { recursive: true });
  const certutil = async (...args: string[]): Promise<void> => {
    const result = await run(programPath('certutil'), ['-d', `sql:${database}`, ...args]);
    if (result.code !== 0) throw new Error(`certutil ${args[0]}: ${result.stderr}`);
  };
  await certutil('-N', '--empty-password');
  for (const [i, file] of [gateway.caFile, ...trust].entries()) {
    await certutil('-A', '-t', 'C,,', '-n', `privet-test-${i}`, '-i', file);
  }

  const context = await chromium.launchPersistentContext(join(home, 'profile'), {
    executablePath: isDesktop ? programPath('chromium') : executablePath,
    headless: true,
    env: { PATH: process.env.PATH ?? '', HOME: home },
    proxy: { server: proxyUrl, bypass, ...credentials },
    args: [...quiet, '--disable-quic', '--no-first-run', '--disable-sync'],
  });
  return {
    context,
    close: closedAtEnd(async () => {
      await context.close();
      rmSync(home, { recursive: true, force: true });
    }),
  };
}

/** With SCREENSHOTS=<folder>, saves a picture of the whole page for inspection. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
