/**
 * Ways to reach the proxy other than plain TCP: TLS with and without client certificates, and load balancers in front.
 */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { ProxyAgent, request } from 'undici';
import { beforeAll, describe, expect, test } from 'vitest';
import { hashPassword } from '../../gateway/users/password-hash.ts';
import { type ServerCertificate, TestAuthority } from '../support/authority.ts';
import { startBrowser } from '../support/browser.ts';
import { type LogEvent, startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { exchangeRaw, isCompleteAnswer } from '../support/recorder.ts';
import { run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const rule = (name: string, when: object, action: string) => ({ name, when, then: { action } });

const folder = tempFolder('entries');
const authority = new TestAuthority();
const people = new TestAuthority('People');
const write = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const files = (name: string, { cert, key }: ServerCertificate) => ({
  cert: write(`${name}.pem`, cert),
  key: write(`${name}.key`, key),
});
const proxyFiles = files('proxy', authority.issue({ names: ['localhost', '127.0.0.1'] }));
const dayMs = 86_400_000;
const ann = people.issue({ names: [], person: { name: 'ann', units: ['legal', 'staff'] } });
const stranger = new TestAuthority('Others').issue({ names: [], person: { name: 'ann', units: ['legal'] } });
const annFiles = files('ann', ann);

const site = await startOrigin({
  authority,
  names: ['site.example'],
  handler: (request, response) => void response.end(`<title>the site</title>${request.body.length}`),
});
const plain = await startOrigin({ handler: (_request, response) => void response.end('plain reached') });

const tlsListener = (more: object = {}) => ({
  listen: '127.0.0.1:0',
  cert_file: proxyFiles.cert,
  key_file: proxyFiles.key,
  ...more,
});
const withBen = { proxy: { mode: 'basic', users: [{ name: 'ben', password_hash: hashPassword('secret') }] } };
const configOf = (auth: object, tls: object = {}, listen: object = {}) => ({
  policy: {
    rules: [
      rule('legal only', { groups: ['legal'], hosts: ['legal.example'] }, 'allow'),
      rule('others not', { hosts: ['legal.example'] }, 'block'),
    ],
  },
  auth,
  listen: { proxy_tls: tlsListener(tls), ...listen },
  // No test takes as long as a handshake may.
  upstream: { timeouts: { tls: '10m' } },
});
const gateway = await startGateway({
  authority,
  hosts: { 'site.example': site, 'plain.example': plain, 'legal.example': plain },
  config: configOf(withBen),
});
const tlsPort = Number(gateway.events().find((event) => event.listener === 'proxy_tls')?.port);

describe('TLS to the proxy', () => {
  test('curl, https and http, also a large upload', async () => {
    const proxy = ['-sS', '--proxy', `https://localhost:${tlsPort}`, '--proxy-cacert', authority.file];
    const args = [...proxy, '--proxy-user', 'ben:secret', '--cacert', authority.file];
    expect((await run('curl', [...args, 'https://site.example/'])).text).toBe('<title>the site</title>0');
    expect((await run('curl', [...args, 'http://plain.example/'])).text).toBe('plain reached');
    const large = write('large', 'x'.repeat(5_000_000));
    const upload = await run('curl', [...args, '--http1.1', '--data-binary', `@${large}`, 'https://site.example/']);
    expect([upload.text, upload.stderr]).toEqual(['<title>the site</title>5000000', '']);
    expect((await run('curl', [...proxy, '-o', '/dev/null', '-w', '%{http_code}', 'http://plain.example/'])).text).toBe(
      '407',
    );
  });

  test('undici', async () => {
    const agent = new ProxyAgent({
      uri: `https://ben:secret@localhost:${tlsPort}`,
      proxyTls: { ca: authority.pem },
      requestTls: { ca: authority.pem },
    });
    for (const url of ['https://site.example/', 'http://plain.example/']) {
      const { statusCode, body } = await request(url, { dispatcher: agent });
      await body.dump();
      expect(statusCode).toBe(200);
    }
    await agent.close();
  });

  test('Chromium', async () => {
    const browser = await startBrowser(gateway, {
      proxyUrl: `https://localhost:${tlsPort}`,
      username: 'ben',
      password: 'secret',
      trust: [authority.file],
    });
    try {
      const page = await browser.context.newPage();
      await page.goto('https://site.example/');
      expect(await page.title()).toBe('the site');
    } finally {
      await browser.close();
    }
  });

  test('a reload applies another certificate', async () => {
    const serial = () =>
      new Promise<string>((resolve, reject) => {
        const socket = connectTls({ port: tlsPort, host: 'localhost', ca: authority.pem }, () => {
          resolve(socket.getPeerCertificate().serialNumber);
          socket.destroy();
        }).on('error', reject);
      });
    const before = await serial();
    const old = { cert: readFileSync(proxyFiles.cert), key: readFileSync(proxyFiles.key) };
    writeFileSync(proxyFiles.cert, 'damaged');
    expect((await gateway.api('/admin/reload', { method: 'POST' })).ok).toBe(false);
    expect(await serial()).toBe(before);
    files('proxy', authority.issue({ names: ['localhost', '127.0.0.1'] }));
    expect((await gateway.api('/admin/reload', { method: 'POST' })).status).toBe(200);
    expect(await serial()).not.toBe(before);
    writeFileSync(proxyFiles.cert, old.cert);
    writeFileSync(proxyFiles.key, old.key);
  });

  test.each([
    ['before its first byte', ''],
    ['in its first message', '\x16\x03\x01\x02\x00\x01\x00'],
  ])('a client that disconnects %s leaves no connection behind', async (_when, bytes) => {
    const socket = connect({ port: tlsPort, host: '127.0.0.1', allowHalfOpen: true }).resume();
    const closed = once(
      socket.on('error', () => {}),
      'close',
    );
    socket.end(Buffer.from(bytes, 'latin1'));
    await closed;
  });

  test('a half-closed client still gets its response', async () => {
    const below = connect({ port: tlsPort, host: '127.0.0.1', allowHalfOpen: true });
    const socket = connectTls({ socket: below, servername: 'localhost', ca: authority.pem });
    const basic = Buffer.from('ben:secret').toString('base64');
    socket.end(`GET http://plain.example/ HTTP/1.0\r\nProxy-Authorization: Basic ${basic}\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .*plain reached$/s);
  });

  test('non-TLS bytes end the connection', async () => {
    expect(await exchangeRaw(tlsPort, 'GET http://plain.example/ HTTP/1.1\r\nHost: plain.example\r\n\r\n')).not.toMatch(
      /plain reached/,
    );
  });
});

describe.each(['optional', 'required'] as const)('client certificates, %s', (mode) => {
  beforeAll(() =>
    gateway.configure(configOf(withBen, { client_ca_file: write('people.pem', people.pem), client_cert: mode })),
  );

  const curl = (...more: string[]) =>
    run('curl', [
      ...['-sS', '--proxy', `https://localhost:${tlsPort}`, '--proxy-cacert', authority.file, '-w', ' %{http_code}'],
      ...more,
    ]);

  test('identify the user and groups, without a password', async () => {
    const certificate = ['--proxy-cert', annFiles.cert, '--proxy-key', annFiles.key];
    expect((await curl(...certificate, 'http://legal.example/')).text).toBe('plain reached 200');
    const before = gateway.events();
    const tunnel = await curl(...certificate, '--cacert', authority.file, 'https://site.example/');
    expect(tunnel.text).toBe('<title>the site</title>0 200');
    // The event of the first request may arrive only now.
    const isNew = (line: LogEvent) =>
      line.event === 'decision' && line.host === 'site.example' && !before.includes(line);
    expect(await gateway.event(isNew)).toMatchObject({ host: 'site.example', subject: 'ann' });
  });

  test('one from another authority is refused', async () => {
    const { cert, key } = files('stranger', stranger);
    const result = await curl('--proxy-cert', cert, '--proxy-key', key, 'http://legal.example/');
    expect(result.text).not.toMatch(/reached/);
    expect(result.code).not.toBe(0);
  });

  test.each([
    ['expired', { notBefore: new Date(Date.now() - 3 * dayMs), notAfter: new Date(Date.now() - dayMs) }],
    ['not valid yet', { notBefore: new Date(Date.now() + dayMs) }],
    ['self-signed', { selfSigned: true }],
  ])('one that is %s is refused', async (name, dates) => {
    const person = { name: 'ann', units: ['legal'] };
    const { cert, key } = files(name.replaceAll(' ', '-'), people.issue({ names: [], person, ...dates }));
    const result = await curl('--proxy-cert', cert, '--proxy-key', key, 'http://legal.example/');
    expect(result.text).not.toMatch(/reached/);
    expect(result.code).not.toBe(0);
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'a session of %s ends with the authority of its certificate',
    async (version) => {
      let session: Buffer | undefined;
      const ask = (options: object) =>
        new Promise<string>((resolve) => {
          const versions = { minVersion: version, maxVersion: version };
          const socket = connectTls({
            port: tlsPort,
            servername: 'localhost',
            ca: authority.pem,
            ...versions,
            ...options,
          });
          let text = '';
          socket.once('secureConnect', () => {
            text = socket.isSessionReused() ? 'resumed ' : '';
            socket.write('GET http://legal.example/ HTTP/1.1\r\nHost: legal.example\r\nConnection: close\r\n\r\n');
          });
          socket.on('session', (ticket) => (session = ticket));
          socket.on('data', (chunk) => (text += chunk));
          socket.on('error', () => undefined);
          socket.once('close', () => resolve(text));
        });
      const take = async (pem: string) => {
        write('people.pem', pem);
        expect((await gateway.api('/admin/reload', { method: 'POST' })).status).toBe(200);
      };
      expect(await ask(ann)).toMatch(/^HTTP\/1\.1 200 /);
      expect(await ask({ ...ann, session })).toMatch(/^resumed HTTP\/1\.1 200 /);
      const old = session;
      await take(authority.pem);
      expect(await ask({ ...ann, session: old })).not.toContain('reached');
      expect(await ask({ session: old })).not.toContain('reached');
      await take(people.pem);
      expect(await ask(ann)).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  test('without one', async () => {
    const result = await curl('--proxy-user', 'ben:secret', 'http://plain.example/');
    if (mode === 'required') expect(result.code).not.toBe(0);
    else expect(result.text).toBe('plain reached 200');
  });
});

describe('behind a load balancer', () => {
  const auth = { clients: ['10.0.0.0/8', 'fd00::/8', '127.0.0.1/32'], networks: { '10.1.0.0/16': 'legal' } };
  beforeAll(() => gateway.configure(configOf(auth, {}, { proxy_protocol_from: ['127.0.0.1/32'] })));

  const get = (host: string) => `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const open = (authority: string) => `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`;
  const upgrade = (host: string) =>
    get(host).replace(
      /\r\n\r\n$/,
      '\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n',
    );
  const v1 = (from: string) => `PROXY ${from.includes(':') ? 'TCP6' : 'TCP4'} ${from} ${from} 5000 3128\r\n`;
  const v2 = (hex: string) => Buffer.from(`0d0a0d0a000d0a515549540a${hex}`, 'hex').toString('latin1');
  const from10 = '2111000c0a0102030a00000113880c38';

  test.each([
    ['the plain', () => gateway.proxyPort],
    ['the TLS', () => tlsPort],
  ])('a health check of a balancer on %s port leaves no connection behind', async (_name, port) => {
    const socket = connect({ port: port(), host: '127.0.0.1', allowHalfOpen: true }).resume();
    const closed = once(
      socket.on('error', () => {}),
      'close',
    );
    socket.end(v1('10.1.0.1'));
    await closed;
  });

  test.each<[name: string, bytes: string, status: number | undefined]>([
    ['version 1, a client of the group', v1('10.1.2.3') + get('legal.example'), 200],
    ['version 1, another client', v1('10.2.2.3') + get('legal.example'), 403],
    ['version 1, IPv6', v1('fd00::1') + get('plain.example'), 200],
    ['version 1, a client outside auth.clients', v1('192.0.2.1') + get('plain.example'), 403],
    ['a CONNECT of a client outside auth.clients', v1('192.0.2.1') + open('legal.example:443'), 403],
    ['the same, not in its simplest form', `${v1('192.0.2.1')}\r\n${open('legal.example:443')}`, 403],
    ['a WebSocket of a client outside auth.clients', v1('192.0.2.1') + upgrade('plain.example'), 403],
    [
      'the pages of the gateway, for a client outside auth.clients',
      `${v1('192.0.2.1')}${get('x').replace('http://x', '')}`,
      403,
    ],
    ['version 2, a client of the group', v2(from10) + get('legal.example'), 200],
    ['version 2, local: the balancer itself', v2('20000000') + get('plain.example'), 200],
    ['version 2, local, not of the group', v2('20000000') + get('legal.example'), 403],
    ['a CONNECT', v1('10.1.2.3') + open('legal.example:443'), 200],
    ['no header', get('plain.example'), undefined],
    ['an invalid header', `PROXY NONSENSE\r\n${get('plain.example')}`, undefined],
  ])('%s', async (_name, bytes, status) => {
    const until = (sofar: string) => isCompleteAnswer(sofar) || sofar.includes('established\r\n\r\n');
    const answer = await exchangeRaw(gateway.proxyPort, bytes, { until });
    expect(answer === '' ? undefined : Number(answer.split(' ')[1])).toBe(status);
  });

  test('the subject is the client reported by the balancer', async () => {
    await exchangeRaw(gateway.proxyPort, v1('10.1.9.9') + get('plain.example'), { until: isCompleteAnswer });
    await gateway.event((line) => line.event === 'decision' && line.subject === '10.1.9.9');
  });

  test('silence ends the connection, single bytes are accepted', async () => {
    const closed = new Promise((resolve) => connect(gateway.proxyPort, '127.0.0.1').once('close', resolve));
    const socket = connect({ port: gateway.proxyPort, host: '127.0.0.1', noDelay: true });
    for (const byte of v1('10.1.2.3') + get('legal.example')) {
      socket.write(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const answer = await new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(chunk.toString())));
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
    await closed;
  });

  test('the header comes before TLS', async () => {
    const raw: Socket = connect(tlsPort, '127.0.0.1');
    raw.write(v1('10.1.2.3'));
    const socket = connectTls({ socket: raw, servername: 'localhost', ca: authority.pem });
    socket.write(get('legal.example'));
    const answer = await new Promise<string>((resolve, reject) => {
      socket.once('data', (chunk) => resolve(chunk.toString()));
      socket.once('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });
});
