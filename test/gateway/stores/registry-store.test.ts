import { rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PrivetError } from '../../../core/errors.ts';
import { openStores } from '../../../gateway/stores/open-stores.ts';
import { following } from '../../../gateway/stores/records.ts';
import { RegistryFile } from '../../../gateway/stores/registry-file.ts';
import { RegistryStore } from '../../../gateway/stores/registry-store.ts';
import type { Stores } from '../../../gateway/stores/stores.ts';
import { ServiceRegistry } from '../../../policy/registry.ts';
import { serviceId } from '../../../policy/service.ts';
import { tempFolder } from '../../support/temp.ts';
import { silentLog } from './silent-log.ts';

const shippedRegistry = new ServiceRegistry();
for (const name of ['one', 'two', 'three']) {
  shippedRegistry.add({ service_name: name, domain: `${name}.example`, category: 'approved' });
}
const shipped = shippedRegistry.list();

const memoryStores = () =>
  openStores({ store: 'memory', dataDir: tempFolder('registry'), tokenTtlMs: 0 }, { log: silentLog });

/** The registry as one process sees it. */
function replica(stores: Stores, dataDir = tempFolder('registry')) {
  const file = RegistryFile.open(dataDir);
  const registry = new ServiceRegistry(file.apply(shipped).services);
  const changed: string[][] = [];
  const names = () =>
    registry
      .list()
      .map(({ key, category }) => `${key} ${category}`)
      .sort();
  const store = new RegistryStore({
    stores,
    registry,
    shipped: () => shipped,
    file,
    log: silentLog,
    onChanged: () => void changed.push(names()),
  });
  return { store, registry, names, changed, dataDir, file };
}

test('changes by one process are based on the shared state and reach the others and their files', async () => {
  const stores = await memoryStores();
  const [a, b] = [replica(stores), replica(stores)];
  await a.store.add({ service_name: 'four', domain: 'four.example', category: 'blocked' });
  await b.store.update(serviceId('one'), { category: 'monitoring' });
  await a.store.remove(serviceId('two'));
  const expected = ['four blocked', 'one monitoring', 'three approved'];
  for (const { names, changed } of [a, b]) {
    await expect.poll(names).toEqual(expected);
    await expect.poll(() => changed.at(-1)).toEqual(expected);
  }
  await expect(b.store.add({ service_name: 'x', domain: 'four.example', category: 'blocked' })).rejects.toMatchObject({
    code: 'conflict',
  });
  await expect(b.store.update(serviceId('two'), { category: 'blocked' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(b.store.add({ service_name: 'x' })).rejects.toMatchObject({ code: 'invalid_input' });
  expect(a.names()).toEqual(expected);
  // A start while the store is unavailable begins with the last known state.
  expect(
    RegistryFile.open(b.dataDir)
      .apply(shipped)
      .services.map(({ key }) => key)
      .sort(),
  ).toEqual(['four', 'one', 'three']);
  expect(await a.store.add({ service_name: 'two again', domain: 'two.example', category: 'approved' })).toMatchObject({
    id: serviceId('two-again'),
    key: 'two-again',
  });
});

test('a read-only data folder does not prevent changes from applying', async () => {
  const { store, changed, dataDir, file } = replica(await memoryStores());
  rmSync(dataDir, { recursive: true });
  writeFileSync(dataDir, 'no folder');
  await store.update(serviceId('one'), { category: 'blocked' });
  await expect.poll(() => changed.at(-1)).toEqual(['one blocked', 'three approved', 'two approved']);
  // The services that a reload begins with.
  expect(file.apply(shipped).services.find(({ key }) => key === 'one')).toMatchObject({ category: 'blocked' });
});

test('two processes cannot both register one host', async () => {
  const stores = await memoryStores();
  const [a, b] = [replica(stores), replica(stores)];
  const input = { service_name: 'new', domain: 'new.example', category: 'blocked' };
  const results = await Promise.allSettled([a.store.add(input), b.store.add({ ...input, service_name: 'other' })]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('changes made before there was a store are copied into an empty one only', async () => {
  const dataDir = tempFolder('before');
  const file = RegistryFile.open(dataDir);
  const one = new ServiceRegistry(shipped).update(serviceId('one'), { category: 'blocked' });
  file.replace({ services: new Map([[one.key, one]]), removed: new Set(['two']) });
  const stores = await memoryStores();
  const early = replica(stores, dataDir);
  const late = replica(stores);
  for (const { names } of [early, late]) await expect.poll(names).toEqual(['one blocked', 'three approved']);
  const other = tempFolder('other');
  RegistryFile.open(other).replace({ services: new Map(), removed: new Set(['three']) });
  const third = replica(stores, other);
  await expect.poll(third.names).toEqual(['one blocked', 'three approved']);
});

test('a change that could not be read at notification is read a moment later', async () => {
  const stores = await memoryStores();
  let failures = 3;
  const { records } = stores;
  const flaky: Stores = {
    ...stores,
    records: {
      get: records.get.bind(records),
      write: records.write.bind(records),
      list: async (kind) => {
        if (failures-- > 0) throw new PrivetError('unavailable', 'It is still loading.');
        return records.list(kind);
      },
    },
  };
  const [a, b] = [replica(stores), replica(flaky)];
  await a.store.add({ service_name: 'four', domain: 'four.example', category: 'blocked' });
  await expect.poll(b.names).toContain('four blocked');
  expect(failures).toBeLessThan(0);
});

test('a call at the very moment when reading ends reads again', async () => {
  let reads = 0;
  const follow = following(async () => void reads++);
  for (let ticks = 0; ticks < 8; ticks++) {
    reads = 0;
    const first = follow();
    for (let i = 0; i < ticks; i++) await undefined;
    await Promise.all([first, follow()]);
    expect(reads).toBe(2);
  }
});
