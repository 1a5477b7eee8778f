/** Callers that try to read what others have masked, and the original senders. */
import type { Caller } from './asking.ts';

export const api = 'api.openai.com';
export const app = 'chatgpt.com';
export const gemini = 'generativelanguage.googleapis.com';
export const [foo, bar] = ['foo.chatgpt.site', 'bar.chatgpt.site'];
/** Of the same service, reached over plain HTTP here. */
export const [plainApp, plainPage] = ['chat.com', 'plain.chatgpt.site'];

export const jwt = (claims: object) =>
  `eyJhbGciOiJub25lIn0.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;
export const key = (value: string) => `Authorization: Bearer ${value}`;
export const [hers, evils] = ['sk-ann-0001', 'sk-evil-0001'];
export const cookie = 'Cookie: session=1';
export const page = (origin: string, site = 'cross-site') => [`Origin: ${origin}`, `Sec-Fetch-Site: ${site}`];
export const fetched = (site: string, mode: string, dest: string) => [
  `Sec-Fetch-Site: ${site}`,
  `Sec-Fetch-Mode: ${mode}`,
  `Sec-Fetch-Dest: ${dest}`,
];
const browser = 'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36';
export const own = page(`https://${app}`, 'same-origin');
const evil = page('https://evil.example');
const corp = page('https://app.corp.example');
export const realtime = (value: string) => `realtime, openai-insecure-api-key.${value}`;

/** The original senders, each in a different way. */
export const senders: Readonly<Record<string, Caller>> = {
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
  'a page over plain http': {
    way: 'plain',
    user: 'ann',
    host: plainApp,
    fields: [`Origin: http://${plainApp}`, cookie],
  },
  'a program at an address': { from: '127.0.0.200', host: api, fields: [key(hers)] },
  'the page of the service at an address': { from: '127.0.0.200', host: app, fields: [...own, cookie] },
  'a page with a cookie of its own': {
    from: '127.0.0.202',
    host: app,
    fields: [...own, 'Cookie: maker_login=0123abcd'],
  },
};
export const valueFrom = (sender: string) => `${sender.replaceAll(/\W+/g, '.').toLowerCase()}@corp.example`;
export const values = Object.keys(senders).map(valueFrom);

export const ann = (host: string, fields: readonly string[], more: Partial<Caller> = {}): Caller => ({
  user: 'ann',
  host,
  fields,
  ...more,
});
const ben = (host: string, fields: readonly string[], more: Partial<Caller> = {}) => ({
  ...ann(host, fields, more),
  user: 'ben',
});
export const at = (from: string, host: string, fields: readonly string[], more: Partial<Caller> = {}): Caller => ({
  from,
  host,
  fields,
  ...more,
});

export const sites: [what: string, caller: Caller][] = [
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
  ['over plain http, without any address', ann(plainApp, [browser], { way: 'plain', get: '/data.txt' })],
  ['on another port of the service', ann(app, [...page(`https://${app}:8443`, 'same-site'), cookie])],
  ['in another scheme', ann(app, [`Origin: ipfs://${app}`, cookie])],
  [
    'whose name ends with that of the service after a backslash',
    ann(app, [`Origin: https://evil.example\\.${app}`, cookie]),
  ],
  [
    'that runs code in a sandboxed frame of the service',
    ann(app, [...fetched('cross-site', 'no-cors', 'script'), `Referer: https://${app}/c/1`, cookie], {
      get: '/data.txt',
    }),
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
export const hosts: [what: string, caller: Caller][] = [
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
export const keys: [what: string, caller: Caller][] = [
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
export const people: [what: string, caller: Caller][] = [
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
export const addresses: [what: string, caller: Caller][] = [
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
