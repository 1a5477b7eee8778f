/** Starting and stopping the process: what it says and which exit code it gives. */
import { spawn } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { proxiedFetch } from '../support/clients.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { startOrigin } from '../support/origin.ts';
import { plainEnv, type RunResult, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const main = resolve(import.meta.dirname, '../../gateway/main.ts');

function serve(env: Record<string, string>): Promise<RunResult> {
  const folder = tempFolder('start');
  const base = { PORT: '0', GATEWAY_PORT: '0', PROXY_DATA_DIR: join(folder, 'data') };
  return run(process.execPath, [main, 'serve'], { env: { ...base, ...env }, cwd: folder });
}

/** The lines a person sees: JSON log lines by their message, others as they are. */
function sentences(result: RunResult): string {
  return `${result.text}\n${result.stderr}`;
}

test('an error of the environment is reported without its secret', async () => {
  const result = await serve({ PROXY_STORE: 'postgres', PROXY_STORE_URL: 'postgres://u:geheim@h:99999/x' });
  expect(result.code).toBe(2);
  expect(sentences(result)).toContain('PROXY_STORE_URL: must be');
  expect(sentences(result)).not.toContain('geheim');
});

describe('an impossible start ends with one sentence and exit code 1', () => {
  test('a port in use at the first start: the next start shows the admin key', async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as { port: number };
    const data = join(tempFolder('first'), 'data');
    for (const name of ['PORT', 'GATEWAY_PORT']) {
      const failed = await serve({ [name]: String(port), PROXY_DATA_DIR: data });
      expect([failed.code, sentences(failed)]).toEqual([1, expect.not.stringContaining('pvt_admin_')]);
      expect(sentences(failed)).toContain(String(port));
      expect(sentences(failed)).not.toMatch(/^\s+at /m);
    }
    server.close();
    const start = () => startGatewayProcess({ env: { PROXY_DATA_DIR: data, PROXY_ADMIN_KEY: '' } });
    const first = await start();
    await first.stop();
    const [, key = ''] = /Admin key +(\S+)/.exec(first.output()) ?? [];
    expect(key).toMatch(/^pvt_admin_/);

    const reset = await run(process.execPath, [main, 'keys', 'reset-admin'], { env: { PROXY_DATA_DIR: data } });
    expect([reset.code, reset.text.trim()]).toEqual([0, expect.stringMatching(/^pvt_admin_[0-9A-Za-z]{32}$/)]);
    const gateway = await start();
    expect(gateway.output()).not.toContain('Admin key');
    const statusOf = async (key: string) =>
      (await fetch(`${gateway.apiUrl}/admin/overview`, { headers: { authorization: `Bearer ${key}` } })).status;
    expect(await statusOf(key)).toBe(401);
    expect(await statusOf(reset.text.trim())).toBe(200);
  });

  test.each(process.platform === 'linux' ? ['/proc/privet/data', '/dev/null/data'] : ['/dev/null/data'])(
    'a data folder that cannot be created: %s',
    async (dataDir) => {
      const result = await serve({ PROXY_DATA_DIR: dataDir });
      expect(result.code).toBe(1);
      expect(sentences(result)).toContain(dataDir);
      expect(sentences(result)).not.toMatch(/^\s+at /m);
    },
  );

  test('an unknown host name', async () => {
    const result = await serve({ GATEWAY_HOST: 'gateway.invalid' });
    expect(result.code).toBe(1);
    expect(sentences(result)).not.toMatch(/^\s+at /m);
  });
});

