/** Line breaks and NULs in user input never end a field of a response or a line of the log. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hashPassword } from '../../gateway/users/password-hash.ts';
import { serviceId } from '../../policy/service.ts';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { makeProvider } from '../support/provider.ts';
import { exchangeRaw } from '../support/recorder.ts';
import { readAnswers } from '../support/strict-http.ts';
import { tempFolder } from '../support/temp.ts';

const password = 'injected-lines-test';
const asked = 'asked-for.example';

/** All but the last become CR and LF if only the low byte of a character is written. */
const endings = [
  '\r\nX-Injected: 1\r\n\r\nHTTP/1.1 200 OK\r\nX-Injected: 2\r\n\r\n',
  '\nX-Injected: 1',
  '\rX-Injected: 1',
  '\0X-Injected: 1',
  '\u560d\u560aX-Injected: 1',
  '\u2028X-Injected: 1',
];

const provider = await startOrigin({ handler: makeProvider().handler });
const origin = await startOrigin({ handler: (_request, response) => void response.writeHead(200).end('ok') });
const rules = [{ name: 'asked', when: { hosts: [asked] }, then: { action: 'block' } }];
const gateway = await startGateway({
  hosts: { 'api.newgpt.ai': origin },
  env: { CUSTOM_LLM_BASE_URL: `http://${provider.address}/v1`, CUSTOM_LLM_API_KEY: 'k', CUSTOM_LLM_MODEL: 'm' },
  config: {
    auth: {
      proxy: {
        mode: 'basic',
        users_file: join(tempFolder('users'), 'users'),
        users: [{ name: 'ann', password_hash: hashPassword(password) }],
      },
    },
    policy: { rules, inspect: { unknown: 'audit' } },
  },
});
const apiPort = Number(new URL(gateway.apiUrl).port);

