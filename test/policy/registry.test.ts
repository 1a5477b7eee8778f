/** The service of a host and path: in the shipped registry, by the longest suffix, by pattern. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadServices } from '../../config/services.ts';
import { normalizeHost } from '../../policy/host.ts';
import { compilePattern, labelsMatch } from '../../policy/part-claims.ts';
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
  ])('%s matches nothing', (host) => {
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

  test('reports where only the path can decide', () => {
    const isOnlyShared = (host: string) => shipped.prefixMatches(host).length > 0 && shipped.match(host) === undefined;
    expect(isOnlyShared('canva.com')).toBe(true);
    expect(isOnlyShared('www.canva.com')).toBe(true);
    expect(isOnlyShared('design.canva.com')).toBe(false);
    expect(isOnlyShared('chatgpt.com')).toBe(false);
    expect(isOnlyShared('example.com')).toBe(false);
  });

  test('every host of every service matches it', () => {
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

test('a host has the prefixes of its name without www. in addition to its own, longest first', () => {
  const registry = new ServiceRegistry();
  const add = (id: string, url_prefixes: string[]) =>
    registry.add({ service_name: id, domain: `${id}.example`, category: 'approved', url_prefixes });
  add('bare', ['shared.example/a', 'shared.example/a/b/c']);
  add('own', ['www.shared.example/a/b', 'www.shared.example/d']);
  const found = (path: string) => registry.match('www.shared.example', path)?.service.service_name;
  expect(['/a', '/a/b', '/a/b/c', '/d'].map(found)).toEqual(['bare', 'own', 'bare', 'own']);
  expect(registry.match('shared.example', '/d')).toBeUndefined();
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
  ['a*b*c.example.com', 'axbxbxc.example.com', true],
  ['a*b*c.example.com', 'abxc.example.com', false],
  ['a**.example.com', 'axy.example.com', true],
  ['a**.example.com', 'ax.example.com', false],
  // Many `*` would take years with back-tracking.
  [`${'a*'.repeat(20)}b.example.com`, `${'a'.repeat(62)}.example.com`, false],
])('the pattern %s and %s: %s', (pattern, host, expected) => {
  expect(labelsMatch(compilePattern(pattern), host.split('.'))).toBe(expected);
});
