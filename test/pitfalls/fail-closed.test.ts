/**
 * Content that cannot be inspected, or whose tokens cannot be stored, is not sent: bodies over the limit, and
 * unavailable stores.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { proxiedFetch } from '../support/clients.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { type GatewayProcess, startGatewayProcess } from '../support/gateway-process.ts';
import { startOrigin } from '../support/origin.ts';
import { exchangeRaw, isCompleteAnswer, startRecorder } from '../support/recorder.ts';
import { postgresServer, redisServer, type StoreServer } from '../support/store-servers.ts';
import { openHttp2, openTls, openTunnel } from '../support/tunnel.ts';

const [approved, monitored, unknown, blocked] = [
  'api.openai.com',
  'abridge.com',
  'files.intranet.test',
  '01.ai',
] as const;

const origin = await startOrigin({ names: [approved, monitored, unknown] });
const echo = await startRecorder((socket, sofar) => socket.write(sofar.subarray(-4)));
const hosts = () => ({ [approved]: origin, [monitored]: origin, [unknown]: origin, 'echo.test': echo.address });

describe('100 MiB', () => {
  const piece = Buffer.alloc(1024 * 1024, 'All work and no play makes Jack a dull boy. ana@mail.example ');
  let gateway: GatewayProcess;
  beforeAll(async () => {
    gateway = await startGatewayProcess({ hosts: hosts() });
  });

  /** Sends the pieces while the other end accepts them; returns the status of the response, which may come early. */
  async function upload(host: string, framing: 'length' | 'chunked', pieces = 100): Promise<number> {
    const socket = await openTls(gateway, `${host}:443`);
    onTestFinished(() => void socket.destroy());
    let text = '';
    const answered = new Promise<number>((resolve) => {
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
        if (text.includes('\r\n\r\n')) resolve(Number(text.split(' ')[1]));
      });
      socket.once('close', () => resolve(Number(text.split(' ')[1] ?? 0)));
    });
    const length = framing === 'length' ? `Content-Length: ${pieces * piece.length}` : 'Transfer-Encoding: chunked';
    socket.write(`POST /upload HTTP/1.1\r\nHost: ${host}\r\nContent-Type: text/plain\r\n${length}\r\n\r\n`);
    let isOver = false;
    void answered.then(() => {
      isOver = true;
    });
    // Not `once` of node:events, which rejects when the gateway closes the connection.
    const drained = () => new Promise((resolve) => socket.once('drain', resolve));
    for (let i = 0; i < pieces && !isOver && !socket.destroyed; i++) {
      if (framing === 'chunked') socket.write(`${piece.length.toString(16)}\r\n`);
      if (!socket.write(piece)) await Promise.race([drained(), answered]);
      if (framing === 'chunked') socket.write('\r\n');
    }
    if (framing === 'chunked' && !isOver) socket.write('0\r\n\r\n');
    return answered;
  }

  test.each(['length', 'chunked'] as const)(
    'to an approved service are refused without sending any of it (%s)',
    async (framing) => {
      origin.reset();
      expect(await upload(approved, framing)).toBe(413);
      expect(origin.requests).toEqual([]);
      expect(origin.everything()).not.toContain('Jack');
      const peakKiB = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${gateway.pid}/status`, 'utf8'))?.[1]);
      expect(peakKiB).toBeLessThan(400 * 1024);
    },
  );

  test('to an approved service are refused over h2', async () => {
    origin.reset();
    const session = await openHttp2(gateway, `${approved}:443`);
    onTestFinished(() => session.destroy());
    const stream = session.request({ ':method': 'POST', ':path': '/upload', 'content-type': 'text/plain' });
    stream.on('error', () => undefined);
    const answered = once(stream, 'response').then(([fields]) => Number((fields as Record<string, string>)[':status']));
    let isOver = false;
    const drained = () => new Promise((resolve) => stream.once('drain', resolve));
    void answered.finally(() => {
      isOver = true;
    });
    for (let i = 0; i < 100 && !isOver && !stream.destroyed; i++) {
      if (!stream.write(piece)) await Promise.race([drained(), answered]);
    }
    expect(await answered).toBe(413);
    expect(origin.requests).toEqual([]);
  });

  test('or less, but over the limit, to a monitored service pass completely, and the event has the size', async () => {
    origin.reset();
    const pieces = 36;
    expect(await upload(monitored, 'length', pieces)).toBe(200);
    expect(origin.requests[0]?.body.length).toBe(pieces * piece.length);
    const event = await gateway.event((line) => line.event === 'decision' && line.host === monitored);
    expect(event).toMatchObject({ action: 'warn', bytesIn: pieces * piece.length, status: 200 });
  });
});

describe.each([
  ['redis', redisServer],
  ['postgres', postgresServer],
] as const)('%s, killed in the middle of everything', (kind, makeServer) => {
  let store: StoreServer;
  let gateway: Gateway;
  beforeAll(async () => {
    store = await makeServer();
    await store.start();
    gateway = await startGateway({
      hosts: hosts(),
      env: { PROXY_STORE: kind, PROXY_STORE_URL: store.url, PROXY_STORE_KEY: 'a key that replicas share' },
    });
  });
  afterAll(async () => {
    await store?.kill();
  });
  const isReady = async () => (await fetch(`${gateway.apiUrl}/ready`)).status === 200;

  /** A request to a service: the response, and what the service received. */
  async function ask(host: string, content: string): Promise<{ status: number; code?: string }> {
    const { fetch, dispatcher } = proxiedFetch(gateway);
    onTestFinished(() => dispatcher.close());
    const answer = await fetch(`https://${host}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer one' },
      body: JSON.stringify({ messages: [{ role: 'user', content }] }),
    });
    const body = (await answer.json()) as { error?: { code: string } };
    return { status: answer.status, ...(body.error === undefined ? {} : { code: body.error.code }) };
  }
  const blockedStatus = async () =>
    Number(
      (
        await exchangeRaw(gateway.proxyPort, `GET http://${blocked}/ HTTP/1.1\r\nHost: ${blocked}\r\n\r\n`, {
          until: isCompleteAnswer,
        })
      ).split(' ')[1],
    );
  async function echoed(socket: Socket, text: string): Promise<string> {
    const got = once(socket, 'data');
    socket.write(text);
    return String((await got)[0]);
  }

  test('masked requests are refused, blocked ones stay blocked, tunnels continue, and everything recovers', async () => {
    await expect.poll(isReady).toBe(true);
    origin.reset();
    expect(await ask(approved, 'first@mail.example')).toEqual({ status: 200 });
    const { socket } = await openTunnel(gateway, 'echo.test:443');
    onTestFinished(() => void socket.destroy());
    socket.resume();
    expect(await echoed(socket, '\x01one')).toBe('\x01one');

    // Clients work all the time; their responses may change, but what is sent may not.
    let isOver = false;
    const seen: { status: number; code?: string }[] = [];
    const client = async (name: string) => {
      for (let i = 0; !isOver; i++) {
        seen.push(await ask(approved, `${name}${i}@mail.example`));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    const clients = [client('ann'), client('ben')];
    await expect.poll(() => seen.length).toBeGreaterThan(10);
    await store.kill();
    await expect.poll(isReady).toBe(false);

    expect(await ask(approved, 'secret@mail.example')).toEqual({ status: 503, code: 'unavailable' });
    expect(await blockedStatus()).toBe(403);
    expect((await ask(monitored, 'watched@mail.example')).status).toBe(200);
    expect(await echoed(socket, '\x01two')).toBe('\x01two'.slice(-4));
    const { socket: later, status } = await openTunnel(gateway, 'echo.test:443');
    onTestFinished(() => void later.destroy());
    expect(status).toBe(200);
    later.resume();
    expect(await echoed(later, '\x01new')).toBe('\x01new');

    await store.start();
    await expect.poll(isReady).toBe(true);
    const before = seen.filter((one) => one.status === 200).length;
    await expect.poll(() => seen.filter((one) => one.status === 200).length).toBeGreaterThan(before);
    isOver = true;
    await Promise.all(clients);

    expect(seen.filter((one) => one.status !== 200 && one.code !== 'unavailable')).toEqual([]);
    expect(seen.some((one) => one.code === 'unavailable')).toBe(true);
    const left = origin.requests.filter(({ serverName }) => serverName === approved).map(({ body }) => body.toString());
    expect(left.filter((text) => /@mail\.example/.test(text))).toEqual([]);
    expect(left.filter((text) => !/\[EMAIL-\d+\]/.test(text))).toEqual([]);
    // No token was assigned twice, and the first value has kept its own.
    expect(new Set(left).size).toBe(left.length);
    origin.reset();
    expect((await ask(approved, 'first@mail.example')).status).toBe(200);
    expect(origin.requests[0]?.body.toString()).toBe(left[0]);
  });
});
