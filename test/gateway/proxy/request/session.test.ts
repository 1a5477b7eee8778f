/** Which requests share a vault session. */
import { describe, expect, test } from 'vitest';
import { loadServices } from '../../../../config/services.ts';
import type { Client } from '../../../../gateway/proxy/request/record.ts';
import { SessionKeys } from '../../../../gateway/proxy/request/session.ts';
import { Policy } from '../../../../policy/decide.ts';
import { ServiceRegistry } from '../../../../policy/registry.ts';

const key = Buffer.alloc(32, 1);
const sessions = new SessionKeys(() => key);
const registry = new ServiceRegistry(loadServices());
const config = { unknown: 'allow', inspect: { approved: 'mask', monitoring: 'audit', unknown: 'tunnel' } } as const;
const policy = new Policy({ registry, config: { ...config, bypass: [], rules: [] } });

type Asked = {
  readonly rawHeaders?: readonly string[];
  readonly url?: string;
  readonly user?: string;
  readonly address?: string;
  readonly connection?: number;
};
/** Others at an address have connections of their own. */
const connections = new Map<string, { client: Client }>();
const sessionOf = ({
  rawHeaders = [],
  url = 'https://api.openai.com/v1',
  user,
  address = '10.0.0.1',
  connection = 1,
}: Asked) => {
  const { protocol, hostname: host, port, pathname, search } = new URL(url);
  const scheme = protocol === 'http:' ? 'http' : 'https';
  const path = pathname + search;
  const target = {
    scheme,
    host,
    hostKind: 'name',
    port: Number(port) || (scheme === 'http' ? 80 : 443),
    path,
  } as const;
  const service = registry.match(host, path)?.service;
  const client = { address, subject: user ?? address, ...(user === undefined ? {} : { user }) };
  const name = `${client.subject} ${connection}`;
  const known = connections.get(name) ?? { client };
  connections.set(name, known);
  return sessions.sessionFor(known, { rawHeaders, target, service, policy });
};

