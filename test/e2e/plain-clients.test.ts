/** curl and Python through the gateway to hosts that are not inspected. */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { startGateway } from '../support/gateway.ts';
import { type OriginHandler, startOrigin } from '../support/origin.ts';
import { programPath } from '../support/programs.ts';
import { exchangeRaw } from '../support/recorder.ts';
import { type RunResult, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const host = 'files.intranet.test';
const large = randomBytes(20 * 1024 * 1024);
const folder = tempFolder('files');

const handler: OriginHandler = (request, response) => {
  if (request.url === '/large') {
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': large.length }).end(large);
  } else if (request.url === '/chunked') {
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.write('one ');
    response.end('two');
  } else {
    response.writeHead(200, { 'content-type': 'text/plain', 'x-origin': 'yes' });
    response.end(`${request.method} ${request.url} ${request.body.length}`);
  }
};

const authority = new TestAuthority();
const plain = await startOrigin({ handler });
const secure = await startOrigin({ handler, authority, names: [host] });
const gateway = await startGateway({ authority, hosts: { [host]: secure } });
writeFileSync(join(folder, 'large'), large);
beforeEach(() => {
  plain.reset();
  secure.reset();
});

function curl(...args: string[]): Promise<RunResult> {
  return run(programPath('curl'), ['-sS', '-x', gateway.proxyUrl, '--cacert', authority.file, ...args]);
}

// curl would offer the ALPN name http/1.0, which no server knows.
const http10 = ['--http1.0', '--no-alpn'];

describe.each([
  ['plain http', () => `http://${plain.address}`, () => plain],
  ['CONNECT tunnel to an unregistered host', () => `https://${host}`, () => secure],
])('curl, %s', (_name, base, origin) => {
  test('GET', async () => {
    const result = await curl('-i', `${base()}/a?b=c`);
    expect(result.stderr).toBe('');
    expect(result.text).toContain('GET /a?b=c 0');
    expect(result.text.toLowerCase()).toContain('x-origin: yes');
  });

  test('HEAD has no body and keeps the fields', async () => {
    const result = await curl('-I', `${base()}/head`);
    expect(result.code).toBe(0);
    expect(result.text.toLowerCase()).toContain('x-origin: yes');
  });

  test('POST', async () => {
    const result = await curl('--data-binary', 'some text', `${base()}/post`);
    expect(result.text).toBe('POST /post 9');
    expect(origin().requests.at(-1)?.body.toString()).toBe('some text');
  });

  test('POST without a declared length', async () => {
    const args = ['-H', 'Transfer-Encoding: chunked', '--data-binary', `@${join(folder, 'large')}`];
    const result = await curl('--http1.1', ...args, `${base()}/chunked-post`);
    expect(result.text).toBe(`POST /chunked-post ${large.length}`);
  });

  test('Expect: 100-continue', async () => {
    const result = await curl('--http1.1', '-v', '-H', 'Expect: 100-continue', '--data', 'abc', `${base()}/expect`);
    expect(result.text).toBe('POST /expect 3');
    expect(result.stderr).toContain('HTTP/1.1 100 Continue');
  });

  test('20 MiB up', async () => {
    const result = await curl('-T', join(folder, 'large'), `${base()}/up`);
    expect(result.text).toBe(`PUT /up ${large.length}`);
    expect(origin().requests.at(-1)?.body.equals(large)).toBe(true);
  });

  test('20 MiB down', async () => {
    const file = join(folder, 'down');
    const result = await curl('-o', file, `${base()}/large`);
    expect(result.code).toBe(0);
    expect(readFileSync(file).equals(large)).toBe(true);
  });

  test('HTTP/1.0', async () => {
    const result = await curl(...http10, '-i', `${base()}/old`);
    expect(result.text).toContain('GET /old 0');
    expect(result.text.toLowerCase()).not.toContain('transfer-encoding');
  });

  test('HTTP/1.0 and a response without a declared length', async () => {
    const result = await curl(...http10, '-i', `${base()}/chunked`);
    expect(result.text).toMatch(/\r\n\r\none two$/);
    expect(result.text.toLowerCase()).not.toContain('transfer-encoding');
  });

  test('two requests on one connection', async () => {
    const result = await curl(`${base()}/1`, `${base()}/2`);
    expect(result.text).toBe('GET /1 0GET /2 0');
  });
});

test('curl -p: plain http in a tunnel', async () => {
  const result = await curl('-p', `http://${plain.address}/tunnelled`);
  expect(result.text).toBe('GET /tunnelled 0');
});

test('the target reaches the origin byte by byte', async () => {
  const target = '/a//b/../c/%2f%7E?q="x"{y}|z&e=%E3%81%82';
  const head = `GET http://${plain.address}${target} HTTP/1.1\r\nHost: ${plain.address}\r\nConnection: close\r\n\r\n`;
  const answer = await exchangeRaw(gateway.proxyPort, head);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(plain.requests.map((request) => request.url)).toEqual([target]);
});

test('a request in origin-form is for the gateway itself, whatever its Host', async () => {
  const head = `GET /secret HTTP/1.1\r\nHost: ${plain.address}\r\nConnection: close\r\n\r\n`;
  const answer = await exchangeRaw(gateway.proxyPort, head);
  expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect(plain.connections() === 0 || plain.requests.length === 0).toBe(true);
});

test('hop-by-hop fields are not forwarded', async () => {
  const lines = [
    `GET http://${plain.address}/hops HTTP/1.1`,
    `Host: ${plain.address}`,
    'Connection: close, X-Nominated',
    'X-Nominated: 1',
    'Keep-Alive: timeout=5',
    'Proxy-Connection: keep-alive',
    'Proxy-Authorization: Basic dTpw',
    'X-Stays: 1',
  ];
  await exchangeRaw(gateway.proxyPort, `${lines.join('\r\n')}\r\n\r\n`);
  const names = Object.keys(plain.requests[0]?.headers ?? {});
  expect(names).toContain('x-stays');
  for (const name of ['x-nominated', 'keep-alive', 'proxy-connection', 'proxy-authorization']) {
    expect(names).not.toContain(name);
  }
});

describe('Python', () => {
  const python = (code: string, ...args: string[]): Promise<RunResult> => {
    const proxies = { http_proxy: gateway.proxyUrl, https_proxy: gateway.proxyUrl, no_proxy: '' };
    const env = { ...proxies, REQUESTS_CA_BUNDLE: authority.file, SSL_CERT_FILE: authority.file };
    return run(programPath('python3'), ['-c', code, ...args], { env });
  };
  const urllib =
    'import sys,urllib.request as u; r=u.urlopen(u.Request(sys.argv[1],data=b"abc"),timeout=20); print(r.status,r.read().decode())';
  const requests =
    'import sys,requests; r=requests.post(sys.argv[1],data=b"abc",timeout=20); print(r.status_code,r.text)';

  test.each([
    ['urllib, http', urllib, () => `http://${plain.address}/p`],
    ['urllib, https', urllib, () => `https://${host}/p`],
    ['requests, http', requests, () => `http://${plain.address}/p`],
    ['requests, https', requests, () => `https://${host}/p`],
  ])('%s', async (_name, code, url) => {
    const result = await python(code, url());
    expect(result.stderr).toBe('');
    expect(result.text.trim()).toBe('200 POST /p 3');
  });
});

test('a program whose tunnel is refused shows why, since it shows only the status line', async () => {
  const script = [
    'import http.client',
    `connection = http.client.HTTPSConnection('127.0.0.1', ${gateway.proxyPort}, timeout=20)`,
    `connection.set_tunnel('127.0.0.1', ${gateway.proxyPort})`,
    'try: connection.connect()',
    'except OSError as error: print(error)',
  ].join('\n');
  const { text } = await run(programPath('python3'), ['-c', script]);
  expect(text).toMatch(/^Tunnel connection failed: 508 Loop Detected \(Privet: [ -~]*itself[ -~]*\)$/m);
});
