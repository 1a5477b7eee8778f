/** What was masked for one user is never restored for another, however the other sends the request. */
import { once } from 'node:events';
import type { ClientHttp2Session } from 'node:http2';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { hashPassword } from '../../gateway/users/password-hash.ts';
import { openAiClient, type ProxiedFetch, proxiedFetch } from '../support/clients.ts';
import { startEcho } from '../support/echo.ts';
import { startGateway } from '../support/gateway.ts';
import type { OriginHandler } from '../support/origin.ts';
import { openHttp2, openTls, sendRaw } from '../support/tunnel.ts';

const host = 'api.openai.com';
const value = ['ann.secret', 'corp.example'].join('@');
const other = ['ben.other', 'corp.example'].join('@');
const credentials = (name: string) =>
  `Proxy-Authorization: Basic ${Buffer.from(`${name}:${name}-password`).toString('base64')}`;
/** A key of the company that everybody uses. */
const key = 'Authorization: Bearer company-key';

const users = ['ann', 'ben'].map((name) => ({ name, password_hash: hashPassword(`${name}-password`) }));
// An origin that repeats what it received, as a model under a prompt injection would.
const handler: OriginHandler = (request, response) => {
  const { messages, stream } = JSON.parse(request.body.toString());
  const content = messages[0].content as string;
  if (!stream) {
    const body = JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    return void response.end(body);
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\ndata: [DONE]\n\n`);
};
const origin = await startEcho({ names: [host], handler });
const plain = await startEcho({ handler });
const gateway = await startGateway({
  hosts: { [host]: origin, 'chatgpt.com': plain },
  config: { auth: { proxy: { mode: 'basic', users } } },
});

/** The sender: the user of the tunnel, the address, and fields of the request inside. */
type Caller = { readonly user: string; readonly from?: string; readonly inside?: readonly string[] };
type Way = (caller: Caller, content: string) => Promise<string>;

const bodyOf = (content: string, stream = false) =>
  JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content }] });

const http1 =
  (stream: boolean): Way =>
  async ({ user, from, inside = [] }, content) => {
    const socket = await openTls(gateway, `${host}:443`, { fields: [credentials(user)], ...(from ? { from } : {}) });
    const body = bodyOf(content, stream);
    const lines = ['POST /v1/chat/completions HTTP/1.1', `Host: ${host}`, key, ...inside];
    lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, '', body);
    const answer = await sendRaw(socket, lines.join('\r\n'));
    socket.destroy();
    return answer.body.toString();
  };

const http2: Way = async ({ user, from, inside = [] }, content) => {
  const session: ClientHttp2Session = await openHttp2(gateway, `${host}:443`, {
    fields: [credentials(user)],
    ...(from ? { from } : {}),
  });
  const fields = [key, ...inside].map((line) =>
    line.split(/: (.*)/, 2).map((part, i) => (i ? part : part.toLowerCase())),
  );
  const stream = session.request({
    ':method': 'POST',
    ':path': '/v1/chat/completions',
    'content-type': 'application/json',
    ...Object.fromEntries(fields),
  });
  stream.end(bodyOf(content));
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) text += chunk;
  session.destroy();
  return text;
};

const webSocket: Way = async ({ user, from, inside = [] }, content) => {
  const socket = await openTls(gateway, `${host}:443`, { fields: [credentials(user)], ...(from ? { from } : {}) });
  const headers = Object.fromEntries([key, ...inside].map((line) => line.split(/: (.*)/, 2)));
  const ws = new WebSocket(`wss://${host}/v1/realtime`, { headers, createConnection: () => socket });
  await new Promise((resolve, reject) => ws.once('open', resolve).once('error', reject));
  const answer = new Promise<string>((resolve) => ws.once('message', (data) => resolve(data.toString())));
  ws.send(bodyOf(content));
  const text = await answer;
  ws.terminate();
  return text;
};

const absolute: Way = async ({ user, from = '127.0.0.1' }, content) => {
  const socket = connect({ port: gateway.proxyPort, host: '127.0.0.1', localAddress: from });
  const answer = await sendRaw(socket, absoluteRequest(user, content));
  socket.destroy();
  return answer.body.toString();
};
function absoluteRequest(user: string, content: string): string {
  const body = bodyOf(content);
  const lines = ['POST http://chatgpt.com/v1/chat/completions HTTP/1.1', 'Host: chatgpt.com', key, credentials(user)];
  lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, '', body);
  return lines.join('\r\n');
}

describe.each<[name: string, way: Way]>([
  ['HTTP/1.1', http1(false)],
  ['HTTP/1.1, a stream', http1(true)],
  ['HTTP/2', http2],
  ['WebSocket', webSocket],
  ['plain HTTP', absolute],
])('%s', (_name, way) => {
  test('the tokens of a user are unknown to the next one with the same address and key', async () => {
    expect(await way({ user: 'ann' }, `write to ${value}`)).toContain(value);
    // Every number that ann may have, in the forms that are restored for her.
    const asked = [1, 2, 3, 4].flatMap((n) => [`[EMAIL-${n}]`, `[email_${n}]`, `\uff3bEMAIL-${n}\uff3d`]).join(' ');
    expect(await way({ user: 'ann' }, asked)).toContain(value);
    for (const user of ['ben', 'ben']) expect(await way({ user }, asked)).not.toContain(value);
    // Also when ben has tokens of his own.
    expect(await way({ user: 'ben' }, `write to ${other}`)).toContain(other);
    const answer = await way({ user: 'ben' }, asked);
    expect(answer).toContain(other);
    expect(answer).not.toContain(value);
    expect(await way({ user: 'ann' }, asked)).not.toContain(other);
  });

  test('a user has the same tokens at another address', async () => {
    expect(await way({ user: 'ann' }, `write to ${value}`)).toContain(value);
    expect(await way({ user: 'ann', from: '127.0.0.9' }, 'say [EMAIL-1] [EMAIL-2]')).toContain(value);
    expect(await way({ user: 'ben', from: '127.0.0.9' }, 'say [EMAIL-1] [EMAIL-2]')).not.toContain(value);
  });
});

