/**
 * Runs the gateways of a test process, one after the other or beside each other; started by gateway-host.ts. Each is
 * complete, with listeners, stores and files of its own, and shares with the others only the loaded modules.
 */
import { readConfiguration } from '../../gateway/configuration.ts';
import { start } from '../../gateway/gateway.ts';
import type { StartedGateway } from '../../gateway/running-gateway.ts';
import { packageVersion } from '../../gateway/version.ts';
import type { FromHost, ToHost } from './gateway-host.ts';

const running = new Map<number, StartedGateway>();
/** Those that have been started; one that cannot continue is not running. */
const known = new Set<number>();

function tell(message: FromHost): void {
  if (process.connected) process.send?.(message);
}

async function open(id: number, folder: string, env: Readonly<Record<string, string>>): Promise<void> {
  // Relative paths in a configuration.
  process.chdir(folder);
  known.add(id);
  let isLost = false;
  const gateway = await start({
    ...readConfiguration({ env }),
    env,
    version: packageVersion(),
    isSilent: true,
    sink: { write: (line) => tell({ id, line }) },
    onFatal(error) {
      isLost = true;
      tell({ id, fault: String(error) });
      // A process of its own would end.
      if (running.has(id)) void close(id);
    },
  });
  running.set(id, gateway);
  if (isLost) await close(id);
  else tell({ id, ports: gateway.ports });
}

async function close(id: number): Promise<void> {
  const gateway = running.get(id);
  running.delete(id);
  await gateway?.stop();
  tell({ id, isStopped: true });
}

process.on('message', ({ id, ...task }: ToHost) => {
  const done = 'env' in task ? open(id, task.folder, task.env) : close(id);
  done.catch((error: Error) => tell({ id, fault: error.stack ?? String(error) }));
});
process.on('disconnect', () => process.exit());
// As in `serve`.
process.on('unhandledRejection', (error) => {
  for (const gateway of running.values()) gateway.fault(error);
});
// What is written beside the log belongs to the output of a gateway too, and nobody can say of which.
for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = (...args: readonly unknown[]) => {
    for (const id of known) tell({ id, line: String(args[0]) });
    return write(...args);
  };
}
