/** The HTTP/1.1 server on real sockets: order, ends, limits. */
import { once } from 'node:events';
import net from 'node:net';
import { expect, test } from 'vitest';
import { BodyReader } from '../../../gateway/http1/body-reader.ts';
import { ServerRequest } from '../../../gateway/http1/server-request.ts';
import { echo, start } from './talking.ts';

/** Sends the pieces, and returns everything received until the connection ends. */
async function talk(port: number, pieces: readonly string[]): Promise<string> {
  const client = net.connect({ port, host: '127.0.0.1', noDelay: true });
  client.on('error', () => {});
  const closed = once(client, 'close');
  let answer = '';
  client.on('data', (bytes) => (answer += bytes));
  for (const piece of pieces) {
    client.write(piece, 'latin1');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await closed;
  return answer;
}

test('an incomplete head times out', async () => {
  const { port, seen } = await start(echo, { headerMs: 100, keepAliveMs: 5_000 });
  expect(await talk(port, ['GET / HTTP/1.1\r\nHost: a\r\nX-Slow: '])).toBe('');
  expect(seen).toEqual(['HTTP1_HEAD_TIMEOUT']);
});

test('split empty lines do not keep a connection alive', async () => {
  const { port } = await start(echo, { headerMs: 200, keepAliveMs: 400 });
  const client = net.connect({ port, host: '127.0.0.1', noDelay: true });
  client.on('error', () => {}).resume();
  let isOpen = true;
  client.once('close', () => {
    isOpen = false;
  });
  // Twenty times the time limit of a head.
  for (let i = 0; i < 80 && isOpen; i++) {
    client.write(i % 2 === 0 ? '\r' : '\n\r\n');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(isOpen).toBe(false);
});

test('a connection without requests is closed', async () => {
  const { port, seen } = await start(echo, { headerMs: 5_000, keepAliveMs: 100 });
  expect(await talk(port, [])).toBe('');
  const patient = await start(echo, { headerMs: 5_000, keepAliveMs: 2_000 });
  expect(await talk(patient.port, ['GET /a HTTP/1.1\r\n\r\n'])).toMatch(/\/a$/);
  expect(seen).toEqual([]);
});

test('pipelined requests are answered in their order, also when the first one takes longer', async () => {
  let first = true;
  const { port } = await start((request, response, expects) => {
    if (!first) return echo(request, response, expects);
    first = false;
    setTimeout(() => echo(request, response, expects), 50);
  });
  const requests = ['POST /1 HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc', 'GET /2 HTTP/1.1\r\n\r\n'];
  const last = 'GET /3 HTTP/1.1\r\nConnection: close\r\n\r\n';
  const answer = await talk(port, [[...requests, last].join('')]);
  expect([...answer.matchAll(/\r\n\r\n(\/\d(?:abc)?)/g)].map(([, told]) => told)).toEqual(['/1abc', '/2', '/3']);
});

test.each([
  ['CONNECT b:443 HTTP/1.1\r\n\r\nrest', 'connect b:443 rest'],
  ['GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n\r\nrest', 'upgrade /ws rest'],
])('%j takes over the connection, after the preceding responses', async (bytes, told) => {
  const { port, seen } = await start(echo);
  expect(await talk(port, [`GET /1 HTTP/1.1\r\n\r\n${bytes}`])).toMatch(/\/1$/);
  expect(seen).toEqual([told]);
});

test.each([
  'GET  / HTTP/1.1\r\n\r\n',
  'GET / HTTP/1.1\nHost: a\n\n\r\n\r\n',
  'GET / HTTP/1.1\r\nHost : a\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\0\r\n\r\n',
  'GET / HTTP/1.1\r\n: a\r\n\r\n',
  'GET / http/1.1\r\n\r\n',
  '\x16\x03\x01\r\n\r\n',
  'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0x1\r\na\r\n',
  'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n',
  'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1 \r\na\r\n',
  'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\na\r\n',
  'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;\r\na\r\n',
  'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;a b\r\na\r\n',
  'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;a="b\r\na\r\n',
  'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 5\r\n\r\n',
  'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\t\r\n\r\n',
])('%j is malformed, and nothing after it is served', async (bytes) => {
  const served: string[] = [];
  const { port, seen } = await start((request) => {
    served.push(request.url);
    request.collect(1_000).catch(() => {});
  });
  expect(await talk(port, [`${bytes}GET /behind HTTP/1.1\r\n\r\n`])).toBe('');
  expect(seen).toEqual(['HTTP1_MALFORMED']);
  expect(served).not.toContain('/behind');
});

test('the request does not depend on how bytes are split', async () => {
  const { port } = await start(echo);
  const bytes =
    '\r\nPOST /path HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nT: v\r\n\r\n';
  for (const at of [1, 3, 20, 50, 76, 80, 83, 87, 93, 97, 100]) {
    expect(await talk(port, [bytes.slice(0, at), bytes.slice(at)]), String(at)).toMatch(/\/pathabcde$/);
  }
  expect(await talk(port, [...bytes])).toMatch(/\/pathabcde$/);
});

test('a body over the limit is passed on as a stream, beginning with the collected part', async () => {
  const { port } = await start((request, response) => {
    void request.collect(4).then(async ({ isWhole }) => {
      let size = 0;
      for await (const chunk of request) size += chunk.length;
      response.writeHead(200, '', []);
      response.end(`${isWhole} ${size}`);
    });
  });
  const body = 'x'.repeat(300_000);
  const request = `POST / HTTP/1.1\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
  expect(await talk(port, [request + body])).toMatch(/false 300000/);
});

test('an unread body does not delay the next request', async () => {
  const { port } = await start((request, response, expects) => {
    if (request.method === 'GET') return echo(request, response, expects);
    response.writeHead(200, '', ['Content-Length', '1']);
    response.end('1');
  });
  const body = 'x'.repeat(200_000);
  const last = 'GET /2 HTTP/1.1\r\nConnection: close\r\n\r\n';
  const answer = await talk(port, [`POST / HTTP/1.1\r\nContent-Length: ${body.length}\r\n\r\n${body}${last}`]);
  expect(answer.match(/\r\n\r\n(?:1|\/2)/g)).toHaveLength(2);
});

test('an answer without a length is chunked, and for HTTP/1.0 lasts until the end of the connection', async () => {
  const { port } = await start((_request, response) => {
    response.writeHead(200, '', ['X-A', '1']);
    response.write('ab');
    response.addTrailers({ 'x-t': 'v' });
    response.end('c');
  });
  expect(await talk(port, ['GET / HTTP/1.1\r\nConnection: close\r\n\r\n'])).toBe(
    'HTTP/1.1 200 OK\r\nX-A: 1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\nx-t: v\r\n\r\n',
  );
  expect(await talk(port, ['GET / HTTP/1.0\r\n\r\n'])).toBe(
    'HTTP/1.1 200 OK\r\nX-A: 1\r\nConnection: close\r\n\r\nabc',
  );
  expect(await talk(port, ['HEAD / HTTP/1.1\r\nConnection: close\r\n\r\n'])).toMatch(/\r\n\r\n$/);
});

test('draining closes idle connections at once, and others after their response', async () => {
  let answer: (() => void) | undefined;
  const { port, server } = await start((request, response, expects) => {
    answer = () => echo(request, response, expects);
  });
  const waiting = talk(port, []);
  const busy = talk(port, ['GET /1 HTTP/1.1\r\n\r\n']);
  await expect.poll(() => answer !== undefined).toBe(true);
  server.drain();
  expect(await waiting).toBe('');
  answer?.();
  expect(await busy).toMatch(/\/1$/);
});

test.each([
  ['CONNECT b:443 HTTP/1.1\r\n\r\n', 'connect'],
  ['GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n\r\n', 'upgrade'],
])('data after %j following a request belongs to its handler', async (bytes, kind) => {
  const got: string[] = [];
  const receive = (_request: unknown, socket: net.Socket, behind: Buffer) => {
    // On a busy machine it arrives together with the head.
    if (behind.length > 0) socket.unshift(behind);
    // Receivers that dial first attach their listener late.
    setTimeout(() => {
      socket.on('data', (piece) => {
        got.push(String(piece));
        socket.end();
      });
      socket.resume();
    }, 60);
  };
  const { port } = await start(echo, {}, { connect: receive, upgrade: receive });
  await talk(port, [`GET /1 HTTP/1.1\r\n\r\n${bytes}`, 'hello']);
  expect(got, kind).toEqual(['hello']);
});

test('requests on a drained connection are not served', async () => {
  const served: string[] = [];
  let answer: (() => void) | undefined;
  const { port, server } = await start((request, response, expects) => {
    served.push(request.url);
    answer = () => echo(request, response, expects);
  });
  const client = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  client.on('data', (bytes) => (text += bytes));
  client.write('GET /1 HTTP/1.1\r\n\r\n');
  await expect.poll(() => answer !== undefined).toBe(true);
  server.drain();
  answer?.();
  await once(client, 'end');
  client.write('POST /2 HTTP/1.1\r\n\r\n');
  await new Promise((resolve) => setTimeout(resolve, 20));
  client.destroy();
  expect(text).toContain('Connection: close');
  expect(served).toEqual(['/1']);
});

test('a body still arriving after the last response is discarded, and the response arrives', async () => {
  const { port } = await start((_request, response) => {
    response.writeHead(413, '', ['Content-Length', '0', 'Connection', 'close']);
    response.end();
  });
  const client = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  client.on('data', (bytes) => (text += bytes));
  client.write('POST / HTTP/1.1\r\nContent-Length: 20000000\r\n\r\n');
  for (let i = 0; i < 20; i++) if (!client.write(Buffer.alloc(1_000_000))) await once(client, 'drain');
  client.end();
  await once(client, 'close');
  expect(text).toMatch(/^HTTP\/1\.1 413 /);
});

test('a body of single bytes takes no more memory than its size', async () => {
  const parts = new ServerRequest({ method: 'POST', url: '/', major: 1, minor: 1, fields: [] }, new net.Socket(), {
    resumeBody() {},
    pauseBody() {},
  });
  const whole = parts.collect(1_000_000);
  global.gc?.();
  for (let i = 0; i < 200_000; i++) parts.takeBody(Buffer.from([i & 0xff]));
  const body = new BodyReader(
    { kind: 'chunked', length: 0 },
    { data: (bytes) => pieces.push(bytes.length), end: () => pieces.push(-1) },
  );
  const pieces: number[] = [];
  body.push(Buffer.from(`${'1\r\nx\r\n'.repeat(10_000)}0\r\n\r\n`));
  parts.endBody();
  expect((await whole).body).toEqual(Buffer.from(Array.from({ length: 200_000 }, (_one, i) => i & 0xff)));
  expect(pieces).toEqual([10_000, -1]);
});

test('a flood of requests and of empty lines in one write is answered', async () => {
  const { port } = await start((_request, response) => {
    response.writeHead(200, '', ['Content-Length', '0']);
    response.end();
  });
  const one = 'GET / HTTP/1.1\r\n\r\n';
  const last = 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n';
  const answer = await talk(port, [`${'\r\n'.repeat(500_000)}${one.repeat(2_000)}${last}`]);
  expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(2_001);
});

test('invalid header values do not start a new line, and a response without a body has no length', async () => {
  const { port } = await start((_request, response) => {
    response.writeHead(204, '', ['X-A', 'a\u010d\u010aX-B: b\r\nX-C: \xfc', 'Content-Length', '5']);
    response.end();
  });
  expect(await talk(port, ['GET / HTTP/1.1\r\nConnection: close\r\n\r\n'])).toBe(
    'HTTP/1.1 204 No Content\r\nX-A: a??X-B: b??X-C: \xc3\xbc\r\nConnection: close\r\n\r\n'.replace(
      '\xc3\xbc',
      '\ufffd',
    ),
  );
});

test('a response that ends without a head destroys the connection', async () => {
  const { port } = await start((_request, response) => response.end());
  expect(await talk(port, ['GET / HTTP/1.1\r\n\r\n'])).toBe('');
});
