/** Values that one user has masked at a service are restored for nobody else, however they send the request. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { hashPassword } from '../../gateway/users/password-hash.ts';
import { startEcho } from '../support/echo.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { tempFolder } from '../support/temp.ts';
import { ask, askedTokens, type Caller, parrot } from './asking.ts';

const api = 'api.openai.com';
const app = 'chatgpt.com';
const gemini = 'generativelanguage.googleapis.com';
const [foo, bar] = ['foo.chatgpt.site', 'bar.chatgpt.site'];
/** Of the same service, reached over plain HTTP here. */
const [plainApp, plainPage] = ['chat.com', 'plain.chatgpt.site'];
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

const jwt = (claims: object) => `eyJhbGciOiJub25lIn0.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;
const key = (value: string) => `Authorization: Bearer ${value}`;
const [hers, evils] = ['sk-ann-0001', 'sk-evil-0001'];
const cookie = 'Cookie: session=1';
const page = (origin: string, site = 'cross-site') => [`Origin: ${origin}`, `Sec-Fetch-Site: ${site}`];
const fetched = (site: string, mode: string, dest: string) => [
  `Sec-Fetch-Site: ${site}`,
  `Sec-Fetch-Mode: ${mode}`,
  `Sec-Fetch-Dest: ${dest}`,
];
const own = page(`https://${app}`, 'same-origin');
const evil = page('https://evil.example');
const corp = page('https://app.corp.example');
const realtime = (value: string) => `realtime, openai-insecure-api-key.${value}`;

/** The original senders, each in a different way. */
const senders: Readonly<Record<string, Caller>> = {
  'a program with a key': { user: 'ann', host: api, fields: [key(hers)] },
  'a program with a JWT': { user: 'ann', host: api, fields: [key(jwt({ iss: 'i', sub: 'ann', exp: 1 }))] },
  'a program with a key in the query': { user: 'ann', host: gemini, query: `?key=${hers}` },
  'the page of the service': {
    way: 'http2',
    user: 'ann',
    host: app,
    fields: [...own, cookie, key(jwt({ sub: 'ann' }))],
  },
  'a page of the company': { user: 'ann', host: api, fields: [...corp, key(hers)] },
  'an app that has no origin': { user: 'ann', host: api, fields: [...page('null'), key(hers)] },
  'a page that users publish': { user: 'ann', host: foo, fields: [...page(`https://${foo}`, 'same-origin'), cookie] },
  'a program at an address': { from: '127.0.0.200', host: api, fields: [key(hers)] },
  'the page of the service at an address': { from: '127.0.0.200', host: app, fields: [...own, cookie] },
  'a page with a cookie of its own': {
    from: '127.0.0.202',
    host: app,
    fields: [...own, 'Cookie: maker_login=0123abcd'],
  },
};
const valueFrom = (sender: string) => `${sender.replaceAll(/\W+/g, '.').toLowerCase()}@corp.example`;
const values = Object.keys(senders).map(valueFrom);

const ann = (host: string, fields: readonly string[], more: Partial<Caller> = {}): Caller => ({
  user: 'ann',
  host,
  fields,
  ...more,
});
const ben = (host: string, fields: readonly string[], more: Partial<Caller> = {}) => ({
  ...ann(host, fields, more),
  user: 'ben',
});
const at = (from: string, host: string, fields: readonly string[], more: Partial<Caller> = {}): Caller => ({
  from,
  host,
  fields,
  ...more,
});

