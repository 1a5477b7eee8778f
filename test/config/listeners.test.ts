/** Listeners that would use the same port are rejected, as the system would do, and both are named. */
import { createServer, type Server } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ConfigError, loadConfig } from '../../config/load.ts';
import { freePort } from '../support/free-port.ts';
import { fileOf } from './config-file.ts';

type Options = Parameters<typeof loadConfig>[0];

function problemsOf(options: Options): readonly string[] {
  try {
    loadConfig(options);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
}

const file = (listen: string) => fileOf(`listen: ${listen}\n`, 'listen.yaml');
const shown = (options: Options) => problemsOf(options).map((line) => line.replace(/^.*\/(?=listen\.yaml)/, ''));
const remedy = 'give one of them another port';

test.each<[what: string, options: () => Options, says: string]>([
  [
    'in the file',
    () => ({ file: file('{ proxy: 127.0.0.1:39281, api: 127.0.0.1:39281 }'), env: {} }),
    `listen.yaml:1:40: listen.api: cannot listen on 127.0.0.1:39281 because listen.proxy uses 127.0.0.1:39281: ${remedy}`,
  ],
  [
    'with TLS',
    () => ({
      file: file('{ proxy: 127.0.0.1:39281, proxy_tls: { listen: ":39281", cert_file: a, key_file: b } }'),
      env: {},
    }),
    `listen.yaml:1:56: listen.proxy_tls.listen: cannot listen on 0.0.0.0:39281 because listen.proxy uses 127.0.0.1:39281: ${remedy}`,
  ],
  [
    'in the environment',
    () => ({ env: { PORT: '39377', GATEWAY_PORT: '39377' } }),
    `environment: PORT: cannot listen on 127.0.0.1:39377 because GATEWAY_PORT uses 127.0.0.1:39377: ${remedy}`,
  ],
  [
    'by a flag',
    () => ({ env: { PORT: '39377' }, flags: { gatewayPort: '39377' } }),
    `environment: PORT: cannot listen on 127.0.0.1:39377 because --gateway-port uses 127.0.0.1:39377: ${remedy}`,
  ],
  [
    'with a default',
    () => ({ file: file('{ proxy: 127.0.0.1:3001 }'), env: {} }),
    `listen.yaml:1:18: listen.proxy: cannot listen on 127.0.0.1:3001 because listen.api uses 127.0.0.1:3001: ${remedy}`,
  ],
  [
    'with the environment over the file',
    () => ({ file: file('{ api: 127.0.0.1:4000 }'), env: { GATEWAY_PORT: '4000' } }),
    `environment: GATEWAY_PORT: cannot listen on 127.0.0.1:4000 because listen.api uses 127.0.0.1:4000: ${remedy}`,
  ],
])('the same port %s', (_what, options, says) => {
  expect(shown(options())).toEqual([says]);
});

describe('as the system resolves it', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.1', '127.0.0.2'],
    ['127.1', '127.0.0.1'],
    ['0.0.0.0', '127.0.0.1'],
    ['127.0.0.1', '0.0.0.0'],
    ['::', '127.0.0.1'],
    ['::', '0.0.0.0'],
    ['::', '::1'],
    ['::1', '::1'],
    ['::1', '0:0:0:0:0:0:0:1'],
    ['::1', '127.0.0.1'],
    ['::1', '0.0.0.0'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::ffff:127.0.0.1', '0.0.0.0'],
    ['localhost', 'localhost'],
  ])('%s and %s', async (proxy, api) => {
    const port = await freePort();
    const first = await listening(proxy, port);
    const second = await listening(api, port);
    for (const server of [first, second]) server?.close();
    expect(first).toBeDefined();
    const env = { GATEWAY_HOST: proxy, HOST: api, GATEWAY_PORT: String(port), PORT: String(port) };
    expect(problemsOf({ env }).length > 0).toBe(second === undefined);
  });

  function listening(host: string, port: number): Promise<Server | undefined> {
    const server = createServer();
    return new Promise((resolve) => {
      server.once('error', () => resolve(undefined));
      server.listen(port, host, () => resolve(server));
    });
  }
});

test.each<[what: string, env: Record<string, string>]>([
  ['free ports', { PORT: '0', GATEWAY_PORT: '0' }],
  ['another port', { PORT: '4000', GATEWAY_PORT: '4001' }],
])('%s are fine', (_what, env) => {
  expect(problemsOf({ env })).toEqual([]);
});

test('the default that replaces a wrong value is not compared', () => {
  expect(shown({ file: file('{ proxy: 127.0.0.1:3001, api: nowhere }'), env: {} })).toEqual([
    expect.stringContaining('listen.api: must be host:port'),
  ]);
});
