/** Users of the proxy: every kind of client signs in, and requests inside a tunnel are decided for its user. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import type { Gateway } from '../support/gateway.ts';
import type { Origin } from '../support/origin.ts';
import { exchangeRaw, isCompleteAnswer } from '../support/recorder.ts';
import { openTunnel, sendRaw } from '../support/tunnel.ts';
import { addClientTests } from './proxy-clients-suite.ts';
import { basic, field, password, realm, startUsersGateway, umlauts } from './users-gateway.ts';

/** The challenge as bytes, one per character. */
const challenge = Buffer.from(`Basic realm="${realm}", charset="UTF-8"`).toString('latin1');
let plain: Origin;
let gateway: Gateway;

const started = await startUsersGateway();
({ plain, gateway } = started);
afterAll(() => started?.close());

/**
 * A client that resets its connection during password verification, which runs again for every spelling of the header.
 */
async function leave(head: string, afterMs: number, spaces: number): Promise<void> {
  const socket = connect(gateway.proxyPort, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(`${head}${field('ann', password).replace('Basic', `Basic${' '.repeat(spaces)}`)}\r\n\r\n`);
  await pause(afterMs);
  socket.resetAndDestroy();
  await once(socket, 'close');
}

test.each([
  ['intercepted', 'CONNECT api.openai.com:443 HTTP/1.1\r\nHost: api.openai.com:443\r\n'],
  ['websocket', 'GET http://plain.example/ HTTP/1.1\r\nHost: plain.example\r\nUpgrade: websocket\r\n'],
])('a client that disconnects during password verification leaves nothing behind: %s', async (kind, head) => {
  const moments = [0, 1, 2, 3, 5, 8].flatMap((ms) => [ms, ms, ms, ms, ms]);
  await Promise.all(moments.map((ms, i) => leave(head, ms, 2 + i)));
  // A client that stays gets its answer after all of them.
  const { socket } = await openTunnel(gateway, 'site.example:443', [
    field('ann', password).replace('Basic', `Basic${' '.repeat(100)}`),
  ]);
  socket.destroy();
  const open = async () => (await (await gateway.api('/metrics')).text()).match(/^privet_connections.*$/gm);
  await expect.poll(open).toContain(`privet_connections{kind="${kind}"} 0`);
});

describe('the challenge', () => {
  test('CONNECT without credentials gets 407 and may try again on its connection', async () => {
    const { status, head, socket } = await openTunnel(gateway, 'site.example:443');
    expect(status).toBe(407);
    expect(head.split('\r\n')).toContain(`Proxy-Authenticate: ${challenge}`);
    expect(head).not.toMatch(/connection: close/i);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    await new Promise<void>((resolve) => {
      let size = 0;
      socket.on('data', (chunk) => {
        size += chunk.length;
        if (size >= length) resolve();
      });
      socket.resume();
    });
    socket.removeAllListeners('data');
    const again = await sendHead(
      socket,
      `CONNECT site.example:443 HTTP/1.1\r\nHost: site.example:443\r\n${field('ann', password)}\r\n\r\n`,
    );
    expect(again).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  test('after a 407 to CONNECT the connection also serves a plain request', async () => {
    const socket = connect(gateway.proxyPort, '127.0.0.1');
    const first = await sendHead(socket, 'CONNECT site.example:443 HTTP/1.1\r\nHost: site.example:443\r\n\r\n', true);
    expect(first).toMatch(/^HTTP\/1\.1 407 /);
    const answer = await sendRaw(
      socket,
      `GET http://plain.example/ HTTP/1.1\r\nHost: plain.example\r\n${field('ann', password)}\r\n\r\n`,
    );
    expect([answer.status, answer.body.toString()]).toEqual([200, 'plain reached']);
    socket.destroy();
  });

  test('a request in absolute form gets 407, its body is read, and its connection continues', async () => {
    const socket = connect(gateway.proxyPort, '127.0.0.1');
    const first = await sendRaw(
      socket,
      'POST http://plain.example/ HTTP/1.1\r\nHost: plain.example\r\nContent-Length: 5\r\n\r\nhello',
    );
    expect(first.status).toBe(407);
    expect(first.rawHeaders.join('\n')).toContain(`Proxy-Authenticate\n${challenge}`);
    expect(first.rawHeaders.join('\n')).not.toMatch(/Connection\nclose/i);
    const second = await sendRaw(
      socket,
      `POST http://plain.example/ HTTP/1.1\r\nHost: plain.example\r\n${field('ann', password)}\r\nContent-Length: 5\r\n\r\nhello`,
    );
    expect(second.status).toBe(200);
    socket.destroy();
  });

  test.each([
    ['HTTP/1.0', 'CONNECT site.example:443 HTTP/1.0\r\n\r\n'],
    [
      'the client asks for close',
      'CONNECT site.example:443 HTTP/1.1\r\nHost: site.example:443\r\nConnection: close\r\n\r\n',
    ],
    ['bytes follow', 'CONNECT site.example:443 HTTP/1.1\r\nHost: site.example:443\r\n\r\n\x16\x03\x01'],
  ])('the connection is closed where %s', async (_name, bytes) => {
    const answer = await exchangeRaw(gateway.proxyPort, bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 407 /);
    expect(answer).toMatch(/connection: close/i);
  });

  test.each([
    [
      'of a user',
      () => `${field('ann', password)}\r\n`,
      / 200 OK\r\n[\s\S]*slowly answeredHTTP\/1\.1 200 Connection established/,
    ],
    ['without credentials', () => '', / 200 OK\r\n[\s\S]*slowly answeredHTTP\/1\.1 407 /],
  ])('a CONNECT %s waits for preceding responses', async (_name, credentials, expected) => {
    const slow = `GET http://plain.example/slow HTTP/1.1\r\nHost: plain.example\r\n${field('ann', password)}\r\n\r\n`;
    const tunnel = `CONNECT site.example:443 HTTP/1.1\r\nHost: site.example:443\r\n${credentials()}\r\n`;
    const until = (sofar: string) =>
      (sofar.match(/HTTP\/1\.1 /g) ?? []).length > 1 && sofar.endsWith('slowly answered') === false;
    const answer = await exchangeRaw(gateway.proxyPort, slow + tunnel, { until });
    expect(answer).toMatch(expected);
  });

  test('a connection with repeated attempts leaves nothing behind', async () => {
    const socket = connect(gateway.proxyPort, '127.0.0.1');
    for (let i = 0; i < 30; i++) {
      const odd = i % 2 === 0 ? '' : 'X-Odd: \u00e9\r\n';
      const head = await sendHead(
        socket,
        `CONNECT site.example:443 HTTP/1.1\r\nHost: site.example:443\r\n${odd}\r\n`,
        true,
      );
      expect(head).toMatch(/^HTTP\/1\.1 407 /);
    }
    socket.destroy();
    expect(gateway.output()).not.toContain('MaxListenersExceededWarning');
  });

  test('malformed requests are reported before authentication', async () => {
    const bytes =
      'POST http://plain.example/ HTTP/1.1\r\nHost: plain.example\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx';
    expect(await exchangeRaw(gateway.proxyPort, bytes)).toMatch(/^HTTP\/1\.1 400 /);
    expect(await exchangeRaw(gateway.proxyPort, 'CONNECT site.example HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 /,
    );
  });

  test('files served by the proxy need no credentials', async () => {
    expect((await fetch(`${gateway.proxyUrl}/proxy.pac`)).status).toBe(200);
    expect((await fetch(`${gateway.proxyUrl}/ca.pem`)).status).toBe(200);
  });
});

describe('credentials', () => {
  test.each<[name: string, header: string, status: number]>([
    ['a colon in the password', basic('ann', password), 200],
    ['UTF-8', basic('jürgen', umlauts), 200],
    ['decomposed letters', basic('jürgen'.normalize('NFD'), umlauts.normalize('NFD')), 200],
    ['the scheme in lower case', basic('ann', password).replace('Basic', 'basic'), 200],
    ['an empty password', basic('nobody', ''), 200],
    ['apr1', basic('apr', 'apr-password'), 200],
    ['{SHA}', basic('sha', 'myPassword'), 200],
    ['an empty password that is wrong', basic('ann', ''), 407],
    ['an empty name', basic('', password), 407],
    ['a wrong password', basic('sha', 'mypassword'), 407],
    ['another scheme', 'Negotiate YII=', 407],
    ['no colon', `Basic ${Buffer.from('ann').toString('base64')}`, 407],
    ['no base64', 'Basic ann:secret', 407],
  ])('%s', async (_name, header, status) => {
    const answer = await exchangeRaw(
      gateway.proxyPort,
      `GET http://plain.example/ HTTP/1.1\r\nHost: plain.example\r\nProxy-Authorization: ${header}\r\n\r\n`,
      { until: isCompleteAnswer },
    );
    expect(Number(answer.split(' ')[1])).toBe(status);
  });

  test('reach neither the origin nor the log', async () => {
    const before = plain.requests.length;
    await exchangeRaw(
      gateway.proxyPort,
      `GET http://plain.example/ HTTP/1.1\r\nHost: plain.example\r\n${field('ann', password)}\r\n\r\n`,
      { until: isCompleteAnswer },
    );
    expect(plain.requests.length).toBe(before + 1);
    expect(plain.requests.at(-1)?.rawHeaders.join('\n')).not.toMatch(/proxy-auth/i);
    const token = Buffer.from(`ann:${password}`).toString('base64');
    for (const secret of [password, token, umlauts]) expect(gateway.output()).not.toContain(secret);
  });
});

describe('identity', () => {
  test('rules see user and groups, the audit trail the user', async () => {
    const status = async (name: string, secret: string, authority: string) => {
      const { status, socket } = await openTunnel(gateway, authority, [field(name, secret)]);
      socket.destroy();
      return status;
    };
    expect(await status('ann', password, 'annless.example:443')).toBe(403);
    expect(await status('ann', password, 'legal.example:443')).toBe(403);
    expect(await status('jürgen', umlauts, 'legal.example:443')).toBe(200);
    const event = await gateway.event((line) => line.event === 'decision' && line.rule === 'others not');
    expect(event).toMatchObject({ subject: 'ann', clientAddress: '127.0.0.1', action: 'block' });
  });

  test('a wrong password is in the audit trail, without a user', async () => {
    const { status, socket } = await openTunnel(gateway, 'denied.example:443', [field('ann', 'wrong')]);
    socket.destroy();
    expect(status).toBe(407);
    const event = await gateway.event((line) => line.event === 'decision' && line.host === 'denied.example');
    expect(event).toMatchObject({ subject: '127.0.0.1', status: 407, error: 'proxy_auth_required' });
  });
});

addClientTests(() => started);

describe('/admin/users', () => {
  const statusOf = async (name: string, secret: string) => {
    const { status, socket } = await openTunnel(gateway, 'site.example:443', [field(name, secret)]);
    socket.destroy();
    return status;
  };
  const send = (method: string, path: string, body?: object) =>
    gateway.api(path, { method, ...(body && { body: JSON.stringify(body) }) });

  test('adds, changes and removes users of the file, at once', async () => {
    const made = await send('POST', '/admin/users', { name: 'new', password: 'one', groups: ['legal'] });
    expect([made.status, await made.json()]).toEqual([201, { name: 'new', groups: ['legal'], source: 'file' }]);
    expect(await statusOf('new', 'one')).toBe(200);
    expect((await send('POST', '/admin/users', { name: 'new', password: 'two' })).status).toBe(201);
    expect([await statusOf('new', 'one'), await statusOf('new', 'two')]).toEqual([407, 200]);
    const explained = await gateway.api('/admin/explain?url=https://legal.example/&user=new');
    expect(await explained.json()).toMatchObject({ decision: { rule: 'legal only' } });
    const listed = await (await gateway.api('/admin/users')).text();
    expect(JSON.parse(listed).users).toContainEqual({ name: 'ann', groups: ['staff'], source: 'config' });
    expect(listed).not.toContain('$');
    expect((await send('DELETE', '/admin/users/new')).status).toBe(204);
    expect(await statusOf('new', 'two')).toBe(407);
  });

  test.each<[method: string, path: string, body: object | undefined, status: number]>([
    ['POST', '/admin/users', { name: 'ann', password: 'x' }, 409],
    ['POST', '/admin/users', { name: 'without' }, 422],
    ['POST', '/admin/users', { name: 'empty', password: '' }, 422],
    ['POST', '/admin/users', { name: 'a:b', password: 'x' }, 422],
    ['DELETE', '/admin/users/ann', undefined, 409],
    ['DELETE', '/admin/users/unknown', undefined, 404],
  ])('%s %s %j is answered %i', async (method, path, body, status) => {
    expect((await send(method, path, body)).status).toBe(status);
  });

  test('a new user without a password: the field is named', async () => {
    const answer = await (await send('POST', '/admin/users', { name: 'without' })).json();
    expect(answer).toMatchObject({ error: { details: [{ field: 'password', message: 'is missing' }] } });
  });
});

describe('guessing', () => {
  test('is slowed down per address, without locking out others there', async () => {
    const attempt = async (name: string, secret: string) => {
      const answer = await exchangeRaw(
        gateway.proxyPort,
        `GET http://plain.example/ HTTP/1.1\r\nHost: plain.example\r\nProxy-Authorization: ${basic(name, secret)}\r\n\r\n`,
        { until: isCompleteAnswer },
      );
      return { status: Number(answer.split(' ')[1]), answer };
    };
    await attempt('ann', password);
    let last = await attempt('sha', 'guess');
    for (let i = 0; i < 40 && last.status === 407; i++) last = await attempt('sha', 'guess');
    expect(last.status).toBe(429);
    expect(last.answer).toMatch(/retry-after: \d+/i);
    // Known credentials are served at once, others after a delay.
    expect((await attempt('ann', password)).status).toBe(200);
    expect((await attempt('apr', 'apr-password')).status).toBe(200);
  });
});

/** Writes bytes and reads the head of the answer, or all of it. */
function sendHead(socket: ReturnType<typeof connect>, bytes: string, whole = false): Promise<string> {
  return new Promise((resolve) => {
    let sofar = '';
    const onData = (chunk: Buffer) => {
      sofar += chunk.toString('latin1');
      if (whole ? !isCompleteAnswer(sofar) : !sofar.includes('\r\n\r\n')) return;
      socket.off('data', onData);
      resolve(sofar);
    };
    socket.on('data', onData);
    socket.resume();
    socket.write(bytes);
  });
}
