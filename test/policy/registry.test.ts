import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { loadServices } from '../../config/services.ts';
import { normalizeHost } from '../../policy/host.ts';
import { compilePattern, labelsMatch } from '../../policy/part-claims.ts';
import { ServiceRegistry } from '../../policy/registry.ts';
import type { Service } from '../../policy/service.ts';

const shipped = new ServiceRegistry(loadServices());

describe('the shipped registry', () => {
  test.each([
    ['openai.com', 'OpenAI API', 'openai.com'],
    ['api.openai.com', 'OpenAI API', 'api.openai.com'],
    ['x.y.z.openai.com', 'OpenAI API', 'openai.com'],
    ['chat.openai.com', 'ChatGPT', 'chat.openai.com'],
    ['deep.chat.openai.com', 'ChatGPT', 'chat.openai.com'],
    ['chatgpt.com', 'ChatGPT', 'chatgpt.com'],
    ['claude.com', 'Claude', 'claude.com'],
    ['platform.claude.com', 'Anthropic API', 'platform.claude.com'],
    ['bedrock-runtime.eu-west-1.amazonaws.com', 'Amazon Bedrock', 'bedrock-runtime.*.amazonaws.com'],
    ['europe-west4-aiplatform.googleapis.com', 'Google Vertex AI', '*-aiplatform.googleapis.com'],
  ])('%s is %s by %s', (host, name, matchedHost) => {
    const match = shipped.match(host);
    expect(match?.service.service_name).toBe(name);
    expect(match?.matchedHost).toBe(matchedHost);
  });

  test.each([
    'notopenai.com',
    'openai.com.evil.example',
    'openai.co',
    'com',
    'example.com',
    'amazonaws.com',
    'bedrock-runtime.amazonaws.com',
    'bedrock-runtime.eu.west.amazonaws.com',
    'x.bedrock-runtime.eu-west-1.amazonaws.com',
    '-aiplatform.googleapis.com',
    'canva.com',
    'www.canva.com',
    '104.18.32.47',
    '2606:4700::1',
  ])('%s is nobody', (host) => {
    expect(shipped.match(host)).toBeUndefined();
  });

  test.each(['ＯＰＥＮＡＩ.com', 'OpenAI.com.', 'openai。com', 'api.OPENAI.com', 'open\u00adai.com'])(
    '%s is found once it is normalised',
    (host) => {
      expect(shipped.match(normalizeHost(host).host)?.service.service_name).toBe('OpenAI API');
    },
  );

  test.each([
    ['canva.com', '/magic', 'Canva Magic Studio'],
    ['www.canva.com', '/Magic/edit?x=1', 'Canva Magic Studio'],
    ['canva.com', '/x/../%6dagic', 'Canva Magic Studio'],
    ['canva.com', '/magic-home', 'Canva Magic Studio'],
    ['canva.com', '/magical', undefined],
    ['canva.com', '/design', undefined],
    ['design.canva.com', '/magic', undefined],
    ['github.com', '/copilot', 'GitHub Copilot'],
    ['github.com', '/marketplace/models/x', 'GitHub Models'],
    ['github.com', '/torvalds/linux', undefined],
    ['substrate.office.com', '/m365Copilot/chat', 'Microsoft 365 Copilot'],
    ['chatgpt.com', '/anything', 'ChatGPT'],
  ])('%s%s is %s', (host, path, name) => {
    expect(shipped.match(host, path)?.service.service_name).toBe(name);
  });

  test('says where only the path can decide', () => {
    const isOnlyShared = (host: string) => shipped.prefixMatches(host).length > 0 && shipped.match(host) === undefined;
    expect(isOnlyShared('canva.com')).toBe(true);
    expect(isOnlyShared('www.canva.com')).toBe(true);
    expect(isOnlyShared('design.canva.com')).toBe(false);
    expect(isOnlyShared('chatgpt.com')).toBe(false);
    expect(isOnlyShared('example.com')).toBe(false);
  });

  test('every host of every service leads to it', () => {
    for (const service of shipped.list()) {
      const own = service.scope === 'path' ? [] : [service.domain];
      for (const host of [...own, ...service.alternate_domains]) {
        expect(shipped.match(host)?.service.id).toBe(service.id);
        expect(normalizeHost(host).host).toBe(host);
      }
      for (const host of service.api_hosts ?? []) {
        const path = service.url_prefixes.find((prefix) => prefix.startsWith(`${host}/`))?.slice(host.length);
        expect(shipped.match(host, path)?.service.id, host).toBe(service.id);
      }
      for (const prefix of service.url_prefixes) {
        const at = prefix.indexOf('/');
        expect(shipped.match(prefix.slice(0, at), prefix.slice(at))?.service.id).toBe(service.id);
      }
    }
  });

  test('names every host that can be intercepted', () => {
    const names = shipped.names({ prefixes: true });
    for (const name of ['openai.com', 'chat.openai.com', 'canva.com', 'bedrock.*.amazonaws.com'])
      expect(names).toContain(name);
    expect(shipped.names()).not.toContain('canva.com');
    expect(new Set(names).size).toBe(names.length);
    expect(shipped.names({ categories: ['approved'] }).length).toBeLessThan(names.length);
  });
});

