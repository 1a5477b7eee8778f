/** The configurations that are shipped for others to start from are read without an error. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { loadConfig } from '../../config/load.ts';
import { tempFolder } from '../support/temp.ts';

const root = join(import.meta.dirname, '../..');

test.each(['config/default.yaml', 'deploy/privet.yaml'])('%s', (file) => {
  const { config } = loadConfig({ file: join(root, file), env: {} });
  expect(config.listen.proxy.port).toBe(3128);
});

test('the values of the chart', () => {
  const values = parse(readFileSync(join(root, 'deploy/helm/privet/values.yaml'), 'utf8')) as { config: unknown };
  const file = join(tempFolder('shipped'), 'privet.yaml');
  writeFileSync(file, stringify(values.config));
  expect(loadConfig({ file, env: {} }).config.auth.clients).toEqual(['private']);
});
