/** The recorded exchanges of every provider through the real process: byte-exact without values, masked and restored with them. */
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { fixture, type Meta, maskedText, meta, recordings } from '../core/stream/wire-fixtures.ts';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { openHttp2, openTls, sendRaw } from '../support/tunnel.ts';

const host = 'recorded.example';
const types: Record<string, string> = {
  sse: 'text/event-stream; charset=utf-8',
  ndjson: 'application/x-ndjson',
  jsonl: 'application/jsonl',
  b64: 'application/vnd.amazon.eventstream',
  form: 'application/x-www-form-urlencoded;charset=UTF-8',
};
const typeOf = (file: string) => types[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/json';

type Exchange = { readonly name: string; readonly request: string; readonly answer: string };
const exchanges = recordings.flatMap(({ name, files }): Exchange[] => {
  const request = files.find((file) => /^(?:request|batch)\.(?:json|form|jsonl)$/.test(file));
  if (request === undefined) return [];
  return files
    .filter((file) => /^(?:response|stream|chat|generate|converse|invoke|batch\.output)/.test(file))
    .map((answer) => ({ name, request, answer }));
});

/** What the origin answers, and in how large pieces. */
let answer = { file: '', isPacked: false, pieceBytes: 1 };
const origin = await startOrigin({
  names: [host],
  handler: async (_request, response) => {
    const bytes = fixture(answer.file);
    const body = answer.isPacked ? gzipSync(bytes) : Buffer.from(bytes);
    const coding = answer.isPacked ? { 'content-encoding': 'gzip' } : {};
    response.writeHead(200, { 'content-type': typeOf(answer.file), ...coding });
    for (let at = 0; at < body.length; at += answer.pieceBytes)
      await new Promise<void>((resolve) => response.write(body.subarray(at, at + answer.pieceBytes), () => resolve()));
    response.end();
  },
});
const gateway = await startGateway({
  hosts: { [host]: origin },
  config: {
    masking: { dictionary: [{ label: 'NAME', pattern: 'Hana Morita' }] },
    policy: { rules: [{ when: { hosts: [host] }, then: { inspect: 'mask' } }] },
  },
});

/** Two users; only the second sends values, so that the first has no tokens, and the second the same for all exchanges. */
const without = '127.3.0.1';
const withValues = '127.3.0.2';

/** Sends the body as a user and returns the decoded response. */
async function send(from: string, protocol: string, path: string, type: string, body: Uint8Array): Promise<Buffer> {
  const fields = { 'content-type': type, authorization: `Bearer key-${from}`, 'accept-encoding': 'gzip' };
  if (protocol === 'HTTP/1.1') {
    const socket = await openTls(gateway, `${host}:443`, { from });
    const lines = Object.entries({ host, ...fields, 'content-length': body.length }).map(([n, v]) => `${n}: ${v}\r\n`);
    const head = `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
    const response = await sendRaw(socket, Buffer.concat([Buffer.from(head), body]));
    socket.destroy();
    return /(?:^|\n)content-encoding\n/i.test(response.rawHeaders.join('\n'))
      ? gunzipSync(response.body)
      : response.body;
  }
  const session = await openHttp2(gateway, `${host}:443`, { from });
  const stream = session.request({ ':method': 'POST', ':path': path, ...fields }).end(body);
  const [head] = (await once(stream, 'response')) as [IncomingHttpHeaders];
  const bytes = Buffer.concat(await stream.toArray());
  session.destroy();
  return head['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
}

const ways = [
  ['HTTP/1.1', false, 1e6],
  ['HTTP/1.1', true, 61],
  ['HTTP/2', false, 7],
  ['HTTP/2', true, 1e6],
] as const;

test.each(exchanges)('$name, $answer', async ({ name, request, answer: file }) => {
  const { path = '/', tokenMap } = meta(name) as Meta & { readonly path?: string };
  const masked = Buffer.from(maskedText(`${name}/${request}`));
  const outputs = new Set<string>();
  for (const [protocol, isPacked, pieceBytes] of ways) {
    answer = { file: `${name}/${file}`, isPacked, pieceBytes };
    const same = await send(without, protocol, path, typeOf(request), masked);
    expect(origin.requests.at(-1)?.body.equals(masked)).toBe(true);
    expect(same.equals(fixture(answer.file))).toBe(true);

    const restored = await send(withValues, protocol, path, typeOf(request), fixture(`${name}/${request}`));
    const sent = decodeURIComponent(origin.requests.at(-1)?.body.toString() ?? '');
    for (const value of Object.values(tokenMap)) expect(sent).not.toContain(value);
    outputs.add(restored.toString('latin1'));
  }
  expect(outputs.size).toBe(1);
  // Vectors, binary frames, and a stream that ends inside a token.
  const hasText = name !== 'openai-embeddings' && !/\.b64$|unfinished/.test(file);
  if (hasText) expect([...outputs][0]).toMatch(/hana\.morita|Hana Mo/);
});
