/** Network failures: both ends see them as what they are, and nothing stays open. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { constants } from 'node:http2';
import type { Socket } from 'node:net';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { proxiedFetch } from '../support/clients.ts';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { programPath } from '../support/programs.ts';
import { exchangeRaw, type Recorder, startRecorder } from '../support/recorder.ts';
import { run } from '../support/run.ts';
import { openHttp2, openTls, openTunnel } from '../support/tunnel.ts';

const approved = 'api.openai.com';
const unknown = 'files.intranet.test';
const authority = new TestAuthority();

/** What the origins do with the next request, and what they saw of its end. */
let answer: (response: ServerResponse) => void;
let originClosed: Promise<void>;
let markClosed: () => void;

const handler = (_request: unknown, response: ServerResponse): void => {
  response.once('close', () => markClosed());
  answer(response);
};
const secure = await startOrigin({ authority, names: [approved, unknown], handler, protocols: ['http/1.1'] });
const plain = await startOrigin({ handler });
const unreachable = 'api.anthropic.com';
const gateway = await startGateway({
  authority,
  hosts: { [approved]: secure, [unknown]: secure, [unreachable]: '127.0.0.1:1' },
});
beforeEach(() => {
  originClosed = new Promise((resolve) => {
    markClosed = resolve;
  });
});

const ways: [name: string, url: () => string, ca: () => string][] = [
  ['plain http', () => `http://${plain.address}/`, () => authority.pem],
  ['tunnel', () => `https://${unknown}/`, () => authority.pem],
  ['interception', () => `https://${approved}/`, () => gateway.ca],
];

/** A fetch through the gateway that trusts a root; the caller closes the dispatcher. */
function through(ca: string): ReturnType<typeof proxiedFetch> {
  return proxiedFetch({ ...gateway, ca });
}

describe.each(ways)('%s', (_name, url, ca) => {
  test.each([
    ['before the end of its Content-Length', { 'content-length': '100' }],
    ['before its last chunk', {}],
    ['in an event stream', { 'content-type': 'text/event-stream' }],
    ['in a JSON document', { 'content-type': 'application/json' }],
  ])('an origin that breaks off %s yields a broken response', async (_case, fields) => {
    answer = (response) => {
      response.writeHead(200, fields as Record<string, string>);
      response.write('data: {"a":"b"}\n\n', () => (response.socket as Socket).destroy());
    };
    const { fetch, dispatcher } = through(ca());
    const outcome = await fetch(url()).then(
      (response) =>
        response.text().then(
          () => 'complete',
          () => 'broken',
        ),
      () => 'broken',
    );
    expect(outcome).toBe('broken');
    await dispatcher.destroy();
  });

  test('a client that disconnects mid-response closes the request at the origin', async () => {
    // A plain HTTP client that has half-closed may still wait for the response: only a failing write shows that it
    // left.
    let more: NodeJS.Timeout | undefined;
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"a":1}\n\n');
      more = setInterval(() => response.write('data: {"a":2}\n\n'), 100);
    };
    onTestFinished(() => clearInterval(more));
    const { fetch, dispatcher } = through(ca());
    const leave = new AbortController();
    const response = await fetch(url(), { signal: leave.signal });
    await response.body?.getReader().read();
    leave.abort();
    await originClosed;
    await dispatcher.destroy();
  });

  test('a client that disconnects before the response closes the request at the origin', async () => {
    const { fetch, dispatcher } = through(ca());
    const leave = new AbortController();
    let more: NodeJS.Timeout | undefined;
    answer = (response) => {
      leave.abort();
      // As above: the origin answers eventually, but the client is gone.
      more = setInterval(() => response.write('data: {}\n\n'), 100);
    };
    onTestFinished(() => clearInterval(more));
    await expect(fetch(url(), { signal: leave.signal })).rejects.toThrow();
    await originClosed;
    await dispatcher.destroy();
  });

  test('each event arrives before the origin sends the next', async () => {
    // The origin waits until the client has read each event: an event that is held back would stall the test.
    let send: (text: string) => void = () => undefined;
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      send = (text) => (text === '' ? response.end() : response.write(text));
    };
    const { fetch, dispatcher } = through(ca());
    const response = await fetch(url());
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    for (const text of ['one', 'array[0', 'two [', '[EMAI', 'done']) {
      const event = `data: {"choices":[{"index":0,"delta":{"content":"${text}"}}]}\n\n`;
      send(event);
      let sofar = '';
      while (!sofar.includes('\n\n')) sofar += Buffer.from((await reader.read()).value ?? []).toString();
    }
    send('');
    let done = false;
    while (!done) done = (await reader.read()).done;
    await dispatcher.destroy();
  });

  test('an empty 204, a 304 and a HEAD have no body', async () => {
    const { fetch, dispatcher } = through(ca());
    for (const status of [204, 304]) {
      answer = (response) => response.writeHead(status, { etag: '"a"' }).end();
      const response = await fetch(url());
      expect([response.status, await response.text()]).toEqual([status, '']);
    }
    answer = (response) => response.writeHead(200, { 'content-length': '42' }).end();
    const head = await fetch(url(), { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe('42');
    await dispatcher.destroy();
  });

  test('after broken responses the next one is complete', async () => {
    const { fetch, dispatcher } = through(ca());
    answer = (response) => (response.socket as Socket).destroy();
    await fetch(url(), { method: 'POST', body: 'x' }).then(
      (response) => response.text(),
      () => '',
    );
    answer = (response) => response.end('whole');
    expect(await (await fetch(url())).text()).toBe('whole');
    await dispatcher.destroy();
  });
});

