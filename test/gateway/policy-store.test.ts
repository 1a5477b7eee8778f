import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../config/load.ts';
import { PolicyStore, policyInFolder } from '../../gateway/policy-store.ts';
import { openMemoryStores } from '../../gateway/stores/memory.ts';
import { Policy } from '../../policy/decide.ts';
import { ServiceRegistry } from '../../policy/registry.ts';
import { tempFolder } from '../support/temp.ts';
import { silentLog } from './stores/silent-log.ts';

const { config } = loadConfig({ env: {} });
const registry = new ServiceRegistry();
registry.add({ service_name: 'Bad', domain: 'bad.example', category: 'blocked' });

function storesUnderTest() {
  const stores = openMemoryStores({ ttlMs: 0 });
  onTestFinished(() => stores.close());
  return stores;
}

async function following(dataDir = tempFolder('policy'), stores = storesUnderTest()) {
  const store = new PolicyStore({ stores, dataDir, log: silentLog });
  let changes = 0;
  store.follow(() => changes++);
  await stores.opened;
  await new Promise((resolve) => setImmediate(resolve));
  const decide = (host: string, who: { user?: string; from?: string } = {}, now?: Date) => {
    const { policy } = store.effective(config);
    const decision = new Policy({ registry, config: policy }).decide({ host, port: 443, ...who, ...(now && { now }) });
    return `${decision.action} ${decision.ruleKind}`;
  };
  return { store, stores, dataDir, decide, changes: () => changes };
}

describe('a policy that replaces the one in the file', () => {
  test.each([
    "rules: [{ name: a, when: { hosts: ['::ffff:10.0.0.0/8'] }, then: { action: block } }]",
    "bypass: ['fe80::1%eth0']",
  ])('is refused and not stored if it could not be published: %s', async (yaml) => {
    const { store, stores, dataDir, decide } = await following();
    await expect(store.replace(yaml, '0')).rejects.toMatchObject({ code: 'invalid_input' });
    expect([store.state.version, decide('x.example')]).toEqual(['0', 'allow unknown']);
    expect((await stores.records.list('policy')).records.size).toBe(0);
    expect(policyInFolder(dataDir, config)).toEqual(config.policy);
  });

  test('applies until reverted, also for the next process', async () => {
    const { store, dataDir, decide, changes } = await following();
    expect([store.state, decide('x.example')]).toEqual([{ version: '0', source: 'file', yaml: null }, 'allow unknown']);
    expect(await store.replace('unknown: block', '0')).toBe('1');
    expect([decide('x.example'), changes()]).toEqual(['block unknown', 1]);
    expect(policyInFolder(dataDir, config).unknown).toBe('block');

    const next = await following(dataDir);
    expect([next.store.state.version, next.decide('x.example')]).toEqual(['1', 'block unknown']);
    expect(await next.store.replace(null, '1')).toBe('2');
    expect([next.decide('x.example'), next.store.state.source]).toEqual(['allow unknown', 'file']);
    expect((await following(dataDir)).store.state).toEqual({ version: '2', source: 'file', yaml: null });
  });

  test('may use a type that only a later version knows', async () => {
    const { store, dataDir } = await following();
    await store.replace('rules: [{ when: {}, then: { types: { LATER: block } } }]', '0');
    expect((await following(dataDir)).store.effective(config).policy.rules[0]?.then.types).toEqual({ LATER: 'block' });
  });

  test('applies even if the data folder is not writable, with a warning that a restart would lose it', async () => {
    const stores = storesUnderTest();
    const [one, other] = [
      await following(tempFolder('policy'), stores),
      await following(tempFolder('policy'), { ...stores, kind: 'redis' }),
    ];
    for (const { dataDir } of [one, other]) {
      rmSync(dataDir, { recursive: true });
      writeFileSync(dataDir, 'no folder');
    }
    await expect(one.store.replace('unknown: block', '0')).rejects.toMatchObject({ code: 'unavailable' });
    for (const { decide, changes } of [one, other]) {
      await expect.poll(changes).toBe(1);
      expect(decide('x.example')).toBe('block unknown');
    }
    expect(await other.store.replace('unknown: warn', '1')).toBe('2');
  });

  test('of two changes to the same version, the later one is refused', async () => {
    const { store } = await following();
    await store.replace('unknown: block', '0');
    await expect(store.replace('unknown: warn', '0')).rejects.toMatchObject({
      code: 'conflict',
      details: { version: '1' },
    });
    await expect(store.replace('unknown: never', '1')).rejects.toMatchObject({
      code: 'invalid_input',
      details: [expect.objectContaining({ line: 1, column: 10, key: 'unknown' })],
    });
    expect(store.state).toMatchObject({ version: '1', yaml: 'unknown: block' });
  });

  test('reaches another process that shares the store', async () => {
    const one = await following();
    const two = await following(undefined, one.stores);
    await one.store.replace('unknown: block', undefined);
    await expect.poll(() => two.decide('x.example')).toBe('block unknown');
  });

  test('a damaged file prevents start-up with one sentence', () => {
    const dataDir = tempFolder('policy');
    writeFileSync(join(dataDir, 'policy.json'), '{"version":');
    expect(() => new PolicyStore({ stores: storesUnderTest(), dataDir, log: silentLog })).toThrow(
      /policy.json is damaged/,
    );
  });
});