/** A call as bytes, and its response according to a strict parser. */
async function call(method: string, target: string, body?: unknown): Promise<{ status: number; strange?: string }> {
  const json = body === undefined ? '' : JSON.stringify(body);
  const head = [
    `${method.toUpperCase()} ${target} HTTP/1.1`,
    `Host: 127.0.0.1:${apiPort}`,
    `Authorization: Bearer ${gateway.adminKey}`,
    'Connection: close',
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(json)}`]),
  ];
  const answer = await exchangeRaw(apiPort, Buffer.from(`${head.join('\r\n')}\r\n\r\n${json}`));
  const strange = strangeIn(answer, method);
  return { status: Number(answer.split(' ')[1]), ...(strange && { strange }) };
}

/** Why a response (as latin1) is more than the requested one. */
function strangeIn(answer: string, method: string): string | undefined {
  const { messages, rest, reason } = readAnswers(Buffer.from(answer, 'latin1'), [method.toUpperCase()]);
  const fields = messages.flatMap((message) => [...message.fields, ...message.trailers]);
  if (rest !== 'none' || messages.length !== 1) return `${rest} ${reason}: ${answer.slice(0, 300)}`;
  // A value may repeat the words, as text of one field; a field with that name was injected.
  return fields.some(([name]) => /injected/i.test(name)) ? answer.slice(0, 300) : undefined;
}

const text = 'Write to ana@example.com';
const service = (n: number) => ({ service_name: `Bot ${n}`, domain: `bot${n}.example`, category: 'monitoring' });
/** A call that succeeds, for each operation that takes JSON; `n` makes it unique. */
const calls: Record<string, (n: number) => unknown> = {
  'post /detect': () => ({ text, lang: 'en', types: ['EMAIL'], dictionary: [{ label: 'PLACE', pattern: 'Kyoto' }] }),
  'post /detect-pii': () => ({ text, types: ['EMAIL'] }),
  'post /detect/batch': () => ({ texts: [text, 'x'], types: ['EMAIL'] }),
  'post /mask/batch': () => ({ texts: [text, 'x'], dictionary: [{ label: 'PLACE', pattern: 'Kyoto' }] }),
  'post /mask': () => ({ text, dictionary: [{ label: 'PLACE', pattern: 'Kyoto' }] }),
  'post /restore': () => ({ text: 'x', sessionId: session }),
  'post /restore-all': () => ({ text: '[EMAIL-1]', tokenMap: { '[EMAIL-1]': 'ana@example.com' } }),
  'post /detect-injection': () => ({ text, lang: 'en', sensitivity: 'high' }),
  'post /detect-sql-injection': () => ({ text }),
  'post /detect-all-injections': () => ({ text }),
  'post /rag/ingest': () => ({ text, dictionary: [{ label: 'PLACE', pattern: 'Kyoto' }] }),
  'post /rag/resolve': () => ({ text: '[EMAIL-1]', tokenMap: { '[EMAIL-1]': 'ana@example.com' } }),
  'post /chat': () => ({ message: text, system: 'Be kind.', model: 'm' }),
  'post /chat-multi': () => ({ message: text, providers: ['custom'] }),
  'post /demo/detect': () => ({ text }),
  'post /demo/mask': () => ({ text }),
  'post /demo/restore': () => ({ text: 'x', sessionId: demoSession }),
  'post /demo/detect-all-injections': () => ({ text }),
  'post /admin/login': () => ({ key: gateway.adminKey }),
  'post /admin/keys': (n) => ({ name: `Member ${n}`, plan: 'free' }),
  'post /admin/users': (n) => ({ name: `user${n}`, password, groups: ['staff'] }),
  'put /admin/policy': () => ({ yaml: 'rules: []\n', version }),
  'post /admin/policy/validate': () => ({ yaml: 'rules: []\n' }),
  'post /admin/policy/dry-run': () => ({ yaml: 'rules: []\n', from: '2026-01-01T00:00:00Z' }),
  'post /admin/exceptions/{id}': () => ({ state: 'denied', note: 'no', ttl: '1h' }),
  'post /shadow-ai/services': (n) => ({
    ...service(n),
    vendor: 'V',
    reason: 'R',
    alternate_domains: [`alt${n}.example`],
  }),
  'patch /shadow-ai/services/{id}': () => ({ service_name: 'ChatGPT', vendor: 'OpenAI', reason: 'R' }),
  'post /shadow-ai/check': () => ({ url: 'https://chatgpt.com/x' }),
  'post /admin/discovery/{host}': () => ({ state: 'dismissed' }),
  'post /admin/services/bulk': () => ({ ids: [serviceId('chatgpt')], change: { reason: 'R' } }),
  'post /admin/services/impact': () => ({ ids: [serviceId('chatgpt')], change: { category: 'blocked' } }),
  'patch /admin/tenants/{id}': () => ({ plan: 'starter' }),
};
/**
 * Those whose object needs more than a proxy, which change what every other call needs, or which are limited to a few
 * calls.
 */
const notServed = [
  'post /admin/pins/{host}',
  'post /admin/tools/{id}',
  'post /demo/chat',
  'post /demo/shadow-ai/check',
  'post /admin/mcp-servers/{id}',
  'post /admin/ca/rotate',
  'post /admin/feeds/{name}/approve',
  'post /admin/feeds/{name}/reject',
];
let session = '';
let version: unknown;
let demoSession = '';
const ids: Record<string, string> = {
  '/shadow-ai/services/{id}': String(serviceId('chatgpt')),
  '/admin/discovery/{host}': 'newgpt.ai',
};

/** The value with one text in it changed, for each text, including keys. */
function* changedTexts(value: unknown, change: (text: string) => string): Generator<unknown> {
  if (typeof value === 'string') yield change(value);
  else if (Array.isArray(value)) {
    for (const [i, item] of value.entries())
      for (const changed of changedTexts(item, change)) yield value.with(i, changed);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      for (const changed of changedTexts(item, change)) yield { ...value, [key]: changed };
      const { [key]: _, ...others } = value as Record<string, unknown>;
      yield { ...others, [change(key)]: item };
    }
  }
}

type Document = { paths: Record<string, Record<string, { requestBody?: { content?: Record<string, unknown> } }>> };

/** Sessions, an account, an exception request and a discovered host to query. */
async function prepare(): Promise<void> {
  const post = async (path: string, body: unknown) =>
    (await (await gateway.api(path, { method: 'POST', body: JSON.stringify(body) })).json()) as Record<string, string>;
  session = (await post('/mask', { text })).sessionId as string;
  demoSession = (await post('/demo/mask', { text })).sessionId as string;
  await post('/admin/keys', { name: 'Ana' });
  const { tenants } = (await (await gateway.api('/admin/tenants')).json()) as { tenants: { tenant: string }[] };
  ids['/admin/tenants/{id}'] = tenants[0]?.tenant as string;
  for (let i = 0; i < 3; i++)
    await proxied(`GET http://api.newgpt.ai/v1/chat/completions HTTP/1.1\r\nHost: api.newgpt.ai`);
  await expect
    .poll(async () => (await (await gateway.api('/admin/discovery')).text()).includes('newgpt.ai'))
    .toBe(true);
  await proxied(
    'POST http://privet.proxy/me/exceptions HTTP/1.1\r\nHost: privet.proxy',
    new URLSearchParams({ host: asked, reason: 'R', token: await formToken() }).toString(),
  );
  const { requests } = (await (await gateway.api('/admin/exceptions')).json()) as { requests: { id: string }[] };
  ids['/admin/exceptions/{id}'] = requests[0]?.id as string;
}

const policyVersion = async (): Promise<unknown> =>
  ((await (await gateway.api('/admin/policy')).json()) as { version: unknown }).version;

/** The fields of the exception form. */
async function formToken(): Promise<string> {
  const page = await proxied('GET http://privet.proxy/me/exceptions HTTP/1.1\r\nHost: privet.proxy');
  return /name="token" value="([^"]+)"/.exec(page)?.[1] as string;
}