test.each([204, 205])('a %d that declares a body has none over HTTP/2', async (status) => {
  answer = (response) => void response.socket?.write(`HTTP/1.1 ${status} None\r\nContent-Length: 2\r\n\r\n`);
  const session = await openHttp2(gateway, `${approved}:443`);
  const stream = session.request({ ':path': '/' }).resume();
  const [head] = await once(stream, 'response');
  await once(stream, 'close');
  session.destroy();
  expect([head[':status'], head['content-length'], stream.rstCode]).toEqual([status, undefined, 0]);
});

test('an origin that cannot be reached is a 502 over HTTP/2', async () => {
  const session = await openHttp2(gateway, `${unreachable}:443`);
  for (const method of ['GET', 'POST']) {
    const stream = session.request({ ':path': '/', ':method': method }, { endStream: method === 'GET' }).resume();
    if (method === 'POST') stream.end('{}');
    expect((await once(stream, 'response'))[0][':status']).toBe(502);
    await once(stream, 'close');
  }
  session.destroy();
});

describe('a tunnel', () => {
  let recorder: Recorder;
  beforeAll(async () => {
    recorder = await startRecorder((socket, sofar) => {
      if (sofar.toString().endsWith('bye')) socket.write('answer after your end');
    });
  });

  test('keeps the other direction open after the client has half-closed', async () => {
    const bytes = `CONNECT ${recorder.address} HTTP/1.1\r\nHost: ${recorder.address}\r\n\r\n\x01bye`;
    const text = await exchangeRaw(gateway.proxyPort, bytes, { end: true });
    expect(text).toMatch(/answer after your end$/);
    expect(recorder.received.at(-1)?.toString()).toBe('\x01bye');
  });

  test('responds over HTTP after the client has half-closed', async () => {
    answer = (response) => void setTimeout(() => response.end('whole'), 50);
    const ask = (target: string) => `GET ${target} HTTP/1.1\r\nHost: ${plain.address}\r\n\r\n`;
    const text = await exchangeRaw(gateway.proxyPort, ask(`http://${plain.address}/`), { end: true });
    expect(text).toMatch(/\bwhole\b/);
    const connect = `CONNECT ${plain.address} HTTP/1.1\r\nHost: ${plain.address}\r\n\r\n`;
    // All of it in one packet: the end arrives before the inside of the tunnel is served.
    expect(await exchangeRaw(gateway.proxyPort, connect + ask('/'), { end: true })).toMatch(/\bwhole\b/);
    const { socket } = await openTunnel(gateway, plain.address);
    const secured = await openTls(gateway, `${approved}:443`);
    for (const client of [socket, secured]) {
      client.end(ask('/').replace(plain.address, client === secured ? approved : plain.address));
      expect(String((await once(client.resume(), 'data'))[0])).toMatch(/\bwhole\b/);
      client.destroy();
    }
  });

  test('an origin that resets resets the client', async () => {
    const resetting = await startRecorder((socket) => socket.resetAndDestroy());
    const { socket } = await openTunnel(gateway, resetting.address);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    socket.write('\x01hello');
    await closed;
    await resetting.close();
  });

  test('a closed port is 502', async () => {
    const gone = await startRecorder();
    await gone.close();
    const { status, socket } = await openTunnel(gateway, gone.address);
    socket.destroy();
    expect(status).toBe(502);
  });
});

