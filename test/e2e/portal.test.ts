/**
 * The portal for users of the proxy, in a real browser: what its pages show, and that no other site can submit their
 * forms.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { certificatesOf } from '../../certs/formats.ts';
import { lookFaults } from '../support/axe.ts';
import { shoot, startBrowser, sharedChromium } from '../support/browser.ts';
import { proxiedFetch } from '../support/clients.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { personal, prompt } from '../support/personal.ts';
import { run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const portal = 'http://privet.proxy';
const pages = ['/', '/ca', '/services', '/me', '/me/exceptions'];
const others = [
  [`${portal}/nothing`, 404],
  ['http://01.ai/', 403],
  ['http://nowhere.invalid/', 502],
] as const;

const origin = await startOrigin({ names: ['chatgpt.com'] });
const gateway = await startGateway({ hosts: { 'chatgpt.com': origin } });
const browser = await startBrowser(gateway);

const curl = async (...args: string[]) => {
  const { code, stdout } = await run('curl', ['-s', '-m', '10', '--proxy', gateway.proxyUrl, ...args]);
  return { code, stdout: stdout.toString() };
};

describe('every page', () => {
  let chrome: Awaited<ReturnType<typeof sharedChromium>>;
  beforeAll(async () => {
    chrome = await sharedChromium();
  });

  test.each(['en-US', 'ja-JP'])('is accessible and fits every screen, %s', async (locale) => {
    const proxy = { server: gateway.proxyUrl, bypass: '<-loopback>' };
    const context = await chrome.newContext({ locale, reducedMotion: 'reduce', proxy, ignoreHTTPSErrors: true });
    const page = await context.newPage();
    const refused: string[] = [];
    page.on('console', (message) => message.type() === 'error' && refused.push(message.text()));
    for (const path of pages) {
      expect((await page.goto(`${portal}${path}`))?.status()).toBe(200);
      expect(await page.evaluate('document.styleSheets[0].cssRules.length')).toBeGreaterThan(20);
      expect.soft(await lookFaults(page), path).toEqual([]);
      await shoot(page, `portal-${locale}${path.replaceAll('/', '-')}`);
    }
    expect(refused).toEqual([]);
    for (const [url, status] of others) {
      expect((await page.goto(url))?.status()).toBe(status);
      expect.soft(await lookFaults(page), url).toEqual([]);
    }
    await context.close();
  });

  test('shows a logo made for light paper on a white plate in the dark', async () => {
    const logo = join(tempFolder('logo'), 'logo.svg');
    writeFileSync(logo, '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40"><path d="M9 9h9v9z"/></svg>');
    const branded = await startGateway({ config: { pages: { company: 'Northwind', logo_file: logo } } });
    const context = await chrome.newContext({ proxy: { server: branded.proxyUrl, bypass: '<-loopback>' } });
    const page = await context.newPage();
    const plates = async (url: string) => {
      await page.goto(url);
      const colors: string[] = [];
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const plate = await page.evaluate(
          `(({ backgroundColor, boxShadow }) => backgroundColor + ' ' + boxShadow)(getComputedStyle(document.querySelector('.mark img')))`,
        );
        colors.push(String(plate));
      }
      return colors;
    };
    const white = 'rgb(255, 255, 255) rgb(255, 255, 255) 0px 0px 0px 6px';
    for (const url of [`${portal}/`, 'http://01.ai/']) {
      const [light, dark] = await plates(url);
      expect(light, url).not.toContain('255');
      expect(dark, url).toBe(white);
    }
    await context.close();
  });

  test.each([
    ['ja', '証明書のインストール'],
    ['en-GB,ja;q=0.5', 'Install the certificate'],
    ['fr', 'Install the certificate'],
    ['ja;q=0.4, en;q=0.2', '証明書のインストール'],
  ])('speaks the language of %s', async (language, title) => {
    const { stdout } = await curl('-H', `Accept-Language: ${language}`, `${portal}/ca`);
    expect(stdout).toContain(`<h1>${title}</h1>`);
  });

  test('changes its language with a link and remembers it', async () => {
    const page = await browser.context.newPage();
    await page.goto(`${portal}/ca`);
    const language = () => page.locator('html').getAttribute('lang');
    await page.getByRole('link', { name: '日本語' }).click();
    await expect.poll(language).toBe('ja');
    expect(page.url()).toBe(`${portal}/ca`);
    await page.getByRole('link', { name: 'ホーム' }).click();
    await page.waitForURL(`${portal}/`);
    expect(await language()).toBe('ja');
    await page.getByRole('link', { name: 'English' }).click();
    await expect.poll(language).toBe('en');
    await page.close();
  });

  test('runs no script but its own file, and cannot be framed', async () => {
    const { stdout } = await curl('-D', '-', '-o', '/dev/null', `${portal}/`);
    expect(stdout).toMatch(/content-security-policy: default-src 'none'; script-src 'self'; style-src 'self';/i);
    expect(stdout).toMatch(/frame-ancestors 'none'/);
  });
});

describe('the first page', () => {
  test('shows that the proxy is used, and the badge if the certificate is trusted', async () => {
    const page = await browser.context.newPage();
    await page.goto(portal);
    await page.getByText('You are using the proxy.').waitFor();
    await page.waitForFunction('document.images[0].complete');
    expect(await page.evaluate('document.images[0].naturalWidth > 0')).toBe(true);
    await page.close();
  });

  test('shows that it was opened without the proxy, and where to go', async () => {
    const stdout = await (await fetch(gateway.proxyUrl)).text();
    expect(stdout).toContain('href="http://privet.proxy/"');
    expect(stdout).not.toContain('You are using the proxy.');
  });

  test('serves programs the same as JSON', async () => {
    const through = JSON.parse((await curl(`${portal}/status.json`)).stdout);
    expect(through).toMatchObject({ proxy: true, subject: '127.0.0.1', user: null, address: '127.0.0.1' });
    const direct = await (await fetch(`${gateway.proxyUrl}/status.json`)).json();
    expect(direct).toMatchObject({ proxy: false });
  });

  test('is served in a tunnel to port 80 too, but not over TLS', async () => {
    expect(JSON.parse((await curl('--proxytunnel', `${portal}/status.json`)).stdout)).toMatchObject({ proxy: true });
    expect((await curl('--cacert', gateway.caFile, 'https://privet.proxy/')).code).toBe(56);
  });
});

describe('the downloads', () => {
  test.each([
    ['/ca.pem', 'application/x-pem-file'],
    ['/ca.crt', 'application/x-x509-ca-cert'],
    ['/ca.cer', 'application/x-x509-ca-cert'],
    ['/ca.p7b', 'application/x-pkcs7-certificates'],
    ['/ca.mobileconfig', 'application/x-apple-aspen-config'],
    ['/ca-bundle.pem', 'application/x-pem-file'],
    ['/proxy.pac', 'application/x-ns-proxy-autoconfig'],
    ['/wpad.dat', 'application/x-ns-proxy-autoconfig'],
  ])('%s is available both ways', async (path, type) => {
    const answer = await fetch(`${gateway.proxyUrl}${path}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(type);
    const { stdout } = await curl('-o', '/dev/null', '-w', '%{http_code} %{content_type}', `${portal}${path}`);
    expect(stdout).toBe(`200 ${type}`);
  });

  test('contain the next root as well as the current one', async () => {
    const answer = await gateway.api('/admin/ca/rotate', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    const { root, next } = (await answer.json()) as {
      root: { fingerprint256: string };
      next: { fingerprint256: string };
    };
    const pem = await (await fetch(`${gateway.proxyUrl}/ca.pem`)).text();
    expect(certificatesOf(pem)).toHaveLength(2);
    const page = (await curl(`${portal}/ca`)).stdout.replaceAll('<wbr>', '');
    expect(page).toContain(root.fingerprint256);
    expect(page).toContain(next.fingerprint256);
    expect((await gateway.api('/admin/ca/rotate', { method: 'DELETE' })).status).toBe(200);
  });

  test('refer to a revocation list that is served and accepted by openssl', async () => {
    const chain = await run('openssl', [
      's_client',
      '-proxy',
      `127.0.0.1:${gateway.proxyPort}`,
      '-connect',
      'chatgpt.com:443',
      '-servername',
      'chatgpt.com',
      '-showcerts',
    ]);
    const leaf = certificatesOf(chain.stdout.toString())[0] ?? '';
    const text = execFileSync('openssl', ['x509', '-noout', '-text'], { input: leaf, encoding: 'utf8' });
    const url = /URI:(http:\S+\.crl)/.exec(text)?.[1] ?? '';
    const list = Buffer.from(await (await fetch(url)).arrayBuffer());
    const read = execFileSync('openssl', ['crl', '-inform', 'DER', '-noout', '-text'], {
      input: list,
      encoding: 'utf8',
    });
    expect(read).toMatch(/No Revoked Certificates/);
  });
});

describe('my data', () => {
  test('shows the number of masked values by type, without any value', async () => {
    const { fetch: through, dispatcher } = proxiedFetch(gateway);
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: prompt }] });
    await through('https://chatgpt.com/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    await dispatcher.close();
    await expect.poll(async () => (await curl(`${portal}/me`)).stdout).toMatch(/>E-mail address</);
    const { stdout } = await curl(`${portal}/me`);
    expect(stdout).toMatch(/>Payment card number</);
    expect(stdout).toContain('ChatGPT');
    for (const value of Object.values(personal)) expect(stdout).not.toContain(value);
    const page = await browser.context.newPage();
    await page.goto(`${portal}/me`);
    expect(await lookFaults(page)).toEqual([]);
    await shoot(page, 'portal-me-figures');
    // On a phone, where a column has no heading above it, each cell has its own.
    expect(await page.evaluate(`getComputedStyle(document.querySelector('td.number'), '::before').content`)).toBe(
      '"Found"',
    );
    await page.close();
  });

  test('is not served under a name that a foreign page could choose', async () => {
    const answer = await raw(gateway, '/me', 'evil.example');
    expect(answer).toMatch(/^HTTP\/1\.1 303 [\s\S]*location: http:\/\/privet\.proxy\/me/i);
    expect(await raw(gateway, '/me', '127.0.0.1')).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('requesting an exception', () => {
  test('works in the browser, and the administrator sees it', async () => {
    const page = await browser.context.newPage();
    await page.goto(`${portal}/me/exceptions?host=chat.example.com`);
    await page.getByLabel('Reason').fill('<b>for</b> a "project"');
    await page.getByRole('button').click();
    await page.getByText('Your request has been sent.').waitFor();
    await page.getByRole('cell', { name: 'chat.example.com' }).waitFor();
    await page.close();
    const { requests } = (await (await gateway.api('/admin/exceptions')).json()) as { requests: object[] };
    expect(requests).toContainEqual(
      expect.objectContaining({ subject: '127.0.0.1', host: 'chat.example.com', reason: '<b>for</b> a "project"' }),
    );
  });

  test.each([
    ['without a token', { host: 'a.example', reason: 'r', token: '' }, /open for too long/],
    ['with the token of another user', { host: 'a.example', reason: 'r', token: 'mi9.AAAA' }, /open for too long/],
  ])('%s is refused, and the typed text is kept', async (_name, fields, text) => {
    const { stdout } = await curl(
      '-w',
      '%{http_code}',
      '-d',
      new URLSearchParams(fields).toString(),
      `${portal}/me/exceptions`,
    );
    expect(stdout).toMatch(/422$/);
    expect(stdout).toMatch(text);
    expect(stdout).toContain('value="a.example"');
  });

  test.each([
    ['no host', { host: 'nonsense', reason: 'r' }, /Enter an address/],
    ['no reason', { host: 'a.example', reason: '  ' }, /Enter a reason/],
    ['a script as host', { host: '"><script>alert(1)</script>', reason: 'r' }, /Enter an address/],
  ])('with %s is shown again', async (_name, fields, text) => {
    const token = /name="token" value="([^"]+)"/.exec((await curl(`${portal}/me/exceptions`)).stdout)?.[1] ?? '';
    const { stdout } = await curl(
      '-d',
      new URLSearchParams({ ...fields, token }).toString(),
      `${portal}/me/exceptions`,
    );
    expect(stdout).toMatch(text);
    expect(stdout).not.toContain('<script>');
  });
});

describe('a foreign name that resolves to the gateway (DNS rebinding)', () => {
  test.each(['/', '/services', '/services?q=a', '/me/exceptions'])(
    "%s redirects to the gateway's own name",
    async (path) => {
      for (const host of [
        'evil.example',
        'localhost.evil.example:80',
        '127.0.0.1.evil.example',
        'privet.proxy.evil.example',
      ]) {
        const answer = await raw(gateway, path, host);
        expect(answer).toMatch(/^HTTP\/1\.1 303 /);
        expect(answer).toContain(`location: http://privet.proxy${path}`);
      }
    },
  );

  test.each(['/status.json', '/proxy.pac', '/wpad.dat'])('%s is not answered', async (path) => {
    expect(await raw(gateway, path, 'evil.example')).toMatch(/^HTTP\/1\.1 421 /);
    for (const host of [
      '127.0.0.1:8080',
      'localhost',
      '[::1]:3128',
      'LOCALHOST:1',
      'proxy:3128',
      'privet.proxy',
      hostname(),
    ])
      expect(await raw(gateway, path, host)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('certificates are served under any name', async () => {
    for (const path of ['/ca', '/ca.pem', '/ca.mobileconfig'])
      expect(await raw(gateway, path, 'evil.example')).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('a configured name is accepted', async () => {
    await gateway.configure({ ca: { public_url: 'http://proxy.corp.example:3128' } });
    expect(await raw(gateway, '/proxy.pac', 'proxy.corp.example:3128')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await raw(gateway, '/proxy.pac', 'corp.example')).toMatch(/^HTTP\/1\.1 421 /);
  });
});

/** The head of the answer to an origin-form request with its own Host. */
function raw(gateway: Gateway, path: string, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = plainRequest({ host: '127.0.0.1', port: gateway.proxyPort, path, headers: { host } }, (answer) => {
      answer.resume();
      const fields = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`);
      resolve(`HTTP/1.1 ${answer.statusCode} \n${fields.join('\n')}`);
    });
    request.on('error', reject).end();
  });
}
