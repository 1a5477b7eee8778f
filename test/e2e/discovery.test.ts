/**
 * Hosts outside the registry, discovered by the real process in real traffic; and hosts whose clients reject our
 * certificate.
 */
import { describe, expect, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { startGateway } from '../support/gateway.ts';
import { jsonPost } from '../support/json-post.ts';
import { type OriginHandler, startOrigin } from '../support/origin.ts';
import { run } from '../support/run.ts';
import { openTls } from '../support/tunnel.ts';

const handler: OriginHandler = (request, response) => {
  const isModel = request.url.startsWith('/v1/');
  response.writeHead(200, {
    'content-type': 'application/json',
    ...(isModel ? { 'x-ratelimit-limit-tokens': '9' } : {}),
  });
  response.end(
    isModel ? '{"choices":[{"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}' : '{}',
  );
};

type Row = {
  host: string;
  kind: string;
  confidence: string;
  state: string;
  signals: { signal: string; weight: string; count: number }[];
  [key: string]: unknown;
};

const authority = new TestAuthority();

const hosts = [
  'api.newgpt.ai',
  'chatgtp.com',
  'www.shop.example',
  'relay.shop.example',
  'claude.ai',
  'chatgpt.com',
  'perplexity.ai',
];

const secure = await startOrigin({ authority, names: hosts, handler });
const plain = await startOrigin({ handler });
const gateway = await startGateway({
  authority,
  hosts: {
    ...Object.fromEntries(hosts.map((host) => [host, secure])),
    'www.shop.example': plain,
    'relay.shop.example': plain,
    'chatgtp.com': plain,
  },
  config: { policy: { bypass_learning: { mode: 'auto', failures: 3 } } },
});

type Answer = {
  hosts: Row[];
  decision: Readonly<Record<string, unknown>>;
  tried: readonly unknown[];
  service: { id: number };
  expires_at: string;
};
const ask = async (path: string, init?: RequestInit) => (await (await gateway.api(path, init)).json()) as Answer;
const curl = (...args: string[]) => run('curl', ['-s', '-m', '10', '--proxy', gateway.proxyUrl, ...args]);
const found = async (): Promise<Row[]> => (await ask('/admin/discovery')).hosts;
const finding = async (host: string): Promise<Row | undefined> => (await found()).find((row) => row.host === host);

describe('an unregistered host', () => {
  test('is found by its name alone in a tunnel that is never intercepted', async () => {
    await curl('--cacert', authority.file, 'https://api.newgpt.ai/v1/models');
    await expect
      .poll(() => finding('newgpt.ai'))
      .toMatchObject({ state: 'proposed', kind: 'ai', requests: 1, subjects: 1 });
    const { signals } = (await finding('newgpt.ai')) as Row;
    expect(signals.map(({ signal }) => signal).sort()).toEqual(['host-api-label', 'host-model-word', 'host-tld-ai']);
  });

  test('is found by the shape of its plain requests and responses, which are not stored', async () => {
    const key = ['sk', 'proj', 'Zz11yy22xx33'].join('-');
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'secret-canary-text' }] });
    const args = ['-H', 'content-type: application/json', '-H', `authorization: Bearer ${key}`, '-d', body];
    await curl('http://relay.shop.example/v1/chat/completions', ...args);
    await expect
      .poll(async () => (await finding('shop.example'))?.signals.map(({ signal }) => signal).sort())
      .toEqual(['answer-token-limit', 'answer-usage', 'body-chat', 'header-provider-key', 'path-model-api']);
    const row = (await finding('shop.example')) as Row;
    expect(row).toMatchObject({
      kind: 'relay',
      confidence: 'high',
      category_proposed: 'blocked',
      family: 'openai-like',
    });
    expect(JSON.stringify(row)).not.toMatch(/canary|Zz11/);
  });

  test('that is ordinary is not recorded', async () => {
    await curl('http://www.shop.example/cart');
    expect((await found()).map(({ hosts }) => hosts)).not.toContainEqual(expect.arrayContaining(['www.shop.example']));
  });

  test('that imitates a registered one is a separate finding', async () => {
    await curl('http://chatgtp.com/');
    await expect.poll(() => finding('chatgtp.com')).toMatchObject({ kind: 'lookalike', imitates: 'chatgpt.com' });
  });

  test('changes nothing until an administrator registers it', async () => {
    const explain = async () => (await ask('/admin/explain?url=https://api.newgpt.ai/')).decision;
    expect(await explain()).toMatchObject({ action: 'allow', inspect: 'tunnel' });
    const answer = await gateway.api(
      '/admin/discovery/newgpt.ai',
      jsonPost({ state: 'registered', service: { service_name: 'New GPT', category: 'blocked' } }),
    );
    expect(await answer.json()).toMatchObject({ state: 'registered', service: 'new-gpt' });
    expect(await explain()).toMatchObject({ action: 'block' });
    expect(await (await gateway.api('/metrics')).text()).toMatch(/privet_discovery_hosts\{confidence="high"\} [1-9]/);
  });

  test('is not proposed again once dismissed', async () => {
    const body = JSON.stringify({ state: 'dismissed' });
    const headers = { 'content-type': 'application/json' };
    expect((await gateway.api('/admin/discovery/chatgtp.com', { method: 'POST', headers, body })).status).toBe(200);
    await curl('http://chatgtp.com/');
    expect(await finding('chatgtp.com')).toMatchObject({ state: 'dismissed' });
    expect((await gateway.api('/admin/discovery/unheard.example', { method: 'POST', headers, body })).status).toBe(404);
  });
});