test('a client that ends before its tunnel opens leaves nothing behind', async () => {
  const recorder = await startRecorder();
  const target = recorder.address;
  const answer = await exchangeRaw(gateway.proxyPort, `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`, {
    end: true,
  });
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  await recorder.close();
});

test('a reset instead of the 101 is an error for the client, and the gateway survives', async () => {
  const resetting = await startRecorder((socket) => socket.resetAndDestroy());
  const fields = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  ];
  const head = [`GET http://${resetting.address}/ HTTP/1.1`, `Host: ${resetting.address}`, ...fields, '', ''].join(
    '\r\n',
  );
  const text = await exchangeRaw(gateway.proxyPort, head, { until: (sofar) => sofar.includes('\r\n\r\n') });
  expect(text).toMatch(/^(HTTP\/1\.1 502 |$)/);
  expect((await fetch(`${gateway.apiUrl}/health`)).status).toBe(200);
  await resetting.close();
});

test('a refused upgrade is relayed with its status', async () => {
  answer = (response) => response.writeHead(403, { 'x-why': 'no sockets' }).end('no');
  const socket = await openTls(gateway, `${approved}:443`);
  const fields = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  ];
  socket.write([`GET /ws HTTP/1.1`, `Host: ${approved}`, ...fields, '', ''].join('\r\n'));
  const text = await new Promise<string>((resolve) =>
    socket.once('data', (chunk: Buffer) => resolve(chunk.toString())),
  );
  socket.destroy();
  expect(text).toMatch(/^HTTP\/1\.1 403 /);
  expect(text.toLowerCase()).toContain('x-why: no sockets');
});

test('a client that disconnects mid-upload leaves no request at the origin', async () => {
  const seen = secure.requests.length;
  const socket = await openTls(gateway, `${approved}:443`);
  socket.write(
    `POST / HTTP/1.1\r\nHost: ${approved}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":`,
  );
  const event = gateway.event((line) => line.event === 'decision' && line.method === 'POST' && line.status === 499);
  socket.destroy();
  await event;
  expect(secure.requests.length).toBe(seen);
});

test.each([
  ['in the middle of an answer', (response: ServerResponse) => void response.write('data: 1\n\n')],
  ['before the answer', (_response: ServerResponse, leave: () => void) => leave()],
])('an HTTP/2 stream that is cancelled %s closes the request at the origin', async (_case, begin) => {
  const session = await openHttp2(gateway, `${approved}:443`);
  answer = (response) => {
    begin(response, () => stream.close(constants.NGHTTP2_CANCEL));
  };
  const stream = session.request({ ':path': '/events' });
  stream.on('error', () => undefined);
  stream.once('data', () => stream.close(constants.NGHTTP2_CANCEL));
  await originClosed;
  session.destroy();
});

test.each([
  // A client that was served by the host recently may have opened the connection as a spare.
  ['by closing, as Node does', () => openTls(gateway, 'api.mistral.ai:443', { ca: authority.pem })],
  [
    'with an alert, as curl does',
    () =>
      run(programPath('curl'), [
        '-sS',
        '-x',
        gateway.proxyUrl,
        '--cacert',
        authority.file,
        `https://${approved}/`,
      ]).then(({ code }) => Promise.reject(new Error(`curl ended with ${code}`))),
  ],
])('a client that rejects the certificate %s is recorded', async (_name, handshake) => {
  const before = gateway.events().filter((line) => line.event === 'tls_client_reject').length;
  await expect(handshake()).rejects.toThrow();
  const rejects = (): number => gateway.events().filter((line) => line.event === 'tls_client_reject').length;
  await expect.poll(rejects).toBe(before + 1);
});
