import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { loadServices } from '../../config/services.ts';
import { normalizeHost } from '../../policy/host.ts';
import { ServiceRegistry } from '../../policy/registry.ts';

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
    expect(shipped.undecidable('canva.com')).toBe(true);
    expect(shipped.undecidable('www.canva.com')).toBe(true);
    expect(shipped.undecidable('design.canva.com')).toBe(false);
    expect(shipped.undecidable('chatgpt.com')).toBe(false);
    expect(shipped.undecidable('example.com')).toBe(false);
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
    ['unknown field', { service_name: 'Two', domain: 'two.example', category: 'approved', domian: 'x' }, ''],
    ['id', { id: 'x', service_name: 'Two', domain: 'two.example', category: 'approved' }, ''],
    [
      'wide pattern',
      { service_name: 'Two', domain: 'two.example', category: 'approved', host_patterns: ['x.*.com'] },
      'host_patterns.0',
    ],
    [
      'prefix without path',
      { service_name: 'Two', domain: 'two.example', category: 'approved', url_prefixes: ['two.example/'] },
      'url_prefixes.0',
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
