import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { PrivetError } from '../../../../core/errors.ts';
import { ProxyListener } from '../../../../gateway/proxy/listen/listener.ts';
import { ProxyProtocol } from '../../../../gateway/proxy/listen/proxy-protocol.ts';

type Options = ConstructorParameters<typeof ProxyListener>[0];

/** A listener that asks every client for a password, and the connections on which it waits for a request. */
async function asking() {
  const parts = {
    timeouts: { headerMs: 60_000, keepAliveMs: 60_000, handshakeMs: 60_000 },
    observer: { connection: () => {}, finished: () => {} },
    admission: {
      checkRoom: () => {},
      enterConnection: () => () => {},
      admit: () => ({ address: '127.0.0.1', subject: '127.0.0.1' }),
      mustSignIn: () => true,
      signIn: async () => {
        throw new PrivetError('proxy_auth_required', 'A password is needed.');
      },
    },
  };
  const listener = new ProxyListener({ parts, proxyProtocol: new ProxyProtocol([]) } as unknown as Options);
  const { port } = await listener.listen('127.0.0.1', 0);
  const { silent, listeners } = listener as unknown as { silent: { size: number }; listeners: net.Server[] };
  onTestFinished(() => void listeners[0]?.close());
  return { port, silent };
}

async function told(socket: Socket, bytes: string, status: string): Promise<void> {
  let text = '';
  const onData = (chunk: Buffer) => {
    text += chunk.toString('latin1');
  };
  socket.on('data', onData);
  socket.write(bytes);
  await expect.poll(() => text).toMatch(/\}$/);
  socket.off('data', onData);
  expect(text).toContain(` ${status} `);
}

// An empty field is one that only the server of gateway/http1 reads.
const heads = {
  plain: 'CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n',
  unusual: 'CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\nX-Empty:\r\n\r\n',
};

test.each([['plain'], ['unusual'], ['plain', 'unusual', 'plain'], ['unusual', 'unusual']] as (keyof typeof heads)[][])(
  'a connection that closes after a 407 leaves nothing behind: %s %s %s',
  async (...kinds) => {
    const { port, silent } = await asking();
    const socket = net.connect(port, '127.0.0.1');
    await once(socket, 'connect');
    for (const kind of kinds.filter(Boolean)) await told(socket, heads[kind], '407');
    expect(silent.size).toBe(1);
    socket.destroy();
    await expect.poll(() => silent.size).toBe(0);
  },
);
