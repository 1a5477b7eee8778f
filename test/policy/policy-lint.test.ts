import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadServices } from '../../config/services.ts';
import { type KnownNames, policyLint } from '../../policy/policy-lint.ts';
import type { RuleConfig } from '../../policy/rule.ts';

const services = loadServices();
const known: KnownNames = { services, nearest: () => undefined };
const now = new Date('2026-06-01T12:00:00Z');
const block = { action: 'block' } as const;
const allow = { action: 'allow' } as const;

function lint(rules: readonly RuleConfig[], bypass: readonly string[] = [], names = known): string[] {
  return policyLint({ rules, bypass, known: names, now }).map(({ path, message, other }) => {
    return `${path.join('.')}: ${message.replace('{other}', `#${other}`)}`;
  });
}
const rule = (when: RuleConfig['when'], then: RuleConfig['then']): RuleConfig => ({ when, then });
const covered = ['1: the rule can never match: #0 comes first and covers it'];

describe('a rule covered by an earlier one', () => {
  test.each<[string, RuleConfig['when'], RuleConfig['when'], boolean]>([
    ['no conditions', {}, { users: ['ann'] }, true],
    ['fewer users', { users: ['ann', 'bob'] }, { users: ['bob'] }, true],
    ['other users', { users: ['ann', 'bob'] }, { users: ['bob', 'eve'] }, false],
    ['one condition more', { users: ['ann'] }, { users: ['ann'], kinds: ['chat'] }, true],
    ['one condition less', { users: ['ann'], kinds: ['chat'] }, { users: ['ann'] }, false],
    ['a host below', { hosts: ['x.example'] }, { hosts: ['a.x.example', '*.x.example'] }, true],
    ['the host itself is not below', { hosts: ['*.x.example'] }, { hosts: ['x.example'] }, false],
    ['and everything below it', { hosts: ['*.x.example'] }, { hosts: ['a.x.example'] }, true],
    ['a pattern ends with its labels', { hosts: ['n-*.x.example'] }, { hosts: ['n-1.x.example'] }, false],
    ['a pattern in a pattern', { hosts: ['n-*.x.example'] }, { hosts: ['n-a*.x.example'] }, true],
    ['a pattern below a host', { hosts: ['x.example'] }, { hosts: ['n-*.x.example'] }, true],
    ['a host with the same end', { hosts: ['x.example'] }, { hosts: ['ax.example'] }, false],
    ['a smaller network', { networks: ['10.0.0.0/8'] }, { networks: ['10.1.0.0/16', '10.2.3.4'] }, true],
    ['a larger network', { networks: ['10.1.0.0/16'] }, { networks: ['10.0.0.0/8'] }, false],
    ['a smaller network of IPv6', { networks: ['2001:db8::/32'] }, { networks: ['2001:db8:1::/48'] }, true],
    ['the same word', { networks: ['private'] }, { networks: ['private'], users: ['ann'] }, true],
    ['an address as host', { hosts: ['192.0.2.0/24'] }, { hosts: ['192.0.2.7'] }, true],
    ['a path with the same beginning', { paths: ['/v1'] }, { paths: ['/v1/chat'] }, true],
    ['a path that only starts with the same characters', { paths: ['/v1'] }, { paths: ['/v10'] }, false],
    ['a method in a different case', { methods: ['POST'] }, { methods: ['post'], users: ['ann'] }, true],
    ['a larger upload', { upload_over: 10 }, { upload_over: 20 }, true],
    ['a smaller upload', { upload_over: 20 }, { upload_over: 10 }, false],
    ['a service in a different case', { services: ['ChatGPT', 'claude'] }, { services: ['chatgpt'] }, true],
    ['a service by its domain', { services: ['ChatGPT.com.'] }, { services: ['chatgpt.com'], users: ['ann'] }, true],
    ['a domain in other words', { services: ['chatgpt.com'] }, { services: ['chatgpt。com'], users: ['ann'] }, true],
    ['hours', { hours: ['08:00-18:00', '20:00-21:00'] }, { hours: '08:00-18:00' }, true],
    ['other hours', { hours: '08:00-18:00' }, { hours: '09:00-18:00' }, false],
    ['a service outside the list', { services: ['claude'] }, { services: ['claude', 'chatgpt'] }, false],
    ['other groups', { groups: ['it'] }, { groups: ['hr'] }, false],
    ['fewer groups', { groups: ['it', 'hr'] }, { groups: ['hr'] }, true],
    ['fewer kinds', { kinds: ['chat', 'image'] }, { kinds: ['image'] }, true],
    ['other kinds', { kinds: ['chat'] }, { kinds: ['image'] }, false],
    ['fewer categories', { categories: ['blocked', 'unknown'] }, { categories: ['unknown'] }, true],
    ['other categories', { categories: ['blocked'] }, { categories: ['unknown'] }, false],
    ['additional methods', { methods: ['POST'] }, { methods: ['POST', 'PUT'] }, false],
    ['a method with spaces', { methods: ['POST '] }, { methods: ['post'], users: ['ann'] }, true],
    ['the same upload', { upload_over: 10 }, { upload_over: 10, users: ['ann'] }, true],
    ['one path too many', { paths: ['/v1'] }, { paths: ['/v1/a', '/v2'] }, false],
    ['one of two paths', { paths: ['/v2', '/v1'] }, { paths: ['/V1/a'] }, true],
    ['one network too many', { networks: ['10.0.0.0/8'] }, { networks: ['10.1.1.1', '11.1.1.1'] }, false],
    ['networks of two kinds', { networks: ['10.0.0.0/8', '2001:db8::/32'] }, { networks: ['2001:db8::1'] }, true],
    ['a network with a common beginning only', { networks: ['::/8'] }, { networks: ['10.0.0.0/8'] }, false],
    ['a network by a word', { networks: ['10.0.0.0/8'] }, { networks: ['private'] }, false],
    ['a word by a network', { networks: ['private'] }, { networks: ['10.0.0.0/8'] }, false],
    ['another word', { networks: ['loopback'] }, { networks: ['private'] }, false],
    ['the word loopback', { networks: ['private', 'loopback'] }, { networks: ['loopback'] }, true],
    ['one host too many', { hosts: ['x.example'] }, { hosts: ['x.example', 'y.example'] }, false],
    ['one of two hosts', { hosts: ['y.example', 'x.example'] }, { hosts: ['X.example'] }, true],
    ['a network of hosts', { hosts: ['10.0.0.0/8'] }, { hosts: ['10.1.0.0/16'] }, true],
    ['a larger network of hosts', { hosts: ['10.1.0.0/16'] }, { hosts: ['10.0.0.0/8'] }, false],
    ['an address of IPv6 as host', { hosts: ['2001:db8::/32'] }, { hosts: ['2001:db8::7'] }, true],
    ['a name and a network', { hosts: ['x.example'] }, { hosts: ['10.0.0.0/8'] }, false],
    ['two stars in one', { hosts: ['*.x.example'] }, { hosts: ['*.a*.x.example'] }, true],
    ['one star for two', { hosts: ['*.a.x.example'] }, { hosts: ['*.x.example'] }, false],
    ['a host deep below', { hosts: ['x.example'] }, { hosts: ['a.b.c.x.example'] }, true],
    ['another condition', { users: ['ann'] }, { groups: ['it'] }, false],
  ])('%s', (_name, first, second, expected) => {
    expect(lint([rule(first, block), rule(second, allow)])).toEqual(expected ? covered : []);
  });

  test('an expiring or report_only rule covers no permanent one', () => {
    const first = (more: Partial<RuleConfig>) => ({ ...rule({}, block), ...more });
    const second = rule({ users: ['ann'] }, allow);
    const [expiring, reporting] = [first({ expires: '2027-01-01' }), first({ report_only: true })];
    expect(lint([expiring, second])).toEqual([]);
    expect(lint([expiring, { ...second, expires: '2026-12-31' }])).toEqual(covered);
    expect(lint([reporting, second])).toEqual([]);
    expect(lint([reporting, { ...second, report_only: true }])).toEqual(covered);
  });

  test('equal conditions are a repetition or a contradiction', () => {
    const when = { users: ['ann', 'bob'], hosts: ['x.example'] };
    const again = { hosts: ['x.example'], users: ['bob', 'ann'] };
    expect(lint([rule(when, block), rule(again, block)])).toEqual(['1: the rule repeats #0']);
    expect(lint([rule(when, { ...allow, inspect: 'mask' }), rule(again, block)])).toEqual([
      '1: the rule contradicts #0, which has the same conditions and comes first: there allow, mask, here block',
    ]);
  });
});

