/** The actions of soak clients: complete exchanges that throw on a wrong outcome. */
import { createHash } from 'node:crypto';
import type { ClientHttp2Session } from 'node:http2';
import WebSocket from 'ws';
import type { Random } from '../../eval/random.ts';
import {
  type Answer,
  exchange,
  exchangeHttp2,
  type Fixture,
  hosts,
  openHttp2,
  openTls,
  openTunnel,
  TunnelAgent,
  tunnelTo,
} from './client.ts';
import { below, textOf } from './texts.ts';

/** State of a client process: its addresses and kept connections. */
export type Clients = {
  readonly fixture: Fixture;
  readonly random: Random;
  /** Kept HTTP/1.1 connections, each from its own address. */
  readonly agents: readonly TunnelAgent[];
  readonly sessions: (Promise<ClientHttp2Session> | undefined)[];
  /** Open HTTP/2 connections, including replaced ones. */
  readonly open: Set<ClientHttp2Session>;
  /** Number of this process, and of new hosts it has requested. */
  readonly lane: number;
  minted: number;
};

/** A client action; `weight` is its share. */
export type Action = { readonly name: string; readonly weight: number; run(clients: Clients): Promise<void> };

/** Makes the clients of a process. */
export function makeClients(fixture: Fixture, lane: number, random: Random): Clients {
  const agents = Array.from({ length: 16 }, (_, i) => new TunnelAgent(fixture, `127.0.${10 + lane}.${1 + i}`));
  return { fixture, random, agents, sessions: new Array(8).fill(undefined), open: new Set(), lane, minted: 0 };
}

/** One of the addresses of this process. */
export function addressOf({ lane, random }: Clients): string {
  return `127.0.${10 + lane}.${1 + below(random, 200)}`;
}

const pick = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)] as T;

const same = (got: string, wanted: string, what: string) => {
  if (got === wanted) return;
  let at = 0;
  while (got[at] === wanted[at]) at++;
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 20), at + 60));
  throw new Error(`wrong ${what}: ${around(got)} instead of ${around(wanted)}`);
};

const expectStatus = ({ status, body }: Answer, wanted: number) => {
  if (status !== wanted) throw new Error(`answered ${status}: ${body.toString().slice(0, 200)}`);
};

/** One of a few keys, to reuse sessions, or a new one whose session must expire. */
function credential(random: Random): string {
  const name = random() < 0.05 ? `once-${below(random, 1e9)}` : `user-${below(random, 8)}`;
  return `Bearer none-${name}`;
}

const chatBody = (content: string, stream = false) =>
  JSON.stringify({ model: 'gpt-4o', ...(stream ? { stream } : {}), messages: [{ role: 'user', content }] });

const contentOf = (body: Buffer): string =>
  (JSON.parse(body.toString()) as { choices: { message: { content: string } }[] }).choices[0]?.message.content ?? '';

/** The text of an event stream of deltas. */
function streamText(body: string): string {
  const events = body.split('\n\n').filter((one) => one !== '');
  if (events.pop() !== 'data: [DONE]') throw new Error('the stream has no end');
  type Delta = { choices: { delta: { content?: string } }[] };
  return events.map((one) => (JSON.parse(one.slice(6)) as Delta).choices[0]?.delta.content ?? '').join('');
}

async function chat(clients: Clients, host: string, content: string, stream = false): Promise<Answer> {
  const { fixture, random } = clients;
  const answer = await exchange(
    {
      agent: pick(random, clients.agents),
      host,
      port: fixture.tlsPort,
      path: '/v1/chat/completions',
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: credential(random) },
    },
    chatBody(content, stream),
  );
  expectStatus(answer, 200);
  return answer;
}

/** Running exchanges of an HTTP/2 connection, and whether to close it after them. */
type Usage = { running: number; isRetired: boolean };
const usages = new WeakMap<ClientHttp2Session, Usage>();

