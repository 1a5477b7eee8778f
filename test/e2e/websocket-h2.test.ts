/** WebSockets opened by extended CONNECT on an HTTP/2 connection (RFC 8441). */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import http2, { type ClientHttp2Session, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { encodeWebSocketFrame, type WebSocketMessage, WebSocketParser } from '../../core/stream/websocket.ts';
import { TestAuthority } from '../support/authority.ts';
import { startEcho } from '../support/echo.ts';
import { startGateway } from '../support/gateway.ts';
import { listening } from '../support/listening.ts';
import { startOrigin } from '../support/origin.ts';
import { leaksIn, prompt } from '../support/personal.ts';
import { tokensIn } from '../support/provider.ts';
import { openHttp2 } from '../support/tunnel.ts';

const approved = 'api.openai.com';
const monitored = 'abridge.com';
/** Content under this path is not inspected. */
const unread = '/unread';
const authority = new TestAuthority();

const names = [approved, monitored];
const echo = await startEcho({ authority, names });
const gateway = await startGateway({
  authority,
  hosts: Object.fromEntries(names.map((name) => [name, echo])),
  config: { policy: { rules: [{ name: 'unread', when: { paths: [unread] }, then: { inspect: 'tunnel' } }] } },
});
beforeEach(() => {
  echo.messages.length = 0;
  echo.closes.length = 0;
});

type Client = {
  readonly session: ClientHttp2Session;
  readonly stream: ClientHttp2Stream;
  readonly answer: IncomingHttpHeaders;
  send(kind: WebSocketMessage['kind'], payload?: string | Uint8Array): void;
  next(): Promise<WebSocketMessage>;
};

/** The fields of an extended CONNECT (RFC 8441) for a WebSocket. */
const upgradeTo = (host: string, fields: Record<string, string> = {}) => ({
  ':method': 'CONNECT',
  ':protocol': 'websocket',
  ':scheme': 'https',
  ':authority': host,
  ':path': '/v1/realtime',
  'sec-websocket-version': '13',
  ...fields,
});

async function open(host: string, fields: Record<string, string> = {}, through = gateway): Promise<Client> {
  const session = await openHttp2(through, `${host}:443`);
  await new Promise<void>((resolve) => session.once('remoteSettings', () => resolve()));
  expect(session.remoteSettings.enableConnectProtocol).toBe(true);
  const stream = session.request(
    upgradeTo(host, { ':path': '/v1/realtime?model=x', 'sec-websocket-extensions': 'permessage-deflate', ...fields }),
  );
  const parser = new WebSocketParser({ fromClient: false, messageBytesMax: 1 << 20 });
  const messages: WebSocketMessage[] = [];
  let wake = (): void => {};
  const answer = new Promise<IncomingHttpHeaders>((resolve, reject) => {
    stream.once('response', resolve);
    stream.once('error', reject);
  });
  stream.on('error', () => {});
  const head = await answer;
  if (Number(head[':status']) === 200) {
    stream.on('data', (chunk: Buffer) => {
      messages.push(...parser.push(chunk));
      wake();
    });
  }
  return {
    session,
    stream,
    answer: head,
    send: (kind, payload = '') =>
      void stream.write(encodeWebSocketFrame(kind, Buffer.from(payload as string), Buffer.from('mask'))),
    async next() {
      while (messages.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return messages.shift() as WebSocketMessage;
    },
  };
}

test('text is masked in requests and restored in answers', async () => {
  const client = await open(approved);
  expect(client.answer[':status']).toBe(200);
  expect(client.answer['sec-websocket-extensions']).toBeUndefined();
  const message = JSON.stringify({
    type: 'conversation.item.create',
    item: { content: [{ type: 'input_text', text: prompt }] },
  });
  client.send('text', message);
  expect(Buffer.from((await client.next()).payload).toString()).toBe(message);
  expect(leaksIn(echo.messages.join('\n'))).toEqual([]);
  expect(tokensIn(echo.messages.join('\n'))).toHaveLength(5);
  client.session.destroy();
});

test('extensions are negotiated if messages are not inspected', async () => {
  const client = await open(approved, { ':path': unread });
  expect(client.answer['sec-websocket-extensions']).toBe('permessage-deflate');
  client.session.destroy();
});

test('several streams on one connection, control frames, and the close code', async () => {
  const client = await open(approved);
  client.send('ping', 'beat');
  expect(await client.next()).toMatchObject({ kind: 'pong' });
  client.send('close', Buffer.from([1000 >> 8, 1000 & 0xff]));
  expect((await client.next()).kind).toBe('close');
  await expect.poll(() => echo.closes).toContain(1000);
  client.session.destroy();
});

test('a monitored service gets the text unchanged', async () => {
  const client = await open(monitored);
  client.send('text', prompt);
  expect(Buffer.from((await client.next()).payload).toString()).toBe(prompt);
  expect(echo.messages).toEqual([prompt]);
  client.session.destroy();
});

test('a host other than that of the tunnel is refused', async () => {
  const session = await openHttp2(gateway, `${approved}:443`);
  await new Promise<void>((resolve) => session.once('remoteSettings', () => resolve()));
  const stream = session.request(upgradeTo(monitored, { ':path': '/' }));
  const status = await new Promise((resolve) => stream.once('response', (head) => resolve(head[':status'])));
  expect(status).toBe(421);
  expect(echo.messages).toEqual([]);
  session.destroy();
});

test('a plain CONNECT inside the tunnel is refused', async () => {
  const session = await openHttp2(gateway, `${approved}:443`);
  const stream = session.request({ ':method': 'CONNECT', ':authority': `${approved}:443` });
  const status = await new Promise((resolve) => stream.once('response', (head) => resolve(head[':status'])));
  expect(status).toBe(405);
  session.destroy();
});

test('a client that disconnects ends the connection to the origin', async () => {
  const client = await open(approved);
  client.send('text', 'hello');
  await client.next();
  client.stream.close();
  await expect.poll(() => echo.closes).toContain(1006);
  client.session.destroy();
});

test('a client whose connection breaks ends the connection to the origin', async () => {
  const client = await open(approved);
  client.send('text', 'hello');
  await client.next();
  client.session.destroy();
  await expect.poll(() => echo.closes).toContain(1006);
});

test('a client that resets the stream before the response ends the connection to the origin', async () => {
  const silent = net.createServer((socket) => socket.on('error', () => {}).resume());
  const address = `127.0.0.1:${await listening(silent)}`;
  await gateway.configure({ upstream: { timeouts: { connect: '10m' }, resolve: { [approved]: address } } });
  const reached = once(silent, 'connection') as Promise<[net.Socket]>;
  const session = await openHttp2(gateway, `${approved}:443`);
  session.on('error', () => {});
  await new Promise<void>((resolve) => session.once('remoteSettings', () => resolve()));
  const stream = session.request(upgradeTo(approved));
  stream.on('error', () => {});
  // More than is read before there is an answer, so the end of the stream waits behind it.
  const ping = encodeWebSocketFrame('ping', Buffer.alloc(125), Buffer.from('mask'));
  for (let i = 0; i < 1_600; i++) stream.write(ping);
  const [origin] = await reached;
  await pause(200);
  const ended = once(origin, 'close');
  stream.close(http2.constants.NGHTTP2_NO_ERROR);
  await ended;
  const answer = await open(monitored);
  expect(answer.answer[':status']).toBe(200);
  for (const each of [answer.session, session]) each.destroy();
});

test('an origin that does not upgrade: its response without HTTP/1.1 framing', async () => {
  const handler = (_request: unknown, response: ServerResponse): void => {
    response.writeHead(404, { 'content-type': 'application/json' });
    response.write('{"a":');
    response.end('"b"}');
  };
  const refusing = await startOrigin({ authority, names: [approved], handler, protocols: ['http/1.1'] });
  onTestFinished(() => refusing.close());
  await gateway.configure({ upstream: { resolve: { [approved]: refusing.address } } });
  const session = await openHttp2(gateway, `${approved}:443`);
  const stream = session.request(upgradeTo(approved));
  const [head] = (await once(stream, 'response')) as [IncomingHttpHeaders];
  expect([head[':status'], head['content-length'], await text(stream)]).toEqual([404, '9', '{"a":"b"}']);
  session.destroy();
});
