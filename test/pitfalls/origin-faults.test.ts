/** Origins that are slow or change their certificate, and name servers that fail and recover. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { type ServerCertificate, TestAuthority } from '../support/authority.ts';
import { startGateway } from '../support/gateway.ts';
import { listening } from '../support/listening.ts';
import { startNameServer } from '../support/name-server.ts';
import { startOrigin } from '../support/origin.ts';
import { exchangeRaw, isCompleteAnswer } from '../support/recorder.ts';
import { openHttp2, openTls, openTunnel, sendRaw, sendTls } from '../support/tunnel.ts';

const [host, rotating, silentHost] = ['api.openai.com', 'api.anthropic.com', 'claude.ai'] as const;
/** Accepts connections and never answers, not even in a handshake. */
const silent = createTcpServer();
const authority = new TestAuthority();
const day = 86_400_000;
const certificates = {
  good: authority.issue({ names: [rotating] }),
  renewed: authority.issue({ names: [rotating] }),
  expired: authority.issue({
    names: [rotating],
    notBefore: new Date(Date.now() - 30 * day),
    notAfter: new Date(Date.now() - day),
  }),
  foreign: new TestAuthority('Somebody Else').issue({ names: [rotating] }),
  other: authority.issue({ names: ['other.example'] }),
};
let answer: (response: ServerResponse) => void;
const served: string[] = [];

const origin = await startOrigin({ authority, names: [host], handler: (_request, response) => answer(response) });
const server = createServer(certificates.good, (request, response) => {
  served.push(String(request.url));
  response.end('"ok"');
});
const serverPort = await listening(server);
const silentPort = await listening(silent);
const nameServer = await startNameServer({});
const gateway = await startGateway({
  authority,
  hosts: {
    [host]: origin,
    [rotating]: `127.0.0.1:${serverPort}`,
    [silentHost]: `127.0.0.1:${silentPort}`,
  },
  config: {
    upstream: {
      dns: [nameServer.address],
      timeouts: { connect: '1s', first_byte: '1s', body_idle: '1s', dns: '1s' },
    },
  },
});
afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
  silent.close();
});

const request = (to: string, path = '/') => `GET ${path} HTTP/1.1\r\nHost: ${to}\r\n\r\n`;

describe('a slow origin', () => {
  test('that never answers is 504, over HTTP/1.1 and h2', async () => {
    answer = () => undefined;
    const { status, body } = await sendTls(gateway, `${host}:443`, request(host));
    expect([status, body.toString()]).toEqual([504, expect.stringContaining('"upstream_timeout"')]);
    const session = await openHttp2(gateway, `${host}:443`);
    onTestFinished(() => session.destroy());
    const stream = session.request({ ':path': '/' });
    const [fields] = await once(stream, 'response');
    stream.resume();
    expect((fields as Record<string, unknown>)[':status']).toBe(504);
  });

  test('that accepts a connection without a handshake is 504, over HTTP/1.1, h2 and for a WebSocket', async () => {
    const session = await openHttp2(gateway, `${silentHost}:443`);
    onTestFinished(() => session.destroy());
    const stream = session.request({ ':path': '/' });
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
    const key = `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`;
    const webSocket = `GET /ws HTTP/1.1\r\nHost: ${silentHost}\r\n${[...upgrade, key].join('\r\n')}\r\n\r\n`;
    const answers = [request(silentHost), webSocket].map(async (text) => {
      const { status, body } = await sendTls(gateway, `${silentHost}:443`, text);
      return [status, body.toString()];
    });
    const [fields] = await once(stream, 'response');
    stream.resume();
    expect((fields as Record<string, unknown>)[':status']).toBe(504);
    for (const told of await Promise.all(answers))
      expect(told).toEqual([504, expect.stringContaining('"upstream_timeout"')]);
  });

  test('that stops in the middle is cut, not ended', async () => {
    let closed = false;
    answer = (response) => {
      response.once('close', () => {
        closed = true;
      });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[]}\n\n');
    };
    const socket = await openTls(gateway, `${host}:443`);
    await expect(sendRaw(socket, request(host))).rejects.toThrow(/no complete answer.* 200 OK/);
    await expect.poll(() => closed).toBe(true);
  });

  test('that continues byte by byte for longer than the limit is waited for', async () => {
    const text = 'data: {"choices":[{"delta":{"content":"slow"}}]}\n\n';
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      let at = 0;
      const timer = setInterval(() => {
        if (at < text.length) response.write(text[at++]);
        else response.end();
      }, 40);
      response.once('close', () => clearInterval(timer));
    };
    const { status, body } = await sendTls(gateway, `${host}:443`, request(host));
    expect([status, body.toString()]).toEqual([200, text]);
  });
});

