/** Clients of the HTTP/1.1 server that are slow, half-close, or disconnect. */
import { once } from 'node:events';
import net from 'node:net';
import { expect, test } from 'vitest';
import { echo, start } from './talking.ts';

test('a slow client pauses the response, and gets all of it', async () => {
  const piece = Buffer.alloc(65_536, 'x');
  let waits = 0;
  const { port } = await start((_request, response) => {
    response.writeHead(200, '', ['Content-Length', String(piece.length * 200)]);
    let left = 200;
    const send = () => {
      while (left-- > 0) {
        if (response.write(piece)) continue;
        waits++;
        response.once('drain', send);
        return;
      }
      response.end();
    };
    send();
  });
  const client = net.connect(port, '127.0.0.1');
  let size = 0;
  client.on('data', (bytes) => {
    size += bytes.length;
    client.pause();
    setTimeout(() => client.resume(), 1);
  });
  client.write('GET / HTTP/1.1\r\nConnection: close\r\n\r\n');
  await once(client, 'close');
  expect(size).toBeGreaterThan(piece.length * 200);
  expect(waits).toBeGreaterThan(0);
});

test('a half-closed client that disconnects is noticed', async () => {
  const left = Promise.withResolvers<void>();
  let asked = 0;
  const { port } = await start((_request, response) => {
    asked++;
    response.once('close', () => left.resolve());
  });
  const client = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  client.end('GET / HTTP/1.1\r\n\r\n');
  await expect.poll(() => asked).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  client.resetAndDestroy();
  await left.promise;
});

test('a client that disconnects while waiting is noticed', async () => {
  let closed: (() => void) | undefined;
  const left = new Promise<void>((resolve) => (closed = resolve));
  let asked = 0;
  const { port } = await start((_request, response) => {
    asked++;
    response.once('close', () => closed?.());
  });
  const client = net.connect(port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\n\r\n');
  await expect.poll(() => asked).toBe(1);
  client.resetAndDestroy();
  await left;
});

/** Half-closes after the bytes, and returns everything received until the connection ends. */
async function talkAndEnd(port: number, bytes: string): Promise<string> {
  const client = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let answer = '';
  client.on('data', (piece) => (answer += piece));
  client.end(bytes, 'latin1');
  await once(client, 'close');
  return answer;
}

test('a half-closed client gets all responses', async () => {
  const { port } = await start((request, response, expects) => {
    setTimeout(() => echo(request, response, expects), 30);
  });
  const answer = await talkAndEnd(port, 'GET /1 HTTP/1.1\r\n\r\nPOST /2 HTTP/1.1\r\nContent-Length: 2\r\n\r\nhi');
  expect(answer).toMatch(/\/1HTTP[\s\S]*\/2hi$/);
});

test('a half-closed client gets a long response after reading a piece of it', async () => {
  const { port } = await start((_request, response) => {
    response.writeHead(200, '', ['Content-Length', '2']);
    setTimeout(() => response.write('a'), 20);
    setTimeout(() => response.end('b'), 1_300);
  });
  expect(await talkAndEnd(port, 'GET /1 HTTP/1.1\r\n\r\n')).toMatch(/ab$/);
});

test('a client that disconnects after a slowly read body is noticed', async () => {
  const left = Promise.withResolvers<void>();
  let collected = 0;
  const { port } = await start((request, response) => {
    response.once('close', () => left.resolve());
    setTimeout(() => void request.collect(1_000_000).then(({ body }) => (collected = body.length)), 60);
  });
  const client = net.connect(port, '127.0.0.1');
  client.write(`POST / HTTP/1.1\r\nContent-Length: 70000\r\n\r\n${'x'.repeat(70_000)}`);
  await expect.poll(() => collected).toBe(70_000);
  client.resetAndDestroy();
  await left.promise;
});
