/** Names are resolved by the servers of upstream.dns, and their answers are checked like any other address. */
import { expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { startNameServer } from '../support/name-server.ts';
import { startOrigin } from '../support/origin.ts';
import { exchangeRaw, isCompleteAnswer } from '../support/recorder.ts';
import { openTunnel } from '../support/tunnel.ts';

const names = await startNameServer({
  'site.example': ['127.0.0.1'],
  'private.example': ['10.1.2.3'],
  'half.example': (type) => (type === 'A' ? ['127.0.0.1'] : 'silent'),
  'mixed.example': ['127.0.0.1', '10.1.2.3'],
});
const origin = await startOrigin({ handler: (_request, response) => void response.end('reached') });
const gateway = await startGateway({ config: { upstream: { dns: ['127.0.0.1:9', names.address] } } });

const get = (host: string) =>
  exchangeRaw(
    gateway.proxyPort,
    `GET http://${host}:${origin.port}/ HTTP/1.1\r\nHost: ${host}:${origin.port}\r\n\r\n`,
    {
      until: (sofar) => isCompleteAnswer(sofar) || sofar.endsWith('0\r\n\r\n'),
    },
  );

test('a name that only they resolve, although the first is unavailable', async () => {
  expect(await get('site.example')).toMatch(/^HTTP\/1\.1 200 [\s\S]*reached/);
  const { status, socket } = await openTunnel(gateway, `site.example:${origin.port}`);
  socket.destroy();
  expect(status).toBe(200);
  expect(names.asked).toContain('site.example A');
});

test('a name with IPv4 addresses only', async () => {
  expect(await get('half.example')).toMatch(/^HTTP\/1\.1 200 [\s\S]*reached/);
});

test.each([
  ['a private address', 'private.example', 403],
  ['one private address of several', 'mixed.example', 403],
  ['a name that does not exist', 'unknown.example', 502],
])('%s: %s is answered %i', async (_name, host, status) => {
  expect(Number((await get(host)).split(' ')[1])).toBe(status);
});

test('names of this machine are not looked up', async () => {
  expect(await get('localhost')).toMatch(/^HTTP\/1\.1 (?:200|403) /);
  expect(names.asked.join(' ')).not.toContain('localhost');
});
