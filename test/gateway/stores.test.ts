import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openAdminKey, resetAdminKey } from '../../gateway/stores/admin-key.ts';
import { replaceFile } from '../../gateway/stores/atomic-file.ts';
import { openMemoryStores } from '../../gateway/stores/memory.ts';
import { RegistryFile } from '../../gateway/stores/registry-file.ts';
import { RegistryStore } from '../../gateway/stores/registry-store.ts';
import { ServiceRegistry } from '../../policy/registry.ts';
import type { Service } from '../../policy/service.ts';
import { serviceId } from '../../policy/service.ts';
import { silentLog } from './stores/silent-log.ts';

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'privet-stores-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

describe('admin key', () => {
  test('is created once, shown once, and stored as a hash for the owner only', () => {
    const dataDir = folder();
    const first = openAdminKey({ dataDir });
    expect([readdirSync(dataDir), first.verify(''), first.print]).toEqual([[], false, '']);
    const key = first.create() as string;
    expect(key).toMatch(/^pvt_admin_[0-9A-Za-z]{32}$/);
    const file = join(dataDir, 'admin-key.json');
    expect(readFileSync(file, 'utf8')).not.toContain(key.slice(10));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const second = openAdminKey({ dataDir });
    expect([second.create(), first.create()]).toEqual([undefined, undefined]);
    for (const { verify } of [first, second]) {
      expect(verify(key)).toBe(true);
      expect(verify(`${key}x`)).toBe(false);
      expect(verify('')).toBe(false);
    }
  });

  test('created or replaced by another process is applied while running', async () => {
    const dataDir = folder();
    const running = openAdminKey({ dataDir });
    const made = openAdminKey({ dataDir }).create() as string;
    await expect.poll(() => running.verify(made)).toBe(true);
    const { print } = running;
    const reset = resetAdminKey(dataDir);
    await expect.poll(() => running.verify(reset)).toBe(true);
    expect(running.verify(made)).toBe(false);
    expect(running.print).not.toBe(print);
  });

  test('an override replaces it without being stored', () => {
    const dataDir = folder();
    const override = 'x'.repeat(24);
    const { verify, create } = openAdminKey({ dataDir, override });
    expect([verify(override), verify('x'.repeat(25)), create()]).toEqual([true, false, undefined]);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('a short override is refused and not quoted', () => {
    const open = () => openAdminKey({ dataDir: folder(), override: 'short-secret' });
    expect(open).toThrow(/at least 24 characters/);
    expect(open).not.toThrow(/short-secret/);
  });

  test.each(['', 'x', '{}', '{"sha256":"00","created_at":"2026"}'])(
    'a damaged file (%s) is reported in one sentence',
    (text) => {
      const dataDir = folder();
      writeFileSync(join(dataDir, 'admin-key.json'), text);
      expect(() => openAdminKey({ dataDir })).toThrow(/is damaged/);
    },
  );
});

describe('atomically replaced files', () => {
  test('new text, private, no leftovers', () => {
    const dir = folder();
    replaceFile(join(dir, 'sub/a.json'), 'one');
    replaceFile(join(dir, 'sub/a.json'), 'two');
    expect(readFileSync(join(dir, 'sub/a.json'), 'utf8')).toBe('two');
    expect(statSync(join(dir, 'sub/a.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(dir, 'sub'))).toEqual(['a.json']);
  });

  test('a failure keeps the old file and leaves nothing behind', () => {
    const dir = folder();
    mkdirSync(join(dir, 'a.json'));
    expect(() => replaceFile(join(dir, 'a.json'), 'x')).toThrow(
      expect.objectContaining({ code: 'unavailable', status: 503 }),
    );
    expect(readdirSync(dir)).toEqual(['a.json']);
    expect(() => replaceFile('/dev/null/a.json', 'x')).toThrow(/cannot be written \((ENOTDIR|EEXIST)\)/);
  });
});

describe('registry changes', () => {
  const service = (name: string, domain: string, more: Partial<Service> = {}): Service => ({
    id: serviceId(name.toLowerCase()),
    key: name.toLowerCase(),
    service_name: name,
    domain,
    alternate_domains: [],
    host_patterns: [],
    url_prefixes: [],
    category: 'monitoring',
    is_blocked: false,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    ...more,
  });
  const shipped = [service('One', 'one.example'), service('Two', 'two.example'), service('Three', 'three.example')];
  const start = (dataDir: string, base: readonly Service[] = shipped) => {
    const file = RegistryFile.open(dataDir);
    const { services, warnings } = file.apply(base);
    const registry = new ServiceRegistry(services);
    const stores = openMemoryStores({ ttlMs: 0 });
    const shipped = () => base;
    const store = new RegistryStore({ stores, registry, shipped, file, log: silentLog, onChanged: () => {} });
    return { registry, warnings, store, filled: setImmediate() };
  };
  const withoutTimes = (list: readonly Service[]) => list.map(({ updated_at, created_at, ...rest }) => rest);

  test('survive a restart', async () => {
    const dataDir = folder();
    const first = start(dataDir);
    const added = await first.store.add({
      service_name: 'Four',
      domain: 'four.example',
      category: 'approved',
      risk: { level: 2 },
    });
    await first.store.update(serviceId('one'), { category: 'blocked', is_blocked: true, reason: 'unclear-data-terms' });
    await first.store.update(added.id, { alternate_domains: ['4.example'] });
    await first.store.remove(serviceId('two'));
    const second = start(dataDir);
    await second.filled;
    expect(withoutTimes(second.registry.list())).toEqual(withoutTimes(first.registry.list()));
    expect(second.registry.match('x.4.example')?.service.key).toBe('four');
    expect(second.registry.get('one')).toMatchObject({ is_blocked: true, created_at: '2026-01-01T00:00:00.000Z' });
    expect(second.registry.get('two')).toBeUndefined();
    await second.store.add({ service_name: 'Two', domain: 'two.example', category: 'blocked' });
    await second.store.remove(serviceId('four'));
    const third = start(dataDir);
    expect(third.registry.list().map(({ key }) => key)).toEqual(['one', 'two', 'three']);
    expect(third.registry.get('two')?.category).toBe('blocked');
  });

  test('win over a shipped service that later has the same host, with a warning', async () => {
    const dataDir = folder();
    await start(dataDir).store.add({ service_name: 'Mine', domain: 'mine.example', category: 'approved' });
    const { registry, warnings } = start(dataDir, [
      ...shipped,
      service('Theirs', 'theirs.example', { alternate_domains: ['mine.example'] }),
    ]);
    expect(registry.match('mine.example')?.service.key).toBe('mine');
    expect(registry.get('theirs')).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining('"mine.example"')]);
  });

  test('are not stored if refused', async () => {
    const dataDir = folder();
    const { store, registry } = start(dataDir);
    await expect(store.add({ service_name: 'X', domain: 'one.example', category: 'blocked' })).rejects.toThrow(
      /belongs to/,
    );
    await expect(store.update(serviceId('none'), {})).rejects.toMatchObject({ code: 'not_found' });
    await expect(store.remove(serviceId('none'))).rejects.toMatchObject({ code: 'not_found' });
    expect(registry.list()).toEqual(shipped);
    expect(RegistryFile.open(dataDir).changes).toEqual({ services: new Map(), removed: new Set() });
  });

  test.each([
    '',
    '{"version":1}',
    '{"version":2,"services":[],"removed":[]}',
    '{"version":1,"services":[{"id":1,"key":"x","created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z","domain":"x"}],"removed":[]}',
  ])('a damaged file prevents start-up: %s', (text) => {
    const dataDir = folder();
    writeFileSync(join(dataDir, 'registry-changes.json'), text);
    expect(() => start(dataDir)).toThrow(/are damaged/);
  });
});
