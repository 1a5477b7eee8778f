/** Floods and slow peers: each has a limit and a defined response at the limit, and other clients are served. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { helloFor } from '../support/client-hello.ts';
import { startEcho } from '../support/echo.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { startOrigin } from '../support/origin.ts';
import { exchangeRaw, isCompleteAnswer } from '../support/recorder.ts';
import { openHttp2, openTls, openTunnel, sendRaw, sendTls } from '../support/tunnel.ts';
import { processorMs, watchMemory } from '../support/usage.ts';

const host = 'api.openai.com';
const speaking = 'api.anthropic.com';
const authority = new TestAuthority();
const large = Buffer.alloc(64 * 1024 * 1024, 'x');
const opened: Socket[] = [];

const plain = await startOrigin({
  handler: ({ url }, response) => void response.writeHead(200).end(url === '/large' ? large : 'ok'),
});
const secure = await startOrigin({ authority, names: [host], protocols: ['http/1.1'] });
const echo = await startEcho({ authority, names: [speaking] });

const config = { upstream: { timeouts: { body: '500ms' } }, masking: { max_body: '8MiB' } };
const gateway = await startGatewayProcess({ authority, hosts: { [host]: secure, [speaking]: echo }, config });

const get = (path = '/'): string => `GET http://${plain.address}${path} HTTP/1.1\r\nHost: ${plain.address}\r\n\r\n`;
const ask = (): Promise<string> =>
  exchangeRaw(gateway.proxyPort, get(), {
    until: (text) => text.endsWith('\r\n\r\nok') || text.includes('0\r\n\r\n') || isCompleteAnswer(text),
  });

/** A connection from an address of this machine that only sends these bytes. */
function hold(bytes = '', from = '127.0.0.1'): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect({ port: gateway.proxyPort, host: '127.0.0.1', localAddress: from }, () => resolve(socket));
    opened.push(socket);
    socket.on('error', () => undefined);
    if (bytes !== '') socket.write(bytes, 'latin1');
  });
}

function closeAll(): Promise<unknown> {
  const closing = opened.splice(0).map((socket) => {
    const closed = socket.destroyed || new Promise((resolve) => socket.once('close', resolve));
    socket.destroy();
    return closed;
  });
  return Promise.all(closing);
}

/** What it receives until it ends. */
const answerOf = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    socket.once('close', () => resolve(text));
  });

const firstLine = async (socket: Socket): Promise<string> => (await answerOf(socket)).split('\r\n')[0] ?? '';

