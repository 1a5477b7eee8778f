/** WebSockets: unchanged through a tunnel, masked and restored when intercepted. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { TestAuthority } from '../support/authority.ts';
import { startEcho } from '../support/echo.ts';
import { startGateway } from '../support/gateway.ts';
import { listening } from '../support/listening.ts';
import { leaksIn, personal, prompt } from '../support/personal.ts';
import { tokensIn } from '../support/provider.ts';
import { openTls, openTunnel } from '../support/tunnel.ts';

const approved = 'api.openai.com';
const monitored = 'abridge.com';
const unknown = 'chat.intranet.test';
const blocked = '01.ai';
const authority = new TestAuthority();

const names = [approved, monitored, unknown, blocked];
const echo = await startEcho({ authority, names });
const plainEcho = await startEcho({});
const gateway = await startGateway({ authority, hosts: Object.fromEntries(names.map((name) => [name, echo])) });
beforeEach(() => {
  echo.reset();
  echo.messages.length = 0;
  echo.closes.length = 0;
  echo.controls.length = 0;
  plainEcho.messages.length = 0;
});

/** A WebSocket to a host over a tunnel of the gateway. */
async function open(host: string, ca = gateway.ca, path = '/ws'): Promise<WebSocket> {
  const socket = await openTls(gateway, `${host}:443`, { ca });
  const client = new WebSocket(`wss://${host}${path}`, { createConnection: () => socket as never });
  await new Promise((resolve, reject) => {
    client.once('open', resolve);
    client.once('error', reject);
  });
  return client;
}

function next(client: WebSocket): Promise<{ readonly data: Buffer; readonly isBinary: boolean }> {
  return new Promise((resolve, reject) => {
    client.once('message', (data, isBinary) => resolve({ data: data as Buffer, isBinary }));
    client.once('close', (code) => reject(new Error(`closed with ${code}`)));
  });
}

function closed(client: WebSocket): Promise<number> {
  return new Promise((resolve) => client.once('close', resolve));
}

describe.each([
  ['tunnel', unknown, () => authority.pem],
  ['interception, approved', approved, () => gateway.ca],
  ['interception, monitored', monitored, () => gateway.ca],
])('%s', (_name, host, ca) => {
  test('text without personal data is echoed', async () => {
    const client = await open(host, ca());
    client.send('héllo [x] 🙂');
    expect((await next(client)).data.toString()).toBe('héllo [x] 🙂');
    expect(echo.messages).toEqual(['héllo [x] 🙂']);
    client.terminate();
  });

  test('a ping is answered, and the close code arrives', async () => {
    const client = await open(host, ca());
    const pong = new Promise((resolve) => client.once('pong', (data) => resolve(data.toString())));
    client.ping('beat');
    expect(await pong).toBe('beat');
    client.close(4001, 'done');
    expect(await closed(client)).toBe(4001);
    await expect.poll(() => echo.closes).toContain(4001);
  });
});

test.each([
  ['a tunnel', unknown, () => authority.pem],
  ['a monitored service', monitored, () => gateway.ca],
])('binary over %s is echoed byte by byte', async (_name, host, ca) => {
  const bytes = randomBytes(200_000);
  const client = await open(host, ca());
  client.send(bytes);
  const { data, isBinary } = await next(client);
  expect(isBinary).toBe(true);
  expect(data.equals(bytes)).toBe(true);
  client.terminate();
});