/** Takes one of the kept HTTP/2 connections; each is replaced after some requests. */
async function sessionOf(clients: Clients): Promise<{ session: ClientHttp2Session; usage: Usage }> {
  const { fixture, random, sessions } = clients;
  const i = below(random, sessions.length);
  const known = await sessions[i]?.catch(() => undefined);
  const isKept = known && !known.closed && !known.destroyed && random() > 0.02;
  if (known && !isKept) {
    const used = usages.get(known);
    if (used) used.isRetired = true;
    if (!used?.running) known.close();
  }
  if (!isKept) sessions[i] = openHttp2(fixture, hosts.masked, addressOf(clients));
  const session = await (sessions[i] as Promise<ClientHttp2Session>);
  // Another exchange may have closed it while this one waited.
  if (session.closed) return sessionOf(clients);
  const usage = usages.get(session) ?? { running: 0, isRetired: false };
  if (!usages.has(session)) {
    usages.set(session, usage);
    clients.open.add(session);
    session.once('close', () => clients.open.delete(session));
  }
  usage.running++;
  return { session, usage };
}

async function chatHttp2(clients: Clients, content: string, stream = false): Promise<Answer> {
  const { session, usage } = await sessionOf(clients);
  try {
    const answer = await exchangeHttp2(
      session,
      {
        ':method': 'POST',
        ':path': '/v1/chat/completions',
        'content-type': 'application/json',
        authorization: credential(clients.random),
      },
      chatBody(content, stream),
    );
    expectStatus(answer, 200);
    return answer;
  } finally {
    usage.running--;
    if (usage.isRetired && usage.running === 0) session.close();
  }
}

/** Calls the API with its key, or as the administrator. */
export async function api(
  fixture: Fixture,
  method: string,
  path: string,
  body?: object,
  key = fixture.apiKey,
): Promise<Answer> {
  return exchange(
    {
      protocol: 'http:',
      host: '127.0.0.1',
      port: fixture.apiPort,
      method,
      path,
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    },
    body && JSON.stringify(body),
  );
}

/** A new host of a service, for which a leaf is minted. With a request, both handshakes are made. */
export async function mint(clients: Clients, withRequest: boolean): Promise<void> {
  const { fixture } = clients;
  const host = `l${clients.lane}-${clients.minted++}.openai.com`;
  const socket = await openTls(fixture, { host, from: addressOf(clients) });
  if (withRequest) {
    const options = { host, port: fixture.tlsPort, path: '/', createConnection: () => socket };
    expectStatus(await exchange(options), 200);
  }
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.end();
  socket.resume();
  await closed;
}

