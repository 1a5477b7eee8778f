/** Through a company's existing proxy: tunnels, intercepted requests, plain HTTP and WebSockets. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { TestAuthority } from '../support/authority.ts';
import { startEcho } from '../support/echo.ts';
import { startGateway } from '../support/gateway.ts';
import { type ParentProxy, startParentProxy } from '../support/parent-proxy.ts';
import { leaksIn, personal, prompt } from '../support/personal.ts';
import { exchangeRaw, isCompleteAnswer } from '../support/recorder.ts';
import { run } from '../support/run.ts';
import { openHttp2, openTls, openTunnel, sendRaw, sendTls } from '../support/tunnel.ts';

const approved = 'api.openai.com';
const unknown = 'site.example';
const authority = new TestAuthority();
const user = 'gate way';
const secret = 'p@ss:word';
const authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;
const credentials = `${encodeURIComponent(user)}:${encodeURIComponent(secret)}`;
/** Also one in chunks. */
const isComplete = (sofar: string) => isCompleteAnswer(sofar) || sofar.endsWith('0\r\n\r\n');

const gateway = await startGateway({ authority });
const secure = await startEcho({ authority, names: [approved, unknown] });
const plain = await startEcho({});
const hosts = {
  [`${approved}:443`]: secure.address,
  [`${unknown}:443`]: secure.address,
  'plain.example:80': plain.address,
  'plain.example:8080': plain.address,
  '[2a00:1450:4001:81b::200e]:443': secure.address,
};
beforeEach(() => {
  secure.reset();
  plain.reset();
});

describe.each(['http', 'https'] as const)('an %s parent with a password', (scheme) => {
  let parent: ParentProxy;
  beforeAll(async () => {
    parent = await startParentProxy({ hosts, authorization, ...(scheme === 'https' && { authority }) });
    await gateway.configure({
      egress: { allow: [] },
      upstream: { parent: `${scheme}://${credentials}@localhost:${parent.port}`, no_proxy: ['direct.example'] },
    });
  });
  beforeEach(() => {
    parent.lines.length = parent.credentials.length = parent.fields.length = 0;
  });

  test('a tunnel', async () => {
    const args = ['-sS', '--proxy', gateway.proxyUrl, '--cacert', authority.file, `https://${unknown}/`];
    expect((await run('curl', args)).text).toBe('{"ok":true}');
    expect(parent.lines).toEqual([`CONNECT ${unknown}:443 HTTP/1.1`]);
    expect(parent.credentials).toEqual([authorization]);
  });

  test('a tunnel carries much in both directions', async () => {
    const file = join(gateway.dataDir, 'large');
    writeFileSync(file, Buffer.alloc(6_000_000, 'x'));
    const args = ['-sS', '--proxy', gateway.proxyUrl, '--cacert', authority.file, '--data-binary', `@${file}`];
    const result = await run('curl', [...args, `https://${unknown}/`]);
    expect([result.text, result.stderr]).toEqual(['{"ok":true}', '']);
    expect(secure.requests[0]?.body.length).toBe(6_000_000);
  });

  test('an address as IPv6', async () => {
    const { status, socket } = await openTunnel(gateway, '[2a00:1450:4001:81b::200e]:443');
    socket.destroy();
    expect([status, parent.lines]).toEqual([200, ['CONNECT [2a00:1450:4001:81b::200e]:443 HTTP/1.1']]);
  });

  test('an intercepted request, masked, over both protocols', async () => {
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: prompt }] });
    const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: ${approved}\r\nContent-Type: application/json`;
    const answer = await sendTls(
      gateway,
      `${approved}:443`,
      `${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    expect(answer.status).toBe(200);
    const session = await openHttp2(gateway, `${approved}:443`);
    const stream = session.request({ ':method': 'POST', ':path': '/v1/x', 'content-type': 'application/json' });
    stream.end(body);
    expect(await new Promise((resolve) => stream.once('response', (fields) => resolve(fields[':status'])))).toBe(200);
    session.destroy();
    expect(leaksIn(secure.everything())).toEqual([]);
    expect(secure.requests.map((request) => request.httpVersion)).toEqual(['1.1', '2.0']);
    expect(new Set(parent.lines)).toEqual(new Set([`CONNECT ${approved}:443 HTTP/1.1`]));
  });

  test('plain HTTP in absolute form, with our credentials and nobody else’s', async () => {
    const request = [
      'POST http://plain.example/a?b=c HTTP/1.1',
      'Host: plain.example',
      'X-Odd-Case: 1',
      'Proxy-Authorization: Basic Y2xpZW50Om93bg==',
      'Content-Length: 2',
    ];
    const answer = await exchangeRaw(gateway.proxyPort, `${request.join('\r\n')}\r\n\r\nhi`, {
      until: isComplete,
    });
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(parent.lines).toEqual(['POST http://plain.example/a?b=c HTTP/1.1']);
    expect(parent.credentials).toEqual([authorization]);
    expect(parent.fields[0]?.join('\n')).toContain('X-Odd-Case\n1');
    expect(plain.requests[0]?.body.toString()).toBe('hi');
  });

  test('plain HTTP on another port, and for the whole server', async () => {
    for (const line of ['GET http://plain.example:8080/x', 'OPTIONS http://plain.example:8080']) {
      const bytes = `${line} HTTP/1.1\r\nHost: plain.example:8080\r\n\r\n`;
      await exchangeRaw(gateway.proxyPort, bytes, { until: isComplete });
    }
    expect(parent.lines[0]).toBe('GET http://plain.example:8080/x HTTP/1.1');
    expect(parent.lines[1]).toBe('OPTIONS http://plain.example:8080 HTTP/1.1');
  });

  test('WebSockets, intercepted', async () => {
    const socket = await openTls(gateway, `${approved}:443`);
    const client = new WebSocket(`wss://${approved}/ws`, { createConnection: () => socket as never });
    await new Promise((resolve, reject) => client.once('open', resolve).once('error', reject));
    client.send(`Write to ${personal.EMAIL}`);
    await new Promise((resolve) => client.once('message', resolve));
    client.close();
    expect(String(secure.messages.at(-1))).not.toContain(personal.EMAIL);
    expect(parent.lines).toEqual([`CONNECT ${approved}:443 HTTP/1.1`]);
  });

  test.each([
    ['a private address', '10.0.0.1:443', 403],
    ['the metadata service', '169.254.169.254:80', 403],
    ['a name of this machine', 'localhost:443', 403],
    ['a host that the parent does not reach', 'elsewhere.example:443', 502],
  ])('%s is refused: %s', async (_name, target, status) => {
    const answer = await openTunnel(gateway, target);
    answer.socket.destroy();
    expect(answer.status).toBe(status);
    if (status === 403) expect(parent.lines).toEqual([]);
  });

  test('no_proxy connects directly', async () => {
    const { socket } = await openTunnel(gateway, 'www.direct.example:443');
    socket.destroy();
    expect(parent.lines).toEqual([]);
  });

  test('the password is neither logged nor shown', async () => {
    expect(gateway.output()).not.toContain(secret);
    const token = authorization.slice(6);
    expect(gateway.output()).not.toContain(token);
  });
});

