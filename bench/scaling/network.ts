/**
 * A small network of machines on one: each has a network namespace of its own, with a cable (veth) to one switch
 * (bridge). Everything is inside the namespaces of this process, which end with it, see {@link runIsolated}.
 */
import { type ChildProcess, execFileSync, type SpawnOptions, spawn, spawnSync } from 'node:child_process';

const isolated = 'PRIVET_SCALING_ISOLATED';
/** Reserved for benchmarks of networks (RFC 2544), so that it is nobody's. */
const network = '198.18.0';

/** The address of this process at the switch. */
export const ownAddress = `${network}.1`;
/** All addresses of the network. */
export const networkCidr = `${network}.0/24`;

/**
 * Runs this script again in network, process and mount namespaces of its own: nothing reaches another machine, and what
 * it started ends with it however it ends. Undefined inside, the exit code of the inner run outside.
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

/** Makes the switch, and this process's own port of it. */
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

  /** `number`: its last byte, 2 to 254. */
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

  /** Pulls the cable: packets to and from it vanish without a word to anybody. */
  cut(): void {
    ip('link', 'set', this.name, 'down');
  }

  /** Puts it in again. */
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

  /** The namespace is there when it is another one than ours. */
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
