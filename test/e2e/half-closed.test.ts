/** Clients that end their side when they have said all: they get their answers, however slow. */
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { type Origin, startOrigin } from '../support/origin.ts';
import { openTunnel } from '../support/tunnel.ts';

const slowMs = 2_500;
let origin: Origin;
let gateway: Gateway;
beforeAll(async () => {
  origin = await startOrigin({
    handler: ({ url }, response) => void setTimeout(() => response.end(`answer to ${url}`), slowMs),
  });
  gateway = await startGateway();
});
afterAll(() => Promise.all([origin?.close(), gateway?.stop()]));

function said(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('error', () => undefined);
    socket.setEncoding('latin1').on('data', (piece) => {
      text += piece;
    });
    socket.once('close', () => resolve(text));
  });
}

test('a request in plain', async () => {
  const socket = connect({ port: gateway.proxyPort, host: '127.0.0.1', allowHalfOpen: true });
  socket.end(`GET http://${origin.address}/a HTTP/1.1\r\nHost: ${origin.address}\r\n\r\n`);
  expect(await said(socket)).toMatch(/^HTTP\/1\.1 200 [\s\S]*answer to \/a/);
});

test('two requests, and a body', async () => {
  const socket = connect({ port: gateway.proxyPort, host: '127.0.0.1', allowHalfOpen: true });
  const head = (method: string, path: string) =>
    `${method} http://${origin.address}${path} HTTP/1.1\r\nHost: ${origin.address}\r\n`;
  socket.end(`${head('GET', '/b')}\r\n${head('POST', '/c')}Content-Length: 2\r\n\r\nhi`);
  expect(await said(socket)).toMatch(/answer to \/b[\s\S]*answer to \/c/);
});

test('a tunnel that is not read', async () => {
  const { socket } = await openTunnel(gateway, origin.address);
  socket.allowHalfOpen = true;
  const answer = said(socket);
  socket.resume();
  socket.end(`GET /d HTTP/1.1\r\nHost: ${origin.address}\r\n\r\n`);
  expect(await answer).toContain('answer to /d');
});