describe('exceptions', () => {
  test('a granted one lets this subject use this host, masked, until it expires', async () => {
    const { store, decide, changes } = await following();
    const { exceptions } = store;
    const { id } = await exceptions.file({
      subject: 'ann',
      host: 'BAD.example.',
      service: 'bad',
      reason: ' to\u0007 test \n',
    });
    expect(await exceptions.list({ subject: 'ann' })).toMatchObject([
      { id, host: 'bad.example', state: 'open', reason: 'to\\u0007 test' },
    ]);
    expect(decide('bad.example', { user: 'ann' })).toBe('block service');
    const granted = await exceptions.decide(id, { state: 'granted', ttlMs: 3_600_000, note: 'until Friday' });
    await expect.poll(() => decide('bad.example', { user: 'ann' })).toBe('allow rule');
    expect(store.effective(config).policy.rules[0]).toMatchObject({ then: { action: 'allow', inspect: 'mask' } });
    const later = new Date(Date.parse(String(granted.expires_at)) + 1);
    expect([
      decide('bad.example', { user: 'bob' }),
      decide('bad.example'),
      decide('bad.example', { user: 'ann' }, later),
    ]).toEqual(Array(3).fill('block service'));
    await exceptions.decide(id, { state: 'denied' });
    await expect.poll(() => decide('bad.example', { user: 'ann' })).toBe('block service');
    expect(changes()).toBe(2);
  });

  test('an address is a network, not a user', async () => {
    const { store, decide } = await following();
    const { id } = await store.exceptions.file({ subject: '10.1.2.3', host: 'bad.example', reason: 'x' });
    await store.exceptions.decide(id, { state: 'granted' });
    await expect.poll(() => decide('bad.example', { from: '10.1.2.3' })).toBe('allow rule');
    expect(decide('bad.example', { from: '10.1.2.4' })).toBe('block service');
  });

  test.each(['104523', '127.1', '0x1f'])('a user may be called %s', async (user) => {
    const { store, decide } = await following();
    const { id } = await store.exceptions.file({ subject: user, host: 'bad.example', reason: 'x' });
    await store.exceptions.decide(id, { state: 'granted' });
    await expect.poll(() => store.effective(config).policy.rules.length).toBe(1);
    expect([decide('bad.example', { user }), decide('bad.example', { user: 'bob' })]).toEqual([
      'allow rule',
      'block service',
    ]);
  });

  test('the same host is requested once, and nobody can fill the list', async () => {
    const { exceptions } = (await following()).store;
    const first = await exceptions.file({ subject: 'ann', host: 'bad.example', reason: 'one' });
    expect(await exceptions.file({ subject: 'ann', host: 'bad.example', reason: 'two' })).toMatchObject({
      id: first.id,
      reason: 'two',
    });
    for (let i = 1; i < 20; i++) await exceptions.file({ subject: 'ann', host: `h${i}.example`, reason: 'x' });
    await expect(exceptions.file({ subject: 'ann', host: 'one-more.example', reason: 'x' })).rejects.toMatchObject({
      code: 'too_many_requests',
    });
    expect(await exceptions.file({ subject: 'bob', host: 'one-more.example', reason: 'x'.repeat(900) })).toMatchObject({
      state: 'open',
    });
    await expect(exceptions.file({ subject: 'bob', host: 'a b', reason: 'x' })).rejects.toMatchObject({
      code: 'bad_request',
    });
    await expect(exceptions.file({ subject: 'bob', host: 'b.example', reason: ' ' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await expect(exceptions.decide('nobody', { state: 'denied' })).rejects.toMatchObject({ code: 'not_found' });
  });
});
