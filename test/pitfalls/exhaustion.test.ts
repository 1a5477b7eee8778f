/** Floods, bombs and slow peers: each has a limit, an answer when it is reached, and leaves the others served. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import zlib from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { helloFor } from '../support/client-hello.ts';
import { startEcho } from '../support/echo.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { type Origin, startOrigin } from '../support/origin.ts';
import { exchangeRaw, isCompleteAnswer } from '../support/recorder.ts';
import { openHttp2, openTls, openTunnel, sendRaw } from '../support/tunnel.ts';

const host = 'api.openai.com';
const speaking = 'api.anthropic.com';
const authority = new TestAuthority();
const large = Buffer.alloc(64 * 1024 * 1024, 'x');
const opened: Socket[] = [];
let plain: Origin;
let secure: Origin;
let echo: Origin;

beforeAll(async () => {
  plain = await startOrigin({
    handler: ({ url }, response) => void response.writeHead(200).end(url === '/large' ? large : 'ok'),
  });
  secure = await startOrigin({ authority, names: [host], protocols: ['http/1.1'] });
  echo = await startEcho({ authority, names: [speaking] });
});
afterAll(() => Promise.all([plain?.close(), secure?.close(), echo?.close()]));

const get = (path = '/'): string => `GET http://${plain.address}${path} HTTP/1.1\r\nHost: ${plain.address}\r\n\r\n`;
const ask = (gateway: Gateway): Promise<string> =>
  exchangeRaw(gateway.proxyPort, get(), {
    until: (text) => text.endsWith('\r\n\r\nok') || text.includes('0\r\n\r\n') || isCompleteAnswer(text),
    timeoutMs: 20_000,
  });

/** A connection from an address of this machine that only sends these bytes. */
function hold(gateway: Gateway, bytes = '', from = '127.0.0.1'): Promise<Socket> {
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

/** What it says, and ends with. */
const firstLine = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    socket.once('close', () => resolve(text.split('\r\n')[0] ?? ''));
  });

