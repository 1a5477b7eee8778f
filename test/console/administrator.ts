/** An administrator in front of a gateway with traffic: origins, requests through the proxy, a signed-in page. */
import type { Browser, Page } from 'playwright-core';
import { sharedChromium } from '../support/browser.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../support/gateway.ts';
import { type Origin, startOrigin } from '../support/origin.ts';
import { prompt } from '../support/personal.ts';
import { sendTls } from '../support/tunnel.ts';
import { type OpenPage, openPage, type Visit } from './visitor.ts';

/** In the shipped registry: approved, monitored, blocked; and unregistered hosts. */
export const hosts = {
  approved: 'api.openai.com',
  monitored: 'abridge.com',
  blocked: '01.ai',
  unknown: 'files.intranet.test',
  /** Unregistered too, but looks like AI. */
  suspect: 'chat.novel-gpt.ai',
} as const;

/** Text that would run if any page inserted it as markup. */
export const hostile = '<img src=x onerror="document.title=1337"><script>document.title=1337</script>';

/** For polls: how long a page may take on a busy machine. */
export const soon = { timeout: 60_000 };

export type Scene = {
  readonly gateway: Gateway;
  readonly origin: Origin;
  readonly browser: Browser;
  /** Opens a view of the admin console, signed in. */
  readonly open: (view: string, visit?: Visit) => Promise<OpenPage>;
  /**
   * Sends a request with personal data through the proxy; returns the status of the answer, 0 when the tunnel is
   * refused.
   */
  readonly use: (host: string, fields?: Readonly<Record<string, string>>) => Promise<number>;
  /** The body of an API answer, requested with the admin key. */
  readonly get: (path: string) => Promise<never>;
  /** A POST of JSON with the admin key. */
  readonly post: (path: string, body: unknown) => Promise<Response>;
};

/** Starts a gateway, an origin for {@link hosts} and a browser. */
export async function startScene(options: Pick<GatewayOptions, 'config' | 'env'> = {}): Promise<Scene> {
  const names = Object.values(hosts);
  const origin = await startOrigin({ names });
  const [gateway, browser] = await Promise.all([
    startGateway({ ...options, hosts: Object.fromEntries(names.map((name) => [name, origin])) }),
    sharedChromium(),
  ]);
  return {
    gateway,
    origin,
    browser,
    open: (view, visit) => openAdmin({ gateway, browser }, view, visit),
    use: (host, fields) => use(gateway, host, fields),
    get: async (path) => (await (await gateway.api(path)).json()) as never,
    post: (path, body) => gateway.api(path, { method: 'POST', body: JSON.stringify(body) }),
  };
}

/** Opens a view with the session cookie of a sign-in over the API: signing in by hand has its own test. */
async function openAdmin(
  { gateway, browser }: Pick<Scene, 'gateway' | 'browser'>,
  view: string,
  visit: Visit = {},
): Promise<OpenPage> {
  const answer = await gateway.api('/admin/login', { method: 'POST', body: JSON.stringify({ key: gateway.adminKey }) });
  const [, value = ''] = /privet_admin=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '') ?? [];
  const cookies = [{ name: 'privet_admin', value, url: gateway.apiUrl, httpOnly: true, sameSite: 'Strict' as const }];
  return openPage(browser, `${gateway.apiUrl}/admin/#/${view}`, { ...visit, cookies });
}

async function use(gateway: Gateway, host: string, fields: Readonly<Record<string, string>> = {}): Promise<number> {
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: prompt }] });
  try {
    const lines = Object.entries({ Host: host, 'Content-Type': 'application/json', ...fields }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const head = `POST /v1/chat/completions HTTP/1.1\r\n${lines.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
    const { status } = await sendTls(gateway, `${host}:443`, head + body);
    return status;
  } catch {
    return 0;
  }
}

/** Switches to another view of the console that the page shows. */
export const goTo = (page: Page, view: string) => page.evaluate(`location.hash = '#/${view}'`);

/** Waits until this many events are stored: they are written shortly after the answers. */
export async function storedEvents(gateway: Gateway, count: number): Promise<void> {
  for (let i = 0; i < 200; i++) {
    const { events } = (await (await gateway.api('/admin/events?limit=1000')).json()) as { events: unknown[] };
    if (events.length >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no ${count} events were stored`);
}