describe('with low connection limits', () => {
  const limits = { connections: 60, client_connections: 40, tunnels: 12, client_tunnels: 8 };
  beforeAll(() => gateway.configure({ ...config, auth: { limits } }));

  /** Waits until the gateway has noticed the closed connections. */
  const untilServed = async (): Promise<string> => {
    for (;;) {
      const answer = await ask();
      if (answer.startsWith('HTTP/1.1 200')) return answer;
      await pause(20);
    }
  };

  test('connections over the client limit get 429, over the total 503, and others are served', async () => {
    await untilServed();
    for (let i = 0; i < 40; i++) await hold('', '127.0.0.2');
    expect(await answerOf(await hold('', '127.0.0.2'))).toMatch(/^HTTP\/1\.1 429 .*\r\nRetry-After: 10\r\n/s);
    expect(await ask()).toMatch(/^HTTP\/1\.1 200 /);
    while (await isHeld(await hold('', '127.0.0.3')));
    expect(await firstLine(await hold('', '127.0.0.4'))).toMatch(/^HTTP\/1\.1 503 /);
    await closeAll();
    expect(await untilServed()).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('tunnels over the client limit get 429, over the total 503, and others are served', async () => {
    const statuses = async (from: string, count: number): Promise<number[]> => {
      const all: number[] = [];
      for (let i = 0; i < count; i++) {
        const { status, socket } = await openTunnel(gateway, plain.address, [], from);
        opened.push(socket);
        all.push(status);
      }
      return all;
    };
    expect(await statuses('127.0.0.2', 9)).toEqual([...Array(8).fill(200), 429]);
    expect(await statuses('127.0.0.3', 5)).toEqual([...Array(4).fill(200), 503]);
    // Requests without a tunnel still work.
    expect(await ask()).toMatch(/^HTTP\/1\.1 200 /);
    await closeAll();
    await expect.poll(() => statuses('127.0.0.2', 1)).toEqual([200]);
    await closeAll();
  });

  test('a tunnel with plain HTTP counts until it is closed', async () => {
    for (let i = 0; i < 8; i++) {
      const { status, socket } = await openTunnel(gateway, plain.address, [], '127.0.0.2');
      opened.push(socket);
      expect(status).toBe(200);
      const request = `GET / HTTP/1.1\r\nHost: ${plain.address}\r\n\r\n`;
      expect((await sendRaw(socket, request)).status).toBe(200);
    }
    const counted = async () => (await (await gateway.api('/metrics')).text()).match(/privet_connections\{.*/g);
    const statusOf = async () => {
      const { status, socket } = await openTunnel(gateway, plain.address, [], '127.0.0.2');
      socket.destroy();
      return status;
    };
    expect(await statusOf()).toBe(429);
    expect(await counted()).toContain('privet_connections{kind="intercepted"} 8');
    await closeAll();
    await expect.poll(statusOf).toBe(200);
  });

  /** Whether a connection is not refused immediately. */
  async function isHeld(socket: Socket): Promise<boolean> {
    const turnedAway = firstLine(socket).then(() => false);
    return Promise.race([turnedAway, new Promise<boolean>((resolve) => setTimeout(resolve, 30, true))]);
  }
});

describe('next to others', () => {
  beforeAll(async () => {
    await gateway.configure(config);
    await ask();
  });
  afterAll(async () => {
    await closeAll();
  });

  const post = (body: Buffer, fields: readonly string[] = []): Buffer => {
    const lines = [
      `POST /v1/chat/completions HTTP/1.1`,
      `Host: ${host}`,
      `Content-Length: ${body.length}`,
      'Content-Type: application/json',
    ];
    return Buffer.concat([Buffer.from(`${[...lines, ...fields].join('\r\n')}\r\n\r\n`), body]);
  };
  const send = async (bytes: Buffer): Promise<number> => {
    const { status } = await sendTls(gateway, `${host}:443`, bytes);
    return status;
  };

  test('thousands of silent or incomplete connections do not affect others', async () => {
    const exchanges = async (count: number): Promise<number> => {
      const before = processorMs(gateway.pid);
      for (let i = 0; i < count; i++) expect(await ask()).toMatch(/^HTTP\/1\.1 200 /);
      return processorMs(gateway.pid) - before;
    };
    await exchanges(300);
    const alone = await exchanges(150);
    const growth = watchMemory(gateway.pid);
    const halves = ['', 'G', `GET http://${plain.address}/ HTTP/1.1\r\nHost: `, `CONNECT ${plain.address} HT`];
    const idle: Socket[] = [];
    for (let i = 0; i < 5_000; i++) {
      const held = hold(halves[i % halves.length], `127.0.1.${1 + (i % 250)}`);
      void held.then((socket) => idle.push(socket));
      // Connections dropped by a full accept queue are retried after up to a minute. A response shows that the queue is
      // empty.
      if (i % 100 === 99) await ask();
    }
    await expect.poll(() => idle.length).toBe(5_000);
    // The lower of two: the process also loads tables once, some time after its start.
    const beside = Math.min(await exchanges(150), await exchanges(150));
    expect(await send(post(Buffer.from('{}')))).toBe(200);
    expect(idle.filter((socket) => socket.destroyed)).toEqual([]);
    expect(beside).toBeLessThan(3 * alone);
    expect(growth()).toBeLessThan(150);
    await closeAll();
  });

  test('a body that trickles in gets 408 when it must be read whole', async () => {
    const socket = await openTls(gateway, `${host}:443`);
    socket.write(post(Buffer.from('{')).toString().replace('Content-Length: 1', 'Content-Length: 1000'));
    const dripping = setInterval(() => socket.write(' '), 100);
    const line = await firstLine(socket);
    clearInterval(dripping);
    expect(line).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('clients that do not read their response take little memory', async () => {
    const growth = watchMemory(gateway.pid);
    const slow = await Promise.all(Array.from({ length: 20 }, () => hold(get('/large'))));
    for (const socket of slow) socket.pause();
    expect(await ask()).toMatch(/^HTTP\/1\.1 200 /);
    await pause(1_000);
    // 20 answers of 64 MiB.
    expect(growth()).toBeLessThan(200);
    await closeAll();
  });

  test('refused HTTP/2 bodies are not kept, although their clients stay', async () => {
    const growth = watchMemory(gateway.pid);
    const session = await openHttp2(gateway, `${host}:443`);
    const part = Buffer.alloc(1024 * 1024, 'x');
    for (let i = 0; i < 40; i++) {
      const stream = session.request({ ':method': 'POST', ':path': '/', 'content-type': 'text/plain' });
      const answer = once(stream, 'response') as Promise<[Record<string, unknown>]>;
      for (let sent = 0; sent < 9; sent++) stream.write(part);
      expect((await answer)[0][':status']).toBe(413);
    }
    expect(growth()).toBeLessThan(200);
    session.destroy();
  });

  test('a WebSocket message in millions of empty fragments takes no memory', async () => {
    const socket = await openTls(gateway, `${speaking}:443`);
    const upgrade = `GET / HTTP/1.1\r\nHost: ${speaking}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
    const growth = watchMemory(gateway.pid);
    socket.write(upgrade);
    socket.write(Buffer.from([0x01, 0x81, 0, 0, 0, 0, 0x61]));
    const fragments = Buffer.concat(Array.from({ length: 50_000 }, () => Buffer.from([0x00, 0x80, 0, 0, 0, 0])));
    for (let i = 0; i < 60; i++) if (!socket.write(fragments)) await once(socket, 'drain');
    expect(growth()).toBeLessThan(150);
    socket.destroy();
  });

  test('floods of names: their clients are limited, others are served, and memory is bounded', async () => {
    const certificates = async (result: 'mint' | 'limited'): Promise<number> => {
      const metrics = await (await gateway.api('/metrics')).text();
      return Number(new RegExp(`^privet_leaf_certs_total\\{result="${result}"\\} (\\d+)`, 'm').exec(metrics)?.[1] ?? 0);
    };
    expect(await send(post(Buffer.from('{}')))).toBe(200);
    const hello = await helloFor(`${'x'.repeat(12)}.example`);
    const named = (name: string): Buffer =>
      Buffer.from(hello.toString('latin1').replace('x'.repeat(12), name), 'latin1');
    const word = (i: number): string => i.toString(36).padStart(12, 'n');
    const knock = async (authority: string, name: string): Promise<void> => {
      const { socket } = await openTunnel(gateway, authority, [], '127.0.0.9');
      opened.push(socket);
      socket.on('error', () => undefined);
      await new Promise<void>((resolve) => {
        socket.once('data', () => resolve());
        socket.once('close', () => resolve());
        socket.write(named(name));
        socket.resume();
      });
      socket.destroy();
    };
    const flood = async (count: number, authorityOf: (name: string) => string): Promise<void> => {
      for (let i = 0; i < count; i += 50) {
        const names = Array.from({ length: 50 }, (_, n) => word(i + n));
        await Promise.all(names.map((name) => knock(authorityOf(name), name)));
        opened.length = 0;
      }
    };
    /** Another client, which continues as long as the flood. */
    const during = async (flooding: Promise<void>): Promise<number> => {
      let isOver = false;
      void flooding.finally(() => {
        isOver = true;
      });
      let served = 0;
      for (; !isOver; served++) {
        expect(await send(post(Buffer.from('{}')))).toBe(200);
        expect(await ask()).toMatch(/^HTTP\/1\.1 200 /);
        await pause(50);
      }
      await flooding;
      return served;
    };

    await flood(500, () => `${host}:443`);
    const growth = watchMemory(gateway.pid);
    // The server names in the handshake differ from the CONNECT target.
    const before = await certificates('mint');
    expect(await during(flood(1_000, () => `${host}:443`))).toBeGreaterThan(3);
    expect(await certificates('mint')).toBe(before);

    expect(await during(flood(2_500, (name) => `${name}.openai.com:443`))).toBeGreaterThan(3);
    // A burst of 600, and ten per second.
    expect(await certificates('limited')).toBeGreaterThan(1_000);
    expect(growth()).toBeLessThan(150);
    const other = await openTls(gateway, 'files.openai.com:443');
    other.destroy();
  });
});
