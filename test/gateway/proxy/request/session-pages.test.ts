/** Which pages and programs share a vault session at a service. */
import { describe, expect, test } from 'vitest';
import { type Asked, fetched, field, page, registry, sessionOf } from './session-of.ts';

const chat = 'https://chatgpt.com/backend-api/conversation';
const agent = ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36'];

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
    ['a program made of a browser', [...agent, 'Sec-Fetch-Site', 'none']],
    ['a program over plain http', ['User-Agent', 'curl/8.5.0'], 'http://chatgpt.com/v1/models'],
    ['a program on a port of the service', [], 'https://chatgpt.com:8443/v1/models'],
    ['the page itself, at a port of the service', page('https://chatgpt.com'), 'https://chatgpt.com:8443/c/1'],
    ['the page itself, with its port', page('https://chatgpt.com:443')],
    ['an extension', page('chrome-extension://abcdefgh', 'cross-site')],
    ['a view of an editor', page('vscode-webview://0a1b2c', 'cross-site')],
    ['the window of an editor', page('vscode-file://vscode-app')],
    ['the window of an app', page('app://obsidian.md')],
    ['the page of a mobile app', page('capacitor://localhost')],
    ['the page of an app of the desktop', page('tauri://localhost')],
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
    ['a file of a server', page('file://chatgpt.com')],
    ['a page in another scheme', page('ipfs://chatgpt.com')],
    ['a WebSocket as origin', page('wss://chatgpt.com')],
    ['a script as origin', page('javascript://chatgpt.com')],
    ['an app that opens a link', ['Referer', 'android-app://com.example.mail/']],
    ['a name with a backslash', page(String.raw`https://evil.example\.chatgpt.com`)],
    ['a name with a blank', page('https://evil.example .chatgpt.com')],
    ['a name with an escape', page('https://evil.example%2f.chatgpt.com')],
    ['two origins', page('https://evil.example https://chatgpt.com')],
    ['an origin with a path', page('https://chatgpt.com/')],
    ['a page on another port', page('https://chatgpt.com:8443', 'same-site')],
    ['a page on another port, at itself', page('https://chatgpt.com:8443'), 'https://chatgpt.com:8443/c/1'],
    ['a page on another port, opened', fetched('none', 'navigate', 'document'), 'https://chatgpt.com:8443/'],
    ['a page on another port, of itself', fetched('same-origin', 'cors', 'empty'), 'https://chatgpt.com:8443/c'],
    ['a page over plain http, of itself', page('http://chatgpt.com'), 'http://chatgpt.com/c/1'],
    [
      'a page over plain http, opened',
      ['Upgrade-Insecure-Requests', '1', 'Referer', 'http://mail.example/'],
      'http://chatgpt.com/c/1',
    ],
    ['a hidden page over plain http', agent, 'http://chatgpt.com/c/1'],
    ['a hidden page in an old browser', agent],
    ['a hidden page with a password in the browser', [...agent, 'Authorization', 'Basic YTpi'], 'http://chatgpt.com/'],
    [
      'a script in a sandboxed frame of the page',
      fetched('cross-site', 'no-cors', 'script', 'Referer', 'https://chatgpt.com/c/1'),
    ],
    [
      'what that script fetches as a picture before',
      fetched('cross-site', 'no-cors', 'image', 'Referer', 'https://chatgpt.com/c/1'),
    ],
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

  test.each<[what: string, rawHeaders: readonly string[], url: string]>([
    ['over plain http', page('http://chatgpt.com'), 'http://chatgpt.com/c/1'],
    ['on a port of its own', page('https://chatgpt.com:8443'), 'https://chatgpt.com:8443/c/1'],
    ['on a port of an unregistered host', page('http://llm.corp.example:3000'), 'http://llm.corp.example:3000/chat'],
  ])('a page %s keeps its session', (_what, rawHeaders, url) => {
    const session = sessionOf({ rawHeaders, url, user });
    const referer = ['Referer', url];
    for (const other of [rawHeaders, referer, [...agent, ...referer], ['Upgrade-Insecure-Requests', '1']])
      expect(sessionOf({ rawHeaders: other, url, user })).toBe(session);
    const isKnown = user !== undefined;
    expect(sessionOf({ rawHeaders: [...rawHeaders, 'X-Api-Key', 'A'], url, user }) === session).toBe(isKnown);
  });

  test.each<[what: string, more: Asked]>([
    ['posts', { method: 'POST' }],
    ['has a key', field('Authorization', 'Bearer sk-A')],
    ['has a key in a field of its own', field('X-Api-Key', 'sk-A')],
  ])('a program that names a browser and %s is a program', (_what, more) => {
    const url = 'http://chatgpt.com/v1/models';
    const { rawHeaders = [] } = more;
    expect(sessionOf({ url, user, ...more, rawHeaders: [...agent, ...rawHeaders] })).toBe(
      sessionOf({ url, user, ...more }),
    );
  });

  test('an app in a scheme of its own keeps its session', () => {
    const asked = (origin: string) => sessionOf({ url: chat, user, rawHeaders: page(origin) });
    expect(asked('corp-chat://window')).toBe(asked('corp-chat://window'));
    expect(asked('corp-chat://window')).not.toBe(asked('corp-chat://other'));
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

  test.each([
    ['chatgpt-async-webps-prod-evil.webpubsub.azure.com', chat],
    ['bedrock.s3.amazonaws.com', 'https://bedrock-runtime.us-east-1.amazonaws.com/model/m/invoke'],
    ['bedrock-runtime.s3-us-west-2.amazonaws.com', 'https://bedrock-runtime.us-east-1.amazonaws.com/model/m/invoke'],
  ])('a host that anyone can register, and that a pattern of the service matches: %s', (host, url) => {
    const session = sessionOf({ url, user });
    const own = new URL(url).origin;
    expect(sessionOf({ url, user, rawHeaders: page(`https://${host}`) })).not.toBe(session);
    expect(sessionOf({ url: `https://${host}/`, user, rawHeaders: page(`https://${host}`) })).not.toBe(session);
    // Pages of the service use it as before.
    expect(sessionOf({ url: `https://${host}/`, user, rawHeaders: page(own) })).toBe(session);
  });

  test.each([
    ['a form of the service', page('https://chatgpt.com')],
    ['a form of another page', page('https://app.corp.example')],
    ['a frame in another page', ['Referer', 'https://app.corp.example/']],
    ['a form without a name', page('null')],
  ])('%s opens a published page: it has only its own values', (_what, named) => {
    const url = 'https://foo.chatgpt.site/';
    const opened = sessionOf({ url, user, rawHeaders: [...fetched('cross-site', 'navigate', 'iframe'), ...named] });
    expect(opened).toBe(sessionOf({ url, user, rawHeaders: fetched('same-origin', 'cors', 'empty') }));
    expect(opened).not.toBe(sessionOf({ url, user, rawHeaders: page('https://app.corp.example') }));
    expect(opened).not.toBe(own);
  });

  test('a host of the network with the key of a service has a session of its own', () => {
    const asked = (host: string) => sessionOf({ url: `https://${host}/`, user, rawHeaders: page(`https://${host}`) });
    expect(registry.match('claude.ai', '/')?.service.key).toBe('claude');
    expect(asked('claude')).not.toBe(asked('claude.ai'));
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