test('only the first of many covering rules is reported', () => {
  const earlier = [{ users: ['eve'] }, { users: ['ann', 'bob'] }, { kinds: ['chat'] }, {}].map((when) =>
    rule(when, block),
  );
  const ann = rule({ users: ['ann'], kinds: ['chat'] }, allow);
  expect(lint([...earlier, ann])).toEqual(['4: the rule can never match: #1 comes first and covers it']);
});

test.each<[string, RuleConfig['then'], RuleConfig['then'], string]>([
  ['actions', allow, block, 'there allow, here block'],
  ['a word on inspection', {}, { inspect: 'tunnel' }, 'there as it is, here as it is, tunnel'],
  ['types', { types: { EMAIL: 'off' } }, {}, 'there as it is, {"EMAIL":"off"}, here as it is'],
  [
    'coach',
    { action: 'warn', coach: true },
    { action: 'warn', coach: false },
    'there warn, coach true, here warn, coach false',
  ],
  [
    'the time of coach',
    { action: 'warn', coach: true, coach_ttl: 5 },
    { action: 'warn', coach: true },
    'there warn, coach true, 5, here warn, coach true',
  ],
])('a contradiction in %s', (_name, there, here, words) => {
  const when = { users: ['ann'] };
  expect(lint([rule(when, there), rule(when, here)])).toEqual([
    `1: the rule contradicts #0, which has the same conditions and comes first: ${words}`,
  ]);
});

