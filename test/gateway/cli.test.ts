import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serviceId } from '../../policy/service.ts';
import { fileOf, folder, privet, rows } from './cli/privet-command.ts';

describe('use', () => {
  test.each([[[]], [['help']], [['--help']], [['-h']]])('%j lists every command', async (args) => {
    const { code, out, err } = await privet(args);
    expect([code, err]).toEqual([0, '']);
    for (const command of ['serve', 'check', 'config', 'ca', 'mask', 'restore', 'detect', 'registry'])
      expect(out).toContain(`  ${command} `);
  });

  test.each([[['help', 'check']], [['check', '--help']]])('%j lists its options', async (args) => {
    const { code, out } = await privet(args);
    expect(code).toBe(0);
    for (const option of ['--user NAME', '--group NAME', '--from IP', '--config FILE']) expect(out).toContain(option);
  });

  test('serve refuses unknown options and invalid values', async () => {
    const unknown = await privet(['serve', '--prot', '80']);
    expect([unknown.code, unknown.out]).toEqual([2, '']);
    expect(unknown.err).toMatch(/unknown option --prot; did you mean --port\?/);
    expect((await privet(['serve', 'now'])).code).toBe(2);
    expect((await privet(['serve', '--help'])).code).toBe(0);
  });

  test('--version', async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
      version: string;
    };
    expect(await privet(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  test.each([
    [['chek'], 'Did you mean "check"?'],
    [['serv'], 'Did you mean "serve"?'],
    [['zzzzzz'], 'privet help'],
    [['constructor'], 'unknown command'],
    [['help', 'cehck'], 'Did you mean "check"?'],
    [['check'], 'usage: privet check URL'],
    [['check', 'a.example', 'b.example'], 'usage: privet check URL'],
    [['check', 'a.example', '--usr', 'ann'], 'did you mean --user?'],
    [['check', 'a.example', '--usr=secret'], 'unknown option --usr; '],
    [['check', 'a.example', '--user'], '--user needs a value'],
    [['check', 'a.example', '--user', 'ann', '--user', 'bob'], '--user is given twice'],
    [['check', 'a.example', '--json=yes'], '--json takes no value'],
    [['check', 'a.example', '--constructor', 'x'], 'unknown option'],
    [['check', 'ftp://a.example'], 'http(s) URL'],
    [['check', 'notaurl'], '"notaurl" is not an address. Give a host like chatgpt.com'],
    [['check', 'a.example', '--from', 'ann'], '--from must be an IP address'],
    [['check', 'a.example', '--from', '300.1.1.1'], '--from must be an IP address'],
    [['check', 'a..example'], 'The host has an empty label or a character that is not allowed in a host name.\n'],
    [['check', 'a.example', '--at', 'noon'], '--at must be a time'],
    [['report', '--from', '2026-02-31'], '--from and --to must be days like 2026-11-16'],
    [['config', 'chek'], 'did you mean "check"?'],
    [['ca', 'exprot'], 'did you mean "export"?'],
    [['registry', 'lnt'], 'did you mean "lint"?'],
    [['mask', '--type', 'EMIAL'], 'did you mean "EMAIL"?'],
    [['mask', '--action', 'EMAIL'], 'use TYPE=ACTION'],
    [['mask', '--action', 'EMAIL=hide'], 'Use token, redact, mask, hash, block'],
    [['restore'], 'usage: privet restore --map FILE'],
  ])('%j → exit 2, one line', async (args, expected) => {
    const { code, out, err } = await privet(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(expected);
    expect(err.trim().split('\n').length).toBe(1);
    expect(err).not.toContain('secret');
  });
});

describe('check', () => {
  const config = fileOf(
    'check.yaml',
    `policy:
  bypass: [bank.example]
  rules:
    - { name: legal, when: { groups: [legal], services: [deepseek] }, then: { action: allow, inspect: mask, types: { EMAIL: block } } }
    - { name: branch, when: { networks: [10.1.0.0/16] }, then: { action: warn } }
    - { name: nights, when: { users: [ann], hours: "22:00-06:00" }, then: { action: block } }
auth: { networks: { 10.2.0.0/16: legal } }
`,
  );

  test.each<[string, string[], string, string]>([
    ['approved', ['https://chatgpt.com/c/1'], 'allow, mask', 'category approved (category)'],
    ['another spelling', ['CHATGPT。com.'], 'allow, mask', 'category approved (category)'],
    ['blocked', ['deepseek.com'], 'block', 'service is_blocked (service)'],
    ['blocked, other port', ['chat.deepseek.com:8443'], 'block', 'service is_blocked (service)'],
    ['monitoring', ['https://mistral.ai'], 'warn, audit', 'category monitoring (category)'],
    ['unknown', ['notopenai.com'], 'allow, tunnel', 'policy.unknown (unknown)'],
    ['bypass', ['www.bank.example'], 'allow, tunnel', 'bank.example (bypass)'],
    ['group', ['deepseek.com', '--group', 'it,legal'], 'allow, mask', 'legal (rule)'],
    ['two groups', ['deepseek.com', '--group', 'it', '--group', 'legal'], 'allow, mask', 'legal (rule)'],
    ['group by network', ['deepseek.com', '--from', '10.2.3.4'], 'allow, mask', 'legal (rule)'],
    ['network', ['deepseek.com', '--from=10.1.3.4'], 'warn, mask', 'branch (rule)'],
    ['time', ['example.com', '--user', 'ann', '--at', '2026-11-23T23:00:00Z'], 'block', 'nights (rule)'],
    [
      'other time',
      ['example.com', '--user', 'ann', '--at', '2026-11-23T12:00:00Z'],
      'allow, tunnel',
      'policy.unknown (unknown)',
    ],
    ['path of a shared host', ['https://www.canva.com/magic'], 'allow, tunnel', 'policy.unknown (unknown)'],
    ['other path', ['https://www.canva.com/design'], 'allow, tunnel', 'policy.unknown (unknown)'],
  ])('%s', async (_name, args, decision, rule) => {
    const result = await privet(['check', ...args, '--config', config]);
    expect([result.code, result.err]).toEqual([0, '']);
    expect(rows(result, 'decision')).toEqual([decision]);
    expect(rows(result, 'rule')).toEqual([rule]);
    expect(rows(result, 'tried').at(0)).toContain('bypass');
  });

  test.each(['G ET', '', 'GET\r\n', 'GET/1'])('refuses the invalid method %j', async (method) => {
    const { code, out, err } = await privet(['check', 'example.com', '--method', method]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('--method must be a method like GET or POST');
  });

  test('accepts any valid method', async () => {
    for (const method of ['post', 'M-SEARCH', 'x!'])
      expect(await privet(['check', 'example.com', '--method', method])).toMatchObject({ code: 0 });
  });

  test('lists what else applies to the request', async () => {
    const notes = async (url: string) => rows(await privet(['check', url, '--config', config]), 'note');
    expect(await notes('https://www.canva.com/magic')).toEqual([
      expect.stringContaining('not decidable by host: Canva'),
    ]);
    expect(await notes('example.com:8443')).toEqual([expect.stringContaining('egress.ports')]);
    expect(await notes('http://0x7f.1/')).toEqual([expect.stringContaining('the address is loopback')]);
    expect(await notes('http://[fd00:ec2::254]/')).toEqual([expect.stringContaining('the address is metadata')]);
    expect(await notes('example.com')).toEqual([]);
  });

  test('as JSON', async () => {
    const { out } = await privet(['check', 'deepseek.com', '--group', 'legal', '--config', config, '--json']);
    expect(JSON.parse(out)).toMatchObject({
      host: 'deepseek.com',
      decision: {
        action: 'allow',
        inspect: 'mask',
        rule: 'legal',
        types: { EMAIL: 'block' },
        service: { key: 'deepseek' },
      },
      tried: [
        { rule: 'bypass', matched: false },
        { rule: 'legal', matched: true },
      ],
    });
  });

  test('applies the changes in the data folder', async () => {
    const { RegistryFile } = await import('../../gateway/stores/registry-file.ts');
    const { loadServices } = await import('../../config/services.ts');
    const { ServiceRegistry } = await import('../../policy/registry.ts');
    const { mkdirSync } = await import('node:fs');
    const dataDir = join(folder, 'changed');
    mkdirSync(dataDir);
    const changed = new ServiceRegistry(loadServices()).update(serviceId('chatgpt'), { category: 'blocked' });
    RegistryFile.open(dataDir).replace({ services: new Map([[changed.key, changed]]), removed: new Set() });
    expect(rows(await privet(['check', 'chatgpt.com'], { env: { PROXY_DATA_DIR: dataDir } }), 'decision')).toEqual([
      'block',
    ]);
  });
});

describe('simulate', () => {
  const policy = fileOf('simulated.yaml', '{ unknown: block }\n');
  const decision =
    '{"event":"decision","ts":"2026-11-20T09:00:00Z","subject":"ann","host":"a.example","action":"allow"}\n';
  const squid = '1795165200.000 5 10.0.0.1 TCP_DENIED/407 0 CONNECT a.example:443 - HIER_NONE/- -\n';

  test.each<[name: string, log: string]>([
    ['other JSON', '{"foo":1}\n'],
    ['our own log events', '{"event":"listening","ts":"2026-11-20T09:00:00Z"}\n'],
    ['only requests for credentials', squid],
    ['a head without a line', '#Version: 1.0\n#Fields: date time cs-host\n'],
  ])('a log of %s does not pass as a comparison', async (_name, log) => {
    const events = fileOf('events.log', log);
    for (const more of [[], ['--json'], ['--fail-on-change']]) {
      const { code, out, err } = await privet(['simulate', '--policy', policy, '--events', events, ...more]);
      expect([code, out]).toEqual([1, '']);
      expect(err).toContain(`There are no requests in ${events}.`);
    }
    const input = await privet(['simulate', '--policy', policy, '--events', '-'], { input: log });
    expect([input.code, input.err]).toEqual([1, expect.stringContaining('There are no requests in the input.')]);
  });

  test('handles an empty log, and one with a request among other lines', async () => {
    for (const [log, says] of [
      ['', '0 requests of 0 lines'],
      [`{"foo":1}\n${decision}`, '1 requests of 2 lines'],
    ] as const) {
      const { code, out } = await privet(['simulate', '--policy', policy, '--events', fileOf('events.log', log)]);
      expect([code, out]).toEqual([0, expect.stringContaining(says)]);
    }
  });
});

describe('config', () => {
  test('check reports every error with file, line and column', async () => {
    const file = fileOf('bad.yaml', 'workers: -1\npolicy:\n  unknwon: allow\n');
    for (const args of [
      ['config', 'check', file],
      ['config', 'show', file],
      ['check', 'a.example', '--config', file],
      ['detect', '--config', file],
    ]) {
      const { code, out, err } = await privet(args);
      expect([code, out]).toEqual([2, '']);
      expect(err.trim().split('\n')).toEqual([
        `${file}:1:10: workers: must be at least 1`,
        `${file}:3:3: policy.unknwon: unknown key; did you mean "unknown"?`,
      ]);
    }
  });

  test('check reports success, and warns of unknown names', async () => {
    const file = fileOf(
      'odd.yaml',
      'masking: { types: { EMAIL: off } }\npolicy: { rules: [{ when: { services: [chatgtp], kinds: [chatt] }, then: {} }] }\n',
    );
    const { code, out, err } = await privet(['config', 'check', file]);
    expect([code, out]).toEqual([0, `${file}: ok, 789 services\n`]);
    expect(err.trim().split('\n')).toEqual([
      `warning: ${file}:2:40: policy.rules[0].when.services[0]: the service "chatgtp" is not known; did you mean "chatgpt"?`,
      `warning: ${file}:2:58: policy.rules[0].when.kinds[0]: the kind "chatt" is not known; did you mean "chat"?`,
    ]);
  });

  test.each([
    ['only comments', '# everything is commented out\n'],
    ['nothing', ''],
    ['a document that is empty', '---\n'],
  ])('check warns of a file with %s, which a reload would refuse', async (_name, text) => {
    const file = fileOf('emptied.yaml', text);
    const says = `warning: ${file} contains no settings, so the defaults apply; write {} if that is intended\n`;
    expect(await privet(['config', 'check', file])).toMatchObject({ code: 0, err: says });
    expect(await privet(['config', 'check', '--strict', file])).toMatchObject({ code: 1, err: says });
    const meant = fileOf('meant.yaml', '{}\n');
    expect(await privet(['config', 'check', '--strict', meant])).toMatchObject({ code: 0, err: '' });
  });

  test('a label that only the detector refuses is reported with its line', async () => {
    const file = fileOf('label.yaml', 'masking:\n  dictionary:\n    - { label: CREDITCARD, pattern: x }\n');
    const { code, err } = await privet(['config', 'check', file]);
    expect([code, err]).toEqual([2, expect.stringContaining(`${file}:3:7: masking.dictionary[0]: `)]);
  });

  test('an error in the registry file is reported with its line', async () => {
    const registry = fileOf(
      'services.yaml',
      'services:\n  - service_name: A\n    domain: A.example\n    category: blocked\n',
    );
    const file = fileOf('registry.yaml', `policy: { registry: ${registry} }\n`);
    const { code, err } = await privet(['config', 'check', file]);
    expect([code, err]).toEqual([2, `${registry}:3:13: services[0].domain: must be written "a.example"\n`]);
  });

  test('show prints the effective configuration', async () => {
    const { code, out } = await privet(['config', 'show'], {
      env: { PORT: '4711', PROXY_ADMIN_KEY: 'canary-canary-canary-canary' },
    });
    expect(code).toBe(0);
    expect(out).toContain('api: 127.0.0.1:4711');
    expect(out).toContain('PROXY_ADMIN_KEY=****');
    expect(out).not.toContain('canary');
  });
});
