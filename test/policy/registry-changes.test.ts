/**
 * Changes of a registry: the look-ups, names and ids after each, and that a change is applied completely or not at all.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { ServiceRegistry } from '../../policy/registry.ts';
import { serviceId } from '../../policy/service.ts';
import { registryOfOne } from './policies-under-test.ts';

const words = { category: 'approved' } as const;

describe('changes', () => {
  let registry: ServiceRegistry;
  beforeEach(() => {
    registry = registryOfOne();
  });

  test('a service is added with its hosts in one spelling', () => {
    const service = registry.add({
      service_name: ' Zwei & Söhne ',
      domain: 'ZWEI.example.',
      alternate_domains: ['bücher.example', 'zwei.example', 'BÜCHER.example'],
      host_patterns: ['*.T.zwei-cdn.example'],
      url_prefixes: ['Portal.example/AI'],
      category: 'blocked',
    });
    expect(service).toMatchObject({
      id: serviceId('zwei-so-hne'),
      key: 'zwei-so-hne',
      service_name: 'Zwei & Söhne',
      domain: 'zwei.example',
      alternate_domains: ['xn--bcher-kva.example'],
      host_patterns: ['*.t.zwei-cdn.example'],
      url_prefixes: ['portal.example/AI'],
      is_blocked: true,
    });
    expect(service.created_at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(registry.match('eu1.t.zwei-cdn.example')?.service.key).toBe('zwei-so-hne');
    expect(registry.match('portal.example', '/ai/chat')?.service.key).toBe('zwei-so-hne');
    expect(registry.match('portal.example', '/aid')).toBeUndefined();
  });

  test('is_blocked changes when it is given, whatever the category', () => {
    expect(registry.update(serviceId('one'), { category: 'blocked' }).is_blocked).toBe(false);
    expect(registry.update(serviceId('one'), { category: 'blocked', is_blocked: true }).is_blocked).toBe(true);
    expect(registry.update(serviceId('one'), { category: 'monitoring' }).is_blocked).toBe(true);
    expect(registry.update(serviceId('one'), { is_blocked: false }).is_blocked).toBe(false);
    expect(registry.update(serviceId('one'), { category: 'approved', is_blocked: true }).is_blocked).toBe(true);
    expect(registry.update(serviceId('one'), { vendor: 'One Ltd' }).is_blocked).toBe(true);
  });

  test('old hosts stop matching after the change, new ones match', () => {
    registry.update(serviceId('one'), { domain: 'eins.example', alternate_domains: [] });
    expect(registry.match('one.example')).toBeUndefined();
    expect(registry.match('uno.example')).toBeUndefined();
    expect(registry.match('a.eins.example')?.service.key).toBe('one');
    registry.remove(serviceId('one'));
    expect(registry.match('eins.example')).toBeUndefined();
    expect(registry.get('one')).toBeUndefined();
    expect(registry.names()).toEqual([]);
  });

  test('every change has a version, a refused one does not', () => {
    const before = registry.version;
    expect(() => registry.update(serviceId('one'), { category: 'x' })).toThrow();
    expect(registry.version).toBe(before);
    registry.update(serviceId('one'), { category: 'blocked' });
    expect(registry.version).toBeGreaterThan(before);
  });

  test('a refused change leaves the service as it was', () => {
    registry.add({ service_name: 'Two', domain: 'two.example', category: 'approved' });
    expect(() => registry.update(serviceId('two'), { domain: 'one.example' })).toThrow(
      expect.objectContaining({ code: 'conflict' }),
    );
    expect(registry.match('two.example')?.service.domain).toBe('two.example');
    expect(registry.match('one.example')?.service.key).toBe('one');
  });

  test('patterns and prefixes stop matching after the change, those of others remain', () => {
    const wide = { ...words, service_name: 'Wide', domain: 'wide.example' };
    registry.add({ ...wide, host_patterns: ['*.cdn.wide.example'], url_prefixes: ['shared.example/a'] });
    registry.add({
      ...words,
      service_name: 'Narrow',
      domain: 'narrow.example',
      host_patterns: ['eu-*.cdn.wide.example', '*-eu.cdn.wide.example'],
      url_prefixes: ['shared.example/a/b', 'other.example/c'],
    });
    const hosts = ['eu-1.cdn.wide.example', 'x-eu.cdn.wide.example', 'us-1.cdn.wide.example'];
    const pages = ['shared.example/a/b/c', 'shared.example/a/x', 'other.example/c'];
    const found = () =>
      [...hosts, ...pages].map((page) => {
        const [host = '', ...path] = page.split(/(?=\/)/);
        return registry.match(host, path.length > 0 ? path.join('') : undefined)?.matchedHost;
      });
    const patterns = ['eu-*.cdn.wide.example', '*-eu.cdn.wide.example', '*.cdn.wide.example'];
    const both = [...patterns, 'shared.example/a/b', 'shared.example/a', 'other.example/c'];
    // wide.example also matches what the patterns below it match: the suffix wins.
    registry.update(serviceId('wide'), { domain: 'wide.test' });
    expect(found()).toEqual(both);
    expect(registry.prefixMatches('www.shared.example').map(({ matchedHost }) => matchedHost)).toEqual([
      'shared.example/a/b',
      'shared.example/a',
    ]);
    expect(registry.prefixMatches('a.shared.example')).toEqual([]);
    expect(registry.names({ prefixes: true }).join(' ')).toBe(
      'one.example uno.example wide.test *.cdn.wide.example narrow.example eu-*.cdn.wide.example ' +
        '*-eu.cdn.wide.example shared.example other.example',
    );
    registry.update(serviceId('narrow'), {
      host_patterns: ['*-eu.cdn.wide.example'],
      url_prefixes: ['other.example/c'],
    });
    expect(found()).toEqual([both[2], both[1], both[2], both[4], both[4], both[5]]);
    registry.remove(serviceId('wide'));
    expect(found()).toEqual([undefined, both[1], undefined, undefined, undefined, both[5]]);
    registry.remove(serviceId('narrow'));
    expect(found().filter(Boolean)).toEqual([]);
    expect(registry.prefixMatches('other.example')).toEqual([]);
  });

  test('a released name is free, a kept one is not', () => {
    expect([registry.hasName('ONE'), registry.hasName('Eins')]).toEqual([true, false]);
    registry.update(serviceId('one'), { service_name: 'Eins' });
    expect([registry.hasName('One'), registry.hasName('eins')]).toEqual([false, true]);
    registry.add({ ...words, service_name: 'One', domain: 'new-one.example' });
    expect(() => registry.update(serviceId('one'), { service_name: 'one' })).toThrow(
      'The service_name "one" belongs to the service "one-2".',
    );
    registry.update(serviceId('one'), { service_name: 'EINS' });
  });

  test('hosts of a registry are taken, hosts below them match', () => {
    const hosts = ['one.example', 'uno.example', 'a.one.example', 'x.example'];
    expect(hosts.filter((host) => registry.claims(host))).toEqual(['one.example', 'uno.example']);
  });

  test('many changes at once: an impossible one does not stop the others', () => {
    registry.add({ ...words, service_name: 'Two', domain: 'two.example' });
    const [one, two] = [registry.get('one'), registry.get('two')];
    const { changed, failed } = registry.updateAll([
      { id: serviceId('none'), patch: {} },
      { id: serviceId('two'), patch: { domain: 'one.example' } },
      { id: serviceId('one'), patch: null },
      { id: serviceId('two'), patch: { category: 'blocked' } },
    ]);
    expect(changed).toEqual([
      { id: serviceId('one'), key: 'one', before: one, after: null },
      { id: serviceId('two'), key: 'two', before: two, after: registry.get('two') },
    ]);
    expect(registry.get('two')?.category).toBe('blocked');
    expect(registry.size).toBe(1);
    expect(failed.map(({ id, error }) => [id, error.code])).toEqual([
      [serviceId('none'), 'not_found'],
      [serviceId('two'), 'conflict'],
    ]);
    // Anything other than a refusal of the registry is an error, and is not hidden among the refusals.
    const broken = {
      get category(): never {
        throw new RangeError('broken');
      },
    };
    expect(() => registry.updateAll([{ id: serviceId('two'), patch: broken }])).toThrow(RangeError);
  });

  test('a removed service is put back completely, under its id', () => {
    const one = registry.get('one');
    registry.remove(serviceId('one'));
    const before = registry.version;
    const { changed, failed } = registry.updateAll([{ id: serviceId('one'), patch: one }]);
    expect(failed).toEqual([]);
    expect(changed).toEqual([{ id: serviceId('one'), key: 'one', before: null, after: registry.get('one') }]);
    expect(registry.get('one')).toEqual({ ...one, updated_at: expect.any(String) });
    expect(registry.match('a.one.example')?.service.key).toBe('one');
    expect(registry.version).toBe(before + 1);
  });

  test.each<[name: string, change: Readonly<Record<string, unknown>>, code: string, key?: string]>([
    ['of another id', { id: serviceId('two') }, 'not_found'],
    ['of another key', { key: 'two' }, 'not_found'],
    ['without an id', { id: undefined }, 'not_found'],
    ['under a key that no service can have', { id: serviceId('A/b'), key: 'A/b' }, 'not_found', 'A/b'],
    ['under a key with another id', { key: 'one-two' }, 'not_found', 'one-two'],
    ['without its creation time', { created_at: undefined }, 'not_found'],
    ['with an invalid creation time', { created_at: 'yesterday' }, 'not_found'],
    ['without a category', { category: undefined }, 'invalid_input'],
    ['with an unknown field', { colour: 'red' }, 'invalid_input'],
    ['whose host has been taken', { domain: 'taken.example' }, 'conflict'],
    ['whose name has been taken', { service_name: 'Taken' }, 'conflict'],
  ])('no service is put back %s', (_name, change, code, key = 'one') => {
    const one = registry.get('one');
    registry.add({ ...words, service_name: 'Taken', domain: 'taken.example' });
    registry.remove(serviceId('one'));
    const before = [registry.version, registry.list()];
    const { changed, failed } = registry.updateAll([{ id: serviceId(key), patch: { ...one, ...change } }]);
    expect([changed, failed.map(({ error }) => error.code)]).toEqual([[], [code]]);
    expect([registry.version, registry.list()]).toEqual(before);
  });

  test('all services are replaced at once, or none', () => {
    const next = new ServiceRegistry();
    next.add({
      ...words,
      service_name: 'Next',
      domain: 'next.example',
      host_patterns: ['*.cdn.next.example'],
      url_prefixes: ['shared.example/next'],
    });
    expect(registry.match('next.example')).toBeUndefined();
    const before = registry.version;
    registry.replaceAll(next);
    expect(registry.version).toBe(before + 1);
    expect(registry.list()).toEqual(next.list());
    expect(registry.match('next.example')?.service.key).toBe('next');
    expect(registry.match('a.cdn.next.example')?.service.key).toBe('next');
    expect(registry.match('shared.example', '/next')?.service.key).toBe('next');
    expect(registry.match('one.example')).toBeUndefined();
    expect([registry.hasName('Next'), registry.hasName('One')]).toEqual([true, false]);
    const twice = [...next.list(), ...next.list()];
    expect(() => registry.replaceAll(twice)).toThrow('The key "next" is used twice.');
    expect(registry.list()).toEqual(next.list());
    registry.replaceAll(next.list());
    expect(registry.version).toBe(before + 2);
  });

  test('a copy is another registry of the same services', () => {
    const copy = registry.copy();
    copy.update(serviceId('one'), { category: 'blocked' });
    expect([registry.get('one')?.category, copy.get('one')?.category]).toEqual(['approved', 'blocked']);
  });

  test('names of the requested categories', () => {
    registry.add({ service_name: 'Two', domain: 'two.example', category: 'blocked', host_patterns: ['*.x.two.test'] });
    registry.add({
      service_name: 'Three',
      domain: 'three.example',
      scope: 'path',
      category: 'monitoring',
      alternate_domains: ['drei.example'],
      url_prefixes: ['one.example/three', 'three.example/ai'],
    });
    expect(registry.names()).toEqual(['one.example', 'uno.example', 'two.example', '*.x.two.test', 'drei.example']);
    expect(registry.names({ categories: ['blocked', 'monitoring'] })).toEqual([
      'two.example',
      '*.x.two.test',
      'drei.example',
    ]);
    expect(registry.names({ categories: ['monitoring'], prefixes: true })).toEqual(['drei.example', 'three.example']);
    // None is in a table, so all were added.
    expect(registry.addedNames()).toEqual(registry.names());
    expect(registry.isLarge).toBe(false);
    expect(() => registry.lay([], [])).toThrow('There is no table to lay changes over.');
  });

  test.each([
    ['My -- Service!', 'my-service'],
    ['--x--', 'x'],
    ['Über AI 2', 'u-ber-ai-2'],
  ])('the key of %j is %s', (service_name, key) => {
    expect(registry.add({ ...words, service_name, domain: 'id.example' }).key).toBe(key);
  });

  test('ids count up from two', () => {
    const ids = [2, 3, 4].map(
      (n) => registry.add({ ...words, service_name: `One${'!'.repeat(n)}`, domain: `o${n}.x` }).key,
    );
    expect(ids).toEqual(['one-2', 'one-3', 'one-4']);
  });

  test('cached look-ups are repeated after a change', () => {
    for (let i = 0; i < 5000; i++) expect(registry.match(`h${i}.example`)).toBeUndefined();
    expect(registry.match('h4999.example')).toBeUndefined();
    registry.add({ ...words, service_name: 'H', domain: 'h4999.example' });
    expect(registry.match('h4999.example')?.service.key).toBe('h');
    registry.remove(serviceId('h'));
    expect(registry.match('h4999.example')).toBeUndefined();
  });

  test.each([() => registry.update(serviceId('none'), {}), () => registry.remove(serviceId('none'))])(
    'unknown id',
    (change) => {
      expect(change).toThrow(expect.objectContaining({ code: 'not_found', status: 404 }));
    },
  );

  test('ids stay apart when names look alike', () => {
    expect(registry.add({ service_name: 'One!', domain: 'two.example', category: 'approved' }).key).toBe('one-2');
    expect(registry.add({ service_name: '文心一言', domain: 'yiyan.example', category: 'approved' }).key).toBe(
      'yiyan-example',
    );
  });
});