test('a rule ends at its expiry', () => {
  const until = (expires: string) => ({ ...rule({}, block), expires });
  expect(lint([until(now.toISOString())])).toHaveLength(1);
  expect(lint([until(new Date(now.getTime() + 1).toISOString())])).toEqual([]);
  expect(lint([until('2026-06-01')])).toEqual([]);
  expect(policyLint({ rules: [until('2020-01-01'), until('2999-01-01')], bypass: [], known })).toHaveLength(1);
});

test.each<[string, RuleConfig['then'], boolean]>([
  ['warn', { action: 'warn', coach: true }, false],
  ['no action', { coach: true }, false],
  ['block', { action: 'block', coach: true }, true],
  ['block, and no question', { action: 'block', coach: false }, false],
])('coach with %s', (_name, then, isReported) => {
  expect(lint([{ when: {}, then }])).toEqual(
    isReported ? ['0.then.coach: coach applies only to the action warn; this rule has block'] : [],
  );
});

test.each<[readonly string[], readonly string[], boolean]>([
  [['a.bank.example', 'shop.example'], ['bank.example'], false],
  [['a.bank.example', 'shop.example'], ['bank.example', '*.example'], true],
  [[], ['bank.example'], false],
  [['bank.example'], [], false],
])('hosts %j with the bypass %j', (hosts, bypass, isReported) => {
  const findings = lint([{ when: { hosts, users: ['ann'] }, then: block }], bypass).filter((finding) =>
    finding.includes('bypass'),
  );
  expect(findings).toHaveLength(isReported ? 1 : 0);
});

test('the first fifty get a suggestion', () => {
  const asked: [string, string[]][] = [];
  const names: KnownNames = {
    services: services.slice(0, 2),
    users: new Set(['ann']),
    groups: new Set(['it', 'hr']),
    nearest: (name, all) => {
      asked.push([name, [...all]]);
      return name === 'anne' ? 'ann' : undefined;
    },
  };
  const [first, second] = names.services as typeof services;
  if (first === undefined || second === undefined) throw new Error('there are services');
  const serviceNames = [first, second].flatMap((one) => [one.key, one.service_name.toLowerCase(), one.domain]);
  const when = {
    services: [first.service_name.toUpperCase(), second.key, 'nope'],
    kinds: ['nope'],
    users: ['anne'],
    groups: ['x'],
  };
  expect(lint([{ when, then: block }], [], names)).toEqual([
    '0.when.services.2: the service "nope" is not known',
    '0.when.kinds.0: the kind "nope" is not known',
    '0.when.users.0: the user "anne" is not known; did you mean "ann"?',
    '0.when.groups.0: the group "x" is not known',
  ]);
  expect(asked).toEqual([
    ['nope', serviceNames],
    ['nope', [...new Set([first.kind, second.kind])]],
    ['anne', ['ann']],
    ['x', ['it', 'hr']],
  ]);
  asked.length = 0;
  const users = Array.from({ length: 60 }, (_, i) => `u${i}`);
  expect(lint([{ when: { users }, then: block }], [], names)).toHaveLength(60);
  expect(asked).toHaveLength(50);
});

