/** Private Redis and PostgreSQL servers on free ports, with their data in a folder of the test. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { programPath } from './programs.ts';
import { tempFolder } from './temp.ts';

/** A server that can be killed and started again on the same port with the same data. */
export type StoreServer = {
  readonly url: string;
  /** Resolves when it answers. */
  start(): Promise<void>;
  /** Ends it as a power cut would: SIGKILL. */
  kill(): Promise<void>;
};

const startMsMax = 20_000;

/** A Redis whose log is on disk before it answers. */
export async function redisServer(): Promise<StoreServer> {
  const dir = tempFolder('redis');
  const port = await freePort();
  const program = programPath('redis-server');
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', '--loglevel', 'warning'];
  const log = ['--appendonly', 'yes', '--appendfsync', 'always'];
  return server(`redis://127.0.0.1:${port}/0`, port, () => spawn(program, [...args, ...log], { stdio: 'ignore' }));
}

/** A PostgreSQL with its standard settings. It refuses to run as root, so root hands it to the user that Debian made. */
export async function postgresServer(): Promise<StoreServer> {
  const bin = dirname(programPath('initdb'));
  const dir = join(tempFolder('postgres'), 'data');
  const port = await freePort();
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  mkdirSync(dir, { mode: 0o700 });
  if (user.uid !== undefined) for (const folder of [dirname(dir), dir]) chownSync(folder, user.uid, user.gid);
  const options = { ...user, cwd: dir, stdio: 'ignore' } as const;
  const init = ['--pgdata', dir, '--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C'];
  const made = spawnSync(join(bin, 'initdb'), [...init, '--no-sync'], options);
  if (made.status !== 0) throw new Error(`initdb failed with ${made.status ?? made.error}`);
  const args = ['-D', dir, '-p', String(port), '-h', '127.0.0.1', '-k', dir];
  return server(`postgres://postgres@127.0.0.1:${port}/postgres`, port, () =>
    spawn(join(bin, 'postgres'), args, options),
  );
}

function server(url: string, port: number, run: () => ChildProcess): StoreServer {
  let child: ChildProcess | undefined;
  // Nothing may outlive the test, not even when the test dies first.
  process.once('exit', () => child?.kill('SIGKILL'));
  return {
    url,
    async start() {
      const until = Date.now() + startMsMax;
      while (true) {
        if (child === undefined || child.exitCode !== null || child.signalCode !== null) child = run();
        if (await answers(port)) return;
        if (Date.now() > until) throw new Error(`the server at port ${port} does not start`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async kill() {
      const ending = child;
      child = undefined;
      if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
      const ended = new Promise((resolve) => ending.once('exit', resolve));
      ending.kill('SIGKILL');
      await ended;
    },
  };
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  await new Promise((resolve) => listener.close(resolve));
  return port;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

function idOf(flag: string): number {
  return Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
}