describe('an approved service', () => {
  test('binary cannot be inspected and is refused with 1008', async () => {
    const client = await open(approved);
    client.send(randomBytes(100));
    expect(await closed(client)).toBe(1008);
    expect(echo.messages).toEqual([]);
  });

  test.each([
    ['JSON', JSON.stringify({ event: 'send', content: [{ type: 'text', text: prompt }] })],
    ['plain text', prompt],
  ])('%s is masked in requests and restored in answers', async (_name, message) => {
    const client = await open(approved);
    client.send(message);
    expect((await next(client)).data.toString()).toBe(message);
    expect(leaksIn(echo.messages.join('\n'))).toEqual([]);
    expect(tokensIn(echo.messages.join('\n'))).toHaveLength(5);
    client.terminate();
  });

  test('pings, pongs and close reasons are sent without personal data', async () => {
    const client = await open(approved);
    client.ping('beat 17');
    client.ping(Buffer.from([0, 0, 1, 0x9f, 0xff, 2, 3, 4]));
    client.ping(Buffer.alloc(100, 0xff));
    for (const said of [`from ${personal.EMAIL}`, 'beat 18']) {
      client.ping(said);
      client.pong(said);
    }
    client.close(1000, `bye ${personal.EMAIL}`);
    expect(await closed(client)).toBe(1000);
    const controls = () => echo.controls.slice(echo.controls.indexOf('ping beat 17'));
    const time = `ping ${Buffer.from([0, 0, 1, 0x9f, 0xff, 2, 3, 4])}`;
    const expected = ['ping beat 17', time, 'ping ', 'ping ', 'pong ', 'ping beat 18', 'pong beat 18', 'close '];
    await expect.poll(controls).toEqual(expected);
  });

  test('JSON in a binary message after a byte order mark is restored', async () => {
    const client = await open(approved);
    const message = Buffer.from(`\ufeff ${JSON.stringify({ text: prompt })}`);
    client.send(message);
    const { data, isBinary } = await next(client);
    expect([JSON.parse(data.toString()), isBinary]).toEqual([{ text: prompt }, true]);
    expect(leaksIn(echo.messages.join('\n'))).toEqual([]);
    client.terminate();
  });

  test('a message in fragments is masked as one', async () => {
    const client = await open(approved);
    const middle = prompt.indexOf('@');
    client.send(prompt.slice(0, middle), { fin: false });
    client.send(prompt.slice(middle), { fin: true });
    expect((await next(client)).data.toString()).toBe(prompt);
    expect(leaksIn(echo.messages.join('\n'))).toEqual([]);
    client.terminate();
  });

  test('twenty messages at once are echoed in order', async () => {
    const client = await open(approved);
    const received: string[] = [];
    const all = new Promise<void>((resolve) => {
      client.on('message', (data) => {
        if (received.push(String(data)) === 20) resolve();
      });
    });
    const sent = Array.from({ length: 20 }, (_, index) => `${index} ${prompt}`);
    for (const message of sent) client.send(message);
    await all;
    expect(received).toEqual(sent);
    expect(leaksIn(echo.messages.join('\n'))).toEqual([]);
    client.terminate();
  });
});

test('a monitored service gets the text unchanged', async () => {
  const client = await open(monitored);
  client.send(prompt);
  expect((await next(client)).data.toString()).toBe(prompt);
  expect(echo.messages).toEqual([prompt]);
  client.terminate();
});

test('a blocked service is refused, and the origin sees no connection', async () => {
  const before = echo.connections();
  const { status, socket } = await openTunnel(gateway, `${blocked}:443`);
  socket.destroy();
  const outcome =
    status === 200
      ? await open(blocked).then(
          () => 'open',
          (error: Error) => error.message,
        )
      : '403';
  expect(outcome).toContain('403');
  expect(echo.connections()).toBe(before);
});

test('plain ws:// in absolute form is forwarded', async () => {
  const client = new WebSocket(`ws://${plainEcho.address}/ws`, {
    createConnection: () => connect(gateway.proxyPort, '127.0.0.1') as never,
    finishRequest: (request) => {
      request.path = `http://${plainEcho.address}/ws`;
      request.end();
    },
  });
  await new Promise((resolve, reject) => {
    client.once('open', resolve);
    client.once('error', reject);
  });
  client.send('hello');
  expect((await next(client)).data.toString()).toBe('hello');
  client.terminate();
});

test('path and query of an upgrade are masked for an approved service, and counted for a monitored one', async () => {
  const path = `/ws/${personal.EMAIL}?token=abc&q=${encodeURIComponent(personal.EMAIL)}&n=1`;
  (await open(approved, gateway.ca, path)).terminate();
  expect(echo.everything()).toMatch(/GET \/ws\/(%5BEMAIL-\d+%5D)\?token=abc&q=\1&n=1 /);
  echo.reset();
  const before = gateway.events().length;
  (await open(monitored, gateway.ca, path)).terminate();
  expect(echo.everything()).toContain(`GET ${path} `);
  const isIt = (line: Readonly<Record<string, unknown>>) => line.kind === 'websocket' && line.service === 'abridge';
  const event = await gateway.event((line) => isIt(line) && gateway.events().indexOf(line) >= before);
  expect(event.piiTypes).toEqual({ EMAIL: 2 });
});

test.each<[host: string, warns: boolean]>([
  [monitored, true],
  [approved, false],
])('the answer to the upgrade of %s warns: %s', async (host, warns) => {
  const socket = await openTls(gateway, `${host}:443`);
  const client = new WebSocket(`wss://${host}/ws`, { createConnection: () => socket as never });
  const fields = await new Promise<NodeJS.Dict<string | string[]>>((resolve, reject) => {
    client.once('upgrade', (answer) => resolve(answer.headers));
    client.once('error', reject);
  });
  expect(fields['x-privet-warning'] !== undefined).toBe(warns);
  client.on('error', () => {});
  client.terminate();
});

test('a silent origin is abandoned after the connect timeout', async () => {
  const silent = createServer((socket) => void socket.on('error', () => undefined));
  const address = `127.0.0.1:${await listening(silent)}`;
  await gateway.configure({ upstream: { timeouts: { connect: '1s' }, resolve: { [monitored]: address } } });
  const socket = await openTls(gateway, `${monitored}:443`);
  const client = new WebSocket(`wss://${monitored}/ws`, { createConnection: () => socket as never });
  const [error] = await once(client, 'error');
  expect(String(error)).toContain('504');
});
