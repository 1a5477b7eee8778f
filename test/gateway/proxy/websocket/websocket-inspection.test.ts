/** The client's side of an inspected WebSocket, with the origin played by the test. */
import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { encodeWebSocketFrame, type WebSocketMessage, WebSocketParser } from '../../../../core/stream/websocket.ts';
import { MemoryVault, type TokenMap } from '../../../../core/vault.ts';
import { BodyBuffers } from '../../../../gateway/proxy/body/body-buffers.ts';
import { NumberTokens } from '../../../../gateway/proxy/body/number-tokens.ts';
import type { InspectionInput } from '../../../../gateway/proxy/websocket/inspection-input.ts';
import { InspectedSocket } from '../../../../gateway/proxy/websocket/websocket-inspection.ts';
import { listening } from '../../../support/listening.ts';
import { turnsDuring } from '../../../support/turns.ts';

const accepted = 'HTTP/1.1 101 Switching Protocols\r\n\r\n';
const megabyte = 1024 * 1024;
const masked = (kind: WebSocketMessage['kind'], payload: Uint8Array | string) =>
  encodeWebSocketFrame(kind, Buffer.from(payload), Buffer.from('mask'));

/** A client, its received messages, and our stream, to which the test writes as the origin. */
async function inspected(
  options: {
    readonly bodies?: BodyBuffers;
    readonly vault?: MemoryVault;
    readonly maskText?: (input: { body: Buffer }) => Promise<{ body: Buffer; changed: boolean; masked: number }>;
  } = {},
) {
  const server = net.createServer({ allowHalfOpen: true });
  const client = net.connect(await listening(server), '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  const vault = options.vault ?? new MemoryVault();
  const owner = { address: '10.0.0.1', subject: 'ann' };
  const record = { client: owner, bytesIn: 0, bytesOut: 0, restored: 0, unresolved: 0, unreadable: 0, masked: 0 };
  const masker = {
    options: { bodyBytesMax: 32 * megabyte, uninspectable: { binary: 'refuse' } },
    numbers: new NumberTokens(vault, 0),
    maskText: options.maskText ?? (async ({ body }: { body: Buffer }) => ({ body, changed: false, masked: 0 })),
  };
  const guard: Pick<InspectionInput['guard'], 'open' | 'judge' | 'end' | 'unread'> = {
    open: () => undefined,
    judge: (message) => ({ passed: [[message, undefined]] }),
    end: () => ({ passed: [] }),
    unread: () => undefined,
  };
  const stream = new InspectedSocket({
    guard,
    socket,
    head: Buffer.alloc(0),
    masker,
    vault,
    record,
    decision: { inspect: 'mask' },
    target: { host: 'origin.test', path: '/' },
    session: 'session',
    tokens: vault.tokens('session') as TokenMap | undefined,
    bodies: options.bodies ?? new BodyBuffers({ graceMs: 60_000, bytesMax: 1 << 30 }),
  } as unknown as InspectionInput);
  stream.on('error', () => {});
  const messages: string[] = [];
  let head = '';
  const parser = new WebSocketParser({ fromClient: false, messageBytesMax: 1 << 26 });
  client.on('error', () => {});
  client.on('data', (chunk: Buffer) => {
    let frames = chunk;
    if (!head.endsWith('\r\n\r\n')) {
      const missing = accepted.length - head.length;
      head += chunk.toString('latin1', 0, missing);
      frames = chunk.subarray(missing);
    }
    for (const { kind, payload } of parser.push(frames)) {
      const text = Buffer.from(payload).toString('latin1');
      if (kind === 'close') messages.push(`close ${Buffer.from(payload).readUInt16BE(0)}`);
      else messages.push(payload.length > megabyte ? `${payload.length} times ${[...new Set(text)].join('')}` : text);
    }
  });
  onTestFinished(() => {
    client.destroy();
    stream.destroy();
    server.close();
  });
  return { client, stream, messages };
}

test('a client whose message is refused gets the reason, although the origin continues to send', async () => {
  const { client, stream, messages } = await inspected();
  stream.resume();
  stream.write(accepted);
  const origin = setInterval(() => stream.writable && stream.write(encodeWebSocketFrame('text', Buffer.from('[x'))), 1);
  onTestFinished(() => clearInterval(origin));
  await expect.poll(() => messages.length).toBeGreaterThan(3);
  client.write(masked('binary', Buffer.from([0xff, 0xfe])));
  await once(client, 'end');
  expect(messages.at(-1)).toBe('close 1008');
  client.end();
  await once(stream, 'close');
});

test('JSON in UTF-16 is not mistaken for text', async () => {
  const { client, stream, messages } = await inspected();
  stream.resume();
  stream.write(accepted);
  client.write(masked('binary', Buffer.from('{"to":"ana@mail.example"}', 'utf16le')));
  await once(client, 'end');
  expect(messages).toEqual(['close 1008']);
});

test('a client that ends before the response of the origin is disconnected', async () => {
  const { client, stream } = await inspected();
  // As with http-proxy and its wrapper: nothing reads yet.
  stream.on('readable', () => {});
  client.end();
  await once(stream, 'close');
});

test('held-back text precedes a large message, and is not inside it', async () => {
  const vault = new MemoryVault();
  vault.reserve('session', [{ type: 'EMAIL', value: 'ann@example.com' }]);
  const { stream, messages } = await inspected({ vault });
  stream.resume();
  stream.write(accepted);
  const piece = (delta: string) => JSON.stringify({ type: 'response.output_text.delta', item_id: 'a', delta });
  stream.write(encodeWebSocketFrame('text', Buffer.from(piece('one [EMA'))));
  const large = encodeWebSocketFrame('text', Buffer.alloc(9 * megabyte, 'x'));
  stream.write(large.subarray(0, 5 * megabyte));
  // Longer than text is held back.
  await pause(2_500);
  stream.write(large.subarray(5 * megabyte));
  stream.write(encodeWebSocketFrame('text', Buffer.from('two')));
  await expect.poll(() => messages.at(-1)).toBe('two');
  expect(messages).toEqual([piece('one '), piece('[EMA'), `${9 * megabyte} times x`, 'two']);
});

test('the payload of a ping from the origin may be returned in its pong', async () => {
  const { client, stream } = await inspected();
  const parser = new WebSocketParser({ fromClient: true, messageBytesMax: 1_000 });
  const pongs: string[] = [];
  stream.on('data', (chunk: Buffer) => {
    for (const { payload } of parser.push(chunk)) pongs.push(Buffer.from(payload).toString('hex'));
  });
  stream.write(accepted);
  const nonces = Array.from({ length: 3 }, (_, i) => Buffer.alloc(16, 0xf0 + i));
  for (const nonce of nonces) stream.write(encodeWebSocketFrame('ping', nonce));
  await once(client, 'data');
  for (const said of [...nonces, Buffer.alloc(16, 0xff)]) client.write(masked('pong', said));
  await expect.poll(() => pongs).toEqual([...nonces.map((nonce) => nonce.toString('hex')), '']);
});

test('a token created by another request meanwhile is restored', async () => {
  const vault = new MemoryVault();
  const { stream, messages } = await inspected({ vault });
  stream.resume();
  stream.write(accepted);
  stream.write(encodeWebSocketFrame('text', Buffer.from('hello')));
  await pause(300);
  vault.reserve('session', [{ type: 'EMAIL', value: 'ann@example.com' }]);
  stream.write(encodeWebSocketFrame('text', Buffer.from('to [EMAIL-1] it went')));
  await expect.poll(() => messages).toEqual(['hello', 'to ann@example.com it went']);
});

test('incomplete messages share the limits of bodies', async () => {
  const bodies = new BodyBuffers({ graceMs: 60_000, bytesMax: 3 * megabyte });
  const all = await Promise.all([1, 2, 1].map(async (size) => ({ size, ...(await inspected({ bodies })) })));
  for (const { size, client, stream } of all) {
    stream.resume();
    stream.write(accepted);
    client.write(masked('text', Buffer.alloc(size * megabyte, 'a')).subarray(0, -10));
  }
  await expect.poll(() => all.map(({ messages }) => messages)).toEqual([[], ['close 1013'], []]);
});

test('at most one piece is read from a client while its messages wait for the vault', async () => {
  let read = 0;
  let go: () => void = () => {};
  const vaultIsSlow = new Promise<void>((resolve) => {
    go = resolve;
  });
  const { client, stream } = await inspected({
    maskText: async ({ body }) => {
      read += body.length;
      // The first hundred are quick, so that our stream is read while others wait.
      if (read > 4_000) await vaultIsSlow;
      else await new Promise((resolve) => setImmediate(resolve));
      return { body, changed: false, masked: 0 };
    },
  });
  let out = 0;
  stream.on('data', (bytes: Buffer) => {
    out += bytes.length;
  });
  stream.write(accepted);
  const message = masked('text', 'x'.repeat(40));
  const burst = Buffer.concat(new Array(1_000).fill(message));
  for (let i = 0; i < 100; i++) client.write(burst);
  await pause(300);
  const { record } = (stream as unknown as { input: { record: { bytesIn: number } } }).input;
  expect(record.bytesIn).toBeLessThan(300_000);
  go();
  await expect.poll(() => out).toBe(100 * burst.length);
});

test('other requests run between the messages of one read', async () => {
  const { client, stream, messages } = await inspected();
  const parser = new WebSocketParser({ fromClient: true, messageBytesMax: 1 << 20 });
  let sent = 0;
  stream.on('data', (chunk: Buffer) => (sent += parser.push(chunk).length));
  stream.write(accepted);
  const many = (frame: Uint8Array) => Buffer.concat(Array.from({ length: 10_000 }, () => frame));
  const received = async () => {
    stream.write(many(encodeWebSocketFrame('text', Buffer.from('x'))));
    while (messages.length < 10_000) await pause(1);
  };
  expect(await turnsDuring(received)).toBeGreaterThan(100);
  client.write(many(masked('text', 'x')));
  const passed = async () => {
    while (sent < 10_000) await pause(1);
  };
  expect(await turnsDuring(passed)).toBeGreaterThan(100);
});

test('a message with more values than the main thread may parse is refused', async () => {
  const { client, stream, messages } = await inspected();
  stream.resume();
  stream.write(accepted);
  client.write(
    masked('text', JSON.stringify(Object.fromEntries(Array.from({ length: 150_000 }, (_, i) => [`k${i}`, 1])))),
  );
  await once(client, 'end');
  expect(messages).toEqual(['close 1009']);
});
