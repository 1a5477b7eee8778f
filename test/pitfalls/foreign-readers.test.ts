/** Values that one user has masked at a service are restored for nobody else, however they send the request. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { hashPassword } from '../../gateway/users/password-hash.ts';
import { startEcho } from '../support/echo.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { tempFolder } from '../support/temp.ts';
import { ask, askedTokens, type Caller, parrot } from './asking.ts';
import {
  addresses,
  ann,
  api,
  app,
  at,
  bar,
  cookie,
  fetched,
  foo,
  gemini,
  hers,
  hosts,
  jwt,
  key,
  keys,
  own,
  page,
  people,
  plainApp,
  plainPage,
  realtime,
  senders,
  sites,
  valueFrom,
  values,
} from './foreign-callers.ts';

const names = [
  api,
  'openai.com',
  app,
  'chat.openai.com',
  gemini,
  foo,
  bar,
  'api.anthropic.com',
  'files.oaiusercontent.com',
  'maker.example',
  'x.made.example',
];
/** Of a service that is not in the shipped registry. */
const [maker, made] = ['maker.example', 'x.made.example'];
const hour = 3_600_000;
const clock = join(tempFolder('clock'), 'ahead');

writeFileSync(clock, '0');
writeFileSync(`${clock}.seen`, '0');
const origin = await startEcho({ names, handler: parrot });
const plain = await startEcho({ handler: parrot });
const users = ['ann', 'ben'].map((name) => ({ name, password_hash: hashPassword(`${name}-pass`) }));
const gateway = await startGatewayProcess({
  hosts: {
    ...Object.fromEntries(names.map((name) => [name, origin])),
    [plainApp]: plain,
    [plainPage]: plain,
  },
  config: { auth: { proxy: { mode: 'basic', users, exempt: ['127.0.0.192/26'] } } },
  env: {
    TEST_CLOCK_FILE: clock,
    NODE_OPTIONS: `--import ${resolve(import.meta.dirname, '../support/shifted-clock.mjs')}`,
    PROXY_TOKEN_TTL: String(2 * hour),
  },
});
beforeAll(async () => {
  for (const [sender, caller] of Object.entries(senders)) {
    expect(await ask(gateway, caller, `write to ${valueFrom(sender)}`), sender).toContain(valueFrom(sender));
  }
  expect(origin.everything()).not.toContain('@corp.example');
});

/** The values in the response to a request for all tokens. */
async function valuesFor(caller: Caller): Promise<string[]> {
  const answer = await ask(gateway, caller, `say ${askedTokens}`);
  // It was answered, with tokens that have not been issued.
  expect(answer).toContain('[EMAIL-150]');
  return values.filter((value) => answer.includes(value));
}

test('more than sixty ways are tested', () => {
  expect([...sites, ...hosts, ...keys, ...people, ...addresses].length).toBeGreaterThan(60);
});

describe.each([
  ['a page of another site', sites],
  ['a host', hosts],
  ['the same user', keys],
  ['another user', people],
  ['an address', addresses],
])('%s', (_axis, rows) => {
  test.each(rows)('%s: no value', async (_what, caller) => {
    expect(await valuesFor(caller)).toEqual([]);
  });
});

