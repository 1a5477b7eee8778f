/** Each value of the configuration: what is accepted, and where and how the rest is rejected. */
import { describe, expect, test } from 'vitest';
import { formatProblem, loadConfig, parseConfig } from '../../config/load.ts';
import { fileOf } from './config-file.ts';

/** `line:column key` of every problem. */
function placesOf(text: string): string[] {
  return parseConfig(text, 'f.yaml').problems.map(({ line, column, key }) => `${line}:${column} ${key}`);
}

function messageOf(text: string): string {
  return parseConfig(text, 'f.yaml')
    .problems.map(({ message }) => message)
    .join(' | ');
}

describe('values', () => {
  const word = 'masking: { dictionary: [{ label: A, pattern: "(" }] }';
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
    ['one time-out keeps the others', 'upstream: { timeouts: { dns: 1s } }', (c) => c.upstream.timeouts.tls, 10_000],
    ['any port', 'egress: { ports: any }', (c) => c.egress.ports, 'any'],
    ['a text that is no pattern', word, (c) => c.masking.dictionary[0]?.pattern, '('],
    ['workers', 'workers: auto', (c) => c.workers, 'auto'],
    ['types are words, not booleans', 'masking: { types: { EMAIL: off } }', (c) => c.masking.types, { EMAIL: 'off' }],
    ['an empty section', 'masking:\nlog:\n', (c) => c.masking.max_body, 33_554_432],
    ['an empty section inside', 'upstream: { timeouts: , resolve: }', (c) => c.upstream.resolve, {}],
    ['resolve', 'upstream: { resolve: { a.b: "[::1]:9443" } }', (c) => c.upstream.resolve, { 'a.b': '[::1]:9443' }],
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

describe('names of rules and their owners', () => {
  test.each(['\\0', '\\n', '\\x85', '\\u2028', '\\u202a', '\\u202e', '\\u2066', '\\u2069'])(
    'with %s are refused',
    (sign) => {
      for (const key of ['name', 'owner']) {
        const text = `policy: { rules: [{ ${key}: "a${sign}b", then: { action: block } }] }`;
        expect(messageOf(text)).toBe('contains control characters');
        expect(placesOf(text)[0]).toContain(`policy.rules[0].${key}`);
      }
    },
  );

  test.each(['山田 🎉', 'אבג', 'a b\u00a0c', 'می\u200cخواهم'])('%s is accepted', (name) => {
    expect(messageOf(`policy: { rules: [{ name: "${name}", owner: "${name}", then: { action: block } }] }`)).toBe('');
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

  test('an invalid choice suggests the nearest one', () => {
    expect(messageOf('policy: { unknown: alow }')).toBe('must be one of allow, warn, block; did you mean "allow"?');
    expect(messageOf('policy: { unknown: 7 }')).toBe('must be one of allow, warn, block');
    expect(messageOf('masking: { types: { EMAIL: true } }')).toContain('must be on, off');
  });
});

describe('YAML', () => {
  test.each([
    ['policy: {', '1:10'],
    ['workers: 1\nworkers: 2', '2:1'],
    ['workers: 1\n\tlog: {}', '2:1'],
  ])('%j is refused with its line', (text, place) => {
    const [problem] = parseConfig(text, 'f.yaml').problems;
    expect(`${problem?.line}:${problem?.column}`.split(':')[0]).toBe(place.split(':')[0]);
  });

  const refused = (text: string) => parseConfig(text, 'f.yaml').problems.map(formatProblem);

  const unknownAlias = 'is an alias without an anchor; put quotes around a text that begins with "*"';
  test.each<[text: string, says: string]>([
    ['a: *geheim', `f.yaml:1:4: a: ${unknownAlias}`],
    [
      'auth:\n  proxy: { users: [{ name: a, password_hash: *geheim }] }',
      `f.yaml:2:46: auth.proxy.users[0].password_hash: ${unknownAlias}`,
    ],
    ['a: *geheim\nb: &geheim 1', `f.yaml:1:4: a: ${unknownAlias}`],
    ['a:\n  - &geheim [*geheim]', 'f.yaml:2:14: a[0][0]: is an alias of an anchor that contains it'],
    ['a: &geheim\n  b: *geheim', 'f.yaml:2:6: a.b: is an alias of an anchor that contains it'],
    ['*geheim : 1', `f.yaml:1:1: ${unknownAlias}`],
  ])('%j is reported with its position and without its name', (text, says) => {
    expect(refused(text)).toEqual([says]);
  });

  test('an alias of an earlier anchor is resolved', () => {
    expect(parseConfig('workers: &n 2\nevents: { days: *n }', 'f.yaml').config?.events.days).toBe(2);
    expect(refused('a: &n 1\nb: [*n, { c: &n [2] }, *n]').join()).not.toContain('alias');
  });

  test('aliases that multiply are refused', () => {
    const levels = [
      'a: &a [x, x, x, x, x, x, x, x, x]',
      ...'bcdefg'.split('').map((key, i) => `${key}: &${key} [${Array(9).fill(`*${'abcdefg'[i]}`).join(', ')}]`),
    ];
    const [problem] = parseConfig(levels.join('\n'), 'f.yaml').problems;
    expect(problem).toMatchObject({ line: 2, column: 8, message: 'aliases expand to too much data' });
  });
});
