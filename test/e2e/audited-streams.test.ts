/** Requests to a monitored service are forwarded as they arrive, and their content is counted at their end. */
import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import { createServer, request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { startGateway } from '../support/gateway.ts';
import { listening } from '../support/listening.ts';
import { personal } from '../support/personal.ts';
import { openHttp2, openTls } from '../support/tunnel.ts';

const hosts = { 'HTTP/2': 'h2.watched.example', 'HTTP/1.1': 'h1.watched.example' } as const;
const rules = Object.values(hosts).flatMap((host) => [
  { when: { hosts: [host], paths: ['/sized'], upload_over: 300 }, then: { action: 'block' } },
  { when: { hosts: [host] }, then: { inspect: 'audit' } },
]);

const authority = new TestAuthority();
const certificate = authority.issue({ names: Object.values(hosts) });
/** Answers each piece of a body as it arrives. */
const echo = (request: AsyncIterable<Buffer>, response: { write(bytes: Buffer): unknown; end(): void }) => {
  (async () => {
    for await (const chunk of request) response.write(Buffer.concat([Buffer.from('re:'), chunk]));
    response.end();
  })().catch(() => undefined);
};
const h2 = createSecureServer(certificate, echo as never) as unknown as ReturnType<typeof createServer>;
const gateway = await startGateway({
  authority,
  hosts: {
    [hosts['HTTP/2']]: `127.0.0.1:${await listening(h2)}`,
    [hosts['HTTP/1.1']]: `127.0.0.1:${await listening(createServer(certificate, echo as never))}`,
  },
  config: { masking: { max_body: '64KiB' }, policy: { rules } },
});

/** An open request: what it sends and what it receives. */
async function open(protocol: keyof typeof hosts, path: string, contentType: string): Promise<Duplex[]> {
  const host = hosts[protocol];
  if (protocol === 'HTTP/2') {
    const session = await openHttp2(gateway, `${host}:443`);
    onTestFinished(() => session.destroy());
    const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': contentType });
    return [stream, stream];
  }
  const socket = await openTls(gateway, `${host}:443`);
  onTestFinished(() => void socket.destroy());
  const headers = { host, 'content-type': contentType };
  const request = httpsRequest({ method: 'POST', path, headers, createConnection: () => socket });
  const answered = once(request, 'response');
  request.write(line);
  const [response] = await answered;
  return [request as unknown as Duplex, response];
}

const line = `${JSON.stringify({ text: `mail ${personal.EMAIL}` })}\n`;
const types = ['application/x-ndjson', 'text/plain', 'application/vnd.amazon.eventstream', 'audio/webm'];
const rows = (Object.keys(hosts) as (keyof typeof hosts)[]).flatMap((protocol) =>
  types.map((type): [string, keyof typeof hosts] => [type, protocol]),
);

test.each(rows)('%s over %s: each piece is answered before the next is sent', async (contentType, protocol) => {
  const [up, down] = (await open(protocol, '/live', contentType)) as [Duplex, Duplex];
  let got = '';
  let wake: (() => void) | undefined;
  down.setEncoding('utf8').on('data', (text: string) => {
    got += text;
    wake?.();
  });
  for (let sent = protocol === 'HTTP/2' ? 0 : 1; sent <= 3; sent++) {
    if (sent > 0) while (got.split('re:').length <= sent) await new Promise<void>((resolve) => (wake = resolve));
    if (sent < 3) up.write(line);
  }
  const ended = once(down, 'end');
  up.end();
  await ended;
  expect(got.replaceAll('re:', '')).toBe(line.repeat(3));
  const event = await gateway.event(
    (one) =>
      one.event === 'decision' &&
      one.method === 'POST' &&
      one.host === hosts[protocol] &&
      one.bytesIn === line.length * 3,
  );
  expect(event).toMatchObject({ inspect: 'audit', status: 200 });
});

test.each(Object.keys(hosts) as (keyof typeof hosts)[])('over %s the types are counted', async (protocol) => {
  const many = `${line.repeat(5)}`;
  const [up, down] = (await open(protocol, '/count', 'application/x-ndjson')) as [Duplex, Duplex];
  down.resume();
  const ended = once(down, 'end');
  up.end(many);
  await ended;
  const bytesIn = many.length + (protocol === 'HTTP/2' ? 0 : line.length);
  const event = await gateway.event(
    (one) => one.event === 'decision' && one.host === hosts[protocol] && one.bytesIn === bytesIn,
  );
  expect(event.piiTypes).toEqual({ EMAIL: bytesIn / line.length });
});

test.each(Object.keys(hosts) as (keyof typeof hosts)[])(
  'over %s a size limit applies, and data before it is answered',
  async (protocol) => {
    const [up, down] = (await open(protocol, '/sized/live', 'application/x-ndjson')) as [Duplex, Duplex];
    up.on('error', () => undefined);
    let got = '';
    let wake: (() => void) | undefined;
    down.setEncoding('utf8').on('data', (text: string) => {
      got += text;
      wake?.();
    });
    const ended = new Promise((resolve) => down.on('error', () => undefined).once('close', resolve));
    if (protocol === 'HTTP/2') up.write(line);
    while (!got.includes('re:')) await new Promise<void>((resolve) => (wake = resolve));
    for (let sent = 0; sent < 20; sent++) up.write(line);
    await ended;
    expect(got.length).toBeLessThanOrEqual(line.length * 20);
    const isRefusal = (one: Record<string, unknown>) => one.event === 'decision' && one.action === 'block';
    const event = await gateway.event((one) => isRefusal(one) && one.host === hosts[protocol]);
    expect(Number(event.bytesIn)).toBeLessThan(600);
  },
);

test('one over the limit passes and is not counted', async () => {
  const [up, down] = (await open('HTTP/2', '/large', 'application/x-ndjson')) as [Duplex, Duplex];
  let bytes = 0;
  down.on('data', (chunk: Buffer) => (bytes += chunk.length));
  const ended = once(down, 'end');
  const large = line.repeat(4_000);
  up.end(large);
  await ended;
  expect(bytes).toBeGreaterThanOrEqual(large.length);
  const event = await gateway.event((one) => one.event === 'decision' && one.bytesIn === large.length);
  expect([event.status, event.piiTypes]).toEqual([200, undefined]);
});

test('one whose client disconnects is counted up to that point', async () => {
  const [up, down] = (await open('HTTP/2', '/left', 'application/x-ndjson')) as [Duplex, Duplex];
  up.on('error', () => undefined);
  up.write(line.repeat(7));
  await once(down, 'data');
  up.destroy();
  const event = await gateway.event((one) => one.event === 'decision' && one.bytesIn === line.length * 7);
  expect(event.piiTypes).toEqual({ EMAIL: 7 });
});

const framed = (text: string) => {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(Buffer.byteLength(text), 1);
  return Buffer.concat([head, Buffer.from(text)]);
};
/** A field of protobuf: its number with its wire type, its length, its text. */
const field = (text: string) => `\x0a${String.fromCharCode(text.length)}${text}`;

test.each([
  ['application/grpc+proto', 9, `${field(`mail ${personal.EMAIL}`)}\x10\x07`],
  ['application/connect+json', 8, JSON.stringify({ text: `mail ${personal.EMAIL}` })],
])('messages of %s are counted', async (type, count, text) => {
  const [up, down] = (await open('HTTP/2', '/count', type)) as [Duplex, Duplex];
  down.resume();
  const ended = once(down, 'end');
  const body = Buffer.concat(Array(count).fill(framed(text)));
  up.end(body);
  await ended;
  const event = await gateway.event((one) => one.event === 'decision' && one.bytesIn === body.length);
  expect(event.piiTypes).toEqual({ EMAIL: count });
});
