/** Private Redis and PostgreSQL servers on free ports, with their data in a folder of the test. */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, chownSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { closedAtEnd } from './closing.ts';
import { freePort } from './free-port.ts';
import { programPath } from './programs.ts';
import { tempFolder } from './temp.ts';

/** A server that can be killed and started again on the same port with the same data. */
export type StoreServer = {
  readonly url: string;
  /** Resolves when it answers. */
  start(): Promise<void>;
  /** Ends it like a power failure: SIGKILL. */
  kill(): Promise<void>;
};

/** Where a server runs: its address, and how programs are started there. */
export type Place = {
  readonly address: string;
  spawn(command: readonly string[], options: SpawnOptions): ChildProcess;
};

const startMsMax = 180_000;
const here: Place = {
  address: '127.0.0.1',
  spawn: ([program = '', ...args], options) => spawn(program, args, options),
};

/** A Redis whose log is on disk before it answers. */
export async function redisServer(place: Place = here): Promise<StoreServer> {
  const dir = tempFolder('redis');
  const port = await freePort();
  const program = programPath('redis-server');
  const listen = ['--port', String(port), '--bind', place.address, '--protected-mode', 'no'];
  const log = ['--dir', dir, '--save', '', '--loglevel', 'warning', '--appendonly', 'yes', '--appendfsync', 'always'];
  return server(`redis://${place.address}:${port}/0`, { host: place.address, port }, () =>
    place.spawn([program, ...listen, ...log], { stdio: 'ignore' }),
  );
}

/** A PostgreSQL with its standard settings. It refuses to run as root, so root runs it as Debian's user. */
export async function postgresServer(place: Place = here): Promise<StoreServer> {
  const bin = dirname(programPath('initdb'));
  const user: User = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  const dir = join(folderOf(user), 'data');
  const port = await freePort();
  copy(emptyCluster(join(bin, 'initdb'), user), dir);
  const options = { ...user, cwd: dir, stdio: 'ignore' } as const;
  if (place !== here) appendFileSync(join(dir, 'pg_hba.conf'), 'host all all samenet trust\n');
  const listen = ['-p', String(port), '-h', place.address, '-k', dir];
  return server(`postgres://postgres@${place.address}:${port}/postgres`, { host: place.address, port }, () => {
    const command = [join(bin, 'postgres'), '-D', dir, ...listen];
    // Starting it elsewhere needs root there; it changes the user afterwards.
    if (place === here || user.uid === undefined) return place.spawn(command, options);
    const handOver = ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
    return place.spawn([...handOver, ...command], { cwd: '/', stdio: 'ignore' });
  });
}

/** The account of a server; empty: that of this process. */
type User = { readonly uid?: number; readonly gid?: number };

/** A temporary folder that belongs to a user. */
function folderOf({ uid, gid }: User): string {
  const folder = tempFolder('postgres');
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return folder;
}

/** The data of a new PostgreSQL, to be copied: `initdb` takes a second of CPU, so its result is kept between runs. */
function emptyCluster(initdb: string, user: User): string {
  const options = ['--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C', '--no-sync'];
  const maker = JSON.stringify([initdb, statSync(initdb).mtimeMs, user, options]);
  const name = `postgres-${createHash('sha256').update(maker).digest('hex').slice(0, 16)}`;
  const kept = resolve(import.meta.dirname, '../../node_modules/.cache', name);
  if (existsSync(kept)) return kept;
  const dir = join(folderOf(user), 'new');
  const made = spawnSync(initdb, ['--pgdata', dir, ...options], { ...user, cwd: dirname(dir), stdio: 'ignore' });
  if (made.status !== 0) throw new Error(`initdb failed with ${made.status ?? made.error}`);
  mkdirSync(dirname(kept), { recursive: true });
  // Other test processes may do the same at this moment.
  const own = `${kept}.${process.pid}`;
  copy(dir, own);
  try {
    renameSync(own, kept);
  } catch {
    rmSync(own, { recursive: true });
  }
  return kept;
}

/** Copies a folder with its owners. */
function copy(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cp: ${stderr}`);
}

/** The servers that run. Nothing may outlive the tests, even if their process dies first. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

function server(url: string, at: { host: string; port: number }, run: () => ChildProcess): StoreServer {
  let child: ChildProcess | undefined;
  const begin = () => {
    const begun = run();
    running.add(begun);
    begun.once('exit', () => running.delete(begun));
    return begun;
  };
  const kill = async () => {
    const ending = child;
    child = undefined;
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = new Promise((resolve) => ending.once('exit', resolve));
    ending.kill('SIGKILL');
    await ended;
  };
  closedAtEnd(kill);
  return {
    url,
    kill,
    async start() {
      const until = Date.now() + startMsMax;
      while (true) {
        if (child === undefined || child.exitCode !== null || child.signalCode !== null) child = begin();
        if (await answers(at)) return;
        if (Date.now() > until) throw new Error(`the server at port ${at.port} does not start`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}

function answers(at: { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(at);
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

function idOf(flag: string): number {
  return Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
}
