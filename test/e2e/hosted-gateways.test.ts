/** Gateways that share a process with others of the tests must not hide what a process of their own would show. */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makePlace } from '../support/gateway.ts';
import type { FromHost, ToHost } from '../support/gateway-host.ts';
import { plainEnv } from '../support/run.ts';

const hosts: ChildProcess[] = [];
afterAll(() => {
  for (const host of hosts) host.kill('SIGKILL');
});

/** A process of gateways that first runs this code, and the messages that it sends. */
function startHost(code: string) {
  const host = fork(join(import.meta.dirname, '../support/hosted-gateways.ts'), {
    env: plainEnv(),
    execArgv: ['--import', `data:text/javascript,${encodeURIComponent(code)}`],
    silent: true,
  });
  hosts.push(host);
  const heard: FromHost[] = [];
  host.on('message', (message: FromHost) => heard.push(message));
  return { heard, send: (message: ToHost) => host.send(message) };
}

test('what is written beside the log is in the output of each', async () => {
  const { heard, send } = startHost(`
    setInterval(() => { console.log('a line on stdout'); process.emitWarning('a line on stderr'); }, 50);
  `);
  const { folder, env } = makePlace({});
  send({ id: 1, folder, env });
  for (const line of ['a line on stdout', 'a line on stderr'])
    await expect.poll(() => heard.some((message) => 'line' in message && message.line.includes(line))).toBe(true);
});

test('one that cannot continue is stopped, as its process would end', async () => {
  const { heard, send } = startHost('');
  const { folder, env } = makePlace({ env: { PROXY_STORE: 'sqlite' } });
  const outcome = (id: number) => heard.filter((message) => message.id === id && !('line' in message));
  send({ id: 1, folder, env: { ...env, PROXY_STORE_KEY: 'the first key of this store' } });
  await expect.poll(() => outcome(1)).toMatchObject([{ ports: {} }]);
  send({ id: 1, stop: true });
  await expect.poll(() => outcome(1)).toMatchObject([{}, { isStopped: true }]);
  send({ id: 2, folder, env: { ...env, PROXY_STORE_KEY: 'another key of this store' } });
  await expect.poll(() => outcome(2)).toMatchObject([{ fault: expect.stringContaining('key') }, { isStopped: true }]);
});
