/** Uploads that are forwarded as they arrive, over HTTP/2 to origins that speak HTTP/1.1, and how they end. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { connectionWith } from '../support/raw-http2.ts';
import { openHttp2, openTls, openTunnel } from '../support/tunnel.ts';

// Monitored in the shipped registry.
const host = 'abridge.com';
const authority = new TestAuthority();
/** What the origin received on its last connection, unchanged. */
let got = '';
let isCut = false;

const origin = tls
  .createServer({ ...authority.issue({ names: [host] }), ALPNProtocols: ['http/1.1'] }, (socket) => {
    got = '';
    isCut = false;
    socket.on('end', () => {
      isCut = true;
    });
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      got += bytes.toString('latin1');
      const [, head = '', body = ''] = /^([\s\S]*?)\r\n\r\n([\s\S]*)$/.exec(got) ?? [];
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
      if (length !== undefined && body.length < Number(length)) return;
      // As file stores answer (RFC 9110 §15.5.12).
      if (length === undefined && head.includes('/blob'))
        socket.end('HTTP/1.1 411 Length Required\r\nContent-Length: 0\r\n\r\n');
      else if (length !== undefined) socket.end('HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n');
    });
  })
  .listen(0, '127.0.0.1');
await once(origin, 'listening');
const address = `127.0.0.1:${(origin.address() as AddressInfo).port}`;
const gateway = await startGatewayProcess({
  authority,
  hosts: { [host]: address },
  // The last test stops it. Otherwise it would wait longer than a test may take.
  config: { masking: { max_body: '64KiB' }, upstream: { timeouts: { drain: '1h' } } },
});
afterAll(async () => {
  origin?.close();
});

test('the declared length is forwarded', async () => {
  const session = await openHttp2(gateway, `${host}:443`);
  const size = 300_000;
  const stream = session.request({ ':method': 'PUT', ':path': '/blob', 'content-length': String(size) });
  stream.end(Buffer.alloc(size, 97));
  const [headers] = await once(stream, 'response');
  session.destroy();
  expect(headers[':status']).toBe(201);
  expect(got).not.toMatch(/transfer-encoding/i);
});

test.each([
  ['NO_ERROR', 0],
  ['CANCEL', 8],
])('an upload reset with %s does not look complete', async (_name, code) => {
  const socket = await openTls(gateway, `${host}:443`, { protocols: ['h2'] });
  const bytes = connectionWith({
    fields: [
      [':method', 'POST'],
      [':path', '/stream'],
      [':scheme', 'https'],
      [':authority', host],
      ['content-type', 'application/grpc'],
    ],
    data: ['some', 'more'],
    trailers: [['a', 'b']],
  });
  // Without the trailers, which end the stream.
  socket.write(bytes.subarray(0, bytes.length - 14));
  await expect.poll(() => got).toContain('more');
  socket.write(Buffer.from([0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, code]));
  await expect.poll(() => isCut).toBe(true);
  socket.destroy();
  expect(got.endsWith('more\r\n')).toBe(true);
});

test('an unused tunnel does not delay shutdown', async () => {
  const { socket } = await openTunnel(gateway, `${host}:443`);
  const closed = once(socket, 'close');
  socket.resume();
  expect(await gateway.stop()).toBe(0);
  await closed;
});
