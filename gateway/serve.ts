/** Runs the gateway process: loads the configuration, starts the gateway or its workers, and handles signals. */

import { environmentOf, type Flags } from '../config/environment.ts';
import { type Config, ConfigError, formatProblem } from '../config/load.ts';
import { PrivetError } from '../core/errors.ts';
import { type Configuration, readConfiguration } from './configuration.ts';
import { createLog } from './observe/log.ts';
import type { RunningGateway, StartOptions } from './running-gateway.ts';
import { Workers, workerCount, workersBeside } from './workers.ts';

/** Loads the configuration and starts both listeners; if that fails, ends the process with one clear message. */
export async function serve(options: {
  env: Readonly<Record<string, string | undefined>>;
  flags?: Flags;
  version: string;
}): Promise<void> {
  const isWorker = process.send !== undefined && options.env.PRIVET_WORKER !== undefined;
  // A reload requested during start-up runs after it: the configuration may have been read before it changed.
  let isReloadWanted = false;
  process.on('SIGHUP', () => {
    isReloadWanted = true;
  });
  // There is nothing to finish yet. PID 1 of a container has no default signal action, so exit explicitly.
  process.on('SIGTERM', endAtOnce);
  process.on('SIGINT', endAtOnce);
  const onStarted = (gateway: RunningGateway) => {
    // Terminals, systemd and container runtimes signal every process, and the supervisor signals its workers again.
    onSignals(gateway, isWorker ? 'ignore-second' : undefined);
    // An unhandled rejection belongs to one exchange, which ends by its time limits; the others can continue.
    process.on('unhandledRejection', (error) => gateway.fault(error));
    if (isReloadWanted) gateway.reload();
  };
  let loaded: Configuration;
  try {
    loaded = readConfiguration(options);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) process.stderr.write(`${formatProblem(problem)}\n`);
    process.exit(2);
  }
  try {
    const count = workerCount(loaded.config);
    if (count > 1 && !isWorker)
      await superviseWorkers(count, loaded, { ...options.env, ...environmentOf(options.flags) });
    else {
      const { config } = loaded;
      const { start } = await import('./gateway.ts');
      const worker = isWorker ? { worker: options.env.PRIVET_WORKER, workers: workersBeside(options.env) } : {};
      onStarted(await start({ ...loaded, ...options, ...worker, onFatal: (error) => endWith(error, config) }));
    }
  } catch (error) {
    endWith(error, loaded.config);
  }
}

/** Runs as the process that starts the workers and forwards signals. */
async function superviseWorkers(count: number, { config, settings }: Configuration, env: StartOptions['env']) {
  const { log, flush } = createLog({ level: settings.logLevel });
  const workers = new Workers({ env, log });
  const running: RunningGateway = {
    stop: () => workers.stop().then(flush),
    reload() {
      workers.signal('SIGHUP');
    },
    fault: (error) => log.error({ event: 'fault', error }, 'unhandled failure'),
  };
  onSignals(running, () => workers.kill());
  process.on('unhandledRejection', (error) => running.fault(error));
  const exitCode = await workers.start(count, config.listen);
  if (exitCode !== undefined) process.exit(exitCode);
  log.info({ event: 'workers_started', workers: count }, 'each worker is a complete gateway on the same ports');
}

/** Ends the process with one message. */
function endWith(error: unknown, config: Config): never {
  const isLicense = error instanceof PrivetError && error.code === 'license_invalid';
  process.stderr.write(`${isLicense ? 'LICENSE ERROR' : 'privet'}: ${startError(error, config)}\n`);
  process.exit(1);
}

/** System errors for an address that cannot be listened on. */
const addressFaults = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL', 'ENOTFOUND', 'EAI_AGAIN']);

/** Fields that the system adds to listen errors. */
type Listened = { readonly port: number; readonly address: string; readonly hostname: string };

/** One message for the operator. */
function startError(error: unknown, config: Config): string {
  const { code, port, address, hostname } = error as NodeJS.ErrnoException & Partial<Listened>;
  if (error instanceof PrivetError) return error.message;
  if (code === 'EADDRINUSE') {
    if (port === config.listen.proxy_tls?.listen.port)
      return `Port ${port} is in use by another program; choose another with listen.proxy_tls.listen.`;
    const [what, name] = port === config.listen.api.port ? ['API and consoles', 'PORT'] : ['proxy', 'GATEWAY_PORT'];
    return `Port ${port} (${what}) is in use by another program, or Privet runs already; choose another with ${name}.`;
  }
  if (code === 'EACCES') return `Port ${port} may not be used by this user; choose one above 1023.`;
  if (code !== undefined && addressFaults.has(code))
    return `${address ?? hostname ?? 'The address to listen on'} does not belong to this machine; check listen.proxy, listen.api and listen.proxy_tls.`;
  return (error as Error).stack ?? String(error);
}

function endAtOnce(): never {
  process.exit(0);
}

/**
 * `onSecond` runs at a second termination signal, before the process exits without waiting; `ignore-second` ignores
 * that signal.
 */
function onSignals(gateway: RunningGateway, onSecond: (() => void) | 'ignore-second' = () => {}): void {
  let stopping = false;
  const stop = () => {
    if (stopping) {
      if (onSecond === 'ignore-second') return;
      onSecond();
      process.exit(1);
    }
    stopping = true;
    void gateway.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT']) process.off(signal, endAtOnce).on(signal, stop);
  process.on('SIGHUP', () => gateway.reload());
}
