/** Processes and connections, as Linux reports them. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Socket } from 'node:net';

/** Ids of the child processes of a process. */
export function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').trim().split(' '))
    .filter((child) => child !== '')
    .map(Number);
}

/** How many sockets listen on a port of 127.0.0.1; with SO_REUSEPORT each process has its own. */
export function listenersOn(port: number): number {
  const address = addressOf('127.0.0.1', port);
  return connections().filter(({ local, state }) => local === address && state === '0A').length;
}

/** The process with the other end of a client's connection; undefined before it is accepted. */
export function holderOf(client: Socket, pids: readonly number[]): number | undefined {
  const local = addressOf(client.remoteAddress ?? '', client.remotePort ?? 0);
  const remote = addressOf(client.localAddress ?? '', client.localPort ?? 0);
  const end = connections().find((one) => one.local === local && one.remote === remote);
  if (end === undefined || end.inode === '0') return undefined;
  return pids.find((pid) => filesOf(pid).includes(`socket:[${end.inode}]`));
}

function connections() {
  const lines = readFileSync('/proc/net/tcp', 'latin1').trim().split('\n').slice(1);
  return lines.map((line) => {
    const [, local, remote, state, , , , , , inode] = line.trim().split(/\s+/);
    return { local, remote, state, inode };
  });
}

/** The open files of a process; none once it has ended. */
function filesOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).map((name) => linkOf(`${folder}/${name}`));
  } catch {
    return [];
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // Closed meanwhile.
  }
}

/** As in /proc/net/tcp: the bytes of the address in reverse. */
function addressOf(host: string, port: number): string {
  const bytes = host.split('.').map(Number).reverse();
  return `${Buffer.from(bytes).toString('hex')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}
