/** Service lists in all formats, and how they change a registry. */
import { describe, expect, test } from 'vitest';
import { diffOf, type EntryOptions, overlay, readEntries } from '../../../gateway/feeds/entries.ts';
import { ServiceRegistry } from '../../../policy/registry.ts';

const read = (text: string, options: Partial<EntryOptions> = {}) =>
  readEntries(text, { format: 'auto', name: 'list', ...options });

describe('CSV', () => {
  test('columns in any order, quotes, other separators and line ends, a mark at the beginning', async () => {
    const text =
      '\ufeffcategory;Service Name;domain;alternate_domains;is_blocked\r\n' +
      'approved;"Ünï; ""AI""";Example.COM.;a.example.com|b.example.com;\r\n' +
      '# a comment\r\n\r\n' +
      ';;chat.example.net;;yes\r\n' +
      'block;;b.example.org;;\r\n';
    expect(await read(text)).toEqual({
      entries: [
        { category: 'blocked', domain: 'b.example.org' },
        { domain: 'chat.example.net', is_blocked: true },
        {
          category: 'approved',
          service_name: 'Ünï; "AI"',
          domain: 'example.com',
          alternate_domains: ['a.example.com', 'b.example.com'],
        },
      ],
      warnings: [],
    });
  });

  test('one column, and line breaks in quotes', async () => {
    const { entries } = await read('domain\nx.example\n"y.example"\n');
    expect(entries.map(({ domain }) => domain)).toEqual(['x.example', 'y.example']);
    const two = await read('domain,reason\nx.example,"a, b"\n');
    expect(two.entries[0]).toMatchObject({ reason: 'a, b' });
  });

  test('names that every object of JavaScript has are columns and words like others', async () => {
    const { entries, warnings } = await read('domain,constructor,category\nx.example,1,\ny.example,1,constructor\n');
    expect(entries.map(({ domain }) => domain)).toEqual(['x.example']);
    expect(warnings.join()).not.toContain('function');
  });

  test('errors are reported with their line, and the rest is imported', async () => {
    const text = [
      'domain,category,colour',
      'good.example,approved,red',
      'com,approved,',
      'bad host,approved,',
      'x.example,sometimes,',
      'good.example,blocked,',
      'y.example,approved,',
    ].join('\n');
    const { entries, warnings } = await read(text);
    expect(entries.map(({ domain }) => domain)).toEqual(['good.example', 'y.example']);
    expect(warnings).toEqual([
      expect.stringContaining('"colour"'),
      expect.stringMatching(/^line 3: .*only one label/),
      expect.stringMatching(/^line 4: /),
      expect.stringMatching(/^line 5: .*category/),
      expect.stringMatching(/^line 6: .*twice/),
    ]);
  });

  test.each([
    ['without a domain', 'name,category\nx,approved\n', /one of them "domain"/],
    ['with a quote that has no end', 'domain,category\n"x.example,approved\n', /begins in line 2 is not closed/],
    ['without an entry', 'domain,category\n', /contains no usable entry/],
  ])('%s it is refused', async (_name, text, says) => {
    await expect(read(text, { format: 'csv' })).rejects.toThrow(says);
  });
});

describe('domain lists', () => {
  const lists: Record<string, string> = {
    openai: 'openai.com\nfull:chat.openai.com @!cn\ndomain:oaistatic.com # static\n',
    anthropic: 'claude.ai\nkeyword:claude\nregexp:^claude-\\d+$\ninclude:ai\n',
  };
  const include = async (name: string) => lists[name] ?? '';

  test('rules, attributes, comments, includes that include each other', async () => {
    const text = '# all\ninclude:openai\ninclude:anthropic @-ads\nads.example @ads\n\nCASE.example @cn\n';
    const { entries, warnings } = await read(text, { name: 'ai', include, without: ['ads'], category: 'monitoring' });
    expect(entries.map(({ domain, vendor, category }) => `${domain} ${vendor} ${category}`)).toEqual([
      'case.example ai monitoring',
      'chat.openai.com openai monitoring',
      'claude.ai anthropic monitoring',
      'oaistatic.com openai monitoring',
      'openai.com openai monitoring',
    ]);
    expect(warnings).toEqual([
      expect.stringMatching(/^openai:2: chat\.openai\.com also matches subdomains/),
      expect.stringMatching(/^anthropic:2: keyword:claude is not a host/),
      expect.stringMatching(/^anthropic:3: regexp:.* is not a host/),
    ]);
  });

  test('only entries with an attribute, and those that an include selects', async () => {
    const { entries } = await read('include:openai @!cn\nx.example @!cn\ny.example\n', { include, only: ['!cn'] });
    expect(entries.map(({ domain }) => domain)).toEqual(['chat.openai.com', 'x.example']);
  });

  test('names that refer to other files, and invalid lines', async () => {
    const asked: string[] = [];
    const text = 'include:../../etc/passwd\ninclude:.hidden\na.example b.example\nx.example\ninclude:none\n';
    const { entries, warnings } = await read(text, {
      include: async (name) => {
        asked.push(name);
        return '';
      },
    });
    expect([entries.length, warnings.length, asked]).toEqual([1, 3, ['none']]);
    expect((await read('include:openai\nx.example\n')).warnings).toEqual([
      expect.stringContaining('cannot be included'),
    ]);
  });
});

