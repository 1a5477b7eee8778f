/**
 * Hosts that authenticate their clients: by a client certificate, or by authenticating a connection (NTLM, Negotiate).
 */
import { spawn } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashPassword } from '../../gateway/users/password-hash.ts';
import { TestAuthority } from '../support/authority.ts';
import { proxiedFetch } from '../support/clients.ts';
import { freePort } from '../support/free-port.ts';
import { startGateway } from '../support/gateway.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { listening } from '../support/listening.ts';
import { startOrigin } from '../support/origin.ts';
import { programPath } from '../support/programs.ts';
import { run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';
import { openHttp2, openTls, sendRaw, sendTls } from '../support/tunnel.ts';

const authority = new TestAuthority();
const folder = tempFolder('identity');
const write = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const get = (host: string, ...more: string[]) => `${['GET / HTTP/1.1', `Host: ${host}`, ...more].join('\r\n')}\r\n\r\n`;

const passphrase = ['a', 'secret'].join(' ');
const gateway = await startGateway({ authority, env: { KEY_PASSPHRASE: passphrase, OTHER: 'x' } });

test('the trust store of the machine counts', async () => {
  const origin = await startOrigin({ names: ['api.openai.com'], authority });
  const gateway = await startGatewayProcess({
    hosts: { 'api.openai.com': origin },
    config: { upstream: { ca_file: null } },
    env: { SSL_CERT_FILE: authority.file },
  });
  const { fetch: through, dispatcher } = proxiedFetch(gateway);
  expect((await through('https://api.openai.com/v1/models')).status).toBe(200);
  await dispatcher.close();
});

describe('client certificates', () => {
  const people = new TestAuthority('People');
  let server: ReturnType<typeof createSecureServer>;
  let strict: ReturnType<typeof spawn>;
  let strictPort: number;

  beforeAll(async () => {
    const names = ['api.openai.com', 'api.anthropic.com'];
    server = createSecureServer(
      { ...authority.issue({ names }), ca: people.pem, requestCert: true, rejectUnauthorized: false },
      (request, response) => {
        const certificate = (
          request.socket as never as { getPeerCertificate(): { subject?: { CN?: string } } }
        ).getPeerCertificate();
        response.end(`hello ${certificate?.subject?.CN ?? 'nobody'}`);
      },
    );
    const port = await listening(server);
    const address = `127.0.0.1:${port}`;
    // OpenSSL's own server, because Node's closes such a connection without a reason.
    const own = authority.issue({ names: ['generativelanguage.googleapis.com'] });
    strictPort = await freePort();
    strict = spawn(programPath('openssl'), [
      ...['s_server', '-quiet', '-www', '-accept', `127.0.0.1:${strictPort}`, '-Verify', '1', '-verify_return_error'],
      ...['-cert', write('strict.pem', own.cert), '-key', write('strict.key', own.key), '-CAfile', people.file],
    ]);
    const { cert, key } = people.issue({ names: [], person: { name: 'gateway' } });
    const sealed = createPrivateKey(key).export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase });
    await gateway.configure({
      upstream: {
        resolve: {
          'api.openai.com': address,
          'api.anthropic.com': address,
          'generativelanguage.googleapis.com': `127.0.0.1:${strictPort}`,
        },
        client_certs: [
          {
            host: 'openai.com',
            cert_file: write('gateway.pem', cert),
            key_file: write('gateway.key', sealed.toString()),
            passphrase_env: 'KEY_PASSPHRASE',
          },
        ],
      },
    });
  });
  afterAll(async () => {
    strict?.kill();
    server?.closeAllConnections();
    server?.close();
  });

  test('are presented to their host only', async () => {
    const bodyFrom = async (host: string) => {
      const { body } = await sendTls(gateway, `${host}:443`, get(host));
      return body.toString();
    };
    expect(await bodyFrom('api.openai.com')).toBe('hello gateway');
    expect(await bodyFrom('api.anthropic.com')).toBe('hello nobody');
  });

  test.each(['-tls1_2', '-tls1_3'])('the client learns that a host requires one (%s)', async (version) => {
    strict.kill();
    await new Promise((resolve) => strict.once('close', resolve));
    strict = spawn(programPath('openssl'), [
      ...strict.spawnargs.slice(1).filter((arg) => !arg.startsWith('-tls')),
      version,
    ]);
    await reachable(strictPort);
    const host = 'generativelanguage.googleapis.com';
    const { status, body } = await sendTls(gateway, `${host}:443`, get(host));
    expect([status, body.toString()]).toEqual([
      502,
      expect.stringMatching(/client certificate.*upstream\.client_certs/),
    ]);
  });

  test.each<[name: string, change: object, says: RegExp]>([
    ['a missing file', { key_file: '/nowhere' }, /upstream\.client_certs\[0\]\.key_file: \/nowhere cannot be read/],
    ['a missing passphrase', { passphrase_env: 'NOT_SET' }, /the environment has no NOT_SET/],
    ['a wrong passphrase', { passphrase_env: 'OTHER' }, /openai\.com cannot be used/],
  ])('%s is rejected with one sentence', async (_name, change, says) => {
    const certificate = {
      host: 'openai.com',
      cert_file: join(folder, 'gateway.pem'),
      key_file: join(folder, 'gateway.key'),
      passphrase_env: 'OTHER',
    };
    const config = { upstream: { client_certs: [{ ...certificate, ...change }] } };
    await expect(gateway.configure(config)).rejects.toThrow(says);
  });
});

