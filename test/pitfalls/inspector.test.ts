/** The memory of the gateway contains keys and values: none of Node's ways to inspect it is open. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { kill } from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { type ProcessOptions, startGatewayProcess } from '../support/gateway-process.ts';

async function start(options: ProcessOptions = {}) {
  const gateway = await startGatewayProcess(options);
  onTestFinished(async () => void (await gateway.stop()));
  return gateway;
}

/** The child processes of a process. */
function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

/** The text of a file, empty if it is gone: descriptors may be closed meanwhile. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The TCP ports on which a process listens (proc(5), state 0A). */
function portsOf(pid: number): number[] {
  const own = new Set(
    readdirSync(`/proc/${pid}/fdinfo`).flatMap(
      (fd) => /^ino:\s+(\d+)/m.exec(textOf(`/proc/${pid}/fdinfo/${fd}`))?.[1] ?? [],
    ),
  );
  const lines = ['tcp', 'tcp6'].flatMap((file) =>
    readFileSync(`/proc/${pid}/net/${file}`, 'utf8').split('\n').slice(1),
  );
  return lines.flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    return state === '0A' && own.has(inode) ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : [];
  });
}

test.each<[what: string, config: Record<string, unknown>]>([
  ['one process', {}],
  ['two workers', { workers: 2 }],
])('signals open no inspector and write no file: %s', async (_what, config) => {
  // If another program has the inspector's port, Node's error message also reveals the attempt.
  const gateway = await start({ config, env: { NODE_OPTIONS: '--inspect-port=0' } });
  if ('workers' in config) await gateway.event(({ event }) => event === 'workers_started');
  const family = [gateway.pid, ...childrenOf(gateway.pid)];
  const ports = family.map((pid) => portsOf(pid).sort());
  const files = readdirSync(dirname(gateway.dataDir)).sort();
  for (const pid of family) kill(pid, 'SIGUSR1');
  // It is answered on another thread: a later reload request has been processed by then.
  for (const pid of family) kill(pid, 'SIGHUP');
  await gateway.event(({ event }) => event === 'config_reloaded');
  expect(family.map((pid) => portsOf(pid).sort())).toEqual(ports);
  expect(gateway.output()).not.toContain('Debugger');
  expect(readdirSync(dirname(gateway.dataDir)).sort()).toEqual(files);
});

test('an open inspector prevents start-up in production', async () => {
  const env = { NODE_ENV: 'production', NODE_OPTIONS: '--inspect=127.0.0.1:0' };
  await expect(startGatewayProcess({ env })).rejects.toThrow(/start without --inspect, in NODE_OPTIONS too/);
});