describe('changes', () => {
  let registry: ServiceRegistry;
  beforeEach(() => {
    registry = new ServiceRegistry();
    registry.add({
      service_name: 'One',
      domain: 'one.example',
      alternate_domains: ['uno.example'],
      category: 'approved',
    });
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
      id: 'zwei-so-hne',
      service_name: 'Zwei & Söhne',
      domain: 'zwei.example',
      alternate_domains: ['xn--bcher-kva.example'],
      host_patterns: ['*.t.zwei-cdn.example'],
      url_prefixes: ['portal.example/AI'],
      is_blocked: true,
    });
    expect(service.created_at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(registry.match('eu1.t.zwei-cdn.example')?.service.id).toBe('zwei-so-hne');
    expect(registry.match('portal.example', '/ai/chat')?.service.id).toBe('zwei-so-hne');
    expect(registry.match('portal.example', '/aid')).toBeUndefined();
  });

  test.each(['high', 7, { trains_on_data: true, level: 'high', score: 7 }])('the risk may be %j', (risk) => {
    expect(registry.update('one', { risk }).risk).toEqual(risk);
  });

  test('is_blocked follows the category unless it is given', () => {
    expect(registry.update('one', { category: 'blocked' }).is_blocked).toBe(true);
    expect(registry.update('one', { category: 'monitoring' }).is_blocked).toBe(false);
    expect(registry.update('one', { category: 'approved', is_blocked: true }).is_blocked).toBe(true);
    expect(registry.update('one', { vendor: 'One Ltd' }).is_blocked).toBe(true);
  });

  test('old hosts end with the change, new ones begin', () => {
    registry.update('one', { domain: 'eins.example', alternate_domains: [] });
    expect(registry.match('one.example')).toBeUndefined();
    expect(registry.match('uno.example')).toBeUndefined();
    expect(registry.match('a.eins.example')?.service.id).toBe('one');
    registry.remove('one');
    expect(registry.match('eins.example')).toBeUndefined();
    expect(registry.get('one')).toBeUndefined();
    expect(registry.names()).toEqual([]);
  });

  test('every change has a version, a refused one has not', () => {
    const before = registry.version;
    expect(() => registry.update('one', { category: 'x' })).toThrow();
    expect(registry.version).toBe(before);
    registry.update('one', { category: 'blocked' });
    expect(registry.version).toBeGreaterThan(before);
  });

  test.each([
    ['taken domain', { service_name: 'Two', domain: 'one.example', category: 'approved' }],
    ['taken domain in another spelling', { service_name: 'Two', domain: 'ONE.example.', category: 'approved' }],
    [
      'taken alternate domain',
      { service_name: 'Two', domain: 'two.example', alternate_domains: ['uno.example'], category: 'approved' },
    ],
    ['taken name', { service_name: 'ONE', domain: 'two.example', category: 'approved' }],
  ])('conflict: %s', (_name, input) => {
    expect(() => registry.add(input)).toThrow(expect.objectContaining({ code: 'conflict', status: 409 }));
    expect(registry.size).toBe(1);
    expect(registry.match('two.example')).toBeUndefined();
  });

  test('a refused change leaves the service as it was', () => {
    registry.add({ service_name: 'Two', domain: 'two.example', category: 'approved' });
    expect(() => registry.update('two', { domain: 'one.example' })).toThrow(
      expect.objectContaining({ code: 'conflict' }),
    );
    expect(registry.match('two.example')?.service.domain).toBe('two.example');
    expect(registry.match('one.example')?.service.id).toBe('one');
  });

  test.each([
    ['no object', 'x', ''],
    ['null', null, ''],
    ['no domain', { service_name: 'Two', category: 'approved' }, 'domain'],
    ['wrong category', { service_name: 'Two', domain: 'two.example', category: 'allowed' }, 'category'],
    ['one label', { service_name: 'Two', domain: 'com', category: 'approved' }, 'domain'],
    ['no host', { service_name: 'Two', domain: 'two example', category: 'approved' }, 'domain'],
    ['URL', { service_name: 'Two', domain: 'https://two.example/', category: 'approved' }, 'domain'],
    ['header injection', { service_name: 'Two\r\nX: y', domain: 'two.example', category: 'approved' }, 'service_name'],
    ['unknown field', { service_name: 'Two', domain: 'two.example', category: 'approved', domian: 'x' }, 'domian'],
    ['id', { id: 'x', service_name: 'Two', domain: 'two.example', category: 'approved' }, 'id'],
    [
      'no name for a field',
      { service_name: 'Two', domain: 'two.example', category: 'approved', 'a\nb': 1 },
      '(another)',
    ],
    [
      'a number for a domain',
      { service_name: 'Two', domain: 'two.example', category: 'approved', alternate_domains: ['a.example', 1] },
      'alternate_domains[1]',
    ],
    [
      'wide pattern',
      { service_name: 'Two', domain: 'two.example', category: 'approved', host_patterns: ['x.*.com'] },
      'host_patterns[0]',
    ],
    [
      'prefix without path',
      { service_name: 'Two', domain: 'two.example', category: 'approved', url_prefixes: ['two.example/'] },
      'url_prefixes[0]',
    ],
    [
      'path scope without prefix',
      { service_name: 'Two', domain: 'two.example', category: 'approved', scope: 'path' },
      'url_prefixes',
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

  const words = { category: 'approved' } as const;
  test('patterns and prefixes end with the change, those of others stay', () => {
    const wide = { ...words, service_name: 'Wide', domain: 'wide.example' };
    registry.add({ ...wide, host_patterns: ['*.cdn.wide.example'], url_prefixes: ['shared.example/a'] });
    registry.add({
      ...words,
      service_name: 'Narrow',
      domain: 'narrow.example',
      host_patterns: ['eu-*.cdn.wide.example', '*-eu.cdn.wide.example'],
      url_prefixes: ['shared.example/a/b', 'other.example/c'],
    });
    const found = () => [
      registry.match('eu-1.cdn.wide.example')?.matchedHost,
      registry.match('x-eu.cdn.wide.example')?.matchedHost,
      registry.match('us-1.cdn.wide.example')?.matchedHost,
      registry.match('shared.example', '/a/b/c')?.matchedHost,
      registry.match('shared.example', '/a/x')?.matchedHost,
      registry.match('other.example', '/c')?.matchedHost,
    ];
    const both = [
      'eu-*.cdn.wide.example',
      '*-eu.cdn.wide.example',
      '*.cdn.wide.example',
      'shared.example/a/b',
      'shared.example/a',
      'other.example/c',
    ];
    // wide.example claims what no pattern under it may: the suffix comes first.
    registry.update('wide', { domain: 'wide.test' });
    expect(found()).toEqual(both);
    expect(registry.prefixMatches('www.shared.example').map(({ matchedHost }) => matchedHost)).toEqual([
      'shared.example/a/b',
      'shared.example/a',
    ]);
    expect(registry.prefixMatches('a.shared.example')).toEqual([]);
    expect(registry.names({ prefixes: true })).toEqual([
      'one.example',
      'uno.example',
      'wide.test',
      '*.cdn.wide.example',
      'narrow.example',
      'eu-*.cdn.wide.example',
      '*-eu.cdn.wide.example',
      'shared.example',
      'other.example',
    ]);
    registry.update('narrow', { host_patterns: ['*-eu.cdn.wide.example'], url_prefixes: ['other.example/c'] });
    expect(found()).toEqual([both[2], both[1], both[2], both[4], both[4], both[5]]);
    registry.remove('wide');
    expect(found()).toEqual([undefined, both[1], undefined, undefined, undefined, both[5]]);
    registry.remove('narrow');
    expect(found()).toEqual([undefined, undefined, undefined, undefined, undefined, undefined]);
    expect(registry.prefixMatches('other.example')).toEqual([]);
  });

  test('a name that was given up is free, one that stays is not', () => {
    expect([registry.hasName('ONE'), registry.hasName('Eins')]).toEqual([true, false]);
    registry.update('one', { service_name: 'Eins' });
    expect([registry.hasName('One'), registry.hasName('eins')]).toEqual([false, true]);
    registry.add({ ...words, service_name: 'One', domain: 'new-one.example' });
    expect(() => registry.update('one', { service_name: 'one' })).toThrow(
      'The service_name "one" belongs to the service "one-2".',
    );
    registry.update('one', { service_name: 'EINS' });
  });

  test('the hosts of a registry are claimed, what is below them is matched', () => {
    expect(['one.example', 'uno.example', 'a.one.example', 'x.example'].map((host) => registry.claims(host))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('many changes at once: what cannot be made keeps no other from being made', () => {
    registry.add({ ...words, service_name: 'Two', domain: 'two.example' });
    const [one, two] = [registry.get('one'), registry.get('two')];
    const { changed, failed } = registry.updateAll([
      { id: 'none', patch: {} },
      { id: 'two', patch: { domain: 'one.example' } },
      { id: 'one', patch: null },
      { id: 'two', patch: { category: 'blocked' } },
    ]);
    expect(changed).toEqual([
      { id: 'one', before: one, after: null },
      { id: 'two', before: two, after: registry.get('two') },
    ]);
    expect(registry.get('two')?.category).toBe('blocked');
    expect(registry.size).toBe(1);
    expect(failed.map(({ id, error }) => [id, error.code])).toEqual([
      ['none', 'not_found'],
      ['two', 'conflict'],
    ]);
    // What is no refusal of the registry is a fault, and is not hidden among the refusals.
    const broken = {
      get category(): never {
        throw new RangeError('broken');
      },
    };
    expect(() => registry.updateAll([{ id: 'two', patch: broken }])).toThrow(RangeError);
  });

  test('all services are exchanged at once, or none', () => {
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
    expect(registry.match('next.example')?.service.id).toBe('next');
    expect(registry.match('a.cdn.next.example')?.service.id).toBe('next');
    expect(registry.match('shared.example', '/next')?.service.id).toBe('next');
    expect(registry.match('one.example')).toBeUndefined();
    expect([registry.hasName('Next'), registry.hasName('One')]).toEqual([true, false]);
    const twice = [...next.list(), ...next.list()];
    expect(() => registry.replaceAll(twice)).toThrow('The id "next" is used twice.');
    expect(registry.list()).toEqual(next.list());
    registry.replaceAll(next.list());
    expect(registry.version).toBe(before + 2);
  });

  test('a copy is another registry of the same services', () => {
    const copy = registry.copy();
    copy.update('one', { category: 'blocked' });
    expect([registry.get('one')?.category, copy.get('one')?.category]).toEqual(['approved', 'blocked']);
  });

  test('names of the categories that are asked for', () => {
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
    // None stands in a table, so all were added.
    expect(registry.addedNames()).toEqual(registry.names());
    expect(registry.isLarge).toBe(false);
    expect(() => registry.lay([], [])).toThrow('There is no table to lay changes over.');
  });

  test.each<[string, object, object]>([
    [
      'id',
      { id: 'one', service_name: 'Two', domain: 'two.example' },
      { message: 'The id "one" is used twice.', code: 'conflict' },
    ],
    [
      'name',
      { id: 'two', service_name: 'one', domain: 'two.example' },
      {
        message: 'The service_name "one" belongs to the service "one".',
        details: { service_name: 'one', service: 'one' },
      },
    ],
    [
      'domain',
      { id: 'two', service_name: 'Two', domain: 'uno.example' },
      {
        message: 'The domain "uno.example" belongs to the service "one".',
        details: { domain: 'uno.example', service: 'one' },
      },
    ],
    [
      'alternate domain',
      { id: 'two', service_name: 'Two', domain: 'two.example', alternate_domains: ['one.example'] },
      { message: 'The domain "one.example" belongs to the service "one".' },
    ],
    [
      'pattern',
      { id: 'two', service_name: 'Two', domain: 'two.example', host_patterns: ['*.cdn.one.example'] },
      { message: 'The host_pattern "*.cdn.one.example" belongs to the service "one".' },
    ],
    [
      'prefix',
      { id: 'two', service_name: 'Two', domain: 'two.example', url_prefixes: ['shared.example/One'] },
      { message: 'The url_prefix "shared.example/One" belongs to the service "one".' },
    ],
  ])('two services with the same %s are refused', (_name, two, expected) => {
    const one = registry.update('one', {
      host_patterns: ['*.cdn.one.example'],
      url_prefixes: ['shared.example/one'],
    });
    const other = { ...one, alternate_domains: [], host_patterns: [], url_prefixes: [], ...two } as Service;
    expect(() => new ServiceRegistry([one, other])).toThrow(expect.objectContaining(expected));
  });

  test.each([
    ['a link as domain', { domain: 'https://two.example/' }, 'domain: The host has a scheme or a port'],
    ['a port', { domain: 'two.example:443' }, 'domain: The host has a scheme or a port'],
    ['a pattern without *', { host_patterns: ['a.two.example'] }, 'The pattern has no "*"; use alternate_domains.'],
    [
      'a pattern with a space',
      { host_patterns: ['* x.two.example'] },
      'host_patterns[0]: The host holds a character that no host name has.',
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
    ['a country', { country: 'de' }, 'country: is not an ISO 3166-1 alpha-2 code'],
    ['a long country', { country: 'DEU' }, 'country: is not an ISO 3166-1 alpha-2 code'],
    [
      'facts of facts as risk',
      { risk: { level: { legal: 'high' } } },
      'risk: is no text, no number and no facts by name',
    ],
    ['a list as risk', { risk: ['high'] }, 'risk: is no text'],
    ['too many facts', { risk: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, true])) }, 'risk: '],
    ['no scope but path', { scope: 'host' }, 'scope: '],
    ['no duration', { coach_ttl: '8 hours' }, 'coach_ttl: is not a duration as 8h, 30m or a number of milliseconds'],
    ['no time', { coach_ttl: 0 }, 'coach_ttl: is not a duration'],
    ['a negative time', { coach_ttl: -5 }, 'coach_ttl: is not a duration'],
    ['a time with words around it', { coach_ttl: 'in 8h' }, 'coach_ttl: is not a duration'],
    ['scope path alone', { scope: 'path' }, 'url_prefixes: A service with scope path needs at least one prefix.'],
    ['no words', { service_name: undefined }, 'service_name: is missing'],
    ['an unknown field', { domian: 'two.example' }, 'domian: is not known'],
    ['a long name', { service_name: 'x'.repeat(201) }, 'service_name: '],
    ['a lone surrogate', { vendor: 'x\ud800' }, 'vendor: holds control characters'],
  ])('invalid: %s, in words', (_name, change, message) => {
    const input = { service_name: 'Two', domain: 'two.example', ...words, ...change };
    expect(() => registry.add(input)).toThrow(expect.objectContaining({ message: expect.stringContaining(message) }));
    expect(() => registry.add(input)).toThrow(/^The service is not valid: .*[^.]\.$/);
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
  ])('people are asked once in %j', (coach_ttl, expected) => {
    expect(registry.update('one', { coach_ttl }).coach_ttl).toBe(expected);
    expect(registry.update('one', { coach_ttl: null })).not.toHaveProperty('coach_ttl');
  });

  test.each([
    ['My -- Service!', 'my-service'],
    ['--x--', 'x'],
    ['Über AI 2', 'u-ber-ai-2'],
  ])('the id of %j is %s', (service_name, id) => {
    expect(registry.add({ ...words, service_name, domain: 'id.example' }).id).toBe(id);
  });

  test('ids count up from two', () => {
    const ids = [2, 3, 4].map(
      (n) => registry.add({ ...words, service_name: `One${'!'.repeat(n)}`, domain: `o${n}.x` }).id,
    );
    expect(ids).toEqual(['one-2', 'one-3', 'one-4']);
  });

  test('what was asked of many hosts is asked again after a change', () => {
    for (let i = 0; i < 5000; i++) expect(registry.match(`h${i}.example`)).toBeUndefined();
    expect(registry.match('h4999.example')).toBeUndefined();
    registry.add({ ...words, service_name: 'H', domain: 'h4999.example' });
    expect(registry.match('h4999.example')?.service.id).toBe('h');
    registry.remove('h');
    expect(registry.match('h4999.example')).toBeUndefined();
  });

  test.each([() => registry.update('none', {}), () => registry.remove('none')])('unknown id', (change) => {
    expect(change).toThrow(expect.objectContaining({ code: 'not_found', status: 404 }));
  });

  test('ids stay apart when names look alike', () => {
    expect(registry.add({ service_name: 'One!', domain: 'two.example', category: 'approved' }).id).toBe('one-2');
    expect(registry.add({ service_name: '文心一言', domain: 'yiyan.example', category: 'approved' }).id).toBe(
      'yiyan-example',
    );
  });
});

test('the longest suffix wins, whatever was added first', () => {
  const label = fc.stringMatching(/^[a-c]{1,2}$/);
  const name = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join('.'));
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 12 }), name, (domains, host) => {
      const registry = new ServiceRegistry();
      for (const domain of domains) registry.add({ service_name: domain, domain, category: 'approved' });
      const expected = domains
        .filter((domain) => host === domain || host.endsWith(`.${domain}`))
        .sort((a, b) => b.length - a.length)[0];
      expect(registry.match(host)?.matchedHost).toBe(expected);
    }),
  );
});

test.each([
  ['a.*.example.com', 'a.x.example.com', true],
  ['a.*.example.com', 'a.x-1.example.com', true],
  ['a.*.example.com', 'a.x.y.example.com', false],
  ['a.*.example.com', 'a..example.com', false],
  ['a.*.example.com', 'a.x_y.example.com', false],
  ['a.*.example.com', 'b.x.example.com', false],
  ['a.*.example.com', 'a.x.example', false],
  ['*-x.example.com', '1-x.example.com', true],
  ['*-x.example.com', '-x.example.com', false],
  ['*-x.example.com', '1-x1.example.com', false],
  ['a*z.example.com', 'xa1z.example.com', false],
  ['a_*.example.com', 'a_1.example.com', true],
])('the pattern %s and %s: %s', (pattern, host, expected) => {
  expect(labelsMatch(compilePattern(pattern), host.split('.'))).toBe(expected);
});