describe.each(['plain', 'intercepted'] as const)('authenticated connections, %s', (mode) => {
  const host = mode === 'plain' ? 'intranet.example' : 'api.openai.com';
  const users = new WeakMap<object, string>();
  const connections = new Set<object>();
  const people = ['ann', 'ben'].map((name) => ({ name, password_hash: hashPassword(name) }));
  let server: ReturnType<typeof createServer>;

  /** Challenge, then the identity that authenticated the connection: NTLM without its cryptography. */
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    connections.add(request.socket);
    const [, token = ''] = (request.headers.authorization ?? '').split(' ');
    const text = Buffer.from(token, 'base64').toString();
    if (text.startsWith('user ')) users.set(request.socket, text.slice(5));
    const user = users.get(request.socket);
    if (user !== undefined) return void response.end(`hello ${user}`);
    if (request.headers.authorization === undefined) response.setHeader('www-authenticate', ['NTLM', 'Negotiate']);
    else response.setHeader('www-authenticate', `NTLM ${Buffer.from('challenge').toString('base64')}`);
    response.writeHead(401).end();
  };

  beforeAll(async () => {
    server =
      mode === 'plain' ? createServer(onRequest) : createSecureServer(authority.issue({ names: [host] }), onRequest);
    // Clients lose a connection that the origin closes, as Node does after five idle seconds.
    server.keepAliveTimeout = 600_000;
    const port = await listening(server);
    await gateway.configure({
      upstream: { resolve: { [host]: `127.0.0.1:${port}` } },
      auth: { proxy: { mode: 'basic', exempt: ['loopback'], users: people } },
    });
  });
  afterAll(async () => {
    server?.closeAllConnections();
    server?.close();
  });

  const open = async (): Promise<Socket> =>
    mode === 'plain' ? connect(gateway.proxyPort, '127.0.0.1') : openTls(gateway, `${host}:443`);
  const ask = async (socket: Socket, ...fields: string[]) => {
    const bytes = get(host, ...fields);
    const { status, body } = await sendRaw(
      socket,
      mode === 'plain' ? bytes.replace(' / ', ` http://${host}/ `) : bytes,
    );
    return `${status} ${body}`;
  };
  const ntlm = (text: string) => `Authorization: NTLM ${Buffer.from(text).toString('base64')}`;

  test('belong to the client that authenticated them, and end with it', async () => {
    const [ann, ben, nobody] = [await open(), await open(), await open()];
    expect(await ask(ann)).toMatch(/^401 /);
    expect(await ask(ann, ntlm('negotiate'))).toMatch(/^401 /);
    expect(await ask(ann, ntlm('user ann'))).toBe('200 hello ann');
    expect(await ask(ben, ntlm('negotiate'))).toMatch(/^401 /);
    expect(await ask(ben, ntlm('user ben'))).toBe('200 hello ben');
    for (let i = 0; i < 5; i++) {
      expect(await ask(nobody)).toMatch(/^401 /);
      expect(await ask(ann)).toBe('200 hello ann');
      expect(await ask(ben)).toBe('200 hello ben');
    }
    // One for the pool and one for each authenticated client.
    expect(connections.size).toBe(3);
    const closed = [...connections].map(
      (socket) => new Promise((resolve) => (socket as Socket).once('close', resolve)),
    );
    ann.destroy();
    ben.destroy();
    await Promise.race(closed);
    const late = await open();
    for (let i = 0; i < 5; i++) expect(await ask(late)).toMatch(/^401 /);
    nobody.destroy();
    late.destroy();
  });

  test.each([
    ['with a tab', (token: string) => [`Authorization: NTLM\t${token}`]],
    ['after another field', (token: string) => ['Authorization: Bearer x', `Authorization: NTLM ${token}`]],
  ])('are used for nobody else, also when authenticated %s', async (_name, fields) => {
    const token = Buffer.from('user ann').toString('base64');
    const [ann, nobody] = [await open(), await open()];
    await ask(ann, ...fields(token));
    for (let i = 0; i < 3; i++) expect(await ask(nobody)).toMatch(/^401 /);
    ann.destroy();
    nobody.destroy();
  });

  test.runIf(mode === 'plain')('belong to one user of a shared client connection', async () => {
    const socket = await open();
    const as = (name: string) => `Proxy-Authorization: Basic ${Buffer.from(`${name}:${name}`).toString('base64')}`;
    expect(await ask(socket, as('ann'), ntlm('user ann'))).toBe('200 hello ann');
    expect(await ask(socket, as('ann'))).toBe('200 hello ann');
    expect(await ask(socket, as('ben'))).toMatch(/^401 /);
    expect(await ask(socket, as('ann'))).toBe('200 hello ann');
    socket.destroy();
  });

  test.runIf(mode === 'intercepted')(
    'a client that authenticates over HTTP/2 is told to use HTTP/1.1 too',
    async () => {
      const session = await openHttp2(gateway, `${host}:443`);
      const stream = session.request({ ':path': '/', authorization: ntlm('user ann').replace('Authorization: ', '') });
      const error = await new Promise<{ message: string }>((resolve) => stream.once('error', resolve));
      expect(error.message).toContain('HTTP_1_1_REQUIRED');
      const next = session.request({ ':path': '/' });
      const again = await new Promise<{ message: string }>((resolve) => next.once('error', resolve));
      expect(again.message).toContain('HTTP_1_1_REQUIRED');
      session.destroy();
    },
  );

  test.runIf(mode === 'intercepted')('an HTTP/2 client is told to use HTTP/1.1', async () => {
    const session = await openHttp2(gateway, `${host}:443`);
    const stream = session.request({ ':path': '/' });
    const error = await new Promise<{ code?: string; message: string }>((resolve) => stream.once('error', resolve));
    expect(error.message).toContain('HTTP_1_1_REQUIRED');
    session.destroy();
    const args = ['-sS', '--http2', '--proxy', gateway.proxyUrl, '--cacert', gateway.caFile, '-o', '/dev/null'];
    const result = await run('curl', [...args, '-w', '%{http_version} %{http_code}', `https://${host}/`]);
    expect(result.text).toBe('1.1 401');
  });
});

/** Resolves when something listens on the port. */
async function reachable(port: number): Promise<void> {
  for (;;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
