/** Starting processes, their CPU time and memory from /proc, and certificates for the floor and the origin. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import tls from 'node:tls';

/** Folder of this run; removed at the end. */
export const folder = mkdtempSync(path.join(tmpdir(), 'privet-bench-'));

/** Removes the folder. */
export function cleanUp(): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Creates a CA and a certificate for `names`; returns the files. */
export function makeCertificate(name: string, names: readonly string[]): { cert: string; key: string; ca: string } {
  const file = (suffix: string) => path.join(folder, `${name}-${suffix}`);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...ec,
    '-keyout',
    file('ca.key'),
    '-out',
    file('ca.pem'),
    '-subj',
    `/CN=Bench CA ${name}`,
    '-days',
    '2',
  );
  const san = names.map((name) => (net.isIP(name) ? `IP:${name}` : `DNS:${name}`)).join(',');
  openssl(
    'req',
    ...ec,
    '-keyout',
    file('key.pem'),
    '-out',
    file('csr.pem'),
    '-subj',
    `/CN=${name}`,
    '-addext',
    `subjectAltName=${san}`,
  );
  openssl(
    'x509',
    '-req',
    '-in',
    file('csr.pem'),
    '-CA',
    file('ca.pem'),
    '-CAkey',
    file('ca.key'),
    '-CAcreateserial',
    '-copy_extensions',
    'copy',
    '-out',
    file('cert.pem'),
    '-days',
    '2',
  );
  return { cert: file('cert.pem'), key: file('key.pem'), ca: file('ca.pem') };
}

/** A process under measurement, with its first JSON lines. */
export type Running = {
  readonly child: ChildProcess;
  readonly pid: number;
  line(matches: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
};

/** Starts a script of this project and reads its JSON lines. */
export function start(script: string, args: readonly string[], env: Record<string, string>): Running {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, '..', script), ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: folder, ...env },
    stdio: ['ignore', 'pipe', process.env.BENCH_DEBUG ? 'inherit' : 'ignore'],
  });
  const lines: Record<string, unknown>[] = [];
  const waiting: {
    matches: (line: Record<string, unknown>) => boolean;
    resolve: (line: Record<string, unknown>) => void;
  }[] = [];
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (text) => {
    if (lines.length > 20) return;
    let line: Record<string, unknown>;
    try {
      line = JSON.parse(text);
    } catch {
      return;
    }
    lines.push(line);
    for (const waiter of waiting) if (waiter.matches(line)) waiter.resolve(line);
  });
  return {
    child,
    pid: child.pid as number,
    line: (matches) =>
      new Promise((resolve, reject) => {
        const found = lines.find(matches);
        if (found) return resolve(found);
        waiting.push({ matches, resolve });
        child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
        setTimeout(() => reject(new Error(`${script} did not start`)), 60_000).unref();
      }),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}

const ticksPerSecond = 100;

/** CPU seconds (user and system) of a process and its children. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  let ticks = Number(fields[11]) + Number(fields[12]);
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const children = readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').trim();
    for (const child of children === '' ? [] : children.split(' ')) ticks += cpuSeconds(Number(child)) * ticksPerSecond;
  }
  return ticks / ticksPerSecond;
}

/** Resident memory in KiB. */
export function rssKiB(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]);
}

/** Starts another program as a target; waits until its port accepts connections and its root exists. */
export async function spawnTarget(options: {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Record<string, string>;
  readonly port: number;
  readonly ca: string;
  readonly originCa: string;
}): Promise<Target> {
  const { name, command, port, ca, originCa } = options;
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH ?? '', HOME: folder, ...options.env },
    stdio: ['ignore', 'ignore', process.env.BENCH_DEBUG ? 'inherit' : 'ignore'],
  });
  let ended: number | null | undefined;
  child.once('exit', (code) => (ended = code));
  const deadline = Date.now() + 20_000;
  while (!existsSync(ca) || !(await takesConnections(port))) {
    if (ended !== undefined) throw new Error(`${name} ended with ${ended}`);
    if (Date.now() > deadline) throw new Error(`${name} did not start`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const stop = () =>
    new Promise<void>((resolve) => {
      if (ended !== undefined) return resolve();
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  const process_: Running = {
    child,
    pid: child.pid as number,
    line: () => Promise.reject(new Error('no lines')),
    stop,
  };
  return { name, process: process_, port, ca, originCa };
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Opens a tunnel through a proxy, optionally from a given local address; resolves after the 200. */
export function openTunnel(proxyPort: number, target: string, localAddress?: string): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port: proxyPort, host: '127.0.0.1', localAddress, noDelay: true });
    socket.once('error', reject);
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
    let text = '';
    const onData = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (!text.includes('\r\n\r\n')) return;
      socket.off('data', onData);
      if (text.startsWith('HTTP/1.1 200')) resolve(socket);
      else reject(new Error(text.slice(0, 200)));
    };
    socket.on('data', onData);
  });
}

/** TLS over a tunnel. */
export function secure(socket: net.Socket, servername: string, ca: string): Promise<tls.TLSSocket> {
  return new Promise((resolve, reject) => {
    const secured = tls.connect({ socket, servername, ca: readFileSync(ca) });
    secured.once('error', reject);
    secured.once('secureConnect', () => resolve(secured));
  });
}

/** Sends one request and waits for its answer (Content-Length or chunked) on a kept connection. */
export function roundTrip(socket: tls.TLSSocket | net.Socket, request: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let need = -1;
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (need === -1) {
        const head = Buffer.concat(chunks);
        const end = head.indexOf('\r\n\r\n');
        if (end === -1) return;
        const text = head.toString('latin1', 0, end);
        if (!text.startsWith('HTTP/1.1 200')) {
          socket.off('data', onData);
          reject(new Error(head.toString('utf8').slice(0, 400)));
          return;
        }
        const length = /content-length: (\d+)/i.exec(text)?.[1];
        need = length === undefined ? Number.POSITIVE_INFINITY : end + 4 + Number(length);
      }
      const ended =
        need === Number.POSITIVE_INFINITY
          ? Buffer.concat(chunks).subarray(-5).toString() === '0\r\n\r\n'
          : size >= need;
      if (!ended) return;
      socket.off('data', onData);
      resolve(Buffer.concat(chunks));
    };
    socket.on('data', onData);
    socket.write(request);
  });
}

/** A proxy under measurement, and the root for its clients. */
export type Target = {
  readonly name: string;
  readonly process: Running;
  readonly port: number;
  readonly ca: string;
  readonly originCa: string;
};
/** Ports of the origin (bench/origin.ts). */
export type Ports = {
  readonly httpPort: number;
  readonly tlsPort: number;
  readonly echoPort: number;
  readonly bulkPort: number;
};

/** Runs `work` `count` times, `lanes` at once. */
export async function inParallel(count: number, lanes: number, work: (i: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (next < count) await work(next++);
    }),
  );
}

/** Resolves when a socket ends. */
export function untilEnd(socket: net.Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.on('data', () => {});
    socket.once('end', resolve);
    socket.once('error', reject);
  });
}

/** The median of at least one figure. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}
