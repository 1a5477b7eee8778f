import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseDocument, visit } from 'yaml';
import { ConfigError, type Flags, loadConfig, parseConfig } from '../../config/load.ts';
import { showConfig } from '../../config/show.ts';
import type { PolicyConfig } from '../../policy/decision.ts';

const folder = mkdtempSync(join(tmpdir(), 'privet-config-'));
const defaultFile = join(import.meta.dirname, '../../config/default.yaml');

function fileOf(text: string, name = 'privet.yaml'): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** `line:column key` of every problem. */
function placesOf(text: string): string[] {
  return parseConfig(text, 'f.yaml').problems.map(({ line, column, key }) => `${line}:${column} ${key}`);
}

function messageOf(text: string): string {
  return parseConfig(text, 'f.yaml')
    .problems.map(({ message }) => message)
    .join(' | ');
}

function problemsOf(options: Parameters<typeof loadConfig>[0]): readonly string[] {
  try {
    loadConfig(options);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  return [];
}

describe('defaults', () => {
  const { config, settings, warnings } = loadConfig({ env: {} });

  test('an empty configuration is complete', () => {
    expect(warnings).toEqual([]);
    expect(config).toMatchObject({
      listen: { proxy: { host: '127.0.0.1', port: 3128 }, api: { host: '127.0.0.1', port: 3001 }, proxy_tls: null },
      workers: 1,
      policy: {
        registry: null,
        unknown: 'allow',
        inspect: { approved: 'mask', monitoring: 'audit', unknown: 'tunnel' },
      },
      masking: { max_body: 32 * 2 ** 20, uninspectable: { document: 'extract', binary: 'block' } },
      egress: { deny_private: true, ports: [80, 443] },
      auth: { clients: ['loopback', 'private'], proxy: { mode: 'none', realm: 'Privet' } },
      log: { level: 'info', audit: { file: null, syslog: null } },
    });
    expect(config.upstream.timeouts).toEqual({
      connect: 10_000,
      tls: 10_000,
      dns: 5000,
      first_byte: 300_000,
      body_idle: 600_000,
      body: 60_000,
      tunnel_idle: 3_600_000,
      header: 15_000,
      keep_alive: 65_000,
      drain: 30_000,
      drain_delay: 0,
    });
    expect(settings).toMatchObject({
      dataDir: './data',
      store: 'memory',
      tokenTtlMs: 86_400_000,
      logLevel: 'info',
      uiOrigins: [],
    });
    // What policy/ takes is what the schema gives.
    expect(config.policy satisfies PolicyConfig).toBeDefined();
  });

  test('default.yaml says the same, key by key', () => {
    const text = readFileSync(defaultFile, 'utf8');
    expect(parseConfig(text, 'default.yaml')).toEqual({ config, problems: [] });
    const named = new Set<string>();
    visit(parseDocument(text), { Pair: (_key, pair) => void named.add(String(pair.key)) });
    const keysOf = (value: unknown): string[] =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && !('port' in value)
        ? Object.entries(value).flatMap(([key, child]) => [key, ...keysOf(child)])
        : [];
    expect(keysOf(config).filter((key) => !named.has(key))).toEqual([]);
  });

  test('the result cannot be changed', () => {
    expect(Object.isFrozen(config.policy.inspect)).toBe(true);
    expect(Object.isFrozen(config.egress.ports)).toBe(true);
  });
});

describe('values', () => {
  test.each<[string, string, (config: ReturnType<typeof loadConfig>['config']) => unknown, unknown]>([
    ['port alone', 'listen: { api: 8080 }', (c) => c.listen.api, { host: '127.0.0.1', port: 8080 }],
    ['IPv6', 'listen: { api: "[::1]:0" }', (c) => c.listen.api, { host: '::1', port: 0 }],
    ['every address', 'listen: { api: ":80" }', (c) => c.listen.api, { host: '0.0.0.0', port: 80 }],
    ['size', 'masking: { max_body: 500kB }', (c) => c.masking.max_body, 500_000],
    ['size with a fraction', 'masking: { max_body: 1.5 MiB }', (c) => c.masking.max_body, 1_572_864],
    ['size in bytes', 'masking: { max_body: 1024 }', (c) => c.masking.max_body, 1024],
    ['duration', 'upstream: { timeouts: { connect: 250ms } }', (c) => c.upstream.timeouts.connect, 250],
    ['duration in minutes', 'upstream: { timeouts: { connect: 5m } }', (c) => c.upstream.timeouts.connect, 300_000],
    ['duration in ms', 'upstream: { timeouts: { connect: 1234 } }', (c) => c.upstream.timeouts.connect, 1234],
    [
      'one of the time-outs leaves the others',
      'upstream: { timeouts: { dns: 1s } }',
      (c) => c.upstream.timeouts.tls,
      10_000,
    ],
    ['any port', 'egress: { ports: any }', (c) => c.egress.ports, 'any'],
    [
      'a text that is no pattern',
      'masking: { dictionary: [{ label: A, pattern: "(" }] }',
      (c) => c.masking.dictionary[0]?.pattern,
      '(',
    ],
    ['workers', 'workers: auto', (c) => c.workers, 'auto'],
    ['types are words, not booleans', 'masking: { types: { EMAIL: off } }', (c) => c.masking.types, { EMAIL: 'off' }],
    ['an empty section', 'masking:\nlog:\n', (c) => c.masking.max_body, 33_554_432],
    ['an empty section inside', 'upstream: { timeouts: , resolve: }', (c) => c.upstream.resolve, {}],
    [
      'resolve',
      'upstream: { resolve: { api.openai.com: "[::1]:9443" } }',
      (c) => c.upstream.resolve,
      { 'api.openai.com': '[::1]:9443' },
    ],
    ['bypass', 'policy: { bypass: [a.example, "*.b.example", 10.0.0.0/8, "::1"] }', (c) => c.policy.bypass.length, 4],
    [
      'a rule',
      'policy: { rules: [{ when: { groups: [legal], hours: "mon-fri 08:00-18:00 Asia/Tokyo" }, then: { types: { EMAIL: block } } }] }',
      (c) => c.policy.rules[0]?.then,
      { types: { EMAIL: 'block' } },
    ],
    ['only comments', '# nothing\n', (c) => c.workers, 1],
  ])('%s', (_name, text, read, expected) => {
    expect(read(loadConfig({ file: fileOf(text), env: {} }).config)).toEqual(expected);
  });

  test.each([
    ['listen: { api: 127.0.0.1 }', '1:16 listen.api'],
    ['listen: { api: "host:99999" }', '1:16 listen.api'],
    ['listen: { api: "[x]:80" }', '1:16 listen.api'],
    ['workers: 0', '1:10 workers'],
    ['workers: many', '1:10 workers'],
    ['masking: { max_body: 0 }', '1:22 masking.max_body'],
    ['masking: { max_body: 5 apples }', '1:22 masking.max_body'],
    ['upstream: { timeouts: { dns: -1 } }', '1:30 upstream.timeouts.dns'],
    ['upstream: { timeouts: { dns: 5 days } }', '1:30 upstream.timeouts.dns'],
    ['upstream: { timeouts: { dns: 25d } }', '1:30 upstream.timeouts.dns'],
    ['policy: { coach_ttl: 40000d }', '1:22 policy.coach_ttl'],
    ['api: { rate_limits: { stater: 5 } }', '1:23 api.rate_limits.stater'],
    ['upstream: { parent: "socks5://x" }', '1:21 upstream.parent'],
    ['upstream: { resolve: { a.example: 127.0.0.1 } }', '1:35 upstream.resolve["a.example"]'],
    ['upstream: { resolve: { "a b": "127.0.0.1:1" } }', '1:24 upstream.resolve["a b"]'],
    ['egress: { allow: [10.0.0.0/33] }', '1:19 egress.allow[0]'],
    ['egress: { ports: [443, 0] }', '1:24 egress.ports[1]'],
    ['egress: { ports: all }', '1:18 egress.ports'],
    ['policy: { bypass: ["*"] }', '1:20 policy.bypass[0]'],
    ['policy: { bypass: ["https://x.example"] }', '1:20 policy.bypass[0]'],
    ['policy: { bypass: ["例*.example"] }', '1:20 policy.bypass[0]'],
    ['policy: { rules: [{ when: { paths: [x] }, then: {} }] }', '1:37 policy.rules[0].when.paths[0]'],
    ['policy: { rules: [{ when: {} }] }', '1:19 policy.rules[0].then'],
    ['policy: { rules: [{ when: { hours: [8-18] }, then: {} }] }', '1:37 policy.rules[0].when.hours[0]'],
    ['masking: { types: { email: on } }', '1:21 masking.types.email'],
    ['auth: { proxy: { realm: "a\\"b" } }', '1:25 auth.proxy.realm'],
    ['masking: { dictionary: [{ label: project, pattern: x }] }', '1:34 masking.dictionary[0].label'],
    ['masking: { dictionary: [{ label: SRAG, pattern: x }] }', '1:34 masking.dictionary[0].label'],
    ['masking: { dictionary: [{ label: A, pattern: "/(/" }] }', '1:46 masking.dictionary[0].pattern'],
    ['masking: text', '1:10 masking'],
    ['just text', '1:1 '],
    ['- a list', '1:1 '],
  ])('refuses %s', (text, place) => {
    const places = placesOf(text);
    if (text.includes('{ when: {} }')) expect(places[0]).toMatch(/policy\.rules\[0\]\.then$/);
    else expect(places).toEqual([place]);
  });
});

describe('unknown keys', () => {
  test.each([
    ['polcy: {}', '"policy"'],
    ['policy: { unknwon: allow }', '"unknown"'],
    ['policy: { rules: [{ when: { grups: [a] }, then: {} }] }', '"groups"'],
    ['policy: { rules: [{ when: {}, then: { acton: allow } }] }', '"action"'],
    ['upstream: { timeouts: { fisrt_byte: 1s } }', '"first_byte"'],
    ['listen: { proxyTls: null }', '"proxy_tls"'],
    ['max_body: 1MiB', '"masking.max_body"'],
  ])('%s: did you mean %s?', (text, name) => {
    expect(messageOf(text)).toBe(`unknown key; did you mean ${name}?`);
  });

  test.each(['zzzzzzzzzz: 1', '__proto__: { x: 1 }', 'constructor: 1'])('%s: no guess', (text) => {
    expect(messageOf(text)).toBe('unknown key');
  });

  test('a word that is no choice gets the nearest one', () => {
    expect(messageOf('policy: { unknown: alow }')).toBe('must be one of allow, warn, block; did you mean "allow"?');
    expect(messageOf('policy: { unknown: 7 }')).toBe('must be one of allow, warn, block');
    expect(messageOf('masking: { types: { EMAIL: true } }')).toContain('did you mean "on"?');
  });
});

describe('YAML', () => {
  test.each([
    ['policy: {', '1:10'],
    ['workers: 1\nworkers: 2', '2:1'],
    ['a: *none', '1:1'],
    ['workers: 1\n\tlog: {}', '2:1'],
  ])('%j is refused with its line', (text, place) => {
    const [problem] = parseConfig(text, 'f.yaml').problems;
    expect(`${problem?.line}:${problem?.column}`.split(':')[0]).toBe(place.split(':')[0]);
  });

  test('aliases that multiply are refused', () => {
    const levels = [
      'a: &a [x, x, x, x, x, x, x, x, x]',
      ...'bcdefg'.split('').map((key, i) => `${key}: &${key} [${Array(9).fill(`*${'abcdefg'[i]}`).join(', ')}]`),
    ];
    expect(parseConfig(levels.join('\n'), 'f.yaml').problems.length).toBeGreaterThan(0);
  });
});

test('all faults of file, environment and flags are told at once, the file in the order of its lines', () => {
  const file = fileOf('workers: -1\npolicy:\n  unknwon: allow\negress:\n  ports: [443, 70000]\n', 'bad.yaml');
  expect(
    problemsOf({ file, env: { PORT: '99999', LOG_LEVEL: 'inf', PROXY_ADMIN_KEY: 'short' }, flags: { store: 'sqlit' } }),
  ).toEqual([
    `${file}:1:10: workers: must be at least 1`,
    `${file}:3:3: policy.unknwon: unknown key; did you mean "unknown"?`,
    `${file}:5:16: egress.ports[1]: must be 1 to 65535`,
    'environment: PORT: must be a port from 0 to 65535',
    expect.stringMatching(/^environment: LOG_LEVEL: .*did you mean "info"\?$/),
    expect.stringMatching(/^flags: --store: .*did you mean "sqlite"\?$/),
    'environment: PROXY_ADMIN_KEY: must have at least 24 characters',
  ]);
});

test('a file that is not there is one problem beside the others', () => {
  const file = join(folder, 'none.yaml');
  expect(problemsOf({ file, env: { PORT: 'x' } })).toEqual([
    `${file}: cannot be read: there is no such file`,
    'environment: PORT: must be a port from 0 to 65535',
  ]);
});

describe('order: defaults < file < environment < flags', () => {
  const file = fileOf('listen: { api: "10.0.0.1:1111" }\nworkers: 2\nlog: { level: warn }\n', 'order.yaml');
  test.each<[string, Record<string, string>, Flags, unknown]>([
    ['file', {}, {}, { host: '10.0.0.1', port: 1111, workers: 2, level: 'warn' }],
    [
      'environment',
      { PORT: '2222', WORKERS: 'auto', LOG_LEVEL: 'debug' },
      {},
      { host: '10.0.0.1', port: 2222, workers: 'auto', level: 'debug' },
    ],
    [
      'flags',
      { PORT: '2222', WORKERS: 'auto' },
      { port: '3333', host: '::1', workers: '4' },
      { host: '::1', port: 3333, workers: 4, level: 'warn' },
    ],
    [
      'an empty variable counts as not set',
      { PORT: '', LOG_LEVEL: '' },
      {},
      { host: '10.0.0.1', port: 1111, workers: 2, level: 'warn' },
    ],
  ])('%s', (_name, env, flags, expected) => {
    const { config, settings } = loadConfig({ file, env, flags });
    expect({ ...config.listen.api, workers: config.workers, level: config.log.level }).toEqual(expected);
    expect({ host: settings.host, port: settings.port }).toEqual(config.listen.api);
    expect(settings.logLevel).toBe(config.log.level);
  });

  test('PROXY_CONFIG names the file, an argument wins over it', () => {
    expect(loadConfig({ env: { PROXY_CONFIG: file } }).config.workers).toBe(2);
    expect(loadConfig({ file: fileOf('workers: 3', 'three.yaml'), env: { PROXY_CONFIG: file } }).config.workers).toBe(
      3,
    );
  });

  test('other settings of the environment', () => {
    const env = {
      GATEWAY_HOST: '0.0.0.0',
      GATEWAY_PORT: '0',
      PROXY_DATA_DIR: '/var/lib/privet',
      PROXY_ADMIN_KEY: 'k'.repeat(24),
      PROXY_STORE: 'redis',
      PROXY_STORE_URL: 'redis://localhost',
      PROXY_TOKEN_TTL: '0',
      UI_ORIGIN: 'https://a.example, http://localhost:5173/',
    };
    const { config, settings } = loadConfig({ env });
    expect(config.listen.proxy).toEqual({ host: '0.0.0.0', port: 0 });
    expect(settings).toMatchObject({ dataDir: '/var/lib/privet', tokenTtlMs: 0, store: 'redis' });
    expect(settings.uiOrigins).toEqual(['https://a.example', 'http://localhost:5173']);
  });

  test('a lifetime of tokens never leads beyond the last date', () => {
    const { settings } = loadConfig({ env: { PROXY_TOKEN_TTL: String(Number.MAX_SAFE_INTEGER) } });
    expect(new Date(Date.now() + settings.tokenTtlMs).toISOString()).toMatch(/^21/);
  });

  test.each([
    [{ PROXY_STORE: 'redis' }, 'PROXY_STORE_URL'],
    [{ PROXY_STORE: 'redis', PROXY_STORE_URL: 'localhost:6379' }, 'PROXY_STORE_URL'],
    [{ PROXY_STORE: 'postgres', PROXY_STORE_URL: 'redis://localhost' }, 'PROXY_STORE_URL'],
    [{ PROXY_STORE: 'sqlite', PROXY_STORE_URL: 'postgresql://localhost/x' }, 'PROXY_STORE_URL'],
    [{ PROXY_STORE_URL: 'rediss://localhost' }, 'PROXY_STORE_URL'],
    [{ PROXY_TOKEN_TTL: '1h' }, 'PROXY_TOKEN_TTL'],
    [{ PROXY_TOKEN_TTL: '-1' }, 'PROXY_TOKEN_TTL'],
    [{ UI_ORIGIN: '*' }, 'UI_ORIGIN'],
    [{ UI_ORIGIN: 'https://a.example/path' }, 'UI_ORIGIN'],
    [{ WORKERS: '0' }, 'WORKERS'],
    [{ GATEWAY_PORT: '3128x' }, 'GATEWAY_PORT'],
  ])('refuses %j', (env, key) => {
    expect(problemsOf({ env })).toEqual([expect.stringContaining(`environment: ${key}: `)]);
  });
});

describe('an open proxy is refused', () => {
  test.each([
    ['every client on every address', 'listen: { proxy: ":3128" }\nauth: { clients: [0.0.0.0/0] }', true],
    ['every IPv6 client', 'listen: { proxy: "[::]:3128" }\nauth: { clients: [private, "::/0"] }', true],
    ['with credentials', 'listen: { proxy: ":3128" }\nauth: { clients: [0.0.0.0/0], proxy: { mode: basic } }', false],
    ['on loopback', 'auth: { clients: [0.0.0.0/0] }', false],
    ['named networks', 'listen: { proxy: ":3128" }\nauth: { clients: [10.0.0.0/8] }', false],
    ['in two halves', 'listen: { proxy: ":3128" }\nauth: { clients: [0.0.0.0/1, 128.0.0.0/1] }', true],
    ['IPv4 inside IPv6', 'listen: { proxy: ":3128" }\nauth: { clients: ["::ffff:0:0/96"] }', true],
    ['all public IPv6', 'listen: { proxy: ":3128" }\nauth: { clients: ["2000::/3"] }', true],
    ['all private IPv6', 'listen: { proxy: ":3128" }\nauth: { clients: ["fc00::/7"] }', false],
    [
      'on the TLS listener alone',
      'listen: { proxy_tls: { listen: ":3129", cert_file: a, key_file: b } }\nauth: { clients: [0.0.0.0/0] }',
      true,
    ],
    [
      'with client certificates',
      'listen: { proxy_tls: { listen: ":3129", cert_file: a, key_file: b, client_ca_file: c, client_cert: required } }\nauth: { clients: [0.0.0.0/0] }',
      false,
    ],
  ])('%s: %s', (_name, text, refused) => {
    const problems = problemsOf({ file: fileOf(text, 'open.yaml'), env: {} });
    expect(problems.length).toBe(refused ? 1 : 0);
    if (refused) expect(problems[0]).toMatch(/open\.yaml:2:\d+: auth\.clients\[\d\]: .*open proxy/);
  });

  test('where everybody is exempt from signing in', () => {
    const text =
      'listen: { proxy: ":3128" }\nauth: { clients: [0.0.0.0/0], proxy: { mode: basic, exempt: [10.0.0.0/8, 0.0.0.0/0] } }';
    expect(problemsOf({ file: fileOf(text, 'open.yaml'), env: {} })).toEqual([
      expect.stringMatching(/open\.yaml:2:\d+: auth\.proxy\.exempt\[1\]: .*open proxy/),
    ]);
  });
});

test.each([
  ['policy: { inspect: { unknown: audit } }', 'name constraints'],
  ['auth: { proxy: { mode: basic } }', 'without any user'],
  ['egress: { deny_private: false }', 'deny_private'],
])('warning for %s', (text, expected) => {
  expect(loadConfig({ file: fileOf(text, 'warn.yaml'), env: {} }).warnings).toEqual([
    expect.stringContaining(expected),
  ]);
});

describe('what is shown', () => {
  const secrets = [
    'hash-canary',
    'parent-canary',
    'admin-canary-0123456789abc',
    'store-canary',
    'license-canary',
    'key-canary',
  ];
  const text = [
    'listen: { proxy: "[::1]:3128" }',
    `auth: { proxy: { mode: basic, users: [{ name: ann, password_hash: ${secrets[0]}, groups: [legal] }] } }`,
    `upstream: { parent: "http://user:${secrets[1]}@proxy.example:3128", timeouts: { dns: 1500 } }`,
    'masking: { max_body: 1000 }',
  ].join('\n');
  const env = {
    PROXY_ADMIN_KEY: secrets[2],
    PROXY_STORE: 'postgres',
    PROXY_STORE_URL: `postgres://u:${secrets[3]}@db.example/x`,
    PROXY_LICENSE_KEY: secrets[4],
    PROXY_STORE_KEY: secrets[5],
  };

  test('holds no secret', () => {
    const { config, settings } = loadConfig({ file: fileOf(text, 'show.yaml'), env });
    const shown = showConfig(config, settings);
    for (const secret of secrets) expect(shown).not.toContain(secret);
    for (const visible of ['name: ann', 'proxy.example', 'db.example', 'dns: 1500ms', 'max_body: 1000B'])
      expect(shown).toContain(visible);
  });

  test.each(['', 'listen: { proxy: "[::1]:3128" }\nmasking: { max_body: 1000 }\npolicy: { coach_ttl: 90s }'])(
    'reads back to the same: %j',
    (yaml) => {
      const { config, settings } = loadConfig({ file: fileOf(yaml, 'back.yaml'), env: {} });
      expect(parseConfig(showConfig(config, settings), 'f.yaml').config).toEqual(config);
    },
  );
});