describe('several parents', () => {
  let first: ParentProxy;
  let second: ParentProxy;
  let refusing: ParentProxy;
  let closedPort: number;
  beforeAll(async () => {
    first = await startParentProxy({ hosts });
    second = await startParentProxy({ hosts });
    refusing = await startParentProxy({ hosts, authorization });
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closedPort = (server.address() as { port: number }).port;
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(() => {
    for (const parent of [first, second, refusing]) parent.lines.length = 0;
  });
  const at = (port: number) => `http://127.0.0.1:${port}`;
  const withParents = (upstream: object) => gateway.configure({ upstream });
  const connectTo = async (target: string) => {
    const { status, head, socket } = await openTunnel(gateway, target);
    if (status !== 200) socket.resume();
    const body =
      status === 200 ? '' : await new Promise<string>((resolve) => socket.once('data', (b) => resolve(String(b))));
    socket.destroy();
    return { status, head, body };
  };

  test('parents by host; other hosts use the general parent', async () => {
    const parents = [{ url: at(first.port), hosts: ['openai.com'] }, { url: at(second.port) }];
    await withParents({ parents });
    expect((await connectTo(`${unknown}:443`)).status).toBe(200);
    expect([first.lines.length, second.lines.length]).toEqual([0, 1]);
    await sendRaw(await openTls(gateway, `${approved}:443`), `GET / HTTP/1.1\r\nHost: ${approved}\r\n\r\n`);
    expect([first.lines.length, second.lines.length]).toEqual([1, 1]);
  });

  test('if one is unavailable or refuses us, the next is used, and tried first from then on', async () => {
    const parents = [{ url: at(closedPort) }, { url: at(refusing.port) }, { url: at(second.port) }];
    await withParents({ parents });
    expect((await connectTo(`${unknown}:443`)).status).toBe(200);
    expect([refusing.lines.length, second.lines.length]).toEqual([1, 1]);
    await gateway.event((line) => line.event === 'parent_failed' && line.parent === at(closedPort));
    const bytes = 'GET http://plain.example/ HTTP/1.1\r\nHost: plain.example\r\n\r\n';
    expect(await exchangeRaw(gateway.proxyPort, bytes, { until: isComplete })).toMatch(/^HTTP\/1\.1 200 /);
    expect([refusing.lines.length, second.lines.length]).toEqual([1, 2]);
  });

  test('plain HTTP: a 407 leads to the next parent, never to the client', async () => {
    const bytes = 'POST http://plain.example/ HTTP/1.1\r\nHost: plain.example\r\nContent-Length: 2\r\n\r\nhi';
    const get = bytes.replace('POST', 'GET').replace(/Content-Length.*$/s, '\r\n');
    await withParents({ parents: [{ url: at(refusing.port) }, { url: at(second.port) }] });
    expect(await exchangeRaw(gateway.proxyPort, get, { until: isComplete })).toMatch(/^HTTP\/1\.1 200 /);
    expect([refusing.lines.length, second.lines.length]).toEqual([1, 1]);
    await gateway.event((line) => line.event === 'parent_failed' && line.parent === at(refusing.port));
    await withParents({ parent: at(refusing.port) });
    for (const request of [get, bytes]) {
      const answer = await exchangeRaw(gateway.proxyPort, request, { until: isComplete });
      expect(answer).toMatch(/^HTTP\/1\.1 502 [\s\S]*it refuses our credentials \(407\)/);
    }
  });

  test('none can be used', async () => {
    await withParents({ parent: at(closedPort) });
    const tunnel = await connectTo(`${unknown}:443`);
    expect(tunnel.status).toBe(502);
    expect(tunnel.body).toContain('The parent proxy cannot be used: it refused the connection.');
    const bytes = 'GET http://plain.example/ HTTP/1.1\r\nHost: plain.example\r\n\r\n';
    const answer = await exchangeRaw(gateway.proxyPort, bytes, { until: isComplete });
    expect(answer).toMatch(/^HTTP\/1\.1 502 [\s\S]*The parent proxy cannot be used/);
  });

  test('direct as the last entry is used when the parents are unavailable', async () => {
    const upstream = { parents: [{ url: at(closedPort) }, { url: 'direct' }] };
    await withParents(upstream);
    const bytes = `GET http://127.0.0.1:${plain.port}/ HTTP/1.1\r\nHost: 127.0.0.1:${plain.port}\r\n\r\n`;
    expect(await exchangeRaw(gateway.proxyPort, bytes, { until: isComplete })).toMatch(/^HTTP\/1\.1 200 /);
    expect(plain.requests[0]?.url).toBe('/');
  });

  test('a gateway does not use itself as its parent', async () => {
    await withParents({ parent: at(first.port) });
    await gateway.configure({ upstream: { parent: gateway.proxyUrl } });
    expect((await connectTo(`${unknown}:443`)).status).toBe(508);
  });

  test.each(['', 'Via: 1.1 squid\r\n', 'Via: 1.1 a\r\nVia: 1.0 b, 1.1 c\r\n'])(
    'a looping request is not forwarded again: %j',
    async (via) => {
      let proxyPort = 0;
      let rounds = 0;
      const ring = createServer((client) => {
        rounds++;
        const back = connect(proxyPort, '127.0.0.1');
        client.pipe(back).pipe(client);
        for (const end of [client, back]) end.on('error', () => [client, back].map((one) => one.destroy()));
      });
      await once(ring.listen(0, '127.0.0.1'), 'listening');
      await withParents({ parent: at((ring.address() as AddressInfo).port) });
      proxyPort = gateway.proxyPort;
      const bytes = `GET http://ring.example/ HTTP/1.1\r\nHost: ring.example\r\n${via}\r\n`;
      expect(await exchangeRaw(proxyPort, bytes, { until: isCompleteAnswer })).toMatch(/^HTTP\/1\.1 508 /);
      expect(rounds).toBe(1);
      ring.close();
    },
  );

  test('a reload applies other parents at once, also to pooled connections', async () => {
    await withParents({ parent: at(first.port) });
    const bytes = 'GET http://plain.example/ HTTP/1.1\r\nHost: plain.example\r\n\r\n';
    const get = () => exchangeRaw(gateway.proxyPort, bytes, { until: isComplete });
    await get();
    await get();
    expect([first.lines.length, second.lines.length]).toEqual([2, 0]);
    await gateway.configure({ upstream: { parent: at(second.port) } });
    expect(await get()).toMatch(/^HTTP\/1\.1 200 /);
    expect([first.lines.length, second.lines.length]).toEqual([2, 1]);
  });
});
