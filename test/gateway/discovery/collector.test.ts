import { describe, expect, test } from 'vitest';
import { Discovery } from '../../../gateway/discovery/collector.ts';
import { newRecord } from '../../../gateway/proxy/request/record.ts';
import { keepInFile } from '../../../gateway/stores/kept-in-file.ts';
import { openMemoryStores } from '../../../gateway/stores/memory.ts';
import type { Stores } from '../../../gateway/stores/stores.ts';
import type { PolicyDecision } from '../../../policy/decision.ts';
import { ServiceRegistry } from '../../../policy/registry.ts';
import { tempFolder } from '../../support/temp.ts';
import { silentLog } from '../stores/silent-log.ts';

const unknown: PolicyDecision = {
  action: 'allow',
  inspect: 'tunnel',
  rule: 'policy.unknown',
  ruleKind: 'unknown',
  reason: '',
};
const secret = Buffer.alloc(32, 7);
const settings = { enabled: true, shapes: true, ignore: ['own-llm.example'] };

function watch(stores: Stores, more: Partial<ConstructorParameters<typeof Discovery>[0]> = {}) {
  const registry = new ServiceRegistry();
  registry.add({ service_name: 'ChatGPT', domain: 'chatgpt.com', category: 'approved' });
  const discovery = new Discovery({ stores, registry, settings, log: silentLog, secret: () => secret, ...more });
  const visit = (host: string, subject = '10.0.0.1', decision = unknown, bytes = 100) => {
    const record = newRecord('tunnel', { address: subject, subject }, 'CONNECT', host, 443);
    record.decision = decision;
    record.bytesIn = bytes;
    discovery.take(record);
  };
  return { discovery, registry, visit };
}

const memory = () => openMemoryStores({ ttlMs: 0 });

describe('discovery', () => {
  test('groups hosts of a domain, counts each user once and keeps days', async () => {
    const clock = { now: Date.parse('2026-11-20T10:00:00Z') };
    const { discovery, visit } = watch(memory(), { now: () => clock.now });
    for (const subject of ['ann', 'ben', 'ann']) visit('chat.newgpt.ai', subject);
    clock.now += 86_400_000;
    visit('api.newgpt.ai', 'cas');
    expect(discovery.find('api.newgpt.ai')).toMatchObject({
      domain: 'newgpt.ai',
      finding: {
        hosts: ['chat.newgpt.ai', 'api.newgpt.ai'],
        requests: 4,
        bytesUp: 400,
        days: ['2026-11-20', '2026-11-21'],
      },
    });
    expect(discovery.find('newgpt.ai')?.finding.subjects).toHaveLength(3);
    await discovery.close();
  });

  test.each<[name: string, host: string, decision: PolicyDecision]>([
    ['a registered service', 'new.gpt.example', { ...unknown, service: {} as never }],
    ['a bypassed host', 'new.gpt.example', { ...unknown, ruleKind: 'bypass' }],
    ['an ignored host', 'api.own-llm.example', unknown],
    ['an ordinary host', 'www.example.com', unknown],
  ])('ignores %s', async (_name, host, decision) => {
    const { discovery, visit } = watch(memory());
    visit(host, 'ann', decision);
    expect(discovery.list().size).toBe(0);
    await discovery.close();
  });

  test('is off when disabled, and applies new settings', async () => {
    const { discovery, visit } = watch(memory());
    discovery.configure({ ...settings, enabled: false });
    visit('newgpt.ai');
    expect(discovery.list().size).toBe(0);
    discovery.configure({ ...settings, ignore: [] });
    visit('api.own-llm.example');
    expect([...discovery.list().keys()]).toEqual(['own-llm.example']);
    await discovery.close();
  });

  test('inspects the shape of a limited number of exchanges', async () => {
    const clock = { now: 0 };
    const { discovery } = watch(memory(), { now: () => clock.now });
    const request = { host: 'www.example.com', port: 80, method: 'GET', path: '/', rawHeaders: [] };
    const probes = () => Array.from({ length: 100 }, () => discovery.probe(request, unknown)).filter((probe) => probe);
    expect(probes()).toHaveLength(32);
    clock.now += 3_600_000;
    expect(probes()).toHaveLength(32);
    discovery.configure({ ...settings, shapes: false });
    expect(probes()).toHaveLength(0);
    await discovery.close();
  });

  test('evicts the least recently used weak finding, never a decision by an administrator', async () => {
    const { discovery, visit } = watch(memory());
    visit('kept.ai');
    await discovery.decide('kept.ai', { state: 'dismissed' });
    for (let i = 0; i < 2_100; i++) visit(`name-${i}.ai`);
    expect(discovery.list().size).toBeLessThanOrEqual(2_000);
    expect(discovery.list().get('kept.ai')?.state).toBe('dismissed');
    await discovery.close();
  });

  test('is shared by two replicas of a store', async () => {
    const stores = memory();
    const one = watch(stores);
    const two = watch(stores);
    one.visit('newgpt.ai', 'ann');
    two.visit('newgpt.ai', 'ann');
    two.visit('newgpt.ai', 'ben');
    await one.discovery.flush();
    await two.discovery.flush();
    for (const { discovery } of [one, two]) {
      await expect.poll(() => discovery.list().get('newgpt.ai')?.requests).toBe(3);
      expect(discovery.list().get('newgpt.ai')?.subjects).toHaveLength(2);
    }
    await one.discovery.decide('newgpt.ai', { state: 'dismissed' });
    await expect.poll(() => two.discovery.list().get('newgpt.ai')?.state).toBe('dismissed');
    two.visit('newgpt.ai', 'cas');
    await two.discovery.flush();
    expect(two.discovery.list().get('newgpt.ai')).toMatchObject({ state: 'dismissed', requests: 4 });
    await one.discovery.close();
    await two.discovery.close();
  });

  test('loses nothing while the store is unavailable', async () => {
    const stores = memory();
    let isAway = true;
    const records = new Proxy(stores.records, {
      get: (target, name: 'get' | 'list' | 'write') =>
        isAway && name === 'write' ? () => Promise.reject(new Error('away')) : target[name].bind(target),
    });
    const { discovery, visit } = watch({ ...stores, records });
    visit('newgpt.ai');
    await discovery.flush();
    visit('newgpt.ai');
    expect(discovery.list().get('newgpt.ai')?.requests).toBe(2);
    isAway = false;
    await discovery.flush();
    expect((await stores.records.get('discovery', ['newgpt.ai'])).records.get('newgpt.ai')).toMatchObject({
      requests: 2,
    });
    await discovery.close();
  });

  test('survives a restart without a durable store, in a file', async () => {
    const dataDir = tempFolder('kept');
    const first = memory();
    const end = await keepInFile({ stores: first, kind: 'discovery', dataDir, log: silentLog });
    const { discovery, visit } = watch(first);
    visit('newgpt.ai', 'ann');
    await discovery.close();
    await end();
    const second = memory();
    await keepInFile({ stores: second, kind: 'discovery', dataDir, log: silentLog });
    const after = watch(second);
    after.visit('newgpt.ai', 'ann');
    await expect.poll(() => after.discovery.list().get('newgpt.ai')?.requests).toBe(2);
    expect(after.discovery.list().get('newgpt.ai')?.subjects).toHaveLength(1);
    await after.discovery.close();
  });
});
