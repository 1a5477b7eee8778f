/** Redirects, and parents with unusual answers: nothing is followed, and no password is forwarded. */
import { createServer, type Socket } from 'node:net';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { listening } from '../support/listening.ts';
import { type OriginHandler, startOrigin } from '../support/origin.ts';
import { startParentProxy } from '../support/parent-proxy.ts';
import { leaksIn, prompt } from '../support/personal.ts';
import { exchangeRaw } from '../support/recorder.ts';
import { openTls, openTunnel, sendRaw, sendTls } from '../support/tunnel.ts';

const approved = 'api.openai.com';
let answer: OriginHandler;

/** The target of redirects: nothing may arrive there. */
const inner = await startOrigin({});
const origin = await startOrigin({ names: [approved], handler: (...args) => answer(...args) });
const plain = await startOrigin({ handler: (...args) => answer(...args) });
const gateway = await startGateway({
  hosts: { [approved]: origin, 'plain.example': plain, '01.ai': inner },
  env: {
    OPENAI_API_KEY: 'provider-key',
    OPENAI_BASE_URL: `http://${plain.address}/v1`,
    ANTHROPIC_API_KEY: 'provider-key',
    ANTHROPIC_BASE_URL: `http://${plain.address}`,
    GEMINI_API_KEY: 'provider-key',
    GOOGLE_GEMINI_BASE_URL: `http://${plain.address}`,
  },
});
/** A gateway with parents. */
const behind = await startGateway();
beforeEach(() => {
  for (const one of [origin, inner]) one.reset();
});

const fieldOf = (fields: readonly string[], name: string) =>
  fields[fields.findIndex((field, i) => i % 2 === 0 && field.toLowerCase() === name) + 1 || Infinity];

const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: prompt }] });

test.each([301, 302, 303, 307, 308])(
  'a redirect of an approved service is passed to the client, values stay tokens: %i',
  async (status) => {
    for (const target of [`http://${inner.address}/`, 'https://01.ai/', 'http://169.254.169.254/latest/meta-data/']) {
      answer = (request, response) => {
        const tokens = request.body.toString().match(/\[[A-Z_]+-\d+\]/g) ?? [];
        response.writeHead(status, { Location: `${target}?q=${tokens.join('+')}` }).end();
      };
      const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: ${approved}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
      const got = await sendTls(gateway, `${approved}:443`, head + body);
      expect(got.status).toBe(status);
      const location = fieldOf(got.rawHeaders, 'location') ?? '';
      expect(location.startsWith(`${target}?q=[`)).toBe(true);
      expect(leaksIn(decodeURIComponent(location))).toEqual([]);
    }
    expect([inner.connections(), inner.requests]).toEqual([0, []]);
  },
);

test.each(['openai', 'anthropic', 'gemini'])(
  'a provider of the API that redirects is not followed: %s',
  async (provider) => {
    for (const status of [302, 307, 308]) {
      answer = (_request, response) =>
        void response.writeHead(status, { Location: `http://${inner.address}/v1` }).end();
      for (const stream of [false, true]) {
        const call = { method: 'POST', body: JSON.stringify({ message: 'Hello', provider, model: 'm', stream }) };
        const got = await gateway.api('/chat', call);
        const text = await got.text();
        expect(stream && got.status === 200 ? /"error"|event: error/.test(text) : got.status >= 500, text).toBe(true);
      }
    }
    expect(inner.requests).toEqual([]);
  },
);

const user = 'gateway';
const secret = 'parents-own-word';
const token = Buffer.from(`${user}:${secret}`).toString('base64');

/** A parent that answers every head with these bytes, and records its input. */
async function startOddParent(bytes: string, then?: 'end'): Promise<{ port: number; heads: string[] }> {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    let text = '';
    socket.on('data', (chunk) => {
      const isHead = !text.includes('\r\n\r\n');
      text += chunk.toString('latin1');
      if (!isHead || !text.includes('\r\n\r\n')) return;
      heads.push(text);
      if (then === 'end') socket.end(bytes);
      else socket.write(bytes);
    });
  });
  const serverPort = await listening(server);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: serverPort, heads };
}

