/** Starts a gateway process of its own, as `npm start` does: for tests of signals, memory, workers or the start itself. */
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { closedAtEnd } from './closing.ts';
import { type Gateway, type GatewayOptions, gatewayAt, makePlace } from './gateway.ts';
import { GatewayLog } from './gateway-log.ts';
import { plainEnv } from './run.ts';

/** Options of {@link startGatewayProcess}. */
export type ProcessOptions = GatewayOptions & {
  /** A program with arguments that starts the gateway as its child, after some preparation. */
  readonly within?: readonly string[];
  /** The module to start. Default: the one of this repository. */
  readonly program?: string;
};

/** A running process; `stop` returns its exit code. */
export type GatewayProcess = Omit<Gateway, 'stop'> & {
  readonly pid: number;
  readonly stop: () => Promise<number | null>;
};

const root = resolve(import.meta.dirname, '../..');
const startMsMax = 180_000;

/**
 * Starts `gateway/main.ts serve` and waits until both listeners listen.
 * @throws Error with the process's output if it ends or stays silent before that
 */
export async function startGatewayProcess(options: ProcessOptions = {}): Promise<GatewayProcess> {
  const place = makePlace(options);
  const command = [process.execPath, options.program ?? join(root, 'gateway/main.ts'), 'serve'];
  const [program = '', ...args] = [...(options.within ?? []), ...command];
  const child = spawn(program, args, {
    cwd: place.folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...plainEnv(),
      // The machine's trust store, which takes 35 ms to read, is left out.
      SSL_CERT_FILE: '/dev/null',
      SSL_CERT_DIR: place.folder,
      // The repository's modules contain no links; not resolving them saves a fifteenth of a start's CPU. The packages of
      // an unpacked program are links (see packed.ts).
      ...(options.program === undefined && { NODE_PRESERVE_SYMLINKS: '1' }),
      ...place.env,
    },
  });
  // Nothing may outlive the test, even if the test process dies first.
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const log = new GatewayLog();
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => log.add(line));
  const exited = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      process.off('exit', kill);
      log.end();
      resolve(code);
    });
  });
  const port = async (listener: string): Promise<number> => {
    const event = await log.event((line) => line.event === 'listening' && line.listener === listener, startMsMax);
    return Number(event.port);
  };
  const stop = closedAtEnd(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    const code = await exited;
    place.remove();
    return code;
  });

  try {
    const [proxy, api] = await Promise.all([port('proxy'), port('api')]);
    return { ...(await gatewayAt({ place, ports: { proxy, api }, log, stop })), pid: child.pid ?? 0, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
