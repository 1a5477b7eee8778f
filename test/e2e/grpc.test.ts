/**
 * gRPC and Connect through the gateway: messages both ways at once, trailers, flow control; refused in gRPC's own
 * format where masking is required.
 */
import { once } from 'node:events';
import {
  type ClientHttp2Stream,
  constants,
  createSecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { startGateway } from '../support/gateway.ts';
import { listening } from '../support/listening.ts';
import { personal } from '../support/personal.ts';
import { openHttp2 } from '../support/tunnel.ts';

const watched = 'grpc.watched.example';
const masked = 'grpc.masked.example';
const bulkBytes = 32 * 2 ** 20;

const ruleFor = (name: string, inspect: string): object => ({ when: { hosts: [name] }, then: { inspect } });

let written = 0;
let received: string[] = [];
/** Fields and trailers of the last request. */
let requestFields: IncomingHttpHeaders = {};

const authority = new TestAuthority();
const server = createSecureServer({ ...authority.issue({ names: [watched, masked] }) });
server.on('stream', (stream, headers) => serve(stream, headers));
const address = `127.0.0.1:${await listening(server)}`;
const gateway = await startGateway({
  authority,
  hosts: { [watched]: address, [masked]: address },
  config: {
    policy: {
      rules: [ruleFor(watched, 'audit'), ruleFor(masked, 'mask')],
    },
  },
});
afterAll(async () => {
  server?.close();
});

/** `/echo` answers each piece as it arrives; `/status` only with trailers; `/bulk` as fast as possible. */
function serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
  requestFields = headers;
  stream.on('error', () => undefined);
  if (headers[':path'] === '/status') {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '5' }, { endStream: true });
    return;
  }
  stream.respond({ ':status': 200, 'content-type': String(headers['content-type']) }, { waitForTrailers: true });
  stream.on('wantTrailers', () =>
    stream.sendTrailers({ 'grpc-status': '0', 'grpc-message': 'fine', 'x-a-bin': 'AAE=' }),
  );
  if (headers[':path'] === '/bulk') {
    const piece = Buffer.alloc(65_536);
    const more = (): void => {
      while (written < bulkBytes) {
        written += piece.length;
        if (!stream.write(piece)) return void stream.once('drain', more);
      }
      stream.end();
    };
    more();
    return;
  }
  stream.on('data', (chunk: Buffer) => {
    received.push(chunk.toString('latin1'));
    stream.write(Buffer.concat([Buffer.from('re:'), chunk]));
  });
  stream.on('end', () => stream.end());
}

async function call(host: string, path: string, contentType = 'application/grpc'): Promise<ClientHttp2Stream> {
  received = [];
  written = 0;
  const session = await openHttp2(gateway, `${host}:443`);
  onTestFinished(() => session.destroy());
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': contentType,
    te: 'trailers',
    'grpc-timeout': '9S',
  });
  stream.on('error', () => undefined);
  return stream;
}

const message = Buffer.from(`\0\0\0\0\x2a${personal.EMAIL}`, 'latin1');

describe.each([
  ['audited', watched, 'application/grpc+proto'],
  ['audited, Connect', watched, 'application/connect+json'],
])('%s', (_name, host, contentType) => {
  test('messages flow both ways while the request is open, followed by trailers', async () => {
    const stream = await call(host, '/echo', contentType);
    const trailers = once(stream, 'trailers') as Promise<[IncomingHttpHeaders]>;
    for (let i = 0; i < 3; i++) {
      stream.write(message);
      const [answer] = (await once(stream, 'data')) as [Buffer];
      expect(answer.toString('latin1')).toBe(`re:${message.toString('latin1')}`);
    }
    stream.end();
    expect((await trailers)[0]).toMatchObject({ 'grpc-status': '0', 'grpc-message': 'fine', 'x-a-bin': 'AAE=' });
    expect(received).toEqual(Array(3).fill(message.toString('latin1')));
    expect(requestFields).toMatchObject({ te: 'trailers', 'content-type': contentType, 'grpc-timeout': '9S' });
  });
});

test('an answer with trailers only', async () => {
  const stream = await call(watched, '/status');
  stream.end();
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders];
  expect(headers).toMatchObject({ ':status': 200, 'grpc-status': '5' });
});

test('a client that does not read pauses the origin', async () => {
  const stream = await call(watched, '/bulk');
  await once(stream, 'response');
  let before = -1;
  while (written !== before) {
    before = written;
    await sleep(300);
  }
  expect(before).toBeLessThan(bulkBytes / 2);
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => (bytes += chunk.length));
  await once(stream, 'end');
  expect(bytes).toBe(bulkBytes);
});

test.each(['application/grpc', 'application/grpc-web+proto', 'application/connect+proto'])(
  'to a masked service, %s is refused at once, without sending a byte',
  async (contentType) => {
    const stream = await call(masked, '/echo', contentType);
    stream.write(message);
    const [headers, flags] = (await once(stream, 'response')) as [IncomingHttpHeaders, number];
    expect(headers).toMatchObject({ ':status': 200, 'content-type': contentType });
    let body = '';
    stream.setEncoding('utf8').on('data', (text: string) => (body += text));
    await once(stream, 'end');
    if (contentType === 'application/connect+proto') {
      expect(body.charCodeAt(0)).toBe(2);
      expect(JSON.parse(body.slice(5)).error.code).toBe('permission_denied');
    } else {
      expect([headers['grpc-status'], body]).toEqual(['7', '']);
      expect(flags & constants.NGHTTP2_FLAG_END_STREAM).toBe(constants.NGHTTP2_FLAG_END_STREAM);
    }
    expect(received).toEqual([]);
  },
);
