import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { httpServerWithoutListener } from '../../gateway/proxy/http-server.ts';

test('a request head that does not end in time is cut off on a server that is handed its connections', async () => {
  const http = httpServerWithoutListener({ headersTimeout: 100, connectionsCheckingInterval: 20 });
  const codes: (string | undefined)[] = [];
  http.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    codes.push(error.code);
    socket.destroy();
  });
  const listener = net.createServer((socket) => http.emit('connection', socket)).listen(0, '127.0.0.1');
  onTestFinished(() => void listener.close());
  await once(listener, 'listening');
  const client = net.connect((listener.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  client.write('GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ');
  await once(client, 'close');
  expect(codes).toEqual(['ERR_HTTP_REQUEST_TIMEOUT']);
});
