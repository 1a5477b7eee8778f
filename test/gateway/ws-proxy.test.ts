/** The faults of http-proxy, each with the behaviour required of our wrapper of its successor. */
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import net, { type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { type UpgradeInput, UpgradeProxy } from '../../gateway/proxy/websocket/ws-proxy.ts';
import { startGateway } from '../support/gateway.ts';
import { listening } from '../support/listening.ts';
import { exchangeRaw, startRecorder } from '../support/recorder.ts';

const handshake = [
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version: 13',
];

/** The answer to that key (RFC 6455 §1.3). */
const accept = 'Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=';

/** A front end that carries every upgrade to `origin`; `errors` collects what the wrapper reports. */
async function startFront(originPort: number, answerMs = 10_000) {
  const proxy = new UpgradeProxy();
  const agent = new http.Agent();
  const errors: Error[] = [];
  const front = http.createServer().on('upgrade', (request: IncomingMessage, client: Duplex) => {
    client.on('error', () => {});
    const headers = { ...request.headers } as UpgradeInput['headers'];
    proxy.carry({
      client,
      origin: `http://127.0.0.1:${originPort}`,
      path: request.url ?? '/',
      headers,
      agent,
      answerMs,
      onError: (error) => {
        errors.push(error);
        client.destroy();
      },
    });
  });
  const frontPort = await listening(front);
  onTestFinished(() => {
    agent.destroy();
    front.close();
  });
  return { port: frontPort, errors };
}

function sendUpgrade(port: number): Socket {
  const client = net.connect(port, '127.0.0.1');
  client.on('error', () => {});
  client.write(`GET /ws HTTP/1.1\r\nHost: origin.test\r\n${handshake.join('\r\n')}\r\n\r\n`);
  return client;
}

/** A raw origin: `onRequest` gets each connection when its first bytes have arrived. */
async function startOrigin(onRequest: (socket: Socket) => void): Promise<number> {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => onRequest(socket));
  });
  return listening(server);
}

test('the client disconnects before the response: the connection to the origin is closed', async () => {
  let client: Socket | undefined;
  const { promise, resolve } = Promise.withResolvers<void>();
  const port = await startOrigin((socket) => {
    socket.once('close', () => resolve());
    socket.resume();
    client?.destroy();
  });
  client = sendUpgrade((await startFront(port)).port);
  await promise;
});

