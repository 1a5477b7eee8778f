/** Clients and origins that disconnect at random offsets; the gateway must clean up everything. */
import http2 from 'node:http2';
import type { Socket } from 'node:net';
import tls from 'node:tls';
import WebSocket from 'ws';
import type { Random } from '../../eval/random.ts';
import { type Action, addressOf, type Clients } from './actions.ts';
import { connectProxy, exchange, hosts, openTls, TunnelAgent, tunnelTo } from './client.ts';
import { below, textOf } from './texts.ts';

/** Ends a connection in one of three ways: with a reset, at once, or with a FIN first. */
function leave(socket: Socket, random: Random): void {
  const way = below(random, 3);
  if (way === 0 && !(socket instanceof tls.TLSSocket)) socket.resetAndDestroy();
  else if (way === 1) socket.end(() => socket.destroy());
  else socket.destroy();
}

/** Resolves when this many bytes have arrived, or the connection has ended. */
function received(socket: Socket, bytes: number): Promise<void> {
  return new Promise((resolve) => {
    let size = 0;
    socket.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size >= bytes) resolve();
    });
    socket.once('close', () => resolve());
    socket.resume();
  });
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function chatBytes(host: string, port: number, text: string, stream: boolean): Buffer {
  const body = JSON.stringify({ model: 'gpt-4o', stream, messages: [{ role: 'user', content: text }] });
  const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: ${host}:${port}\r\nAuthorization: Bearer none-user-1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return Buffer.from(head + body);
}

async function inTls(clients: Clients, use: (socket: tls.TLSSocket) => Promise<void>): Promise<void> {
  const socket = await openTls(clients.fixture, { host: hosts.masked, from: addressOf(clients) });
  await use(socket);
  leave(socket, clients.random);
}

