/**
 * Paths whose `..` servers resolve in different ways: refused where the decision depends on the path, and forwarded
 * elsewhere.
 */
import { connect } from 'node:net';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { openHttp2, openTls, sendRaw } from '../support/tunnel.ts';

// In the shipped registry: approved, blocked with a rule that allows part of it, and approved without a rule.
const [approved, blocked, other] = ['api.openai.com', '01.ai', 'api.anthropic.com'] as const;
const authority = new TestAuthority();

const secure = await startOrigin({ authority, names: [approved, blocked, other] });
const plain = await startOrigin();
const gateway = await startGateway({
  authority,
  hosts: { [approved]: secure, [blocked]: secure, [other]: secure },
  config: {
    policy: {
      rules: [
        { when: { hosts: [approved, '127.0.0.1'], paths: ['/v1/files'] }, then: { action: 'block' } },
        { when: { hosts: [blocked], paths: ['/docs'] }, then: { action: 'allow', inspect: 'tunnel' } },
      ],
    },
  },
});
afterAll(async () => {
  await Promise.all([secure, plain].map((origin) => origin?.close()));
});
beforeEach(() => {
  secure.reset();
  plain.reset();
});

/** The answer inside a tunnel to the host. */
async function ask(host: string, path: string, fields: readonly string[] = []) {
  const socket = await openTls(gateway, `${host}:443`, { protocols: ['http/1.1'] });
  const answer = await sendRaw(socket, [`GET ${path} HTTP/1.1`, `Host: ${host}`, ...fields, '', ''].join('\r\n'));
  socket.destroy();
  return answer;
}

test.each<[host: string, path: string]>([
  [approved, '/v1/files/..%2f..%2fx'],
  [approved, '/v1/files/..;/x'],
  [approved, '/v1/files;a/..;/x'],
  [approved, '/v1/files\\..\\x'],
  [approved, '/v1/files//../x'],
  [blocked, '/v1/chat/..%2f..%2fdocs'],
  [blocked, '/docs%2fa/../v1/chat'],
])('to %s, %s is 400 and nothing is dialled', async (host, path) => {
  const answer = await ask(host, path);
  expect(answer.status).toBe(400);
  expect(answer.body.toString()).toContain('servers read in different ways');
  expect(secure.requests).toEqual([]);
});

test('the same over HTTP/2, in an upgrade and over plain http', async () => {
  const path = '/v1/files/..%2f..%2fx';
  const session = await openHttp2(gateway, `${approved}:443`);
  const stream = session.request({ ':path': path, ':authority': approved });
  const status = await new Promise((resolve, reject) => {
    stream.on('response', (fields) => resolve(fields[':status']));
    stream.on('error', reject);
  });
  session.destroy();
  expect(status).toBe(400);
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
  expect((await ask(approved, path, [...upgrade, 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='])).status).toBe(400);
  const socket = connect(gateway.proxyPort, '127.0.0.1');
  const bytes = `GET http://${plain.address}${path} HTTP/1.1\r\nHost: ${plain.address}\r\n\r\n`;
  expect((await sendRaw(socket, bytes)).status).toBe(400);
  socket.destroy();
  expect([...secure.requests, ...plain.requests]).toEqual([]);
});

test.each<[host: string, path: string, status: number]>([
  // No rule depends on the path here.
  [other, '/objects/..%2fa', 200],
  // All servers agree on these.
  [approved, '/v1/x/../y', 200],
  [approved, '/v1/objects/a..%2fb', 200],
  [approved, '/v1/x/../files', 403],
  [blocked, '/docs/a', 200],
])('to %s, %s is decided: %i', async (host, path, status) => {
  expect((await ask(host, path)).status).toBe(status);
  expect(secure.requests.map(({ url }) => url)).toEqual(status === 200 ? [path] : []);
});
