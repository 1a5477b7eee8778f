/** The streams of all known services, through the real process: with content codings, small writes and other names. */
import { Buffer } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import zlib from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { framesOf, type Shape, shapes, textIn } from '../core/stream/provider-shapes.ts';
import { serviceShapes } from '../core/stream/service-shapes.ts';
import { proxiedFetch } from '../support/clients.ts';
import { startGateway } from '../support/gateway.ts';
import { type ReceivedRequest, startOrigin } from '../support/origin.ts';

const all = [...shapes, ...serviceShapes];
const address = 'ann@corp.example';
const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' };
const types: Readonly<Record<string, string>> = {
  sse: 'text/event-stream; charset=utf-8',
  ndjson: 'application/x-ndjson',
  'json-array': 'application/json',
  'event-stream': 'application/vnd.amazon.eventstream',
};
const compressors = {
  gzip: () => zlib.createGzip(),
  br: () => zlib.createBrotliCompress(),
  zstd: () => zlib.createZstdCompress(),
};

type Way = {
  readonly coding?: keyof typeof compressors;
  readonly type?: string;
  readonly write: number;
  readonly piece: number;
};
let way: Way;

const sent = (shape: Shape): string =>
  shape.isJson ? '{"to":"[EMAIL-1]","n":[1]}' : 'to [EMAIL-1] and 【EMAIL-1】, list[0] [EMAIL-7].';
const expected = (shape: Shape): string => sent(shape).replaceAll(/[[【]EMAIL-1[\]】]/g, address);

async function answer(request: ReceivedRequest, response: ServerResponse): Promise<void> {
  const shape = all[Number(new URL(request.url, 'https://host').searchParams.get('shape') ?? -1)];
  if (!shape) {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    return;
  }
  const text = sent(shape);
  const pieces = text.match(new RegExp(`[^]{1,${way.piece}}`, 'g')) ?? [];
  const bytes = Buffer.concat(framesOf(shape, pieces));
  const { coding } = way;
  response.writeHead(200, {
    'content-type': way.type ?? types[shape.kind],
    ...(coding && { 'content-encoding': coding }),
  });
  const coder = coding && compressors[coding]();
  coder?.pipe(response);
  for (let at = 0; at < bytes.length; at += way.write) {
    (coder ?? response).write(bytes.subarray(at, at + way.write));
    if (coder) await new Promise<void>((resolve) => coder.flush(resolve));
    else if (at % 256 === 0) await setImmediate();
  }
  (coder ?? response).end();
}

const origin = await startOrigin({ names: ['api.openai.com'], handler: answer });
const gateway = await startGateway({ hosts: { 'api.openai.com': origin } });
const client = proxiedFetch(gateway);
const body = JSON.stringify({ messages: [{ role: 'user', content: `Write to ${address}` }] });
beforeAll(async () => {
  await client.fetch('https://api.openai.com/v1/chat/completions', { method: 'POST', headers, body });
  expect(origin.requests[0]?.body.toString()).toContain('[EMAIL-1]');
});

test.each<[string, Way]>([
  ['single characters, small writes', { piece: 1, write: 7 }],
  ['gzip', { coding: 'gzip', piece: 3, write: 500 }],
  ['br', { coding: 'br', piece: 5, write: 700 }],
  ['zstd', { coding: 'zstd', piece: 4, write: 600 }],
  ['as plain text', { type: 'text/plain', piece: 4, write: 64 }],
])('%s', async (_name, how) => {
  way = how;
  for (const [index, shape] of all.entries()) {
    // Plain text is detected by its first lines; arrays and binary frames are not detected in it.
    if (way.type && shape.kind !== 'sse' && shape.kind !== 'ndjson') continue;
    const response = await client.fetch(`https://api.openai.com/v1/x?shape=${index}`, { headers });
    const opened = shape.open.map((event) => shape.textOf(event) ?? '').join('');
    const shown = textIn(shape, new Uint8Array(await response.arrayBuffer()));
    expect(shown, shape.name).toBe(opened + expected(shape));
  }
});