describe('a certificate that changes while connections are open', () => {
  /** Another certificate for new connections, with its own ticket keys, like a restarted server. */
  const use = (certificate: ServerCertificate, keys = randomBytes(48)) => {
    server.setSecureContext(certificate);
    server.setTicketKeys(keys);
  };
  const ask = async (path: string) => {
    const socket = await openTls(gateway, `${rotating}:443`);
    onTestFinished(() => void socket.destroy());
    const { status, body } = await sendRaw(socket, request(rotating, path));
    return `${status} ${/"upstream_certificate"/.exec(body.toString())?.[0] ?? ''}`.trim();
  };

  test('to a renewed one goes unnoticed; to a bad one: open connections work, new ones are refused', async () => {
    const connections = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      connections.add(socket);
      socket.once('close', () => connections.delete(socket));
    });
    let resumed = 0;
    server.on('secureConnection', (socket: TLSSocket) => {
      if (socket.isSessionReused()) resumed++;
    });
    const dropAll = async () => {
      for (const socket of connections) socket.destroy();
      // The gateway notices before the next request.
      await new Promise((resolve) => setTimeout(resolve, 200));
    };
    expect(await ask('/one')).toBe('200');
    use(certificates.renewed);
    await dropAll();
    expect(await ask('/two')).toBe('200');

    for (const name of ['expired', 'foreign', 'other'] as const) {
      use(certificates[name]);
      expect(await ask(`/kept-${name}`), name).toBe('200');
      await dropAll();
      expect(await ask(`/refused-${name}`), name).toBe('502 "upstream_certificate"');
      use(certificates.good);
      expect(await ask(`/again-${name}`), name).toBe('200');
    }
    // An expiring one: a session opened while it was valid does not outlive it.
    const keys = Buffer.alloc(48, 7);
    const notAfter = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 7_000);
    use(authority.issue({ names: [rotating], notAfter }), keys);
    for (const path of ['/opened', '/resumed']) {
      await dropAll();
      expect(await ask(path)).toBe('200');
    }
    expect(resumed).toBeGreaterThan(0);
    // Not a single timer: the clock of a virtual machine may be set back meanwhile.
    await expect.poll(() => Date.now()).toBeGreaterThan(notAfter.getTime() + 1_000);
    await dropAll();
    expect(await ask('/refused-since-it-ran-out')).toBe('502 "upstream_certificate"');
    use(certificates.renewed, keys);
    expect(await ask('/renewed')).toBe('200');
    expect(served.filter((path) => path.startsWith('/refused'))).toEqual([]);
  });
});

describe('name servers', () => {
  const name = 'site.example';
  const get = async () => {
    const at = `${name}:${origin.port}`;
    const text = await exchangeRaw(gateway.proxyPort, `GET http://${at}/ HTTP/1.1\r\nHost: ${at}\r\n\r\n`, {
      until: isCompleteAnswer,
    });
    return Number(text.split(' ')[1]);
  };
  const tunnel = async () => {
    const { status, socket } = await openTunnel(gateway, `${name}:${origin.port}`);
    socket.destroy();
    return status;
  };

  test.each([
    ['that do not know the name', undefined, [502]],
    ['that fail', 'servfail' as const, [502, 504]],
    ['that are silent', 'silent' as const, [502, 504]],
  ])('%s are an error, with immediate recovery', async (_kind, fault, statuses) => {
    if (fault === undefined) delete nameServer.names[name];
    else nameServer.names[name] = fault;
    expect(statuses).toContain(await tunnel());
    expect(statuses).toContain(await get());
    // Meanwhile requests that need no name server work.
    answer = (response) => void response.end('"here"');
    const socket = await openTls(gateway, `${host}:443`);
    expect((await sendRaw(socket, request(host))).status).toBe(200);
    socket.destroy();
    nameServer.names[name] = ['127.0.0.1'];
    expect(await tunnel()).toBe(200);
  });
});
