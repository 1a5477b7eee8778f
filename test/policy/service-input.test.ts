/** What is accepted as a service, and how the rest is rejected. */
import { beforeEach, describe, expect, test } from 'vitest';
import { ServiceRegistry } from '../../policy/registry.ts';
import { holdsUserContent, type Service, serviceId } from '../../policy/service.ts';
import { registryOfOne } from './policies-under-test.ts';

const two = { service_name: 'Two', domain: 'two.example', category: 'approved' };

describe('a service', () => {
  let registry: ServiceRegistry;
  beforeEach(() => {
    registry = registryOfOne();
  });

  test.each(['high', 7, { trains_on_data: true, level: 'high', score: 7 }])('the risk may be %j', (risk) => {
    expect(registry.update(serviceId('one'), { risk }).risk).toEqual(risk);
  });

  test.each([
    ['8h', 28_800_000],
    ['30m', 1_800_000],
    ['90s', 90_000],
    ['2d', 172_800_000],
    ['250ms', 250],
    ['250', 250],
    [' 250 ', 250],
    [250, 250],
    [1, 1],
  ])('users are coached once in %j', (coach_ttl, expected) => {
    expect(registry.update(serviceId('one'), { coach_ttl }).coach_ttl).toBe(expected);
    expect(registry.update(serviceId('one'), { coach_ttl: null })).not.toHaveProperty('coach_ttl');
  });

  test('hosts with user content are distinguished from those of the service', () => {
    const service = registry.update(serviceId('one'), {
      alternate_domains: ['pages.example'],
      host_patterns: ['*.made.example.com'],
      user_content: ['Pages.example.', 'made.example.com', 'x.one.example'],
    });
    expect(service.user_content).toEqual(['pages.example', 'made.example.com', 'x.one.example']);
    const isOwn = (host: string) => registry.isHostOf(service, host) && !holdsUserContent(service, host);
    for (const host of ['one.example', 'www.one.example']) expect(isOwn(host), host).toBe(true);
    for (const host of ['a.pages.example', 'a.made.example.com', 'x.one.example', 'y.x.one.example', 'two.example'])
      expect(isOwn(host), host).toBe(false);
    expect(registry.update(serviceId('one'), { user_content: null })).not.toHaveProperty('user_content');
  });

  test.each([
    ['taken domain', { domain: 'one.example' }],
    ['taken domain in another spelling', { domain: 'ONE.example.' }],
    ['taken alternate domain', { alternate_domains: ['uno.example'] }],
    ['taken name', { service_name: 'ONE' }],
  ])('conflict: %s', (_name, change) => {
    expect(() => registry.add({ ...two, ...change })).toThrow(
      expect.objectContaining({ code: 'conflict', status: 409 }),
    );
    expect(registry.size).toBe(1);
    expect(registry.match('two.example')).toBeUndefined();
  });

  test.each<[string, object, string, object?]>([
    ['key', { key: 'one' }, 'The key "one" is used twice.'],
    ['name', { service_name: 'one' }, 'The service_name "one" belongs to the service "one".', { service_name: 'one' }],
    [
      'domain',
      { domain: 'uno.example' },
      'The domain "uno.example" belongs to the service "one".',
      { domain: 'uno.example' },
    ],
    [
      'alternate domain',
      { alternate_domains: ['one.example'] },
      'The domain "one.example" belongs to the service "one".',
    ],
    [
      'pattern',
      { host_patterns: ['*.cdn.one.example'] },
      'The host_pattern "*.cdn.one.example" belongs to the service "one".',
    ],
    [
      'prefix',
      { url_prefixes: ['shared.example/One'] },
      'The url_prefix "shared.example/One" belongs to the service "one".',
    ],
  ])('two services with the same %s are refused', (_name, change, message, named) => {
    const one = registry.update(serviceId('one'), {
      host_patterns: ['*.cdn.one.example'],
      url_prefixes: ['shared.example/one'],
    });
    const free = { key: 'two', service_name: 'Two', domain: 'two.example' };
    const other = { ...one, alternate_domains: [], host_patterns: [], url_prefixes: [], ...free, ...change } as Service;
    const details = named && { details: { ...named, service: 'one' } };
    expect(() => new ServiceRegistry([one, other])).toThrow(
      expect.objectContaining({ code: 'conflict', message, ...details }),
    );
  });

  test.each([
    ['not an object', 'x', ''],
    ['null', null, ''],
    ['no domain', { service_name: 'Two', category: 'approved' }, 'domain'],
    ['wrong category', { ...two, category: 'allowed' }, 'category'],
    ['one label', { ...two, domain: 'com' }, 'domain'],
    ['not a host', { ...two, domain: 'two example' }, 'domain'],
    ['URL', { ...two, domain: 'https://two.example/' }, 'domain'],
    ['header injection', { ...two, service_name: 'Two\r\nX: y' }, 'service_name'],
    ['unknown field', { ...two, domian: 'x' }, 'domian'],
    ['id', { ...two, id: 'x' }, 'id'],
    ['no name for a field', { ...two, 'a\nb': 1 }, '(another)'],
    ['a number for a domain', { ...two, alternate_domains: ['a.example', 1] }, 'alternate_domains[1]'],
    ['wide pattern', { ...two, host_patterns: ['x.*.com'] }, 'host_patterns[0]'],
    ['prefix without path', { ...two, url_prefixes: ['two.example/'] }, 'url_prefixes[0]'],
    ['path scope without prefix', { ...two, scope: 'path' }, 'url_prefixes'],
    [
      "users' content on a host of another",
      { ...two, user_content: ['a.two.example', 'one.example'] },
      'user_content[1]',
    ],
    [
      "users' content on a host of which the service has only a path",
      { ...two, scope: 'path', url_prefixes: ['two.example/ai'], user_content: ['two.example'] },
      'user_content[0]',
    ],
  ])('invalid: %s', (_name, input, field) => {
    expect(() => registry.add(input)).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        status: 422,
        details: expect.arrayContaining([expect.objectContaining({ field })]),
      }),
    );
    expect(registry.size).toBe(1);
  });

  test.each([
    ['a link as domain', { domain: 'https://two.example/' }, 'domain: The host has a scheme or a port'],
    ['a port', { domain: 'two.example:443' }, 'domain: The host has a scheme or a port'],
    ['a pattern without *', { host_patterns: ['a.two.example'] }, 'The pattern has no "*"; use alternate_domains.'],
    [
      'a pattern with a space',
      { host_patterns: ['* x.two.example'] },
      'host_patterns[0]: The host contains a character that is not allowed in a host name.',
    ],
    ['a pattern in another script', { host_patterns: ['bü*.example.com'] }, 'has a "*" in a label that is not ASCII'],
    ['a pattern with a fixed label only', { host_patterns: ['*.example'] }, 'its last two labels must be fixed'],
    ['a pattern of the last label', { host_patterns: ['a.b.*'] }, 'its last two labels must be fixed'],
    ['a prefix without host', { url_prefixes: ['/ai'] }, 'The prefix must be host/path.'],
    ['a prefix without slash', { url_prefixes: ['two.example'] }, 'The prefix must be host/path.'],
    ['a prefix of one label', { url_prefixes: ['com/ai'] }, 'url_prefixes[0]: The domain has only one label.'],
    [
      'two wrong fields',
      { domain: 'com', api_hosts: ['x', 'api.two.example'] },
      'domain: The domain has only one label; api_hosts[0]: The domain has',
    ],
    ['a country', { country: 'de' }, 'country: must be a two-letter country code like JP'],
    ['a long country', { country: 'DEU' }, 'country: must be a two-letter country code like JP'],
    [
      'facts of facts as risk',
      { risk: { level: { legal: 'high' } } },
      'risk: must be a text, a number or an object of facts',
    ],
    ['a list as risk', { risk: ['high'] }, 'risk: must be a text'],
    ['too many facts', { risk: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, true])) }, 'risk: '],
    ['a scope other than path', { scope: 'host' }, 'scope: '],
    [
      'not a duration',
      { coach_ttl: '8 hours' },
      'coach_ttl: is not a duration like 8h or 30m, or a number of milliseconds',
    ],
    ['not a time', { coach_ttl: 0 }, 'coach_ttl: is not a duration'],
    ['a negative time', { coach_ttl: -5 }, 'coach_ttl: is not a duration'],
    ['a time with words around it', { coach_ttl: 'in 8h' }, 'coach_ttl: is not a duration'],
    ['scope path alone', { scope: 'path' }, 'url_prefixes: A service with scope path needs at least one prefix.'],
    ['no words', { service_name: undefined }, 'service_name: is missing'],
    ['an unknown field', { domian: 'two.example' }, 'domian: is not known'],
    ['a long name', { service_name: 'x'.repeat(201) }, 'service_name: '],
    ['a lone surrogate', { vendor: 'x\ud800' }, 'vendor: contains control characters'],
    ['a bidirectional override', { vendor: 'x\u202ey' }, 'vendor: contains control characters'],
  ])('invalid: %s, in words', (_name, change, message) => {
    const input = { ...two, ...change };
    expect(() => registry.add(input)).toThrow(expect.objectContaining({ message: expect.stringContaining(message) }));
    expect(() => registry.add(input)).toThrow(/^The service is not valid: .*[^.]\.$/);
  });
});
