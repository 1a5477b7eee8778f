/** The settings as a whole: defaults, the order of their sources, errors, warnings, and what `config show` prints. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseDocument, visit } from 'yaml';
import { ConfigError, type Flags, loadConfig, parseConfig } from '../../config/load.ts';
import { showConfig } from '../../config/show.ts';
import type { PolicyConfig } from '../../policy/decision.ts';
import { fileOf, folder } from './config-file.ts';

const defaultFile = join(import.meta.dirname, '../../config/default.yaml');

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
      masking: { max_body: 32 * 2 ** 20, uninspectable: { document: 'extract', binary: 'omit' } },
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
    // The schema produces the type that policy/ accepts.
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

test('all errors of file, environment and flags are reported at once, those of the file in line order', () => {
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

test('a missing file is reported with the other errors', () => {
  const file = join(folder, 'none.yaml');
  expect(problemsOf({ file, env: { PORT: 'x' } })).toEqual([
    `${file}: cannot be read: there is no such file`,
    'environment: PORT: must be a port from 0 to 65535',
  ]);
});

describe('order: defaults < file < environment < flags', () => {
  const file = fileOf('listen: { api: "10.0.0.1:1111" }\nworkers: 2\nlog: { level: warn }\n', 'order.yaml');
  test.each<[string, Record<string, string>, Flags, readonly unknown[]]>([
    ['file', {}, {}, ['10.0.0.1', 1111, 2, 'warn']],
    ['environment', { PORT: '2222', WORKERS: 'auto', LOG_LEVEL: 'debug' }, {}, ['10.0.0.1', 2222, 'auto', 'debug']],
    ['flags', { PORT: '2222', WORKERS: 'auto' }, { port: '3333', host: '::1', workers: '4' }, ['::1', 3333, 4, 'warn']],
    ['an empty variable counts as not set', { PORT: '', LOG_LEVEL: '' }, {}, ['10.0.0.1', 1111, 2, 'warn']],
  ])('%s', (_name, env, flags, [host, port, workers, level]) => {
    const { config, settings } = loadConfig({ file, env, flags });
    expect({ listen: config.listen.api, workers: config.workers, level: config.log.level }).toEqual({
      listen: { host, port },
      workers,
      level,
    });
    expect({ host: settings.host, port: settings.port }).toEqual(config.listen.api);
    expect(settings.logLevel).toBe(config.log.level);
  });

  test('PROXY_CONFIG names the file, an argument wins over it', () => {
    expect(loadConfig({ env: { PROXY_CONFIG: file } }).config.workers).toBe(2);
    const three = fileOf('workers: 3', 'three.yaml');
    expect(loadConfig({ file: three, env: { PROXY_CONFIG: file } }).config.workers).toBe(3);
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
      CUSTOM_LLM_BASE_URL: 'http://127.0.0.1:11434/v1',
      OPENAI_BASE_URL: 'https://llm.example/',
      ANTHROPIC_BASE_URL: '',
    };
    const { config, settings } = loadConfig({ env });
    expect(config.listen.proxy).toEqual({ host: '0.0.0.0', port: 0 });
    expect(settings).toMatchObject({ dataDir: '/var/lib/privet', tokenTtlMs: 0, store: 'redis' });
    expect(settings.uiOrigins).toEqual(['https://a.example', 'http://localhost:5173']);
  });

  test.each([
    'postgres://127.0.0.1:5432/x',
    'POSTGRES://h/db',
    'postgresql://user:pass@/db?host=/cloudsql/p:r:i',
    'postgres:///db?host=/var/run/postgresql',
  ])('an address that the PostgreSQL driver accepts: %s', (url) => {
    expect(loadConfig({ env: { PROXY_STORE: 'postgres', PROXY_STORE_URL: url } }).settings.storeUrl).toBe(url);
  });

  test('the token lifetime never exceeds the last valid date', () => {
    const { settings } = loadConfig({ env: { PROXY_TOKEN_TTL: String(Number.MAX_SAFE_INTEGER) } });
    expect(new Date(Date.now() + settings.tokenTtlMs).toISOString()).toMatch(/^21/);
  });

  test.each([
    [{ PROXY_STORE: 'redis' }, 'PROXY_STORE_URL'],
    [{ PROXY_STORE: 'redis', PROXY_STORE_URL: 'localhost:6379' }, 'PROXY_STORE_URL'],
    [{ PROXY_STORE: 'postgres', PROXY_STORE_URL: 'redis://localhost' }, 'PROXY_STORE_URL'],
    [{ PROXY_STORE: 'sqlite', PROXY_STORE_URL: 'postgresql://localhost/x' }, 'PROXY_STORE_URL'],
    [{ PROXY_STORE_URL: 'rediss://localhost' }, 'PROXY_STORE_URL'],
    [{ PROXY_STORE: 'postgres', PROXY_STORE_URL: 'postgres://u:geheim@h:99999/x' }, 'PROXY_STORE_URL'],
    [{ PROXY_STORE: 'postgres', PROXY_STORE_URL: 'postgres:geheim' }, 'PROXY_STORE_URL'],
    [{ PROXY_STORE: 'postgres', PROXY_STORE_URL: 'postgres://u:geheim@:5432/x' }, 'PROXY_STORE_URL'],
    [{ PROXY_STORE: 'redis', PROXY_STORE_URL: 'redis://u:geheim@h:99999/0' }, 'PROXY_STORE_URL'],
    [{ PROXY_STORE: 'redis', PROXY_STORE_URL: 'redis://u:geheim@h/first' }, 'PROXY_STORE_URL'],
    [{ PROXY_STORE: 'redis', PROXY_STORE_URL: 'redis://u:%zz@h/0' }, 'PROXY_STORE_URL'],
    [{ PROXY_STORE: 'postgres', PROXY_STORE_URL: 'postgres://u:geheim@h/%E0%A4' }, 'PROXY_STORE_URL'],
    [{ HOST: 'no such host' }, 'HOST'],
    [{ GATEWAY_HOST: 'no\thost' }, 'GATEWAY_HOST'],
    [{ PROXY_STORE_KEY: 'a key that is long,short' }, 'PROXY_STORE_KEY'],
    [{ PROXY_TOKEN_TTL: '1h' }, 'PROXY_TOKEN_TTL'],
    [{ PROXY_TOKEN_TTL: '-1' }, 'PROXY_TOKEN_TTL'],
    [{ UI_ORIGIN: '*' }, 'UI_ORIGIN'],
    [{ UI_ORIGIN: 'https://a.example/path' }, 'UI_ORIGIN'],
    [{ CUSTOM_LLM_BASE_URL: 'foo' }, 'CUSTOM_LLM_BASE_URL'],
    [{ OPENAI_BASE_URL: 'localhost:8000/v1' }, 'OPENAI_BASE_URL'],
    [{ ANTHROPIC_BASE_URL: 'ftp://a.example' }, 'ANTHROPIC_BASE_URL'],
    [{ GOOGLE_GEMINI_BASE_URL: 'https://a.example/v1?key=geheim' }, 'GOOGLE_GEMINI_BASE_URL'],
    [{ CUSTOM_LLM_BASE_URL: ' http://a.example' }, 'CUSTOM_LLM_BASE_URL'],
    [{ WORKERS: '0' }, 'WORKERS'],
    [{ GATEWAY_PORT: '3128x' }, 'GATEWAY_PORT'],
  ])('refuses %j', (env, key) => {
    const problems = problemsOf({ env });
    expect(problems).toEqual([expect.stringContaining(`environment: ${key}: `)]);
    expect(problems.join()).not.toContain('geheim');
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

  test('if everybody is exempt from signing in', () => {
    const text =
      'listen: { proxy: ":3128" }\nauth: { clients: [0.0.0.0/0], proxy: { mode: basic, exempt: [10.0.0.0/8, 0.0.0.0/0] } }';
    expect(problemsOf({ file: fileOf(text, 'open.yaml'), env: {} })).toEqual([
      expect.stringMatching(/open\.yaml:2:\d+: auth\.proxy\.exempt\[1\]: .*open proxy/),
    ]);
  });
});

test.each([
  ['policy: { inspect: { unknown: audit } }', 'name constraints'],
  ['auth: { proxy: { mode: basic } }', 'there are no users'],
  ['egress: { deny_private: false }', 'deny_private'],
])('warning for %s', (text, expected) => {
  expect(loadConfig({ file: fileOf(text, 'warn.yaml'), env: {} }).warnings).toEqual([
    expect.stringContaining(expected),
  ]);
});

test('no warning about a CA without name constraints if unregistered hosts are blocked', () => {
  const text = 'policy: { unknown: block, inspect: { unknown: mask } }';
  expect(loadConfig({ file: fileOf(text, 'closed.yaml'), env: {} }).warnings).toEqual([]);
});

describe('what is shown', () => {
  const secrets = ['hash', 'parent', 'admin', 'store', 'license', 'key'].map((name) => `${name}-canary-0123456789abc`);
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

  test('contains no secret', () => {
    const { config, settings } = loadConfig({ file: fileOf(text, 'show.yaml'), env });
    const shown = showConfig(config, settings);
    for (const secret of secrets) expect(shown).not.toContain(secret);
    for (const visible of ['name: ann', 'proxy.example', 'db.example', 'dns: 1500ms', 'max_body: 1kB'])
      expect(shown).toContain(visible);
  });

  test.each(['', 'listen: { proxy: "[::1]:3128" }\nmasking: { max_body: 1000 }\npolicy: { coach_ttl: 90s }'])(
    '%j can be read back unchanged',
    (yaml) => {
      const { config, settings } = loadConfig({ file: fileOf(yaml, 'back.yaml'), env: {} });
      expect(parseConfig(showConfig(config, settings), 'f.yaml').config).toEqual(config);
    },
  );
});