describe('a host whose clients reject our certificate', () => {
  const pin = async (host: string) => (await ask('/admin/pins')).hosts.find((row: Row) => row.host === host);
  const reject = async (host: string) => expect((await curl(`https://${host}/`)).code).not.toBe(0);

  test.each<[client: string, command: string, args: (port: number, host: string) => string[], alert: RegExp]>([
    [
      'curl',
      'curl',
      (port, host) => ['-s', '-m', '5', '--proxy', `http://127.0.0.1:${port}`, `https://${host}/`],
      /unknown_ca/,
    ],
    [
      'Node.js',
      process.execPath,
      (_port, host) => ['-e', `fetch('https://${host}/').catch(() => process.exit(1))`],
      /closed/,
    ],
    [
      'Python',
      'python3',
      (_port, host) => ['-c', `import urllib.request as u; u.urlopen('https://${host}/', timeout=5)`],
      /unknown_ca|bad_certificate|certificate_unknown/,
    ],
  ])('is recorded for any program: %s', async (_name, command, args, alert) => {
    const env = { PATH: process.env.PATH ?? '', HTTPS_PROXY: gateway.proxyUrl, NODE_USE_ENV_PROXY: '1' };
    const before = (await pin('perplexity.ai'))?.failures ?? 0;
    expect((await run(command, args(gateway.proxyPort, 'perplexity.ai'), { env })).code).not.toBe(0);
    await expect.poll(async () => (await pin('perplexity.ai'))?.failures).toBe(Number(before) + 1);
    expect(Object.keys((await pin('perplexity.ai'))?.alerts as object).join()).toMatch(alert);
    expect((await pin('perplexity.ai'))?.trusting).toBe(0);
  });

  test('of clients without the CA is proposed and never bypassed automatically', async () => {
    for (let i = 0; i < 4; i++) await reject('claude.ai');
    await expect
      .poll(() => pin('claude.ai'))
      .toMatchObject({ state: 'proposed', cause: 'ca_not_trusted', alert: 'unknown_ca' });
    expect(await pin('claude.ai')).toMatchObject({ failures: 4, subjects: 1, trusting: 0 });
  });

  test('is not bypassed automatically if bodies must be masked', async () => {
    const accepted = await curl('--cacert', gateway.caFile, 'https://claude.ai/');
    expect(accepted.code).toBe(0);
    for (let i = 0; i < 4; i++) await reject('chatgpt.com');
    await expect.poll(() => pin('chatgpt.com')).toMatchObject({ state: 'proposed', cause: 'pinned' });
    const explained = await ask('/admin/explain?url=https://chatgpt.com/');
    expect(explained.decision.inspect).toBe('mask');
  });

  test('is bypassed by an administrator for the given time', async () => {
    const { expires_at } = await ask('/admin/pins/chatgpt.com', jsonPost({ state: 'bypassed', ttl: 3600 }));
    expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(3_600_000);
    const through = await curl('--cacert', authority.file, 'https://chatgpt.com/');
    expect(through.code).toBe(0);
    const { decision, tried } = await ask('/admin/explain?url=https://chatgpt.com/');
    expect(decision).toMatchObject({ inspect: 'tunnel', rule: 'learned bypass', ruleKind: 'bypass' });
    expect(tried).toContainEqual(expect.objectContaining({ rule: 'exemption', matched: true }));
  });

  test('is bypassed by `auto` if nothing is masked and clients trust the CA elsewhere', async () => {
    const patch = {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: '{"category":"monitoring"}',
    };
    const { service } = await ask('/admin/explain?url=https://claude.ai/');
    expect((await gateway.api(`/shadow-ai/services/${service.id}`, patch)).status).toBe(200);
    expect((await curl('--cacert', gateway.caFile, 'https://perplexity.ai/')).code).toBe(0);
    await reject('claude.ai');
    await expect.poll(() => pin('claude.ai')).toMatchObject({ state: 'bypassed', by: 'auto', cause: 'pinned' });
    const { decision } = await ask('/admin/explain?url=https://claude.ai/');
    expect(decision).toMatchObject({ inspect: 'tunnel', rule: 'learned bypass' });
    // What was learned before does not apply to services that are masked later.
    await gateway.api(`/shadow-ai/services/${service.id}`, { ...patch, body: '{"category":"approved"}' });
    const masked = await ask('/admin/explain?url=https://claude.ai/');
    expect(masked.decision.inspect).toBe('mask');
  });

  test('does not count clients that resume a session and disconnect, like preconnecting browsers', async () => {
    const failures = async () => (await pin('perplexity.ai'))?.failures ?? 0;
    const first = await openTls(gateway, 'perplexity.ai:443');
    const session = new Promise<Buffer>((resolve) => first.once('session', resolve));
    first.write('GET / HTTP/1.1\r\nHost: perplexity.ai\r\nConnection: close\r\n\r\n');
    first.resume();
    const before = Number(await failures());
    const resumed = await openTls(gateway, 'perplexity.ai:443', { session: await session });
    expect(resumed.isSessionReused()).toBe(true);
    resumed.end();
    // The same without a session: only an alert shows that a client rejects the certificate.
    const rejects = async () =>
      /^privet_tls_client_rejects_total (.*)$/m.exec(await (await fetch(`${gateway.apiUrl}/metrics`)).text())?.[1];
    const counted = await rejects();
    (await openTls(gateway, 'perplexity.ai:443')).end();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await failures()).toBe(before);
    expect(await rejects()).toBe(counted);
  });
});
