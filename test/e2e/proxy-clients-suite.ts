/** Every kind of client that signs in to the proxy; run by proxy-users.test.ts on its gateway. */
import { writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { ProxyAgent, request } from 'undici';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TestAuthority } from '../support/authority.ts';
import { startBrowser } from '../support/browser.ts';
import type { Gateway } from '../support/gateway.ts';
import { onPath, programPath } from '../support/programs.ts';
import { run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';
import { basic, password, type UsersGateway, umlauts } from './users-gateway.ts';

/** `started` returns the gateway once it runs. */
export function addClientTests(started: () => UsersGateway): void {
  describe('clients', () => {
    let authority: TestAuthority;
    let gateway: Gateway;
    let proxyUrl: UsersGateway['proxyUrl'];
    beforeAll(() => {
      ({ authority, gateway, proxyUrl } = started());
    });

    test.each<[name: string, args: string[]]>([
      ['credentials sent preemptively', []],
      ['after the challenge', ['--proxy-anyauth']],
    ])('curl, %s', async (_name, more) => {
      const args = ['-sS', '--proxy', gateway.proxyUrl, '--proxy-user', `ann:${password}`, ...more, '--cacert'];
      const https = await run('curl', [...args, authority.file, 'https://site.example/']);
      expect([https.text, https.stderr]).toEqual(['<title>the site</title>reached', '']);
      const http = await run('curl', [...args, authority.file, 'http://plain.example/']);
      expect(http.text).toBe('plain reached');
      const post = await run('curl', [...args, authority.file, '-d', 'x=1', 'http://plain.example/']);
      expect(post.text).toBe('plain reached');
    });

    test('undici', async () => {
      const dispatcher = new ProxyAgent({ uri: proxyUrl('jürgen', umlauts), requestTls: { ca: authority.pem } });
      const token = basic('jürgen', umlauts);
      const withToken = new ProxyAgent({ uri: gateway.proxyUrl, token, requestTls: { ca: authority.pem } });
      for (const agent of [dispatcher, withToken]) {
        for (const url of ['https://site.example/', 'http://plain.example/']) {
          const { statusCode, body } = await request(url, { dispatcher: agent });
          await body.dump();
          expect(statusCode).toBe(200);
        }
        await agent.close();
      }
    });

    test('node:http in absolute form', async () => {
      const status = await new Promise((resolve, reject) => {
        httpRequest(
          {
            port: gateway.proxyPort,
            path: 'http://plain.example/',
            headers: { host: 'plain.example', 'proxy-authorization': basic('ann', password) },
          },
          (response) => {
            response.resume();
            resolve(response.statusCode);
          },
        )
          .on('error', reject)
          .end();
      });
      expect(status).toBe(200);
    });

    test('Python requests and urllib', async () => {
      const script = `
import os, requests, ssl, urllib.request
proxy = os.environ['PROXY']
proxies = {'http': proxy, 'https': proxy}
for url in ('https://site.example/', 'http://plain.example/'):
    print(requests.get(url, proxies=proxies, verify=os.environ['CA']).status_code)
opener = urllib.request.build_opener(
    urllib.request.ProxyHandler(proxies),
    urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=os.environ['CA'])))
for url in ('https://site.example/', 'http://plain.example/'):
    print(opener.open(url).status)
`;
      const result = await run(programPath('python3'), ['-c', script], {
        env: { PROXY: proxyUrl('ann', password), CA: authority.file },
      });
      expect([result.text, result.stderr]).toEqual(['200\n200\n200\n200\n', '']);
    });

    test.skipIf(onPath('java') === undefined)('Java', async () => {
      const file = join(tempFolder('java'), 'Get.java');
      writeFileSync(
        file,
        `
import java.net.*; import java.net.http.*;
public class Get {
  public static void main(String[] args) throws Exception {
    var client = HttpClient.newBuilder().proxy(ProxySelector.of(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0]))))
      .authenticator(new Authenticator() {
        @Override protected PasswordAuthentication getPasswordAuthentication() {
          return getRequestorType() == RequestorType.PROXY ? new PasswordAuthentication("ann", args[1].toCharArray()) : null;
        }
      }).build();
    for (int i = 2; i < args.length; i++)
      System.out.println(client.send(HttpRequest.newBuilder(URI.create(args[i])).build(), HttpResponse.BodyHandlers.ofString()).statusCode());
  }
}
`,
      );
      const keys = join(tempFolder('java'), 'trust.p12');
      await run('keytool', [
        '-importcert',
        '-noprompt',
        '-alias',
        'test',
        '-file',
        authority.file,
        '-keystore',
        keys,
        '-storepass',
        'changeit',
      ]);
      const result = await run('java', [
        '-Djdk.http.auth.tunneling.disabledSchemes=',
        `-Djavax.net.ssl.trustStore=${keys}`,
        '-Djavax.net.ssl.trustStorePassword=changeit',
        file,
        String(gateway.proxyPort),
        password,
        'http://plain.example/',
        'https://site.example/',
      ]);
      expect([result.text, result.stderr]).toEqual(['200\n200\n', '']);
    });

    test('Chromium', async () => {
      const browser = await startBrowser(gateway, { username: 'jürgen', password: umlauts, trust: [authority.file] });
      try {
        const page = await browser.context.newPage();
        const http = await page.goto('http://plain.example/');
        expect(http?.status()).toBe(200);
        await page.goto('https://legal.example/');
        expect(await page.title()).toBe('the site');
      } finally {
        await browser.close();
      }
    });
  });
}