async function readAll(socket: import('node:net').Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function webSocket(clients: Clients): Promise<void> {
  const { fixture, random } = clients;
  const url = `wss://${hosts.masked}:${fixture.tlsPort}/v1/realtime`;
  const agent = new TunnelAgent(fixture, addressOf(clients));
  const socket = new WebSocket(url, {
    agent,
    headers: { authorization: credential(random) },
    handshakeTimeout: 180_000,
  });
  try {
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    for (let i = 0; i < 4; i++) {
      const text = JSON.stringify({ type: 'input', text: textOf(random, 300, 2) });
      const answered = new Promise<string>((resolve, reject) => {
        socket.once('message', (data) => resolve(String(data)));
        socket.once('close', (code) => reject(new Error(`the WebSocket was closed with ${code}`)));
      });
      socket.send(text);
      same(await answered, text, 'message');
    }
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.close(1000);
    await closed;
  } finally {
    socket.terminate();
    agent.destroy();
  }
}

export const actions: readonly Action[] = [
  {
    name: 'tunnel, short',
    weight: 20,
    async run(clients) {
      const { fixture, random } = clients;
      const socket = await tunnelTo(
        fixture,
        `site-${below(random, 300)}.soak.example:${fixture.tcpPort}`,
        addressOf(clients),
      );
      const text = `:${textOf(random, 200, 1)}`;
      socket.end(text);
      same((await readAll(socket)).toString(), text, 'echo');
    },
  },
  {
    name: 'tunnel, bulk',
    weight: 2,
    async run(clients) {
      const { fixture, random } = clients;
      const socket = await tunnelTo(fixture, `127.0.0.1:${fixture.tcpPort}`, addressOf(clients));
      const wanted = 500_000 + below(random, 4_000_000);
      socket.write(`${wanted}\n`);
      let size = 0;
      for await (const chunk of socket) size += (chunk as Buffer).length;
      if (size !== wanted) throw new Error(`${size} bytes instead of ${wanted}`);
    },
  },
  {
    name: 'plain GET',
    weight: 12,
    async run(clients) {
      const { fixture } = clients;
      const path = `http://127.0.0.1:${fixture.plainPort}/`;
      const answer = await exchange({
        protocol: 'http:',
        host: '127.0.0.1',
        port: fixture.proxyPort,
        localAddress: addressOf(clients),
        path,
        headers: { host: `127.0.0.1:${fixture.plainPort}` },
      });
      expectStatus(answer, 200);
      if (answer.body.length !== 1_024) throw new Error(`${answer.body.length} bytes instead of 1024`);
    },
  },
  {
    name: 'upload, not inspected',
    weight: 1,
    async run(clients) {
      const { fixture, random } = clients;
      const body = Buffer.alloc(1_000_000 + below(random, 5_000_000), String(random()));
      const answer = await exchange(
        {
          protocol: 'http:',
          host: '127.0.0.1',
          port: fixture.proxyPort,
          localAddress: addressOf(clients),
          path: `http://127.0.0.1:${fixture.plainPort}/sink`,
          method: 'PUT',
          headers: { host: `127.0.0.1:${fixture.plainPort}`, 'content-length': body.length },
        },
        body,
      );
      expectStatus(answer, 200);
      same(answer.body.toString(), createHash('sha256').update(body).digest('hex'), 'digest');
    },
  },
  {
    name: 'chat',
    weight: 20,
    async run(clients) {
      const text = textOf(clients.random, 2_000, 0);
      same(contentOf((await chat(clients, hosts.masked, text)).body), text, 'text');
    },
  },
  {
    name: 'chat with personal data',
    weight: 20,
    async run(clients) {
      const text = textOf(clients.random, 2_000, 5);
      same(contentOf((await chat(clients, hosts.masked, text)).body), text, 'text');
    },
  },
  {
    name: 'chat, audited',
    weight: 4,
    async run(clients) {
      const text = textOf(clients.random, 1_000, 3);
      same(contentOf((await chat(clients, hosts.audited, text)).body), text, 'text');
    },
  },
  {
    name: 'chat over HTTP/2',
    weight: 15,
    async run(clients) {
      const text = textOf(clients.random, 2_000, 4);
      same(contentOf((await chatHttp2(clients, text)).body), text, 'text');
    },
  },
  {
    name: 'event stream',
    weight: 5,
    async run(clients) {
      const text = textOf(clients.random, 1_200, 4);
      same(streamText((await chat(clients, hosts.masked, text, true)).body.toString()), text, 'streamed text');
    },
  },
  {
    name: 'event stream over HTTP/2',
    weight: 5,
    async run(clients) {
      const text = textOf(clients.random, 1_200, 4);
      same(streamText((await chatHttp2(clients, text, true)).body.toString()), text, 'streamed text');
    },
  },
  { name: 'WebSocket', weight: 3, run: webSocket },
  {
    name: 'upload, masked',
    weight: 0.2,
    async run(clients) {
      const text = textOf(clients.random, 1_500_000, 20);
      same(contentOf((await chat(clients, hosts.masked, text)).body), text, 'text');
    },
  },
  { name: 'new host', weight: 4, run: (clients) => mint(clients, true) },
  {
    name: 'blocked host',
    weight: 4,
    async run(clients) {
      const { status, socket } = await openTunnel(clients.fixture, `${hosts.blocked}:443`, addressOf(clients));
      socket.destroy();
      if (status !== 403) throw new Error(`a blocked host was answered with ${status}`);
    },
  },
  {
    name: 'API: mask and restore',
    weight: 4,
    async run({ fixture, random }) {
      const text = textOf(random, 600, 4);
      const masked = await api(fixture, 'POST', '/mask', { text });
      expectStatus(masked, 200);
      const { masked: hidden, sessionId } = JSON.parse(masked.body.toString());
      if (hidden.includes('@')) throw new Error('the API has not masked');
      const restored = await api(fixture, 'POST', '/restore', { text: hidden, sessionId });
      expectStatus(restored, 200);
      same(JSON.parse(restored.body.toString()).restored, text, 'restored text');
    },
  },
  {
    name: 'admin reads',
    weight: 1,
    async run({ fixture, random }) {
      const paths = [
        '/admin/events?limit=50',
        '/admin/stats',
        '/admin/overview',
        '/admin/sessions',
        '/admin/discovery',
        '/admin/pins',
        '/admin/keys',
        '/admin/policy',
        `/admin/explain?url=${encodeURIComponent(`https://${hosts.masked}/v1/x`)}`,
        '/health',
        '/metrics',
        '/openapi.json',
      ];
      expectStatus(await api(fixture, 'GET', pick(random, paths), undefined, fixture.adminKey), 200);
    },
  },
];