describe('a tenant of the API', () => {
  test.each(['/restore-all', '/rag/resolve', '/demo/restore', '/restore'])('%s: no value', async (path) => {
    const made = await gateway.api('/admin/keys', { method: 'POST', body: '{"name":"eve","plan":"enterprise"}' });
    const { key: tenantKey } = (await made.json()) as { key: string };
    const { sessions } = (await (await gateway.api('/admin/sessions')).json()) as { sessions: { id: string }[] };
    expect(sessions.length).toBeGreaterThanOrEqual(Object.keys(senders).length);
    for (const sessionId of [undefined, ...sessions.map(({ id }) => id)]) {
      const body = JSON.stringify({ text: '[EMAIL-1] [EMAIL-2] [EMAIL-9]', sessionId });
      const answer = await gateway.api(path, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${tenantKey}` },
      });
      expect(await answer.text()).not.toContain('@corp.example');
    }
  });
});

describe('the original senders', () => {
  test.each(Object.keys(senders))('%s still works', async (sender) => {
    expect(await valuesFor(senders[sender] as Caller)).toEqual([valueFrom(sender)]);
  });

  const inPage = valueFrom('the page of the service');
  const withKey = valueFrom('a program with a key');
  test.each<[what: string, value: string, caller: Caller]>([
    [
      'a page with its own cookie, and others that change',
      valueFrom('a page with a cookie of its own'),
      at('127.0.0.202', app, [...own, 'Cookie: __cf_bm=0000000000; maker_login=0123abcd; theme=dark']),
    ],
    ['the page without its token', inPage, ann(app, [...own, cookie])],
    ['another host of the service', inPage, ann('chat.openai.com', [...page(`https://${app}`), cookie])],
    ['an upload of the page', inPage, ann('files.oaiusercontent.com', page(`https://${app}`))],
    ['the WebSocket of the page', inPage, ann(app, [`Origin: https://${app}`, cookie], { way: 'websocket' })],
    ['the WebSocket of the page, over HTTP/2', inPage, ann(app, [`Origin: https://${app}`], { way: 'websocket2' })],
    [
      'a conversation opened by a link',
      inPage,
      ann(app, fetched('cross-site', 'navigate', 'document'), { get: '/page.html' }),
    ],
    ['a conversation that is opened', inPage, ann(app, fetched('none', 'navigate', 'document'), { get: '/page.html' })],
    [
      'a page over plain http that reads what it sent',
      valueFrom('a page over plain http'),
      ann(plainApp, ['Upgrade-Insecure-Requests: 1', cookie], { way: 'plain', get: '/page.html' }),
    ],
    ['the page at another address', inPage, ann(app, [...own, cookie], { from: '127.0.0.9' })],
    ['the program over HTTP/2', withKey, ann(api, [key(hers)], { way: 'http2' })],
    ['the program at another host of the service', withKey, ann('openai.com', [key(hers)])],
    ['the program over a WebSocket', withKey, ann(api, [key(hers)], { way: 'websocket' })],
    ['the key in the subprotocol', withKey, ann(api, [], { way: 'websocket', protocols: realtime(hers) })],
    ['a view in an editor', withKey, ann(api, [...page('vscode-webview://0a1b'), key(hers)])],
    ['the window of an app', withKey, ann(api, [...page('app://obsidian.md'), key(hers)])],
    ['a program that fetches as Electron does', withKey, ann(api, [...fetched('none', 'no-cors', 'empty'), key(hers)])],
    ['a renewed JWT', valueFrom('a program with a JWT'), ann(api, [key(jwt({ iss: 'i', sub: 'ann', exp: 2 }))])],
    [
      'a key in a field instead of the query',
      valueFrom('a program with a key in the query'),
      ann(gemini, [`x-goog-api-key: ${hers}`]),
    ],
    [
      'a published page for itself',
      valueFrom('a page that users publish'),
      ann(foo, fetched('same-origin', 'cors', 'empty'), { get: '/data.json' }),
    ],
  ])('%s has its value', async (_what, value, caller) => {
    expect(await valuesFor(caller)).toEqual([value]);
  });
});

test('a service added by an administrator: users publish only on the declared hosts', async () => {
  const change = async (method: string, path: string, body: object) => {
    const answer = await gateway.api(`/shadow-ai/services${path}`, { method, body: JSON.stringify(body) });
    expect(answer.status, await answer.clone().text()).toBeLessThan(300);
    return (await answer.json()) as { key?: string; id: string | number; user_content?: string[] };
  };
  const fields = { service_name: 'Maker', domain: maker, alternate_domains: ['made.example'], category: 'approved' };
  const { id, user_content: marked } = await change('POST', '', { ...fields, user_content: ['made.example'] });
  expect(marked).toEqual(['made.example']);
  const value = 'maker@corp.example';
  const inPage = [...page(`https://${maker}`, 'same-origin'), cookie];
  expect(await ask(gateway, ann(maker, inPage), `write to ${value}`)).toContain(value);
  const published = ann(made, fetched('same-origin', 'cors', 'empty'), { get: '/data.json' });
  const asking = ann(maker, [...page(`https://${made}`), cookie]);
  for (const caller of [published, asking]) expect(await ask(gateway, caller, askedTokens)).not.toContain(value);
  await change('PATCH', `/${id}`, { user_content: null });
  for (const caller of [published, asking]) expect(await ask(gateway, caller, askedTokens)).toContain(value);
});

/** The last one, because it ends every session. */
test.each(Object.keys(senders))('after its expiry: no value for %s', async (sender) => {
  writeFileSync(`${clock}.new`, String(3 * hour));
  renameSync(`${clock}.new`, clock);
  await expect.poll(() => readFileSync(`${clock}.seen`, 'utf8')).toBe(String(3 * hour));
  expect(await valuesFor(senders[sender] as Caller)).toEqual([]);
});