const sites: [what: string, caller: Caller][] = [
  ['with its own key', ann(api, [...evil, key(evils)])],
  ['in a stream', ann(api, [...evil, key(evils)], { way: 'stream' })],
  ['over HTTP/2', ann(api, [...evil, key(evils)], { way: 'http2' })],
  ['without a key', ann(api, evil)],
  ['with the key of its victim', ann(api, [...evil, key(hers)])],
  ['with the claims of its victim', ann(api, [...evil, key(jwt({ iss: 'i', sub: 'ann', exp: 2 }))])],
  [
    'over a WebSocket with a key in the subprotocol',
    ann(api, ['Origin: https://evil.example'], { way: 'websocket', protocols: realtime(evils) }),
  ],
  [
    'over a WebSocket with the key of its victim',
    ann(api, ['Origin: https://evil.example'], { way: 'websocket', protocols: realtime(hers) }),
  ],
  ['over a WebSocket without a key', ann(app, ['Origin: https://evil.example', cookie], { way: 'websocket' })],
  [
    'over a WebSocket of HTTP/2',
    ann(api, ['Origin: https://evil.example'], { way: 'websocket2', protocols: realtime(evils) }),
  ],
  ['over a WebSocket of a frame without an origin', ann(app, ['Origin: null', cookie], { way: 'websocket' })],
  ['over a WebSocket of a file', ann(app, ['Origin: file://', cookie], { way: 'websocket' })],
  ['next to a cookie', ann(app, [...evil, cookie])],
  ['next to a cookie, over HTTP/2', ann(app, [...evil, cookie], { way: 'http2' })],
  ['next to a cookie, in an old browser', ann(app, ['Origin: https://evil.example', cookie])],
  ['in a frame without an origin', ann(app, [...page('null'), cookie])],
  ['in a frame without an origin, with a key', ann(api, [...page('null'), key(evils)])],
  ['with a script', ann(app, [...fetched('cross-site', 'no-cors', 'script'), cookie], { get: '/data.txt' })],
  [
    'with a script, and its address',
    ann(app, [...fetched('cross-site', 'no-cors', 'script'), 'Referer: https://evil.example/', cookie], {
      get: '/data.json',
    }),
  ],
  [
    'with a picture',
    ann(app, [...fetched('cross-site', 'no-cors', 'image'), cookie], { get: '/data.txt', way: 'http2' }),
  ],
  [
    'with a frame',
    ann(app, [...fetched('cross-site', 'navigate', 'iframe'), 'Referer: https://evil.example/', cookie], {
      get: '/page.html',
    }),
  ],
  [
    'from a neighbour of the service',
    ann(app, [...fetched('same-site', 'no-cors', 'script'), cookie], { get: '/data.txt' }),
  ],
  ['with its address alone', ann(app, ['Referer: https://evil.example/', cookie], { get: '/data.json' })],
  ['over plain http', ann(plainApp, ['Origin: http://evil.example', cookie], { way: 'plain' })],
  [
    'over plain http, with its address alone',
    ann(plainApp, ['Referer: http://evil.example/', cookie], { way: 'plain', get: '/data.json' }),
  ],
  ['that claims to be the same', ann(app, [...page('https://evil.example', 'same-origin'), cookie])],
  ['that claims to have no sender', ann(app, [...page('https://evil.example', 'none'), cookie])],
  ['whose name has the same ending', ann(app, [...page('https://notchatgpt.com'), cookie])],
  ['whose name has the same beginning', ann(app, [...page('https://chatgpt.com.evil.example'), cookie])],
  ['with a name before an at sign', ann(app, [...page('https://chatgpt.com@evil.example'), cookie])],
  ['that intercepts plain http', ann(app, [...page('http://chatgpt.com'), cookie])],
  ['which is another service', ann(app, [...page('https://claude.ai'), cookie])],
  ['on this machine', ann(app, [...page('http://localhost:3000'), cookie])],
  ['next to the page of the company', ann(api, [...page('https://other.corp.example'), key(hers)])],
  ['that intercepts the page of the company', ann(api, [...page('http://app.corp.example'), key(hers)])],
  ['at an address', at('127.0.0.200', api, [...evil, key(evils)])],
  ['at an address, with the key of its victim', at('127.0.0.200', api, [...evil, key(hers)])],
  ['at an address, next to a cookie', at('127.0.0.200', app, [...evil, cookie])],
  [
    'at an address, over a WebSocket',
    at('127.0.0.200', app, ['Origin: https://evil.example', cookie], { way: 'websocket' }),
  ],
];
const hosts: [what: string, caller: Caller][] = [
  ['a published page asks the service', ann(app, [...page(`https://${bar}`), cookie])],
  [
    'a published page asks the service over a WebSocket',
    ann(app, [`Origin: https://${bar}`, cookie], { way: 'websocket' }),
  ],
  ['a published page has a file', ann(bar, fetched('same-origin', 'cors', 'empty'), { get: '/data.json' })],
  ['a published page is opened', ann(bar, fetched('none', 'navigate', 'document'), { get: '/page.html' })],
  [
    'a published page is opened by a link',
    ann(bar, fetched('cross-site', 'navigate', 'document'), { get: '/page.html', way: 'http2' }),
  ],
  ['a published page asks another one', ann(foo, [...page(`https://${bar}`), cookie])],
  ['a published page over its own WebSocket', ann(bar, [`Origin: https://${bar}`], { way: 'websocket' })],
  ['a published page, over plain http', ann(plainPage, [], { get: '/page.html', way: 'plain' })],
  [
    'a published page at an address',
    at('127.0.0.200', bar, fetched('same-origin', 'cors', 'empty'), { get: '/data.json' }),
  ],
  ['a published page asks the service at an address', at('127.0.0.200', app, [...page(`https://${bar}`), cookie])],
  ['the sandbox of the service asks it', ann(app, [...page('https://x.web-sandbox.oaiusercontent.com'), cookie])],
  ['another service with the same key', ann('api.anthropic.com', [key(hers)])],
  ['another host of it with another key', ann('openai.com', [key(evils)])],
  ['the page of one service at another', ann(api, [...page(`https://${app}`), key(evils)])],
];
const keys: [what: string, caller: Caller][] = [
  ['another key', ann(api, [key(evils)])],
  ['no key', ann(api, [])],
  ['another key, over a WebSocket', ann(api, [key(evils)], { way: 'websocket' })],
  ['another key, over HTTP/2', ann(api, [key(evils)], { way: 'http2' })],
  ['another key in a field of another name', ann(api, [`x-api-key: ${evils}`])],
  ['another key next to hers', ann(api, [key(hers), `x-api-key: ${evils}`])],
  ['another key in the subprotocol', ann(api, [], { way: 'websocket', protocols: realtime(evils) })],
  ['another subject of a JWT', ann(api, [key(jwt({ iss: 'i', sub: 'evil' }))])],
  ['another issuer of a JWT', ann(api, [key(jwt({ iss: 'j', sub: 'ann' }))])],
  ['an opaque token', ann(api, [key('ya29.evil')])],
  ['the key of a view in an editor', ann(api, [...page('vscode-webview://0a1b'), key(evils)])],
  ['the key of an extension', ann(api, [...page('chrome-extension://abcd'), key(evils)])],
  ...['key', 'KEY', '%6bey', '%256bey', '+key', 'api_key', 'api%2Dkey', 'access_token', '$key'].map(
    (name): [string, Caller] => [`?${name}=`, ann(gemini, [], { query: `?${name}=${evils}` })],
  ),
  ['two keys in the query', ann(gemini, [], { query: `?key=${hers}&key=${evils}` })],
  ['a key after a semicolon', ann(gemini, [], { query: `?a=1;key=${evils}` })],
  ['a key in the query of a WebSocket', ann(gemini, [], { way: 'websocket', query: `?%6bey=${evils}` })],
];
const people: [what: string, caller: Caller][] = [
  ['with the same key', ben(api, [key(hers)])],
  ['with the same key, over HTTP/2', ben(api, [key(hers)], { way: 'http2' })],
  ['with the same key, over a WebSocket', ben(api, [key(hers)], { way: 'websocket' })],
  ['with the same claims', ben(api, [key(jwt({ iss: 'i', sub: 'ann', exp: 1 }))])],
  ['in the page of the service', ben(app, [...own, cookie])],
  [
    'in the page of the service, over plain http',
    ben(plainApp, [`Origin: http://${plainApp}`, cookie], { way: 'plain' }),
  ],
  ['in the page of the company', ben(api, [...corp, key(hers)])],
  ['with the name of another inside', ben(api, [key(hers), `Proxy-Authorization: Basic ${btoa('ann:ann-pass')}`])],
];
const addresses: [what: string, caller: Caller][] = [
  ['a neighbour with the same key', at('127.0.0.201', api, [key(hers)])],
  ['a neighbour in the page of the service', at('127.0.0.201', app, [...own, cookie])],
  ['a neighbour who names the address', at('127.0.0.201', api, [key(hers), 'X-Forwarded-For: 127.0.0.200'])],
  [
    'a neighbour who names the address in another field',
    at('127.0.0.201', api, [key(hers), 'Forwarded: for=127.0.0.200']),
  ],
  ['the same address with another key', at('127.0.0.200', api, [key(evils)])],
  ['the same address without a key', at('127.0.0.200', api, [])],
  ['another browser at the address', at('127.0.0.200', app, [...own, 'Cookie: session=2'])],
  [
    'another browser at the address, over HTTP/2',
    at('127.0.0.200', app, [...own, 'Cookie: session=2'], { way: 'http2' }),
  ],
  [
    'another browser at the address, over a WebSocket',
    at('127.0.0.200', app, [`Origin: https://${app}`, 'Cookie: session=2'], { way: 'websocket' }),
  ],
  [
    'another browser whose cookie has an unusual name',
    at('127.0.0.202', app, [...own, 'Cookie: maker_login=0123abce']),
  ],
  [
    'another browser whose cookie has an unusual name, over a WebSocket',
    at('127.0.0.202', app, [`Origin: https://${app}`, 'Cookie: maker_login=0123abce'], { way: 'websocket' }),
  ],
  ['a browser without a cookie', at('127.0.0.202', app, own)],
  ['a browser at the address without a cookie', at('127.0.0.200', app, own)],
  [
    'the same address with another account in the page',
    at('127.0.0.200', app, [...own, cookie, key(jwt({ sub: 'b' }))]),
  ],
  ['a neighbour who names a user', at('127.0.0.201', api, [key(hers), 'X-Forwarded-User: ann'])],
];

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
    ['the page, over plain http', inPage, ann(plainApp, [`Origin: http://${plainApp}`, cookie], { way: 'plain' })],
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