/** All aborts. They throw only if the gateway refuses the preceding steps, or hides an origin's disconnect. */
export const aborts: readonly Action[] = [
  {
    name: 'left in the head of CONNECT',
    weight: 1,
    async run(clients) {
      const { fixture, random } = clients;
      const socket = connectProxy(fixture, addressOf(clients));
      const head = `CONNECT ${hosts.masked}:443 HTTP/1.1\r\nHost: ${hosts.masked}\r\n\r\n`;
      socket.write(head.slice(0, below(random, head.length)));
      await wait(below(random, 20));
      leave(socket, random);
    },
  },
  {
    name: 'left before the answer to CONNECT',
    weight: 1,
    async run(clients) {
      const { fixture, random } = clients;
      const socket = connectProxy(fixture, addressOf(clients));
      socket.write(`CONNECT site-1.soak.example:${fixture.tcpPort} HTTP/1.1\r\nHost: site-1.soak.example\r\n\r\n`);
      await wait(random() * 2);
      leave(socket, random);
    },
  },
  {
    name: 'left in the TLS handshake',
    weight: 2,
    async run(clients) {
      const { fixture, random } = clients;
      const socket = await tunnelTo(fixture, `${hosts.masked}:${fixture.tlsPort}`, addressOf(clients));
      const secured = tls.connect({ socket, servername: hosts.masked, ca: fixture.ca });
      secured.on('error', () => {});
      await wait(random() * 8);
      socket.destroy();
      secured.destroy();
    },
  },
  {
    name: 'left in a ClientHello',
    weight: 1,
    async run(clients) {
      const { fixture, random } = clients;
      const socket = await tunnelTo(fixture, `${hosts.masked}:${fixture.tlsPort}`, addressOf(clients));
      socket.write(Buffer.from('16030102000100', 'hex'));
      await wait(below(random, 10));
      leave(socket, random);
    },
  },
  {
    name: 'left in a request, HTTP/1.1',
    weight: 2,
    async run(clients) {
      const { fixture, random } = clients;
      await inTls(clients, async (socket) => {
        const bytes = chatBytes(hosts.masked, fixture.tlsPort, textOf(random, 3_000, 4), false);
        socket.write(bytes.subarray(0, below(random, bytes.length)));
        await wait(below(random, 8));
      });
    },
  },
  {
    name: 'left in a stream, HTTP/1.1',
    weight: 3,
    async run(clients) {
      const { fixture, random } = clients;
      await inTls(clients, async (socket) => {
        const some = received(socket, below(random, 8_000));
        if (random() < 0.5) socket.write(chatBytes(hosts.masked, fixture.tlsPort, textOf(random, 2_000, 4), true));
        else socket.write(`GET /endless HTTP/1.1\r\nHost: ${hosts.masked}:${fixture.tlsPort}\r\n\r\n`);
        await some;
      });
    },
  },
  {
    name: 'left in streams, HTTP/2',
    weight: 2,
    async run(clients) {
      const { fixture, random } = clients;
      const socket = await openTls(fixture, { host: hosts.masked, from: addressOf(clients), h2: true });
      const session = http2.connect(`https://${hosts.masked}:${fixture.tlsPort}`, { createConnection: () => socket });
      session.on('error', () => {});
      const headers = { ':method': 'POST', ':path': '/v1/chat/completions', 'content-type': 'application/json' };
      const content = textOf(random, 2_000, 4);
      const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content }] });
      for (let i = 0; i < 3; i++) {
        const stream = session.request(i === 0 ? { ':path': '/endless' } : headers);
        stream.on('error', () => {});
        stream.resume();
        // Closing ends the stream, and an empty body would be a complete one, which is forwarded.
        if (i === 1) stream.write(body.slice(0, 1 + below(random, body.length - 1)));
        if (i === 2) stream.end(body);
        if (random() < 0.3) setTimeout(() => stream.close(), below(random, 30));
      }
      await wait(below(random, 60));
      if (random() < 0.5) leave(socket, random);
      session.destroy();
    },
  },
  {
    name: 'left while waiting',
    weight: 2,
    async run(clients) {
      const { fixture, random } = clients;
      await inTls(clients, async (socket) => {
        socket.write(`GET /hold HTTP/1.1\r\nHost: ${hosts.masked}:${fixture.tlsPort}\r\n\r\n`);
        await wait(below(random, 40));
      });
    },
  },
  {
    name: 'left in a bulk download',
    weight: 2,
    async run(clients) {
      const { fixture, random } = clients;
      const socket = await tunnelTo(fixture, `127.0.0.1:${fixture.tcpPort}`, addressOf(clients));
      socket.write('50000000\n');
      await received(socket, below(random, 3_000_000));
      leave(socket, random);
    },
  },
  {
    name: 'left in a plain upload',
    weight: 2,
    async run(clients) {
      const { fixture, random } = clients;
      const socket = connectProxy(fixture, addressOf(clients));
      const target = `127.0.0.1:${fixture.plainPort}`;
      socket.write(`PUT http://${target}/sink HTTP/1.1\r\nHost: ${target}\r\nContent-Length: 5000000\r\n\r\n`);
      socket.write(Buffer.alloc(below(random, 1_000_000), 'u'));
      await wait(below(random, 20));
      leave(socket, random);
    },
  },
  {
    name: 'left in a WebSocket',
    weight: 2,
    async run(clients) {
      const { fixture, random } = clients;
      const agent = new TunnelAgent(fixture, addressOf(clients));
      const socket = new WebSocket(`wss://${hosts.masked}:${fixture.tlsPort}/v1/realtime`, { agent });
      socket.on('error', () => {});
      await new Promise((resolve) => socket.once('open', resolve).once('close', resolve));
      if (socket.readyState === WebSocket.OPEN) socket.send(textOf(random, 3_000, 2));
      await wait(below(random, 6));
      socket.terminate();
      agent.destroy();
    },
  },
  {
    name: 'origin breaks off',
    weight: 2,
    async run(clients) {
      const { fixture, random } = clients;
      const agent = new TunnelAgent(fixture, addressOf(clients));
      const path = `/broken?at=${below(random, 19_000)}`;
      try {
        const { status, body } = await exchange({ agent, host: hosts.masked, port: fixture.tlsPort, path }).catch(
          () => ({
            status: 0,
            body: '',
          }),
        );
        if (status === 200) throw new Error(`a broken answer arrived as whole with ${body.length} bytes`);
      } finally {
        agent.destroy();
      }
    },
  },
];
