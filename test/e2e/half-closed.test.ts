/** Clients that half-close once they have sent everything: they get their answers, however slow. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { type OriginHandler, startOrigin } from '../support/origin.ts';
import { openTunnel } from '../support/tunnel.ts';

const slowMs = 2_500;
const host = 'api.openai.com';
const handler: OriginHandler = ({ url }, response) => void setTimeout(() => response.end(`answer to ${url}`), slowMs);
const origin = await startOrigin({ handler });
const secured = await startOrigin({ handler, names: [host] });
const gateway = await startGateway({ hosts: { [host]: secured } });

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

test('a plain request', async () => {
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

test('a tunnel without interception', async () => {
  const { socket } = await openTunnel(gateway, origin.address);
  socket.allowHalfOpen = true;
  const answer = said(socket);
  socket.resume();
  socket.end(`GET /d HTTP/1.1\r\nHost: ${origin.address}\r\n\r\n`);
  expect(await answer).toContain('answer to /d');
});

/** TLS in a tunnel; `endsTcp`: half-closes the TCP connection, as most programs do. */
async function openSecured(endsTcp: boolean) {
  const { socket } = await openTunnel(gateway, `${host}:443`);
  socket.allowHalfOpen = true;
  const under = new Duplex({
    read: () => void socket.resume(),
    write: (chunk, _encoding, done) => void socket.write(chunk, () => done()),
    final: (done) => {
      if (endsTcp) socket.end();
      done();
    },
  });
  socket.on('data', (chunk) => under.push(chunk)).on('end', () => under.push(null));
  const secure = connectTls({ socket: under, servername: host, ca: gateway.ca, ALPNProtocols: ['http/1.1'] });
  secure.allowHalfOpen = true;
  await once(secure, 'secureConnect');
  return { secure, socket };
}

test('only close_notify, in an intercepted tunnel', async () => {
  const { secure, socket } = await openSecured(false);
  const answer = said(secure);
  secure.end(`GET /e HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  expect(await answer).toContain('answer to /e');
  socket.destroy();
});

test('a client that closes both directions is not waited for', async () => {
  const { secure, socket } = await openSecured(true);
  const answer = said(secure);
  secure.end(`GET /f HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  await once(socket, 'close');
  expect(await answer).not.toContain('answer to /f');
});