test.each<[name: string, way: Way]>([
  ['HTTP/1.1', http1(false)],
  ['HTTP/2', http2],
  ['WebSocket', webSocket],
])('%s: credentials inside a tunnel have no effect and are not forwarded', async (_name, way) => {
  expect(await way({ user: 'ann' }, `write to ${value}`)).toContain(value);
  origin.reset();
  const answer = await way({ user: 'ben', inside: [credentials('ann')] }, 'say [EMAIL-1] [EMAIL-2]');
  expect(answer).not.toContain(value);
  expect(origin.everything()).not.toMatch(/proxy-authorization/i);
});

describe.each([
  ['HTTP/1.1', false],
  ['h2', true],
] as const)('the SDKs of a user who has signed in, over %s', (_protocol, allowH2) => {
  test.each<[name: string, say: (proxied: ProxiedFetch, history: Turn[]) => Promise<string>]>([
    [
      'openai',
      async (proxied, messages) => {
        const answer = await openAiClient(proxied).chat.completions.create({ model: 'm', messages });
        return answer.choices[0]?.message.content ?? '';
      },
    ],
    [
      'openai, as in a browser',
      async (proxied, messages) => {
        const fromPage = (url: string, init: RequestInit) => {
          const headers = new Headers(init.headers);
          headers.set('origin', 'https://app.corp.example');
          headers.set('sec-fetch-site', 'cross-site');
          return proxied.fetch(url, { ...init, headers });
        };
        const client = openAiClient({ ...proxied, fetch: fromPage as typeof fetch });
        const answer = await client.chat.completions.create({ model: 'm', messages });
        return answer.choices[0]?.message.content ?? '';
      },
    ],
  ])('%s: a conversation is sent again as the same bytes', async (_name, say) => {
    const proxied = proxiedFetch(gateway, { allowH2, signIn: 'ann:ann-password' });
    const history: Turn[] = [{ role: 'user', content: `write to ${value}` }];
    const sent = () => (JSON.parse(String(origin.requests.at(-1)?.body)) as { messages: Turn[] }).messages;
    const first = await say(proxied, history);
    expect(first).toContain(value);
    const [asked] = sent();
    expect(asked?.content).not.toContain(value);
    history.push({ role: 'assistant', content: first }, { role: 'user', content: `and to ${other}` });
    await say(proxied, history);
    // The stored part of the conversation at the provider begins with the same bytes.
    expect(sent()[0]).toEqual(asked);
    expect(sent()[1]?.content).toBe(asked?.content);
    expect(JSON.stringify(sent())).not.toContain('@');
  });
});
type Turn = { role: 'user' | 'assistant'; content: string };

test('two users who alternate on one connection stay separate', async () => {
  const socket = connect(gateway.proxyPort, '127.0.0.1');
  const ask = async (user: string, content: string) =>
    (await sendRaw(socket, absoluteRequest(user, content))).body.toString();
  for (let i = 0; i < 3; i++) {
    expect(await ask('ann', `write to ${value}`)).toContain(value);
    expect(await ask('ben', 'say [EMAIL-1] [EMAIL-2] [EMAIL-3]')).not.toContain(value);
    expect(await ask('ann', 'say [EMAIL-1] [EMAIL-2] [EMAIL-3]')).toContain(value);
  }
  socket.destroy();
  const subjects = new Set(gateway.events().flatMap(({ event, subject }) => (event === 'decision' ? [subject] : [])));
  expect(subjects).toEqual(new Set(['ann', 'ben']));
});

test('two people behind one address stay separate, although nothing identifies them at the service', async () => {
  await gateway.configure({
    auth: { clients: ['10.0.0.0/8', 'loopback'], proxy: { mode: 'none', users: [] } },
    listen: { proxy_protocol_from: ['127.0.0.1/32'] },
  });
  const openTunnel = async () => {
    const socket = connect(gateway.proxyPort, '127.0.0.1');
    const head = `PROXY TCP4 10.1.2.3 10.1.2.3 5000 3128\r\nCONNECT ${host}:443 HTTP/1.1\r\nHost: ${host}:443\r\n\r\n`;
    socket.write(head);
    await once(socket, 'data');
    const secure = connectTls({ socket, servername: host, ca: gateway.ca });
    await once(secure, 'secureConnect');
    return async (content: string) => {
      const body = bodyOf(content);
      const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
      const answer = await sendRaw(secure, `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      return answer.body.toString();
    };
  };
  const [ann, ben] = [await openTunnel(), await openTunnel()];
  expect(await ann(`write to ${value}`)).toContain(value);
  const asked = Array.from({ length: 9 }, (_, i) => `[EMAIL-${i + 1}]`).join(' ');
  expect(await ben(`say ${asked}`)).not.toContain('@');
  expect(await ann(`say ${asked}`)).toContain(value);
});
