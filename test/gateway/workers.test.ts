/** The process that starts the workers, while the system refuses to start any. */
import { readdirSync, readFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Workers } from '../../gateway/workers.ts';
import { plainEnv } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

function children(): number[] {
  return readdirSync('/proc/self/task')
    .flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'latin1').trim().split(' '))
    .filter((pid) => pid !== '')
    .map(Number);
}

test.runIf(process.platform === 'linux')('a worker that cannot start is retried', async () => {
  const events: Record<string, unknown>[] = [];
  const note = (fields: Record<string, unknown>) => void events.push(fields);
  const log = { info: note, warn: note, error: note } as unknown as ConstructorParameters<typeof Workers>[0]['log'];
  const free = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => free.once('listening', resolve));
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  const env = {
    ...plainEnv(),
    PROXY_DATA_DIR: join(tempFolder('workers'), 'data'),
    PROXY_STORE: 'sqlite',
    GATEWAY_PORT: String(port),
    PORT: '0',
    WORKERS: '2',
  };
  const workers = new Workers({ env, log });
  const { execPath } = process;
  onTestFinished(async () => {
    process.execPath = execPath;
    await workers.stop();
  });
  const before = new Set(children());
  const own = () => children().filter((pid) => !before.has(pid));
  const listen = { proxy: { host: '127.0.0.1', port }, api: { host: '127.0.0.1', port: 0 } };
  expect(await workers.start(2, listen as never)).toBeUndefined();
  expect(own()).toHaveLength(2);
  process.execPath = '/nowhere/node';
  process.kill(own()[0] as number, 'SIGKILL');
  await expect.poll(() => events.filter(({ event }) => event === 'worker_ended').length).toBe(2);
  expect(events.at(-1)).toMatchObject({ signal: 'ENOENT' });
  process.execPath = execPath;
  await expect.poll(() => own().length).toBe(2);
});