test.each<[what: string, bytes: string, then?: 'end']>([
  ['a redirect', `HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n`],
  ['a page with its own words', 'HTTP/1.1 403 Forbidden\r\nSet-Cookie: a=b\r\nContent-Length: 13\r\n\r\nPARENT SPEAKS'],
  [
    'a question for a password',
    'HTTP/1.1 407 X\r\nProxy-Authenticate: Basic realm="PARENT SPEAKS"\r\nContent-Length: 0\r\n\r\n',
  ],
  ['no HTTP', 'SSH-2.0-PARENT SPEAKS\r\n\r\n'],
  ['another version', 'HTTP/2.0 200 OK\r\n\r\n'],
  ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n'],
  ['a head without an end', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(70_000)}`],
  ['only interim answers', 'HTTP/1.1 103 Early\r\n\r\n'.repeat(2_000), 'end'],
  ['half a head', 'HTTP/1.1 200', 'end'],
  ['a tunnel that speaks first', 'HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\nPARENT SPEAKS', 'end'],
])('a parent that responds with %s', async (_what, bytes, then) => {
  const parent = await startOddParent(bytes, then);
  await behind.configure({
    egress: { allow: [] },
    upstream: { parent: `http://${user}:${secret}@127.0.0.1:${parent.port}` },
  });
  const tunnel = await openTunnel(behind, 'site.example:443');
  tunnel.socket.destroy();
  // A tunnel to an unregistered host is not inspected once the parent has opened it.
  if (!bytes.includes('SPEAKS') || !/ 200 /.test(bytes)) expect([502, 504]).toContain(tunnel.status);
  const get = `GET http://site.example/ HTTP/1.1\r\nHost: site.example\r\nProxy-Authorization: Basic Y2xpZW50\r\nConnection: close\r\n\r\n`;
  const plain = await exchangeRaw(behind.proxyPort, get);
  expect(plain.includes(token) || plain.includes('HTTP/1.1 407')).toBe(false);
  const socket = await openTls(behind, `${approved}:443`).catch(() => undefined);
  if (socket !== undefined) {
    const got = await sendRaw(socket, `GET /v1/models HTTP/1.1\r\nHost: ${approved}\r\n\r\n`).catch(() => undefined);
    socket.destroy();
    expect(got === undefined || got.status >= 500).toBe(true);
    expect(String(got?.body)).not.toContain('PARENT SPEAKS');
  }
  expect(parent.heads.length).toBeGreaterThan(0);
  expect(parent.heads.join('')).not.toContain('Y2xpZW50');
  const events = await (await behind.api('/admin/events')).text();
  for (const text of [behind.output(), events]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(token);
  }
  expect((await fetch(`${behind.apiUrl}/health`)).status).toBe(200);
});

test('an origin behind a parent that sends 407 does not get the proxy password', async () => {
  const asking = await startOrigin({
    names: [approved],
    handler: (_request, response) =>
      void response.writeHead(407, { 'Proxy-Authenticate': 'Basic realm="x"', Connection: 'close' }).end('who are you'),
  });
  const parent = await startParentProxy({ hosts: { [`${approved}:443`]: asking.address } });
  onTestFinished(() => parent.close());
  await behind.configure({
    egress: { allow: [] },
    upstream: { parent: `http://${user}:${secret}@127.0.0.1:${parent.port}` },
  });
  const got = await sendTls(behind, `${approved}:443`, `GET /v1/models HTTP/1.1\r\nHost: ${approved}\r\n\r\n`);
  expect(fieldOf(got.rawHeaders, 'proxy-authenticate')).toBeUndefined();
  expect(asking.requests.length).toBeGreaterThan(0);
  expect(asking.everything()).not.toContain(token);
  expect(asking.everything().toLowerCase()).not.toContain('proxy-authorization');
});