const gemini = (query: string): Asked => ({ url: `https://generativelanguage.googleapis.com/v1beta${query}` });
const field = (name: string, value: string): Asked => ({ rawHeaders: [name, value] });
const bearer = (value: string) => field('Authorization', `Bearer ${value}`);
const jwt = (claims: object) => `eyJhbGciOiJub25lIn0.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;
const protocol = (value: string): Asked => field('Sec-WebSocket-Protocol', value);
const aws = (id: string, signature: string) =>
  field(
    'Authorization',
    `AWS4-HMAC-SHA256 Credential=${id}/20261129/us-east-1/bedrock/aws4_request, SignedHeaders=host, Signature=${signature}`,
  );

describe.each([undefined, 'ann'])('the account at the service, signed in as %s', (user) => {
  test.each<[where: string, one: Asked, other: Asked]>([
    ['a field', field('X-Api-Key', 'A'), field('X-Api-Key', 'B')],
    ['a field of another service', field('xi-api-key', 'A'), field('xi-api-key', 'B')],
    ['one of two fields', field('X-Api-Key', 'A'), { rawHeaders: ['X-Api-Key', 'A', 'Authorization', 'Bearer B'] }],
    ['key', gemini('/models/m:generateContent?key=A'), gemini('/models/m:generateContent?key=B')],
    ['the last of several keys', gemini('?alt=sse&key=A&x=1'), gemini('?alt=sse&key=B&x=1')],
    ['key twice', gemini('?key=A'), gemini('?key=A&key=B')],
    ['api_key', gemini('?api_key=A'), gemini('?api_key=B')],
    ['api-key', gemini('?api-key=A'), gemini('?api-key=B')],
    ['access_token', gemini('?access_token=A'), gemini('?access_token=B')],
    ['a name with an escape', gemini('?%6bey=A'), gemini('?%6bey=B')],
    ['a name that consists of escapes', gemini('?%61%70%69%5f%6b%65%79=A'), gemini('?%61%70%69%5f%6b%65%79=B')],
    ['a name that is escaped twice', gemini('?%256Bey=A'), gemini('?%256Bey=B')],
    ['a name with an escape for Windows', gemini('?%u006bey=A'), gemini('?%u006bey=B')],
    ['a name in capitals', gemini('?KEY=A'), gemini('?KEY=B')],
    ['a name with a plus sign', gemini('?+key=A'), gemini('?+key=B')],
    ['a name with an escaped space', gemini('?key%20=A'), gemini('?key%20=B')],
    ['a name with a dot', gemini('?access.token=A'), gemini('?access.token=B')],
    ['a name after a semicolon', gemini('?x=1;key=A'), gemini('?x=1;key=B')],
    ['a key and no key', gemini('?key=A'), gemini('')],
    [
      'the subprotocol of the OpenAI Realtime API',
      protocol('realtime, openai-insecure-api-key.sk-A, openai-beta.realtime-v1'),
      protocol('realtime, openai-insecure-api-key.sk-B, openai-beta.realtime-v1'),
    ],
    ...[
      'x-mistral-api-key',
      'X-Subscription-Token',
      'x-portkey-virtual-key',
      'x-gladia-key',
      'x-key',
      'private-token',
    ].map((name): [string, Asked, Asked] => [
      `the field ${name}`,
      { ...gemini(''), rawHeaders: [name, 'A'] },
      { ...gemini(''), rawHeaders: [name, 'B'] },
    ]),
    ['a key after its kind in the subprotocol', protocol('token, A0000000'), protocol('token, B0000000')],
    ['the subject of a JWT', bearer(jwt({ iss: 'i', sub: 'a' })), bearer(jwt({ iss: 'i', sub: 'b' }))],
    [
      'a JWT with its subject in another claim',
      bearer(jwt({ id: 1, role: 'user' })),
      bearer(jwt({ id: 2, role: 'user' })),
    ],
    ['the issuer of a JWT', bearer(jwt({ iss: 'i', sub: 'a' })), bearer(jwt({ iss: 'j', sub: 'a' }))],
    ['an opaque token', bearer('ya29.A'), bearer('ya29.B')],
    ['the key of a signature', aws('AKIAONE', '0'), aws('AKIATWO', '0')],
    [
      'a line end that would look like the claims of a JWT',
      gemini('?key=jwt%0A%5B%22i%22%2C%22ann%22%5D'),
      { ...gemini(''), rawHeaders: ['Authorization', `Bearer ${jwt({ iss: 'i', sub: 'ann' })}`] },
    ],
  ])('callers that differ in %s are separate', (_where, one, other) => {
    expect(sessionOf({ ...one, user })).not.toBe(sessionOf({ ...other, user }));
    expect(sessionOf({ ...one, user })).toBe(sessionOf({ ...one, user }));
  });

  test.each<[what: string, one: Asked, other: Asked]>([
    ['another question', gemini('?key=A&q=1'), gemini('?q=2&key=A')],
    ['a parameter that only ends like one', gemini('?monkey=A'), gemini('?monkey=B')],
    ['a path that looks like one', gemini('/key=A'), gemini('/key=B')],
    ['a key that repeats a request', { ...gemini(''), rawHeaders: ['idempotency-key', 'A'] }, gemini('')],
    ['a key of a request', { ...gemini(''), rawHeaders: ['x-idempotency-key', 'A'] }, gemini('')],
    ['another subprotocol', protocol('realtime'), protocol('chat')],
    ['the key in a field', gemini('?key=A'), { ...gemini(''), rawHeaders: ['x-goog-api-key', 'A'] }],
    ['the key of the Realtime API in a field', protocol('openai-insecure-api-key.sk-A'), bearer('sk-A')],
    ['the key twice', { rawHeaders: ['x-api-key', 'A', 'Authorization', 'Bearer A'] }, bearer('A')],
    [
      'a renewed token',
      gemini(`?access_token=${jwt({ sub: 'a', n: 1 })}`),
      gemini(`?access_token=${jwt({ sub: 'a', n: 2 })}`),
    ],
    [
      'a renewed token of GitHub Copilot',
      bearer('tid=0123;exp=1700000000;sku=plus:0a'),
      bearer('tid=0123;exp=1700001500;sku=plus:0b'),
    ],
    ['another signature with the same key', aws('AKIAONE', '0'), aws('AKIAONE', '1')],
    [
      'a cookie that contains a hash of the time',
      field('Authorization', 'SAPISIDHASH 1700000000_0a'),
      field('Authorization', 'SAPISIDHASH 1700000001_0b'),
    ],
  ])('%s is the same caller', (_what, one, other) => {
    expect(sessionOf({ ...one, user })).toBe(sessionOf({ ...other, user }));
  });
});

const chat = 'https://chatgpt.com/backend-api/conversation';
const page = (origin: string, site?: string) => [
  'Origin',
  origin,
  ...(site === undefined ? [] : ['Sec-Fetch-Site', site]),
];
const fetched = (site: string, mode: string, dest: string, ...more: string[]) => [
  'Sec-Fetch-Site',
  site,
  'Sec-Fetch-Mode',
  mode,
  'Sec-Fetch-Dest',
  dest,
  ...more,
];

describe('browsers at one address', () => {
  const chat = (cookie: string, ...more: string[]): Asked => ({
    url: 'https://chatgpt.com/backend-api/conversation',
    rawHeaders: ['Origin', 'https://chatgpt.com', 'Sec-Fetch-Site', 'same-origin', 'Cookie', cookie, ...more],
  });

  test.each<[what: string, one: Asked, other: Asked]>([
    ['a device', chat('a=1; oai-did=aaaa'), chat('a=1; oai-did=bbbb')],
    ['a session', chat('sessionKey=sk-ant-sid01-aaaa'), chat('sessionKey=sk-ant-sid01-bbbb')],
    ['a session of a framework', chat('connect.sid=s%3Aaaaa'), chat('connect.sid=s%3Abbbb')],
    [
      'a session next to a hash of the time',
      chat('SID=a', 'Authorization', 'SAPISIDHASH 1_a'),
      chat('SID=b', 'Authorization', 'SAPISIDHASH 2_b'),
    ],
    ['the subject of a JWT', chat(`__session=${jwt({ sub: 'a' })}`), chat(`__session=${jwt({ sub: 'b' })}`)],
    ['a cookie in a separate field', chat('a=1', 'Cookie', 'oai-did=aaaa'), chat('a=1', 'Cookie', 'oai-did=bbbb')],
    ['a cookie at all', chat('oai-did=aaaa'), chat('a=1')],
    ['a cookie of any name', chat('maker_login=0123abcd'), chat('maker_login=0123abce')],
    ['one of several', chat('a=00000000; b=00000001'), chat('a=00000000; b=00000002')],
    ['a JWT of any name', chat(`auth_token=${jwt({ sub: 'a1' })}`), chat(`auth_token=${jwt({ sub: 'b1' })}`)],
    [
      'a cookie next to a JWT whose subject may be that of all visitors',
      chat(`auth_token=${jwt({ sub: 'web-app' })}; maker_id=0123abcd`),
      chat(`auth_token=${jwt({ sub: 'web-app' })}; maker_id=0123abce`),
    ],
    ['an analytics id', chat('_ga=GA1.1.1.1; maker=00000000'), chat('_ga=GA1.1.2.1; maker=00000000')],
  ])('%s distinguishes them', (_what, one, other) => {
    expect(sessionOf(one)).not.toBe(sessionOf(other));
    expect(sessionOf(one)).toBe(sessionOf(one));
    expect(sessionOf({ ...one, user: 'ann' })).toBe(sessionOf({ ...other, user: 'ann' }));
  });

  test.each<[what: string, one: Asked, other: Asked]>([
    ['analytics and protection cookies', chat('oai-did=a; __cf_bm=1; _ga=1'), chat('_ga=2; __cf_bm=2; oai-did=a')],
    ['a renewed token', chat('next-auth.session-token=a'), chat('next-auth.session-token=b')],
    [
      'a setting, analytics and protection next to a cookie of any name',
      chat('maker_login=0123abcd; theme=dark; _gid=GA1.1.1; __cf_bm=00000000; csrf=00000000; AWSALB=00000000'),
      chat('_dd_s=00000001; __cf_bm=00000001; theme=light; csrf=00000001; AWSALB=00000001; maker_login=0123abcd'),
    ],
    ['a cookie of any name next to one for analytics', chat('_ga=GA1.1.1.1; a=00000000'), chat('_ga=GA1.1.1.1')],
    [
      'a renewed JWT of any name',
      chat(`auth_token=${jwt({ sub: 'a@b.example', n: 1 })}; _ga=1`),
      chat(`auth_token=${jwt({ sub: 'a@b.example', n: 2 })}; _ga=2`),
    ],
    ['a session after its sign-in', chat('oai-did=a'), chat('oai-did=a; session=1')],
    ['a renewed JWT', chat(`__session=${jwt({ sub: 'a', n: 1 })}`), chat(`__session=${jwt({ sub: 'a', n: 2 })}`)],
    ['a key', chat('oai-did=a', 'Authorization', 'Bearer K'), chat('oai-did=b', 'Authorization', 'Bearer K')],
  ])('%s does not', (_what, one, other) => {
    expect(sessionOf(one)).toBe(sessionOf(other));
  });
});

describe('clients of which only the address is known', () => {
  const anon = jwt({ iss: 'supabase', role: 'anon' });
  test.each<[what: string, asked: Asked]>([
    ['a program', {}],
    ['a page', { rawHeaders: page('https://api.openai.com', 'same-origin') }],
    ['a page of another site', { rawHeaders: page('https://evil.example') }],
    ['cookies that change', field('Cookie', 'csrf=00000000; __cf_bm=00000001; theme=dark')],
    ['an anonymous JWT', bearer(jwt({ iss: 'i', sub: 'anonymous' }))],
    ['an anonymous JWT as a session', field('Cookie', `session=${jwt({ iss: 'i', sub: 'guest' })}`)],
    ['the public key of an app', { rawHeaders: ['apikey', anon, 'Authorization', `Bearer ${anon}`] }],
  ])('%s: each connection has its own session', (_what, asked) => {
    expect(sessionOf(asked)).toBe(sessionOf(asked));
    expect(sessionOf(asked)).not.toBe(sessionOf({ ...asked, connection: 2 }));
    const parts = (id: string) => id.split('.').slice(0, 2);
    expect(parts(sessionOf(asked))).toEqual(parts(sessionOf({ ...asked, connection: 2 })));
    for (const known of [{ user: 'ann' }, { address: '127.0.0.1' }, { address: '::1' }])
      expect(sessionOf({ ...asked, ...known })).toBe(sessionOf({ ...asked, ...known, connection: 2 }));
  });

  test('an anonymous key next to a cookie of the visitor', () => {
    const asked = (id: string, connection: number) =>
      sessionOf({ rawHeaders: ['apikey', anon, 'Cookie', `visitor_id=${id}`], connection });
    expect(asked('0123abcd', 1)).toBe(asked('0123abcd', 2));
    expect(asked('0123abcd', 1)).not.toBe(asked('0123abce', 1));
  });
});

describe.each([undefined, 'ann'])('pages, signed in as %s', (user) => {
  const own = sessionOf({ url: chat, user });

  test.each<[what: string, rawHeaders: readonly string[], url?: string]>([
    ['the page itself', fetched('same-origin', 'cors', 'empty')],
    ['the page itself, posting', page('https://chatgpt.com', 'same-origin')],
    ['a form of a page without a referrer', page('null', 'same-origin')],
    ['another host of the service', page('https://chat.openai.com', 'cross-site')],
    ['a host below one of the service', page('https://labs.chatgpt.com', 'same-site')],
    [
      'an upload to the files of the service',
      page('https://chatgpt.com', 'cross-site'),
      'https://files.oaiusercontent.com/f',
    ],
    ['a WebSocket of a page', page('https://chatgpt.com'), 'https://ws.chatgpt.com/ws'],
    ['a typed address', fetched('none', 'navigate', 'document')],
    ['a link on another site', fetched('cross-site', 'navigate', 'document', 'Referer', 'https://mail.example/')],
    [
      'a link, over plain http',
      ['Upgrade-Insecure-Requests', '1', 'Referer', 'http://mail.example/'],
      'http://chatgpt.com/c/1',
    ],
    [
      'a frame in a page of the service',
      fetched('cross-site', 'navigate', 'iframe', 'Referer', 'https://chat.openai.com/'),
    ],
    [
      'a picture in a page of the service',
      fetched('same-site', 'no-cors', 'image', 'Referer', 'https://chatgpt.com/c/1'),
    ],
    ['an old browser', ['Referer', 'https://chatgpt.com/c/1']],
    ['a program', []],
    ['a program that fetches as Electron does', fetched('none', 'no-cors', 'empty')],
    ['an extension', page('chrome-extension://abcdefgh', 'cross-site')],
    ['a view of an editor', page('vscode-webview://0a1b2c', 'cross-site')],
    ['the window of an editor', page('vscode-file://vscode-app')],
    ['the window of an app', page('app://obsidian.md')],
  ])('%s has the session of the service', (_what, rawHeaders, url = chat) => {
    expect(sessionOf({ rawHeaders, url, user })).toBe(own);
  });

  const foreign: [what: string, rawHeaders: readonly string[], url?: string][] = [
    ['another site', page('https://evil.example', 'cross-site')],
    ['another site in an old browser', page('https://evil.example')],
    ['another site that claims to be the same', page('https://evil.example', 'same-origin')],
    ['a site whose name has the same ending', page('https://notchatgpt.com', 'cross-site')],
    ['a site whose name has the same beginning', page('https://chatgpt.com.evil.example', 'cross-site')],
    ['a site with the name as its user', page('https://chatgpt.com@evil.example')],
    ['the host of another service', page('https://claude.ai', 'cross-site')],
    ['the page over plain http', page('http://chatgpt.com', 'cross-site')],
    ['a page that a user has published', page('https://foo.chatgpt.site', 'cross-site')],
    ['the sandbox of the service', page('https://x.web-sandbox.oaiusercontent.com', 'cross-site')],
    ['a page of this machine', page('http://localhost:3000', 'cross-site')],
    ['a page of users, of itself', fetched('same-origin', 'cors', 'empty'), 'https://foo.chatgpt.site/data.json'],
    ['a page of users, when it is opened', fetched('none', 'navigate', 'document'), 'https://foo.chatgpt.site/'],
    ['a page of users, for a program', [], 'https://foo.chatgpt.site/'],
    ['a page of users, over its WebSocket', page('https://foo.chatgpt.site'), 'https://foo.chatgpt.site/ws'],
    ['a page of other users', page('https://bar.chatgpt.site', 'cross-site'), 'https://foo.chatgpt.site/data.json'],
    ['no named page', page('null', 'cross-site')],
    ['a file', page('file://')],
    ['an origin without a scheme', page('chatgpt.com')],
    ['an empty origin', page('')],
    ['a script of another site', fetched('cross-site', 'no-cors', 'script')],
    ['a script of a neighbour', fetched('same-site', 'no-cors', 'script')],
    [
      'a script of another site that is named',
      fetched('cross-site', 'no-cors', 'script', 'Referer', 'https://evil.example/'),
    ],
    ['a script of another site in an old browser', ['Referer', 'https://evil.example/https://chatgpt.com/']],
    ['a frame of another site', fetched('cross-site', 'navigate', 'iframe', 'Referer', 'https://evil.example/')],
    ['a frame of a site without a name', fetched('cross-site', 'navigate', 'iframe')],
    ['an unknown value of Sec-Fetch-Site', ['Sec-Fetch-Site', 'near']],
  ];
  test.each(foreign)('%s has another', (_what, rawHeaders, url = chat) => {
    expect(sessionOf({ rawHeaders, url, user })).not.toBe(own);
  });

  test('each page of another site has its own session, and keeps it', () => {
    const named = [
      page('https://evil.example'),
      page('https://other.example'),
      page('https://foo.chatgpt.site'),
      page('http://localhost:3000'),
    ].map((rawHeaders) => sessionOf({ url: chat, user, rawHeaders }));
    expect(new Set(named).size).toBe(named.length);
    expect(sessionOf({ url: chat, user, rawHeaders: page('https://evil.example', 'cross-site') })).toBe(named[0]);
  });

  test('pages without a name share a session only with the same key', () => {
    const unnamed = (...more: string[]) => sessionOf({ url: chat, user, rawHeaders: [...page('null'), ...more] });
    expect(unnamed()).not.toBe(unnamed());
    expect(unnamed('X-Api-Key', 'A')).toBe(unnamed('X-Api-Key', 'A'));
    expect(unnamed('X-Api-Key', 'A')).not.toBe(unnamed('X-Api-Key', 'B'));
    expect(unnamed('X-Api-Key', 'A')).not.toBe(sessionOf({ url: chat, user, rawHeaders: ['X-Api-Key', 'A'] }));
  });

  test('a page on a shared host of the service counts as its own', () => {
    const url = 'https://substrate.office.com/m365Copilot/Chathub';
    const asked = (origin: string) => sessionOf({ url, user, rawHeaders: page(origin) });
    expect(asked('https://m365.cloud.microsoft')).toBe(sessionOf({ url, user }));
    expect(asked('https://evil.example')).not.toBe(sessionOf({ url, user }));
  });

  test('at an unregistered host, its own pages count', () => {
    const url = 'https://llm.corp.example/chat';
    const asked = (origin: string) => sessionOf({ url, user, rawHeaders: page(origin) });
    expect(asked('https://llm.corp.example')).toBe(sessionOf({ url, user }));
    expect(asked('https://www.corp.example')).not.toBe(sessionOf({ url, user }));
  });
});

test('pages of a service need no credential of an authenticated user, and share nothing with programs', () => {
  const asked = (rawHeaders: readonly string[]) => sessionOf({ url: chat, user: 'ann', rawHeaders });
  const origin = page('https://chatgpt.com', 'same-origin');
  expect(asked([...origin, 'Authorization', 'Bearer A'])).toBe(asked(origin));
  expect(asked(['Authorization', 'Bearer A'])).not.toBe(asked(origin));
  // Several people may share an address.
  const without = (rawHeaders: readonly string[]) => sessionOf({ url: chat, rawHeaders });
  expect(without([...origin, 'Authorization', 'Bearer A'])).not.toBe(without(origin));
});