test.each([
  ['says nothing', ''],
  ['answers in part', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"a"'],
])('an origin that %s times out', async (_name, answer) => {
  let closed: Promise<unknown> = Promise.resolve();
  const port = await startOrigin((socket) => {
    closed = once(socket, 'close');
    socket.write(answer);
  });
  const front = await startFront(port, 200);
  await once(sendUpgrade(front.port), 'close');
  expect(front.errors).toMatchObject([{ code: 'upstream_timeout' }]);
  await closed;
});

test('the client disconnects after the response: the connection to the origin is closed', async () => {
  let closed: Promise<unknown> = Promise.resolve();
  const port = await startOrigin((socket) => {
    closed = once(socket, 'close');
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${accept}\r\n\r\n`);
  });
  const client = sendUpgrade((await startFront(port)).port);
  await once(client, 'data');
  client.resetAndDestroy();
  await closed;
});

test('the origin resets before 101: the caller is notified, and the process survives', async () => {
  const port = await startOrigin((socket) => socket.resetAndDestroy());
  const front = await startFront(port);
  for (let i = 0; i < 3; i++) await once(sendUpgrade(front.port), 'close');
  expect(front.errors.map((error) => (error as NodeJS.ErrnoException).code)).toEqual(Array(3).fill('ECONNRESET'));
});

test.each([
  ['with its length', 'Content-Length: 9\r\n\r\n{"a":"b"}'],
  ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n4\r\n{"a"\r\n5\r\n:"b"}\r\n0\r\n\r\n'],
  ['up to its end', 'Connection: close\r\n\r\n{"a":"b"}'],
])('an origin that does not upgrade: its answer %s', async (_name, rest) => {
  const port = await startOrigin((socket) =>
    socket.end(`HTTP/1.1 426 Upgrade Required\r\nX-End: 1\r\nKeep-Alive: timeout=5\r\n${rest}`),
  );
  const front = await startFront(port);
  const client = sendUpgrade(front.port);
  let answer = '';
  client.on('data', (chunk) => {
    answer += chunk;
  });
  await once(client, 'end');
  expect(answer).toBe(
    'HTTP/1.1 426 Upgrade Required\r\nX-End: 1\r\nContent-Length: 9\r\nConnection: close\r\n\r\n{"a":"b"}',
  );
  expect(front.errors).toEqual([]);
});

test('an origin that does not upgrade and whose response breaks off: the caller is notified', async () => {
  const port = await startOrigin((socket) =>
    socket.write('HTTP/1.1 400 Bad Request\r\nContent-Length: 9\r\n\r\n{"a"', () => socket.destroy()),
  );
  const front = await startFront(port);
  await once(sendUpgrade(front.port), 'close');
  expect(front.errors.map((error) => error.message)).toEqual(['The answer to the upgrade could not be read.']);
});

test.each<[what: string, fields: string[]]>([
  ['without an accept', ['Upgrade: websocket', 'Connection: Upgrade']],
  ['with the accept of another key', ['Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Accept: AAAA']],
  ['to another protocol', ['Upgrade: h2c', 'Connection: Upgrade', accept]],
  ['to none', [accept]],
])('a 101 %s is not forwarded to the client', async (_what, fields) => {
  let closed: Promise<unknown> = Promise.resolve();
  const port = await startOrigin((socket) => {
    closed = once(socket, 'close');
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${fields.join('\r\n')}\r\n\r\nrest`);
  });
  const front = await startFront(port, 1_000);
  const client = sendUpgrade(front.port);
  let answer = '';
  client.on('data', (chunk: Buffer) => (answer += chunk));
  await once(client, 'close');
  expect(front.errors).toHaveLength(1);
  expect(answer).toBe('');
  await closed;
});

const gateway = await startGateway({ config: { egress: { allow: ['127.0.0.0/8'], ports: 'any' } } });

test('hop-by-hop fields are not forwarded, in both directions', async () => {
  const origin = await startRecorder((socket, sofar) => {
    if (!sofar.includes('\r\n\r\n')) return;
    const fields = [
      'Upgrade: websocket',
      'Connection: Upgrade, X-Hop',
      'Content-Length: 0',
      accept,
      'Keep-Alive: timeout=5',
      'X-Hop: 1',
      'X-End: 2',
    ];
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${fields.join('\r\n')}\r\n\r\n`);
  });
  const head = [
    `GET http://${origin.address}/ws HTTP/1.1`,
    `Host: ${origin.address}`,
    'Upgrade: websocket',
    'Connection: Upgrade, X-Nominated',
    ...handshake.slice(2),
    'Proxy-Connection: keep-alive',
    `Proxy-Authorization: Basic ${Buffer.from('a:b').toString('base64')}`,
    'Keep-Alive: timeout=5',
    'X-Nominated: 1',
    'X-Kept: 2',
    'constructor: 3',
  ];
  const answer = await exchangeRaw(gateway.proxyPort, `${head.join('\r\n')}\r\n\r\n`, {
    until: (sofar) => sofar.includes('\r\n\r\n'),
  });
  const sent = origin.received[0]?.toString('latin1') ?? '';
  for (const field of ['Proxy-Connection', 'Proxy-Authorization', 'Keep-Alive', 'X-Nominated']) {
    expect(sent).not.toMatch(new RegExp(`^${field}:`, 'im'));
  }
  expect(sent).toMatch(/^X-Kept: 2\r$/im);
  expect(sent.match(/^constructor: .*/gm)).toEqual(['constructor: 3']);
  expect(sent).toMatch(/^Connection: Upgrade\r$/im);
  expect(answer).toMatch(/^HTTP\/1\.1 101 /);
  expect(answer).not.toMatch(/^(?:Keep-Alive|X-Hop|Content-Length):/im);
  expect(answer).toMatch(/^X-End: 2\r$/im);
});
