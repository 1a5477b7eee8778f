/** Processes of the soak, and their system figures. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

const answerMsMax = 600_000;

/** A process that responds to messages. */
export class Child {
  readonly process: ChildProcess;
  readonly name: string;
  /** The first warnings and errors on stderr, and log lines of level error. */
  readonly complaints: string[] = [];
  #ended: string | undefined;
  #asked = 0;
  #hear: (message: Record<string, unknown>) => void = () => {};
  readonly #lines: ((line: Record<string, unknown>) => void)[] = [];

  /** `args`: arguments for Node, including the script. */
  constructor(name: string, args: readonly string[], env: Record<string, string> = {}) {
    this.name = name;
    this.process = spawn(process.execPath, args, {
      cwd: path.join(import.meta.dirname, '../..'),
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const kill = () => void this.process.kill('SIGKILL');
    process.once('exit', kill);
    this.process.once('exit', (code, signal) => {
      process.off('exit', kill);
      this.#ended = `${name} ended with ${signal ?? code}`;
    });
    this.process.setMaxListeners(0);
    this.process.on('message', (message) => this.#hear(message as Record<string, unknown>));
    createInterface({ input: this.process.stderr as NodeJS.ReadableStream }).on('line', (line) => {
      // Ignore start-up output and the warning about counting objects.
      if (/Warning\b|Error\b|^ +at /.test(line) && !line.includes('ExperimentalWarning')) this.#complain(line);
    });
    createInterface({ input: this.process.stdout as NodeJS.ReadableStream }).on('line', (line) => this.#read(line));
  }

  get pid(): number {
    return this.process.pid as number;
  }

  /** Why the process has ended. */
  get ended(): string | undefined {
    return this.#ended;
  }

  /** The first unsolicited message. */
  ready<T>(): Promise<T> {
    return this.#until<T>((resolve) => {
      this.#hear = (message) => resolve(message as T);
    });
  }

  /** The next matching log line. */
  line(matches: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    return this.#until((resolve) => this.#lines.push((line) => matches(line) && resolve(line)));
  }

  /** Sends a command and waits for its response; one at a time. */
  ask<T>(order: object): Promise<T> {
    const id = ++this.#asked;
    return this.#until<T>((resolve) => {
      this.process.on('message', function listen(this: ChildProcess, message) {
        if ((message as { id?: number }).id !== id) return;
        this.off('message', listen);
        resolve(message as T);
      });
      this.process.send({ ...order, id });
    });
  }

  /** Sends a command without waiting for its response. */
  tell(order: object): void {
    this.process.send({ ...order, id: ++this.#asked });
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    return new Promise((resolve) => {
      if (this.#ended !== undefined) return resolve(this.process.exitCode);
      this.process.once('exit', (code) => resolve(code));
      this.process.kill(signal);
    });
  }

  #until<T>(begin: (resolve: (value: T) => void) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(new Error(this.#ended));
      const onExit = () => reject(new Error(`${this.#ended}\n${this.complaints.join('\n')}`));
      const timer = setTimeout(() => reject(new Error(`${this.name} does not answer`)), answerMsMax);
      this.process.once('exit', onExit);
      begin((value) => {
        clearTimeout(timer);
        this.process.off('exit', onExit);
        resolve(value);
      });
    });
  }

  #complain(line: string): void {
    if (this.complaints.length < 20) this.complaints.push(line);
  }

  #read(text: string): void {
    if (!text.startsWith('{')) return;
    const line = JSON.parse(text) as Record<string, unknown>;
    if (line.level === 'error' || line.level === 'fatal' || Number(line.level) >= 50) this.#complain(text);
    for (const listener of this.#lines) listener(line);
  }
}

/** The targets of a process's open descriptors, without those closed in the meantime. */
function* openTargets(pid: number): Generator<string> {
  for (const fd of readdirSync(`/proc/${pid}/fd`)) {
    try {
      yield readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      // Closed after the folder was read.
    }
  }
}

/** Open descriptors of a process by kind: sockets, pipes, files, and the kernel's own (`eventpoll` …). */
export function descriptors(pid: number): Record<string, number> {
  const kinds: Record<string, number> = {};
  for (const target of openTargets(pid)) {
    const kind = target.startsWith('/')
      ? 'file'
      : (/^anon_inode:\[?([a-z]+)/.exec(target)?.[1] ?? target.split(':')[0]);
    kinds[kind as string] = (kinds[kind as string] ?? 0) + 1;
  }
  return kinds;
}

/** The local ports with an open IPv4 connection of the process; Linux, proc_pid_net(5) and proc_pid_fd(5). */
export function heldPorts(pid: number, ports: readonly number[]): number[] {
  const own = new Set<string>();
  for (const target of openTargets(pid)) {
    const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
    if (inode !== undefined) own.add(inode);
  }
  const held = new Set<number>();
  for (const line of readFileSync(`/proc/${pid}/net/tcp`, 'utf8').split('\n').slice(1)) {
    const [, local = '', , , , , , , , inode = '0'] = line.trim().split(/\s+/);
    // Other processes may have a connection with the same local port to another address.
    if (own.has(inode)) held.add(Number.parseInt(local.split(':')[1] ?? '0', 16));
  }
  return ports.filter((port) => held.has(port));
}

/** Number of threads of a process. */
export function threads(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).length;
}

/** Descriptor limit of this process and its children. */
export function descriptorLimit(): number {
  return Number(/Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 1_024);
}

/** Total size of all files below a folder. */
export function folderBytes(folder: string): number {
  let bytes = 0;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const stat = statSync(path.join(folder, name), { throwIfNoEntry: false });
    if (stat?.isFile()) bytes += stat.size;
  }
  return bytes;
}
