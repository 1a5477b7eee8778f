/** Heads that are too large. */
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { startOrigin } from '../support/origin.ts';
import { openHttp2, openTls, openTunnel, sendRaw } from '../support/tunnel.ts';
import { watchMemory } from '../support/usage.ts';

const host = 'api.openai.com';
const authority = new TestAuthority();

const origin = await startOrigin({ authority, names: [host] });
const gateway = await startGatewayProcess({
  authority,
  hosts: { [host]: origin },
  config: { policy: { coach: true } },
});

/** Writes until the peer stops reading, and returns its response. */
async function pour(socket: Socket, head: string, piece: string, total: number): Promise<string> {
  let text = '';
  let isOpen = true;
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isOpen = false;
      resolve();
    });
  });
  socket.write(head, 'latin1');
  const block = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)), 'latin1');
  for (let sent = 0; sent < total && isOpen && !text.includes('\r\n\r\n'); sent += block.length) {
    if (!socket.write(block)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (isOpen && !text.includes('\r\n\r\n')) socket.end('\r\n\r\n');
  await closed;
  return text;
}

const places: Record<string, () => Promise<readonly [Socket, string]>> = {
  'plain http': async () => [connect(gateway.proxyPort, '127.0.0.1'), 'http://example.com'],
  CONNECT: async () => [connect(gateway.proxyPort, '127.0.0.1'), 'CONNECT'],
  'an intercepted tunnel': async () => [await openTls(gateway, `${host}:443`), ''],
  'plain http in a tunnel': async () => [(await openTunnel(gateway, `${host}:80`)).socket.resume(), ''],
};
const megabytes = 10 * 1024 * 1024;

describe.each(Object.keys(places))('%s', (place) => {
  const start = (target: string, path: string): string =>
    target === 'CONNECT' ? `CONNECT ${host}:443` : `GET ${target}${path}`;

  test.each([
    ['a field of 10 MB', (target: string) => `${start(target, '/')} HTTP/1.1\r\nHost: ${host}\r\nX: `, 'x'],
    ['100,000 fields', (target: string) => `${start(target, '/')} HTTP/1.1\r\nHost: ${host}\r\n`, 'X: x\r\n'],
    ['fields without a value', (target: string) => `${start(target, '/')} HTTP/1.1\r\nHost: ${host}\r\n`, 'a:\r\n'],
    ['a target of 10 MB', (target: string) => `${start(target, '/')}`, 'x'],
    ['a method of 10 MB', () => 'X', 'X'],
  ])('%s: gets 431, 414 or 400, or is cut, without using memory', async (_name, head, piece) => {
    const growth = watchMemory(gateway.pid);
    const all = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const [socket, target] = await (places[place] as (typeof places)[string])();
        return pour(socket, head(target), piece, megabytes);
      }),
    );
    for (const answer of all) expect(answer).toMatch(/^(?:HTTP\/1\.1 (?:400|414|431) |$)/);
    expect(growth()).toBeLessThan(100);
  });
});

describe.each(Object.keys(places).filter((place) => place !== 'CONNECT'))('%s, a little over the limit', (place) => {
  test.each([
    ['a field', (target: string) => `GET ${target}/ HTTP/1.1\r\nHost: ${host}\r\nX: ${'x'.repeat(70_000)}`],
    ['a target', (target: string) => `GET ${target}/${'x'.repeat(70_000)} HTTP/1.1\r\nHost: ${host}`],
  ])('%s gets 431', async (_name, head) => {
    const [socket, target] = await (places[place] as (typeof places)[string])();
    expect((await sendRaw(socket, `${head(target)}\r\n\r\n`)).status).toBe(431);
    socket.destroy();
  });
});

describe('over HTTP/2', () => {
  test.each([
    ['a field of 200 KB', { 'x-large': 'x'.repeat(200_000) }],
    ['3,000 fields', Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`x-${i}`, 'x']))],
  ])('%s is refused, and the next request is served', async (_name, fields) => {
    const outcome = await request(fields);
    expect(['431', 'refused']).toContain(outcome);
    expect(await request({})).toBe('200');
  });

  async function request(fields: Record<string, string>): Promise<string> {
    const session = await openHttp2(gateway, `${host}:443`);
    const outcome = await new Promise<string>((resolve) => {
      session.once('error', () => resolve('refused'));
      session.once('close', () => resolve('refused'));
      try {
        const stream = session.request({ ':path': '/', ':authority': host, ...fields });
        stream.once('response', (head) => resolve(String(head[':status'])));
        stream.once('error', () => resolve('refused'));
        stream.once('close', () => resolve('refused'));
      } catch {
        resolve('refused');
      }
    });
    session.destroy();
    return outcome;
  }
});