/** Resident memory of a process in MiB. */
function memoryOf(gateway: Gateway): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${gateway.pid}/status`, 'latin1'))?.[1]) / 1024;
}

describe('with few places', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    const limits = { connections: 60, client_connections: 40, tunnels: 12, client_tunnels: 8 };
    gateway = await startGateway({ config: { auth: { limits } } });
  });
  afterAll(() => gateway?.stop());

  /** Waits until what was closed is gone there, too. */
  const untilServed = async (): Promise<string> => {
    for (;;) {
      const answer = await ask(gateway);
      if (answer.startsWith('HTTP/1.1 200')) return answer;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  test('connections over those of one client are answered 429, over all 503, and others find a place', async () => {
    await untilServed();
    for (let i = 0; i < 40; i++) await hold(gateway, '', '127.0.0.2');
    expect(await firstLine(await hold(gateway, '', '127.0.0.2'))).toMatch(/^HTTP\/1\.1 429 /);
    expect(await ask(gateway)).toMatch(/^HTTP\/1\.1 200 /);
    while (await isHeld(await hold(gateway, '', '127.0.0.3')));
    expect(await firstLine(await hold(gateway, '', '127.0.0.4'))).toMatch(/^HTTP\/1\.1 503 /);
    await closeAll();
    expect(await untilServed()).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('tunnels over those of one client are answered 429, over all 503, and others find a place', async () => {
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
    // Requests that need no tunnel go on.
    expect(await ask(gateway)).toMatch(/^HTTP\/1\.1 200 /);
    await closeAll();
    await expect.poll(() => statuses('127.0.0.2', 1), { timeout: 10_000 }).toEqual([200]);
    await closeAll();
  });

  /** Whether a connection is not turned away at once. */
  async function isHeld(socket: Socket): Promise<boolean> {
    const turnedAway = firstLine(socket).then(() => false);
    return Promise.race([turnedAway, new Promise<boolean>((resolve) => setTimeout(resolve, 30, true))]);
  }
});

describe('beside others', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({
      authority,
      hosts: { [host]: secure, [speaking]: echo },
      config: { upstream: { timeouts: { body: '500ms' } }, masking: { max_body: '8MiB' } },
    });
    await ask(gateway);
  });
  afterAll(async () => {
    await closeAll();
    await gateway?.stop();
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
    const socket = await openTls(gateway, `${host}:443`);
    const { status } = await sendRaw(socket, bytes);
    socket.destroy();
    return status;
  };

  test('hundreds of connections that say nothing, or half of something, do not keep a client waiting', async () => {
    const halves = ['', 'G', `GET http://${plain.address}/ HTTP/1.1\r\nHost: `, `CONNECT ${plain.address} HT`];
    const idle = await Promise.all(Array.from({ length: 400 }, (_, i) => hold(gateway, halves[i % halves.length])));
    expect(await ask(gateway)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await send(post(Buffer.from('{}')))).toBe(200);
    expect(idle.filter((socket) => socket.destroyed)).toEqual([]);
    await closeAll();
  });

  test('a body that comes drop by drop is answered 408, in mask mode read whole', async () => {
    const socket = await openTls(gateway, `${host}:443`);
    socket.write(post(Buffer.from('{')).toString().replace('Content-Length: 1', 'Content-Length: 1000'));
    const dripping = setInterval(() => socket.write(' '), 100);
    const line = await firstLine(socket);
    clearInterval(dripping);
    expect(line).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('clients that do not read their answer hold little memory', async () => {
    const before = memoryOf(gateway);
    const slow = await Promise.all(Array.from({ length: 20 }, () => hold(gateway, get('/large'))));
    for (const socket of slow) socket.pause();
    expect(await ask(gateway)).toMatch(/^HTTP\/1\.1 200 /);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    // 20 answers of 64 MiB.
    expect(memoryOf(gateway) - before).toBeLessThan(200);
    await closeAll();
  });

  test('bodies over HTTP/2 that are refused are not kept, though their clients stay', async () => {
    const before = memoryOf(gateway);
    const session = await openHttp2(gateway, `${host}:443`);
    const part = Buffer.alloc(1024 * 1024, 'x');
    for (let i = 0; i < 40; i++) {
      const stream = session.request({ ':method': 'POST', ':path': '/', 'content-type': 'text/plain' });
      const answer = once(stream, 'response') as Promise<[Record<string, unknown>]>;
      for (let sent = 0; sent < 9; sent++) stream.write(part);
      expect((await answer)[0][':status']).toBe(413);
    }
    expect(memoryOf(gateway) - before).toBeLessThan(200);
    session.destroy();
  }, 60_000);

  test('a WebSocket message in millions of fragments that hold nothing takes no memory', async () => {
    const socket = await openTls(gateway, `${speaking}:443`);
    const upgrade = `GET / HTTP/1.1\r\nHost: ${speaking}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
    const before = memoryOf(gateway);
    socket.write(upgrade);
    socket.write(Buffer.from([0x01, 0x81, 0, 0, 0, 0, 0x61]));
    const fragments = Buffer.concat(Array.from({ length: 50_000 }, () => Buffer.from([0x00, 0x80, 0, 0, 0, 0])));
    for (let i = 0; i < 60; i++) if (!socket.write(fragments)) await once(socket, 'drain');
    expect(memoryOf(gateway) - before).toBeLessThan(150);
    socket.destroy();
  }, 60_000);

  describe('a decompression bomb is refused before it has grown', () => {
    const tenGigabytes = 10 * 1024 ** 3;
    const zeros = Buffer.alloc(1024 * 1024);
    /** 10 GB of zeros: the middle of a long run is the same block again and again. */
    const gzip = (): Buffer => {
      const block = zlib.deflateRawSync(zeros, { finishFlush: zlib.constants.Z_FULL_FLUSH });
      const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
      return Buffer.concat([head, ...Array<Buffer>(tenGigabytes / zeros.length).fill(block)]);
    };
    const zstd = (): Buffer => {
      const frame = zlib.zstdCompressSync(Buffer.alloc(64 * 1024 * 1024));
      return Buffer.concat(Array<Buffer>(tenGigabytes / (64 * 1024 * 1024)).fill(frame));
    };
    const br = (): Buffer => {
      const quality = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1, [zlib.constants.BROTLI_PARAM_LGWIN]: 24 } };
      return zlib.brotliCompressSync(Buffer.alloc(256 * 1024 * 1024), quality);
    };
    const again = {
      gzip: (data: Buffer) => zlib.gzipSync(data),
      br: (data: Buffer) => zlib.brotliCompressSync(data, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }),
      zstd: (data: Buffer) => zlib.zstdCompressSync(data),
    };

    test.each([
      ['gzip', gzip],
      ['br', br],
      ['zstd', zstd],
    ] as const)('%s, once, twice and mixed', async (coding, make) => {
      const bomb = make();
      const before = memoryOf(gateway);
      const bodies: [string, Buffer][] = Object.entries(again).map(([outer, pack]) => [
        `${coding}, ${outer}`,
        pack(bomb),
      ]);
      bodies.push([`${coding}, gzip, gzip`, zlib.gzipSync(zlib.gzipSync(bomb))]);
      if (bomb.length < 8 * 1024 * 1024) bodies.push([coding, bomb]);
      for (const [codings, body] of bodies) {
        expect([codings, await send(post(body, [`Content-Encoding: ${codings}`]))]).toEqual([codings, 413]);
      }
      expect(memoryOf(gateway) - before).toBeLessThan(250);
      expect(await ask(gateway)).toMatch(/^HTTP\/1\.1 200 /);
    });

    test('as much as may be sent is not taken for one', async () => {
      const body = Buffer.from(JSON.stringify({ messages: [{ role: 'user', content: 'a'.repeat(3 * 1024 * 1024) }] }));
      expect(await send(post(zlib.gzipSync(body), ['Content-Encoding: gzip']))).toBe(200);
      expect(
        await send(post(zlib.zstdCompressSync(zlib.brotliCompressSync(body)), ['Content-Encoding: br, zstd'])),
      ).toBe(200);
    });
  });

  const megabyte = 1024 * 1024;
  test.each<[name: string, body: () => string, statuses: number[]]>([
    ['a million arrays', () => '['.repeat(1_000_000), [400]],
    ['a million arrays that are closed', () => `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`, [400]],
    ['a million objects', () => `${'{"a":'.repeat(1_000_000)}1${'}'.repeat(1_000_000)}`, [400]],
    ['a million empty strings', () => `[${'"",'.repeat(1_000_000)}""]`, [200]],
    ['a line of 1 MB of digits', () => `{"a":"${'1234567890'.repeat(megabyte / 10)}"}`, [200]],
    ['a line of 1 MB of what begins like addresses', () => `{"a":"${'a@'.repeat(megabyte / 2)}"}`, [200]],
    ['a line of 1 MB of dots and dashes', () => `{"a":"${'a.b-'.repeat(megabyte / 4)}"}`, [200]],
    ['a line of 1 MB of spaces', () => `{"a":"${' '.repeat(megabyte)}"}`, [200]],
    ['a line of 1 MB of escapes', () => `{"a":"${'\\u005b'.repeat(megabyte / 6)}"}`, [200]],
    ['a line of 1 MB of capital words', () => `{"a":"${'Mc Van De '.repeat(megabyte / 10)}"}`, [200]],
  ])('JSON of %s is looked through or refused, and others are served', async (_name, body, statuses) => {
    const answered = send(post(Buffer.from(body())));
    expect(await ask(gateway)).toMatch(/^HTTP\/1\.1 200 /);
    expect(statuses).toContain(await answered);
  });

  test('a client that asks for certificates of hundreds of hosts is stopped, others are not, and memory stays', async () => {
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

    // Other names in the handshake than that of the CONNECT.
    const before = await certificates('mint');
    for (let i = 0; i < 100; i++) await knock(`${host}:443`, word(i));
    expect(await certificates('mint')).toBe(before);

    // Ten a second may be had again, so that a slow machine needs more of them.
    const memory = memoryOf(gateway);
    let asked = 0;
    while ((await certificates('limited')) === 0 && asked < 5_000) {
      const batch = Array.from({ length: 50 }, () => word(asked++));
      await Promise.all(batch.map((name) => knock(`${name}.openai.com:443`, name)));
    }
    expect(await certificates('limited')).toBeGreaterThan(0);
    expect(memoryOf(gateway) - memory).toBeLessThan(100);
    expect(await send(post(Buffer.from('{}')))).toBe(200);
    const other = await openTls(gateway, 'files.openai.com:443');
    other.destroy();
  });
});
