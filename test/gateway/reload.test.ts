/** The configuration reader: files that cannot be checked, and settings that need a restart. */
import { renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../config/load.ts';
import type { Config } from '../../config/schema.ts';
import { Metrics } from '../../gateway/observe/metrics.ts';
import { Reloader, restartKeys } from '../../gateway/reload.ts';
import { openMemoryStores } from '../../gateway/stores/memory.ts';
import { tempFolder } from '../support/temp.ts';
import { silentLog } from './stores/silent-log.ts';

test('a file behind a link loop, or in an inaccessible folder, is reported and does not end the process', async () => {
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

const configOf = (text: string) => parseConfig(text, 'f.yaml').config as Config;

test.each<[text: string, keys: string[]]>([
  ['{}', []],
  ['listen: { api: 1 }', ['listen']],
  ['workers: 2', ['workers']],
  ['reload: { watch: false }', ['reload.watch']],
  ['upstream: { ca_file: /ca.pem }', []],
  ['upstream: { timeouts: { connect: 9s, dns: 9s, first_byte: 9s, body_idle: 9s } }', []],
  ...['header', 'body', 'tls', 'keep_alive', 'tunnel_idle', 'drain', 'drain_delay'].map((key): [string, string[]] => [
    `upstream: { timeouts: { ${key}: 9s } }`,
    [`upstream.timeouts.${key}`],
  ]),
])('%s needs a restart: %j', (text, keys) => {
  expect(restartKeys(configOf('{}'), configOf(text))).toEqual(keys);
});