test('a registry file is also a list', async () => {
  const text = 'services:\n  - service_name: Some AI\n    domain: ai.example.com\n    category: approved\n';
  expect((await read(text)).entries).toEqual([
    expect.objectContaining({ service_name: 'Some AI', domain: 'ai.example.com', category: 'approved' }),
  ]);
  await expect(read('services:\n  - domain: x\n')).rejects.toThrow(/line 2/);
});

describe('on top of a registry', () => {
  const base = () => {
    const registry = new ServiceRegistry();
    registry.add({
      service_name: 'ChatGPT',
      domain: 'chatgpt.com',
      alternate_domains: ['chat.openai.com', 'pages.example'],
      user_content: ['pages.example'],
      category: 'monitoring',
      kind: 'chat',
    });
    registry.add({ service_name: 'Other', domain: 'other.example', category: 'blocked' });
    return registry.list();
  };

  test('an entry for a known host changes its service and removes none of its hosts', () => {
    const entries = [
      {
        domain: 'chat.openai.com',
        category: 'approved',
        service_name: 'Mine',
        alternate_domains: ['new.example'],
        user_content: ['new.example'],
      },
      { domain: 'other.example', category: 'approved' },
      { domain: 'api.other.example', category: 'monitoring', service_name: 'Other' },
    ];
    const { services, warnings } = overlay(base(), entries);
    expect(warnings).toEqual([]);
    expect(services).toMatchObject([
      {
        service_name: 'ChatGPT',
        category: 'approved',
        is_blocked: false,
        kind: 'chat',
        alternate_domains: ['chat.openai.com', 'pages.example', 'new.example'],
        user_content: ['pages.example', 'new.example'],
      },
      { service_name: 'Other', category: 'approved', is_blocked: false },
      { service_name: 'Other (api.other.example)', domain: 'api.other.example' },
    ]);
  });

  test('absent fields are kept, and a new service is monitored', () => {
    const { services } = overlay(base(), [{ domain: 'other.example', vendor: 'list' }, { domain: 'new.example' }]);
    expect(services[1]).toMatchObject({ category: 'blocked', is_blocked: true, vendor: 'list' });
    expect(services[2]).toMatchObject({ category: 'monitoring', service_name: 'new.example' });
  });

  test('hosts of other services stay with them', () => {
    const entries = [{ domain: 'mine.example', category: 'approved', alternate_domains: ['chatgpt.com', 'x.example'] }];
    const { services, warnings } = overlay(base(), entries);
    expect(services[2]).toMatchObject({ domain: 'mine.example', alternate_domains: ['x.example'] });
    expect(warnings).toEqual(['mine.example: chatgpt.com belong to other services']);
  });

  test('the difference of two states', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ domain: `${name}.example`, category: 'approved' }));
    const changed = { category: 'blocked', domain: 'b.example' };
    expect(diffOf([a, b] as never, [{ category: 'approved', domain: 'a.example' }, changed, c] as never)).toMatchObject(
      {
        added: [{ domain: 'c.example' }],
        removed: [],
        changed: [{ domain: 'b.example', before: { category: 'approved' }, after: { category: 'blocked' } }],
      },
    );
  });
});

test('a large list is parsed and merged in seconds', async () => {
  const text = ['domain,category', ...Array.from({ length: 20_000 }, (_, i) => `h${i}.example,approved`)].join('\n');
  const { entries } = await read(text);
  expect(overlay([], entries).services).toHaveLength(20_000);
});
