/** The audit trail of the real process in all formats: each reports a refused request as refused. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants } from 'node:http2';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type FormatName, formatNames } from '../../gateway/observe/formats/format.ts';
import { formatChecks, readCef } from '../gateway/observe/format-checks.ts';
import { proxiedFetch } from '../support/clients.ts';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { personal } from '../support/personal.ts';
import { openHttp2 } from '../support/tunnel.ts';

const chat = 'chat.outcomes.example';
const strict = 'strict.outcomes.example';
const watched = 'watched.outcomes.example';
const banned = 'banned.outcomes.example';
const gone = 'gone.invalid';

const rule = (host: string, result: object): object => ({ when: { hosts: [host] }, then: result });

const origin = await startOrigin({
  names: [chat, strict, watched],
  handler: ({ url }, response) => {
    if (url === '/silent') return;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (url === '/begun') response.write('data: {}\n\n');
    else response.end('{}');
  },
});
const gateway = await startGateway({
  hosts: { [chat]: origin, [strict]: origin, [watched]: origin },
  config: {
    masking: { max_body: '64KiB' },
    policy: {
      rules: [
        rule(chat, { inspect: 'mask' }),
        rule(strict, { inspect: 'mask', types: { EMAIL: 'block' } }),
        rule(watched, { inspect: 'audit' }),
        rule(banned, { action: 'block' }),
        rule(gone, { inspect: 'mask' }),
      ],
    },
    log: { audit: { sinks: formatNames.map((format) => ({ to: 'file', path: `audit.${format}`, format })) } },
  },
});
const fetchThrough = proxiedFetch(gateway);

const json = { 'content-type': 'application/json' };
const steps: { name: string; host: string; init: RequestInit; status: number; act: string; squid: string }[] = [
  {
    name: 'allowed',
    host: chat,
    init: { method: 'POST', headers: json, body: '{}' },
    status: 200,
    act: 'allow',
    squid: 'TCP_MISS/200',
  },
  {
    name: 'a PII type that the policy blocks',
    host: strict,
    init: { method: 'POST', headers: json, body: JSON.stringify({ text: personal.EMAIL }) },
    status: 403,
    act: 'block',
    squid: 'TCP_DENIED/403',
  },
  {
    name: 'a binary body',
    host: chat,
    init: {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf' },
      body: new Uint8Array([8, 1, 0, 255]),
    },
    status: 403,
    act: 'refuse',
    squid: 'TCP_DENIED/403',
  },
  {
    name: 'a body over the limit',
    host: chat,
    init: { method: 'POST', headers: json, body: JSON.stringify({ text: 'x'.repeat(70_000) }) },
    status: 413,
    act: 'refuse',
    squid: 'TCP_DENIED/413',
  },
  { name: 'a name that does not resolve', host: gone, init: {}, status: 502, act: 'fail', squid: 'TCP_MISS/502' },
];

const linesOf = (format: FormatName): string[] =>
  readFileSync(join(gateway.dataDir, '..', `audit.${format}`), 'utf8')
    .trim()
    .split('\n');

/** A line of a file about a request; it may be written a little later. */
async function lineOf(format: FormatName, mark: string, after = 0): Promise<string> {
  for (;;) {
    const line = linesOf(format)
      .slice(after)
      .find((one) => one.includes(mark));
    if (line !== undefined) return line;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test.each(steps)('$name', async ({ host, init, status, act, squid }) => {
  const response = await fetchThrough.fetch(`https://${host}/v1/x`, init);
  expect(response.status).toBe(status);
  await response.arrayBuffer();
  const error = {
    block: 'blocked_by_policy',
    refuse: status === 413 ? 'body_too_large' : 'uninspectable',
    fail: 'upstream_failed',
  }[act];
  const found = JSON.parse(await lineOf('privet', error === undefined ? '"status":200' : `"error":"${error}"`));
  // Squid's lines have no request id.
  const isThis = (text: string): boolean => text.includes(found.requestId);
  for (const format of formatNames) {
    const line = await lineOf(format, format === 'squid' ? `${squid} ` : found.requestId);
    expect([format, formatChecks[format](line)]).toEqual([format, []]);
    if (format === 'squid') continue;
    expect(isThis(line)).toBe(true);
    if (format === 'cef') expect(readCef(line).pairs.act).toBe(act);
    if (format === 'ecs') expect(JSON.parse(line).event.action).toBe(act);
    if (format === 'ocsf') expect(JSON.parse(line).action_id).toBe(act === 'block' || act === 'refuse' ? 2 : 1);
  }
});

test.each([
  ['before', '/silent', chat, 'abort', 499],
  ['before', '/silent', watched, 'abort', 499],
  ['during', '/begun', chat, 'allow', 200],
  ['during', '/begun', watched, 'allow', 200],
])('a client that cancels its stream %s the answer is no failure: %s, %s', async (_when, path, host, act, status) => {
  const before = origin.requests.length;
  const earlier = linesOf('privet').length;
  const session = await openHttp2(gateway, `${host}:443`);
  const stream = session.request({ ':method': 'POST', ':path': path, ...json });
  stream.on('error', () => undefined).end('{}');
  if (path === '/begun') await once(stream, 'data');
  else await expect.poll(() => origin.requests.length).toBe(before + 1);
  stream.close(constants.NGHTTP2_CANCEL);
  const event = JSON.parse(await lineOf('privet', `"host":"${host}"`, earlier));
  session.destroy();
  expect(event.error).toBeUndefined();
  for (const format of formatNames.filter((name) => name !== 'squid')) {
    const line = await lineOf(format, event.requestId);
    expect([format, formatChecks[format](line)]).toEqual([format, []]);
    if (format === 'cef') expect(readCef(line).pairs).toMatchObject({ act, outcome: String(status) });
  }
});

test('a blocked host', async () => {
  await expect(fetchThrough.fetch(`https://${banned}/`)).rejects.toThrow();
  const { pairs } = readCef(await lineOf('cef', `dhost=${banned}`));
  expect(pairs).toMatchObject({ act: 'block', outcome: '403' });
});

test('a malformed request', async () => {
  const socket = connect(gateway.proxyPort, '127.0.0.1');
  socket.end('GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n\r\n').resume();
  const { requestId } = JSON.parse(await lineOf('privet', '"error":"bad_request"'));
  for (const format of formatNames) {
    const line = await lineOf(format, format === 'squid' ? 'error:invalid-request' : requestId);
    expect([format, formatChecks[format](line)]).toEqual([format, []]);
  }
});
