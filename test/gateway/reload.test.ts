/** What the reader of the configuration does where its files cannot be looked at. */
import { renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Metrics } from '../../gateway/observe/metrics.ts';
import { Reloader } from '../../gateway/reload.ts';
import { openMemoryStores } from '../../gateway/stores/memory.ts';
import { tempFolder } from '../support/temp.ts';
import { silentLog } from './stores/silent-log.ts';

test('a file behind a loop of links, or in a folder that is closed to us, is a problem and no end of the process', async () => {
  const file = join(tempFolder('reload'), 'privet.yaml');
  writeFileSync(file, 'a');
  const stores = openMemoryStores({ ttlMs: 0 });
  onTestFinished(() => stores.close());
  let isReadable = true;
  const reloader = new Reloader({
    apply: () => {
      if (!isReadable) throw new Error('cannot be read');
      return { warnings: [], services: 0, needRestart: [] };
    },
    files: () => [file],
    warnings: [],
    stores,
    metrics: new Metrics(),
    log: silentLog,
    watchMs: 5,
  });
  onTestFinished(() => reloader.close());
  reloader.start({ watch: true });
  isReadable = false;
  renameSync(file, `${file}.old`);
  symlinkSync(file, file);
  expect(await reloader.reload('signal')).toEqual(['cannot be read']);
  isReadable = true;
  renameSync(`${file}.old`, file);
  await expect.poll(() => reloader.state.problems).toEqual([]);
});