test('any name of a service is valid, and unknown sets are not checked', () => {
  const service = services.find((one) => one.alternate_domains.length > 0);
  if (service === undefined) throw new Error('some service has two domains');
  const all = [service.key, String(service.id), service.service_name, service.domain, ...service.alternate_domains];
  expect(lint([{ when: { services: all }, then: block }])).toEqual([]);
  expect(lint([{ when: { services: ['nope'], kinds: ['nope'] }, then: block }], [], { nearest: () => 'x' })).toEqual(
    [],
  );
});

test('findings are in rule order', () => {
  const rules: RuleConfig[] = [
    { name: 'x', when: { users: ['ann'] }, then: block },
    { when: { users: ['ann'] }, then: block },
    { name: 'x', when: { hosts: ['a.example'], kinds: ['nope'] }, then: block },
    { when: { groups: [] }, then: block },
  ];
  expect(lint(rules).map((finding) => finding.split(':')[0])).toEqual([
    '1',
    '2.when.kinds.0',
    '2.name',
    '3.when.groups',
  ]);
});

test('rules that can never match, and settings without effect', () => {
  expect(
    lint(
      [
        { name: 'a', when: { users: [], kinds: ['chat'] }, then: block },
        { name: 'a', when: { hosts: ['x.bank.example', '10.1.0.0/16'] }, then: block, expires: '2026-05-31' },
        { when: { hosts: ['x.example'] }, then: { action: 'allow', coach: true } },
      ],
      ['bank.example', '10.0.0.0/8'],
    ),
  ).toEqual([
    '0.when.users: the list is empty, so the rule can never match',
    '1.expires: the rule has expired (2026-05-31) and can never match',
    '1.name: #0 has the same name "a"; logs cannot tell them apart',
    '1.when.hosts: the rule can never match: policy.bypass names all its hosts',
    '2.then.coach: coach applies only to the action warn; this rule has allow',
  ]);
});

test('unknown names, if all are known', () => {
  const when = {
    services: ['ChatGPT', 'nope', 'openai.com'],
    kinds: ['chat', 'nope'],
    users: ['ann', 'eve'],
    groups: ['it', 'hr'],
  };
  const rules: RuleConfig[] = [{ when, then: block }];
  expect(lint(rules, [], { ...known, users: new Set(['ann']), groups: new Set(['it']) })).toEqual([
    '0.when.services.1: the service "nope" is not known',
    '0.when.kinds.1: the kind "nope" is not known',
    '0.when.users.1: the user "eve" is not known',
    '0.when.groups.1: the group "hr" is not known',
  ]);
  expect(lint(rules)).toHaveLength(2);
});

test('ten thousand rules, each twice', () => {
  const rules = Array.from(
    { length: 10_000 },
    (_, i): RuleConfig => ({
      when: { hosts: [`h${i >> 1}.example`], groups: ['all'] },
      then: block,
    }),
  );
  expect(lint(rules).length).toBe(500);
});

test('a rule reported as covered never decides', () => {
  // matrix.test.ts compares this with the plain decider; here are small lists of nested conditions.
  const value = fc.subarray(['a.example', 'b.a.example', '*.a.example', 'c.example'], { minLength: 1 });
  fc.assert(
    fc.property(fc.array(value, { minLength: 2, maxLength: 5 }), (lists) => {
      const rules = lists.map((hosts): RuleConfig => ({ when: { hosts }, then: block }));
      const dead = new Set(policyLint({ rules, bypass: [], known, now }).map(({ path }) => Number(path[0])));
      const holds = (hosts: readonly string[], host: string) =>
        hosts.some((entry) =>
          entry.startsWith('*.') ? host.endsWith(entry.slice(1)) : host === entry || host.endsWith(`.${entry}`),
        );
      for (const host of ['a.example', 'b.a.example', 'x.b.a.example', 'y.a.example', 'c.example', 'z.c.example']) {
        const first = lists.findIndex((hosts) => holds(hosts, host));
        expect(dead.has(first)).toBe(false);
      }
    }),
  );
});
