/**
 * A small network of machines on one host: each is a network namespace with a cable (veth) to one switch (bridge).
 * Everything is inside namespaces of this process and ends with it; see {@link runIsolated}.
 */
import { type ChildProcess, execFileSync, type SpawnOptions, spawn, spawnSync } from 'node:child_process';

const isolated = 'PRIVET_SCALING_ISOLATED';
/** Reserved for network benchmarks (RFC 2544). */
const network = '198.18.0';

/** The address of this process at the switch. */
export const ownAddress = `${network}.1`;
/** All addresses of the network. */
export const networkCidr = `${network}.0/24`;

/**
 * Runs this script again in its own network, process and mount namespaces: nothing reaches other machines, and all its
 * processes end with it. Returns undefined inside, the exit code of the inner run outside.
 */
export function runIsolated(script: string): number | undefined {
  if (process.env[isolated] !== undefined) return undefined;
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    process.stderr.write('Replicas in network namespaces need root on Linux.\n');
    return 1;
  }
  const end = ['setpriv', '--pdeathsig', 'KILL'];
  const apart = ['unshare', '--net', '--pid', '--mount', '--fork', '--kill-child', '--mount-proc'];
  const [program = '', ...args] = [...end, ...apart, process.execPath, script, ...process.argv.slice(2)];
  const { status } = spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, [isolated]: '1' } });
  return status ?? 1;
}

/** Creates the switch, and this process's port. */
export function makeSwitch(): void {
  ip('link', 'set', 'lo', 'up');
  ip('link', 'add', 'switch', 'type', 'bridge');
  ip('addr', 'add', `${ownAddress}/24`, 'dev', 'switch');
  ip('link', 'set', 'switch', 'up');
}

/** A machine of the network. */
export class Host {
  readonly name: string;
  readonly address: string;
  readonly #holder: ChildProcess;

  /** `number`: the last byte of its address, 2 to 254. */
  constructor(name: string, number: number) {
    this.name = name;
    this.address = `${network}.${number}`;
    this.#holder = spawn('unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' });
    this.#untilApart();
    ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(this.#holder.pid));
    ip('link', 'set', name, 'master', 'switch', 'up');
    for (const [dev, ...rest] of [['lo'], ['eth0', `${this.address}/24`]] as const) {
      if (rest[0] !== undefined) this.#inside('ip', 'addr', 'add', rest[0], 'dev', dev);
      this.#inside('ip', 'link', 'set', dev, 'up');
    }
  }

  /** Starts a program there. */
  spawn(command: readonly string[], options: SpawnOptions): ChildProcess {
    const [program, ...args] = this.#entered(command) as [string, ...string[]];
    return spawn(program, args, options);
  }

  /** Pulls the cable: packets to and from it are dropped silently. */
  cut(): void {
    ip('link', 'set', this.name, 'down');
  }

  /** Plugs the cable in again. */
  repair(): void {
    ip('link', 'set', this.name, 'up');
  }

  #entered(command: readonly string[]): string[] {
    return ['nsenter', `--net=/proc/${this.#holder.pid}/ns/net`, ...command];
  }

  #inside(...command: string[]): void {
    const [program, ...args] = this.#entered(command) as [string, ...string[]];
    execFileSync(program, args);
  }

  /** The namespace exists once it differs from ours. */
  #untilApart(): void {
    const own = execFileSync('readlink', ['/proc/self/ns/net'], { encoding: 'utf8' });
    for (let tries = 0; tries < 200; tries++) {
      const found = spawnSync('readlink', [`/proc/${this.#holder.pid}/ns/net`], { encoding: 'utf8' }).stdout;
      if (found !== '' && found !== own) return;
      execFileSync('sleep', ['0.02']);
    }
    throw new Error(`no network namespace for ${this.name}`);
  }
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'inherit'] });
}
