/**
 * Header fields of requests and answers that would be wrong, or would lead around the gateway, once a body is
 * inspected.
 */
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { type Origin, startOrigin } from '../support/origin.ts';
import { exchangeRaw } from '../support/recorder.ts';
import { sendTls } from '../support/tunnel.ts';

const host = 'api.openai.com';

const origin = await startOrigin({
  names: [host],
  protocols: ['http/1.1'],
  handler: ({ url, body }, response) => {
    const type = url === '/picture' ? 'image/png' : 'text/plain';
    response.writeHead(200, { 'content-type': type, 'alt-svc': 'h3=":443"', 'x-privet-warning': 'forged' }).end(body);
  },
});
const plain = await startOrigin({
  handler: (_request, response) => void response.writeHead(407, { 'proxy-authenticate': 'Basic realm="x"' }).end(),
});
const config = { policy: { inspect: { unknown: 'audit' } } };
const gateway = await startGateway({ hosts: { [host]: origin }, config });
beforeEach(() => origin.reset());

async function post(path: string, fields: readonly string[], body: Buffer) {
  const head = [`POST ${path} HTTP/1.1`, `Host: ${host}`, `Content-Length: ${body.length}`, ...fields];
  const answer = await sendTls(
    gateway,
    `${host}:443`,
    Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]),
  );
  return answer;
}

test.each(['/restored', '/picture'])('Alt-Svc cannot lead clients past the gateway to HTTP/3: %s', async (path) => {
  const answer = await post(path, ['Content-Type: text/plain'], Buffer.from('Write to ana@mail.example'));
  expect(answer.status).toBe(200);
  expect(origin.requests[0]?.body.toString()).toBe('Write to [EMAIL-1]');
  expect(answer.rawHeaders.map((name) => name.toLowerCase())).not.toContain('alt-svc');
});

test("only `trailers` of TE is forwarded, and clients cannot set the gateway's own fields", async () => {
  const fields = ['TE: gzip, trailers', 'Connection: TE', 'X-Privet-Warning: forged'];
  const { rawHeaders } = await post('/fields', fields, Buffer.from('x'));
  const { headers } = origin.requests[0] as Origin['requests'][number];
  expect([headers.te, headers.connection]).toEqual(['trailers', 'TE']);
  expect(Object.keys(headers)).not.toContain('x-privet-warning');
  expect(rawHeaders.map((name) => name.toLowerCase())).not.toContain('x-privet-warning');
});

test('a masked body loses the declared coding, digest and length of its file', async () => {
  const text = 'Write to ana@mail.example';
  const announcing = ['X-Upload-Content-Type: text/plain', `X-Upload-Content-Length: ${text.length}`];
  const fields = ['Content-Type: text/plain', 'Content-Encoding: gzip', 'Content-MD5: abc', ...announcing];
  expect((await post('/upload', fields, gzipSync(text))).status).toBe(200);
  const [{ headers, body }] = origin.requests as [Origin['requests'][number]];
  expect(body.toString()).toBe('Write to [EMAIL-1]');
  expect(Object.keys(headers)).toContain('x-upload-content-type');
  for (const name of ['content-encoding', 'content-md5', 'x-upload-content-length'])
    expect(Object.keys(headers)).not.toContain(name);
});

test('an origin that answers 407 is reported as such, and the client is not asked for credentials', async () => {
  const answer = await exchangeRaw(
    gateway.proxyPort,
    `GET http://${plain.address}/ HTTP/1.1\r\nHost: ${plain.address}\r\nConnection: close\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 502 /);
  expect(answer).toContain('The host responded with 407, as only a proxy may.');
  expect(answer).not.toMatch(/upstream\.parent|proxy-authenticate/i);
});

test('a policy set over the API also applies to bypassed hosts', async () => {
  const explain = async () => {
    const answer = await gateway.api('/admin/explain?url=https://www.paypal.com/');
    return ((await answer.json()) as { decision: { rule: string } }).decision.rule;
  };
  const put = async (yaml: string) => {
    const { version } = (await (await gateway.api('/admin/policy')).json()) as { version: unknown };
    const answer = await gateway.api('/admin/policy', { method: 'PUT', body: JSON.stringify({ yaml, version }) });
    expect(answer.status).toBe(200);
  };
  const before = await explain();
  await put('inspect: { unknown: audit }\ncurated_bypass: off\n');
  await expect.poll(explain).not.toBe(before);
  await put('inspect: { unknown: audit }\ncurated_bypass: on\n');
  await expect.poll(explain).toBe(before);
});
