import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { builtinServicesFile, loadServices, parseServices } from '../../config/services.ts';
import { parseServiceInput, serviceId, slugOf } from '../../policy/service.ts';

const shippedText = readFileSync(builtinServicesFile, 'utf8');

describe('the shipped file', () => {
  const services = loadServices();

  test('passes every check, and its compiled form is up to date (`npm run compile:registry`)', () => {
    expect(parseServices(shippedText, 'services.yaml')).toEqual({ services, problems: [] });
  });

  test('keys are the slugs of the names, ids those of the keys, both unique', () => {
    expect(new Set(services.map(({ key }) => key)).size).toBe(services.length);
    expect(new Set(services.map(({ id }) => id)).size).toBe(services.length);
    for (const { id, key, service_name: name, domain } of services)
      expect([key, id]).toEqual([slugOf(name, domain), serviceId(key)]);
  });

  test('every entry equals what the API would create', () => {
    for (const { id: _id, key: _key, created_at: _created, updated_at: _updated, ...fields } of services) {
      expect(parseServiceInput(fields)).toEqual(fields);
    }
  });

  test.each([
    ['chatgpt', 'chatgpt.site'],
    ['chatgpt', 'web-sandbox.oaiusercontent.com'],
    ['chatgpt', 'webpubsub.azure.com'],
    // Anyone can register the name once its owner gives it up.
    ['chatgpt', 'openaiapi-site.azureedge.net'],
    ['chatgpt', 'production-openaicom-storage.azureedge.net'],
    ['claude', 'claudeusercontent.com'],
    ['claude', 'claudemcpcontent.com'],
    ['hugging-face', 'hf.space'],
    ['lovable', 'gptengineer.app'],
    ['n8n-cloud', 'app.n8n.cloud'],
    ['replicate', 'replicate.delivery'],
  ])('hosts on which users publish are marked: %s, %s', (key, host) => {
    expect(services.find((service) => service.key === key)?.user_content).toContain(host);
  });

  test('is_blocked is true exactly for blocked, and blocked has a reason', () => {
    for (const service of services) {
      expect(service.is_blocked).toBe(service.category === 'blocked');
      if (service.is_blocked) expect(service.reason).toBeDefined();
    }
  });
});

describe('a file of an organisation', () => {
  const entry = (fields: string) => `services:\n  - { service_name: A, category: blocked, ${fields} }\n`;
  test('gets keys, ids, lists and is_blocked', () => {
    const { services } = parseServices(
      `compiled: 2026-01-02\n${entry('domain: a.example')}  - { service_name: "A!", category: approved, domain: b.example }\n`,
      'f.yaml',
    );
    expect(services).toMatchObject([
      { id: serviceId('a'), key: 'a', is_blocked: true, alternate_domains: [], created_at: '2026-01-02T00:00:00.000Z' },
      { id: serviceId('a-2'), key: 'a-2', is_blocked: false },
    ]);
  });

  const two = (name: string, domain: string) =>
    `${entry('domain: a.example')}  - { service_name: ${name}, category: approved, domain: ${domain} }`;
  const foreign = entry('domain: a.example, user_content: [b.example]');
  const noCategory = 'services: [{ service_name: A, domain: a.example }]';
  const misspelt = entry('domian: a.example, domain: a.example');
  test.each([
    ['upper case', entry('domain: A.example'), '2:51: services[0].domain: must be written "a.example"'],
    ['trailing dot', entry('domain: a.example.'), 'must be written "a.example"'],
    ['IDN', entry('domain: bücher.example'), 'must be written "xn--bcher-kva.example"'],
    ['address', entry('domain: https://a.example'), 'services[0].domain: must be a host name'],
    ['one label', entry('domain: com'), 'services[0].domain: must be a host name'],
    ["users' content on a host of another", foreign, 'user_content[0]: is not a host of the service'],
    ['wide pattern', entry('domain: a.example, host_patterns: ["*.com"]'), 'host_patterns[0]: is too wide'],
    ['pattern without star', entry('domain: a.example, host_patterns: [b.example]'), 'host_patterns[0]: has no "*"'],
    [
      'prefix without path',
      entry('domain: a.example, url_prefixes: [a.example]'),
      'url_prefixes[0]: must be host/path',
    ],
    ['path scope without prefixes', entry('domain: a.example, scope: path'), 'services[0].scope: needs url_prefixes'],
    ['unknown key', misspelt, 'services[0].domian: unknown key; did you mean "domain"?'],
    ['no domain', 'services: [{ service_name: A, category: blocked }]', 'services[0].domain: is missing'],
    ['no category', noCategory, 'services[0].category: is missing; must be one of'],
    ['host on two services', two('B', 'a.example'), '3:5: services[1].domain: a.example already belongs to "A"'],
    ['name on two services', two('a', 'b.example'), 'services[1].service_name: name a already belongs to "A"'],
    ['nothing', '', 'services: is missing'],
    ['no YAML', 'services: [', 'f.yaml:1:'],
  ])('refuses %s', (_name, text, expected) => {
    const { problems, services } = parseServices(text, 'f.yaml');
    expect(services).toBeUndefined();
    const told = problems
      .map(({ file, line, column, key, message }) => `${file}:${line}:${column}: ${key}: ${message}`)
      .join('\n');
    expect(told).toContain(expected);
  });
});
