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

function tell(message: FromHost): void {
  if (process.connected) process.send?.(message);
}

async function open(id: number, folder: string, env: Readonly<Record<string, string>>): Promise<void> {
  // Relative paths in a configuration.
  process.chdir(folder);
  const gateway = await start({
    ...readConfiguration({ env }),
    env,
    version: packageVersion(),
    isSilent: true,
    sink: { write: (line) => tell({ id, line }) },
    onFatal: (error) => tell({ id, fault: String(error) }),
  });
  running.set(id, gateway);
  tell({ id, ports: gateway.ports });
}

async function close(id: number): Promise<void> {
  await running.get(id)?.stop();
  running.delete(id);
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
process.on('warning', (warning) => {
  for (const id of running.keys()) tell({ id, line: String(warning) });
});