/** A request of ann through the proxy: its first lines, and the content of a form. */
async function proxied(head: string, form?: string, user = 'ann'): Promise<string> {
  const lines = [head, `Proxy-Authorization: Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`];
  if (form !== undefined) {
    lines.push('Content-Type: application/x-www-form-urlencoded', `Content-Length: ${Buffer.byteLength(form)}`);
    lines.push('Origin: http://privet.proxy', 'Sec-Fetch-Site: same-origin');
  }
  const bytes = Buffer.from(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n${form ?? ''}`);
  return exchangeRaw(gateway.proxyPort, bytes);
}

test('in each text of each call of the API', async () => {
  await prepare();
  const { paths } = (await (await fetch(`${gateway.apiUrl}/openapi.json`)).json()) as Document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method, path, content: methods[method]?.requestBody?.content ?? {} })),
  );
  const strange: unknown[] = [];
  const statuses = new Map<number, number>();
  const ask = async (method: string, target: string, body?: unknown) => {
    const { status, strange: why } = await call(method, target, body);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (why !== undefined || status >= 500) strange.push([method, target, body, status, why]);
    return status;
  };
  let n = 0;
  for (const { method, path, content } of operations) {
    const target = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(ids[path] ?? 'none'));
    const make = calls[`${method} ${path}`];
    if ('application/json' in content && !notServed.includes(`${method} ${path}`)) {
      expect([method, path, make]).toEqual([method, path, expect.any(Function)]);
    }
    version = await policyVersion();
    if (make !== undefined) {
      const served = await call(method, target, make(n++));
      expect([method, path, served]).toEqual([method, path, { status: expect.toSatisfy((s) => s >= 200 && s < 300) }]);
    }
    for (const ending of endings) {
      if (path.includes('{'))
        await ask(method, path.replaceAll(/\{\w+\}/g, encodeURIComponent(`x${ending}`)), make?.(n++));
      if (method === 'get')
        await ask(method, `${target}?q=${encodeURIComponent(ending)}&url=${encodeURIComponent(`http://a${ending}`)}`);
      const count = make === undefined ? 0 : [...changedTexts(make(n), (value) => value)].length;
      // Each call is new, so that none is refused because of the previous one.
      for (let i = 0; i < count; i++) {
        if (path === '/admin/policy') version = await policyVersion();
        const body = [...changedTexts(make?.(n++), (value) => value + ending)][i];
        await ask(method, target, body);
      }
    }
  }
  // Accepted values are displayed again.
  for (const { method, path } of operations) if (method === 'get' && !/tail|\{/.test(path)) await ask(method, path);
  expect(strange).toEqual([]);
  // Most are accepted as text: a test of refusals alone would prove nothing.
  expect(statuses.get(200)).toBeGreaterThan(200);
});

test('in names that the proxy displays, and in user input', async () => {
  const taken: string[] = [];
  const strange: string[] = [];
  const read = async (answer: string): Promise<string> => {
    const why = strangeIn(answer, 'GET');
    if (why !== undefined) strange.push(why);
    return answer;
  };
  for (const [i, ending] of endings.entries()) {
    const host = `hostile${i}.example`;
    const send = async (what: string, method: string, path: string, body: unknown) => {
      const { status } = await gateway.api(path, { method, body: JSON.stringify(body) });
      expect([what, status]).toEqual([what, expect.toSatisfy((s) => s < 500)]);
      if (status < 300) taken.push(what);
    };
    const named = { service_name: `Bot${ending}`, domain: `s-${host}`, reason: `R${ending}`, category: 'blocked' };
    await send('service', 'POST', '/shadow-ai/services', named);
    await send('reason', 'POST', '/shadow-ai/services', { ...named, service_name: `Bot${i}`, domain: `r-${host}` });
    await send('user', 'POST', '/admin/users', { name: `eve${ending}`, password, groups: [`g${ending}`] });
    const rule = { name: `rule${ending}`, when: { hosts: [host] }, then: { action: 'block' } };
    await send('rule', 'PUT', '/admin/policy', {
      yaml: `rules: ${JSON.stringify([rule])}\n`,
      version: await policyVersion(),
    });
    for (const name of [`s-${host}`, `r-${host}`, host]) {
      for (const accept of ['', '\r\nAccept: text/html\r\nSec-Fetch-Mode: navigate'])
        await read(await proxied(`GET http://${name}/ HTTP/1.1\r\nHost: ${name}${accept}`));
      await read(await proxied(`GET http://${name}/ HTTP/1.1\r\nHost: ${name}`, undefined, `eve${ending}`));
    }
    const form = new URLSearchParams({ host, reason: `R${ending}`, token: await formToken() }).toString();
    await read(await proxied('POST http://privet.proxy/me/exceptions HTTP/1.1\r\nHost: privet.proxy', form));
    await read(
      await proxied(`GET http://privet.proxy/me?sent=${encodeURIComponent(ending)} HTTP/1.1\r\nHost: privet.proxy`),
    );
  }
  expect(strange).toEqual([]);
  expect(new Set(taken)).toContain('rule');
  expect(new Set(taken)).toContain('reason');
  const lines = gateway.output().split(/[\n\r\u2028]/);
  expect(lines.filter((line) => /^(?:X-Injected|HTTP\/1\.1)/.test(line))).toEqual([]);
});