test('a restart with the same data folder keeps the CA, and fails if others can read its key', async () => {
  const dataDir = join(tempFolder('twice'), 'data');
  const rules = [{ when: { kinds: ['chatt'] }, then: {} }];
  const first = await startGatewayProcess({ env: { PROXY_DATA_DIR: dataDir }, config: { policy: { rules } } });
  onTestFinished(() => void first.stop());
  expect((await first.event((line) => line.event === 'config_warning')).msg).toContain('did you mean "chat"?');
  await first.stop();
  const second = await startGatewayProcess({ env: { PROXY_DATA_DIR: dataDir } });
  onTestFinished(() => void second.stop());
  expect(second.ca).toBe(first.ca);
  const pac = await fetch(`${second.proxyUrl}/proxy.pac`);
  expect(pac.headers.get('content-type')).toContain('application/x-ns-proxy-autoconfig');
  expect(await pac.text()).toContain('function FindProxyForURL');
  expect((await fetch(`${second.proxyUrl}/ca.crt`)).headers.get('content-type')).toContain(
    'application/x-x509-ca-cert',
  );
  expect((await fetch(`${second.apiUrl}/health`)).status).toBe(200);
  expect((await fetch(`${second.apiUrl}/ready`)).status).toBe(200);
  await second.stop();
  const folder = join(dataDir, 'ca');
  const keys = readdirSync(folder).filter((name) => /key/i.test(name));
  expect(keys.length).toBeGreaterThan(0);
  for (const key of keys) chmodSync(join(folder, key), 0o644);
  const third = await serve({ PROXY_DATA_DIR: dataDir });
  expect(third.code).toBe(1);
  expect(sentences(third)).toMatch(/key/i);
  expect(sentences(third)).not.toMatch(/^\s+at /m);
});

test('SIGTERM before it listens exits with code 0, with and without workers', async () => {
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as { port: number };
  for (const WORKERS of ['1', '2']) {
    const folder = tempFolder('start');
    const child = spawn(process.execPath, [main, 'serve'], {
      // A server that says nothing: the start waits for its store.
      env: {
        ...plainEnv(),
        PORT: '0',
        GATEWAY_PORT: '0',
        PROXY_DATA_DIR: join(folder, 'data'),
        PROXY_STORE: 'redis',
        PROXY_STORE_URL: `redis://127.0.0.1:${port}`,
        PROXY_STORE_KEY: Buffer.alloc(32, 7).toString('base64'),
        WORKERS,
      },
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise<unknown>((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
    let told = '';
    child.stdout.on('data', (text) => (told += text));
    await new Promise((resolve) => silent.once('connection', resolve));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(told).not.toContain('"listening"');
  }
});

test('SIGTERM lets a running response finish and exits with code 0', async () => {
  let finish: () => void = () => undefined;
  let started: () => void = () => undefined;
  const arrived = new Promise<void>((done) => {
    started = done;
  });
  const origin = await startOrigin({
    names: ['api.openai.com'],
    handler: (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"n":1}\n\n');
      finish = () => response.end('data: {"n":2}\n\n');
      started();
    },
  });
  const gateway = await startGatewayProcess({ hosts: { 'api.openai.com': origin } });
  const { fetch: through, dispatcher } = proxiedFetch(gateway);
  const answer = await through('https://api.openai.com/v1/x');
  await arrived;
  const exit = gateway.stop();
  // The listeners close first; only then may the answer continue.
  await expect
    .poll(() =>
      fetch(`${gateway.proxyUrl}/proxy.pac`).then(
        () => 'open',
        () => 'closed',
      ),
    )
    .toBe('closed');
  // A load balancer is informed while the answer continues.
  const ready = await fetch(`${gateway.apiUrl}/ready`);
  expect(ready.status).toBe(503);
  finish();
  expect(await answer.text()).toBe('data: {"n":1}\n\ndata: {"n":2}\n\n');
  await dispatcher.close();
  expect(await exit).toBe(0);
});

test.skipIf(process.platform !== 'linux')('SIGHUP during start-up does not end the process', async () => {
  const dataDir = join(tempFolder('start'), 'data');
  const env = { ...plainEnv(), PORT: '0', GATEWAY_PORT: '0', PROXY_DATA_DIR: dataDir };
  const child = spawn(process.execPath, [main, 'serve'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  /** Bit 0 of the signals that are caught. */
  const catches = () => /^SigCgt:.*[13579bdf]$/m.test(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
  await expect.poll(catches, { interval: 5 }).toBe(true);
  expect(said).not.toContain('listening');
  child.kill('SIGHUP');
  await expect.poll(() => said).toContain('"listener":"api"');
  expect(child.exitCode).toBeNull();
});
