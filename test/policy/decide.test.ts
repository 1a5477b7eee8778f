// biome-ignore-all lint/suspicious/noThenProperty: the word of the file format; a rule is never awaited.
import { describe, expect, test } from 'vitest';
import { loadServices } from '../../config/services.ts';
import { Policy } from '../../policy/decide.ts';
import type { DecideInput, PolicyConfig } from '../../policy/decision.ts';
import { normalizeHost } from '../../policy/host.ts';
import { ServiceRegistry } from '../../policy/registry.ts';
import type { RuleConfig } from '../../policy/rule.ts';
import type { Service } from '../../policy/service.ts';

const defaults: PolicyConfig = {
  unknown: 'allow',
  inspect: { approved: 'mask', monitoring: 'audit', unknown: 'tunnel' },
  bypass: [],
  rules: [],
};

function makeServices(): Service[] {
  const registry = new ServiceRegistry();
  registry.add({ service_name: 'Good', domain: 'good.example', kind: 'chat', category: 'approved' });
  registry.add({ service_name: 'Seen', domain: 'seen.example', kind: 'coding', category: 'monitoring' });
  registry.add({ service_name: 'Bad', domain: 'bad.example', kind: 'chat', category: 'blocked' });
  registry.add({ service_name: 'Off', domain: 'off.example', category: 'approved', is_blocked: true });
  registry.add({
    service_name: 'Part',
    domain: 'part.example',
    scope: 'path',
    url_prefixes: ['part.example/ai'],
    category: 'monitoring',
  });
  return registry.list();
}

const services = makeServices();

function policyOf(config: Partial<PolicyConfig> = {}, networks: Record<string, string> = {}): Policy {
  return new Policy({
    registry: new ServiceRegistry(services),
    config: { ...defaults, ...config },
    networks,
  });
}

const summary = (policy: Policy, input: Partial<DecideInput> & { host: string }) => {
  const decision = policy.decide({ port: 443, ...input });
  return [decision.action, decision.inspect, decision.ruleKind, decision.rule];
};

describe('rules that end', () => {
  const end = '2026-12-31T18:00:00+09:00';
  test.each([
    ['2026-12-31', '2026-12-31T23:59:59.999Z', 'block'],
    ['2026-12-31', '2027-01-01T00:00:00.000Z', 'allow'],
    [end, '2026-12-31T08:59:59.999Z', 'block'],
    [end, '2026-12-31T09:00:00.000Z', 'allow'],
  ])('%s, at %s: %s', (expires, now, action) => {
    const policy = policyOf({ rules: [{ when: {}, then: { action: 'block' }, expires }] });
    expect(policy.decide({ host: 'x.example', port: 443, now: new Date(now) }).action).toBe(action);
  });

  test.each(['2026-02-30', '2026-02-30T10:00:00Z', '2026-12-31T18:00', 'soon'])('%s is no date', (expires) => {
    expect(() => policyOf({ rules: [{ when: {}, then: {}, expires }] })).toThrow('is no date');
  });
});

describe('without rules', () => {
  test.each([
    ['good.example', ['allow', 'mask', 'category', 'category approved']],
    ['api.good.example', ['allow', 'mask', 'category', 'category approved']],
    ['seen.example', ['warn', 'audit', 'category', 'category monitoring']],
    ['bad.example', ['block', 'mask', 'service', 'service is_blocked']],
    ['off.example', ['block', 'mask', 'service', 'service is_blocked']],
    ['notgood.example', ['allow', 'tunnel', 'unknown', 'policy.unknown']],
    ['127.0.0.1', ['allow', 'tunnel', 'unknown', 'policy.unknown']],
  ])('%s', (host, expected) => {
    expect(summary(policyOf(), { host })).toEqual(expected);
    expect(summary(policyOf(), { host, path: '/x', method: 'POST' })).toEqual(expected);
  });

  test('a blocked category blocks even where is_blocked was taken back', () => {
    const registry = new ServiceRegistry();
    registry.add({ service_name: 'Bad', domain: 'bad.example', category: 'blocked', is_blocked: false });
    const policy = new Policy({ registry, config: defaults });
    expect(summary(policy, { host: 'bad.example' })).toEqual(['block', 'mask', 'category', 'category blocked']);
  });

  test('unknown hosts follow policy.unknown', () => {
    const policy = policyOf({ unknown: 'warn', inspect: { ...defaults.inspect, unknown: 'audit' } });
    expect(summary(policy, { host: 'x.example' })).toEqual(['warn', 'audit', 'unknown', 'policy.unknown']);
  });
});

describe('bypass comes first', () => {
  const policy = policyOf({
    bypass: ['bank.example', '*.wild.example', 'node-*.cdn.example', '10.0.0.0/8', '2001:db8::1', 'bad.example'],
    rules: [{ when: {}, then: { action: 'block' } }],
  });
  test.each([
    ['bank.example', 'bypass'],
    ['a.bank.example', 'bypass'],
    ['mybank.example', 'rule'],
    ['a.b.wild.example', 'bypass'],
    ['wild.example', 'rule'],
    ['node-1.cdn.example', 'bypass'],
    ['node-.cdn.example', 'rule'],
    ['a.node-1.cdn.example', 'rule'],
    ['10.1.2.3', 'bypass'],
    ['11.1.2.3', 'rule'],
    ['2001:db8::1', 'bypass'],
    ['2001:db8::2', 'rule'],
    ['bad.example', 'bypass'],
  ])('%s → %s', (host, kind) => {
    const decision = policy.decide({ host, port: 443 });
    expect(decision.ruleKind).toBe(kind);
    expect([decision.action, decision.inspect]).toEqual(
      kind === 'bypass' ? ['allow', 'tunnel'] : ['block', expect.anything()],
    );
  });

  test.each(['*', '', 'a b', 'https://x.example', '10.0.0.0/33'])('refuses %j', (entry) => {
    expect(() => policyOf({ bypass: [entry] })).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});

describe('conditions of a rule', () => {
  const rule = (when: RuleConfig['when']): Partial<PolicyConfig> => ({
    rules: [{ name: 'r', when, then: { action: 'block' } }],
  });
  const monday = new Date('2026-11-23T09:00:00+09:00');
  const base = { host: 'good.example', path: '/v1/chat', method: 'POST', now: monday };
  test.each<[string, RuleConfig['when'], Partial<DecideInput>, boolean]>([
    ['none', {}, {}, true],
    ['user', { users: ['ann'] }, { user: 'ann' }, true],
    ['other user', { users: ['ann'] }, { user: 'bob' }, false],
    ['user unknown', { users: ['ann'] }, {}, false],
    ['group', { groups: ['legal', 'it'] }, { groups: ['it'] }, true],
    ['other group', { groups: ['legal'] }, { groups: ['it'] }, false],
    ['group by network', { groups: ['branch'] }, { from: '10.7.1.1' }, true],
    ['group by another network', { groups: ['branch'] }, { from: '10.8.1.1' }, false],
    ['network', { networks: ['10.0.0.0/8'] }, { from: '::ffff:10.1.1.1' }, true],
    ['other network', { networks: ['10.0.0.0/8'] }, { from: '192.0.2.1' }, false],
    ['network unknown', { networks: ['0.0.0.0/0'] }, {}, false],
    ['service by id', { services: ['good'] }, {}, true],
    ['service by name', { services: ['GOOD'] }, {}, true],
    ['service by domain', { services: ['good.example'] }, {}, true],
    ['other service', { services: ['seen'] }, {}, false],
    ['service of an unknown host', { services: ['good'] }, { host: 'x.example' }, false],
    ['kind', { kinds: ['chat'] }, {}, true],
    ['other kind', { kinds: ['coding'] }, {}, false],
    ['kind of an unknown host', { kinds: ['chat'] }, { host: 'x.example' }, false],
    ['category', { categories: ['approved'] }, {}, true],
    ['category unknown', { categories: ['unknown'] }, { host: 'x.example' }, true],
    ['blocked by is_blocked counts as blocked', { categories: ['blocked'] }, { host: 'off.example' }, true],
    ['and not as approved', { categories: ['approved'] }, { host: 'off.example' }, false],
    ['host', { hosts: ['good.example'] }, { host: 'a.good.example' }, true],
    ['host suffix confusion', { hosts: ['good.example'] }, { host: 'notgood.example' }, false],
    ['host pattern in another spelling', { hosts: ['A-*.例え.JP.'] }, { host: 'a-1.xn--r8jz45g.jp' }, true],
    ['IPv4', { hosts: ['203.0.113.5'] }, { host: normalizeHost('[::ffff:203.0.113.5]').host }, true],
    ['method', { methods: ['post'] }, {}, true],
    ['other method', { methods: ['GET'] }, {}, false],
    ['path', { paths: ['/v1'] }, {}, true],
    ['path in another spelling', { paths: ['/v1'] }, { path: '//%761/../V1/x?y' }, true],
    ['path prefix confusion', { paths: ['/v'] }, {}, false],
    ['hours', { hours: 'mon-fri 08:00-18:00 Asia/Tokyo' }, {}, true],
    ['outside hours', { hours: 'mon-fri 10:00-18:00 Asia/Tokyo' }, {}, false],
    ['one of two spans', { hours: ['sat-sun 00:00-24:00', 'mon 00:00-01:00'] }, {}, true],
    ['all must hold', { users: ['ann'], kinds: ['chat'] }, { user: 'ann', host: 'seen.example' }, false],
    ['an empty list holds for nobody', { users: [] }, { user: 'ann' }, false],
  ])('%s', (_name, when, input, expected) => {
    const policy = policyOf(rule(when), { '10.7.0.0/16': 'branch' });
    const decision = policy.decide({ port: 443, ...base, ...input });
    expect(decision.rule === 'r').toBe(expected);
    expect(policy.explain({ port: 443, ...base, ...input }).decision).toEqual(decision);
  });
});

describe('what a rule sets', () => {
  test('the first that matches wins', () => {
    const rules: RuleConfig[] = [
      { name: 'ann', when: { users: ['ann'] }, then: { action: 'allow' } },
      { name: 'all', when: {}, then: { action: 'block' } },
    ];
    expect(summary(policyOf({ rules }), { host: 'seen.example', user: 'ann' })).toEqual([
      'allow',
      'audit',
      'rule',
      'ann',
    ]);
    expect(summary(policyOf({ rules }), { host: 'seen.example', user: 'bob' })[0]).toBe('block');
  });

  test.each<[string, RuleConfig['then'], string, unknown]>([
    ['nothing: as without it', {}, 'seen.example', { action: 'warn', inspect: 'audit' }],
    ['action alone', { action: 'allow' }, 'seen.example', { action: 'allow', inspect: 'audit' }],
    ['inspect alone', { inspect: 'mask' }, 'seen.example', { action: 'warn', inspect: 'mask' }],
    [
      'types alone',
      { types: { EMAIL: 'block' } },
      'good.example',
      { action: 'allow', inspect: 'mask', types: { EMAIL: 'block' } },
    ],
    ['allow for a blocked service masks', { action: 'allow' }, 'bad.example', { action: 'allow', inspect: 'mask' }],
    ['inspect alone does not unblock', { inspect: 'tunnel' }, 'bad.example', { action: 'block' }],
  ])('%s', (_name, then, host, expected) => {
    expect(policyOf({ rules: [{ when: {}, then }] }).decide({ host, port: 443 })).toMatchObject(expected as object);
  });

  test('a rule without a name is called by its position', () => {
    expect(
      policyOf({ rules: [{ when: {}, then: { action: 'block' } }] }).decide({ host: 'x.example', port: 443 }).rule,
    ).toBe('rule 1');
  });
});

describe('what the host of a CONNECT cannot decide', () => {
  test('a service that claims a part of a shared host: the host is not opened for it', () => {
    const policy = policyOf();
    const connect = policy.decide({ host: 'part.example', port: 443 });
    expect(connect).toMatchObject({ action: 'allow', inspect: 'tunnel' });
    expect(connect.needsPath).toBeUndefined();
    expect(connect.reason).toContain('not decidable by host');
    expect(connect.service).toBeUndefined();
    expect(summary(policy, { host: 'part.example', path: '/AI/x' })).toEqual([
      'warn',
      'audit',
      'category',
      'category monitoring',
    ]);
    expect(summary(policy, { host: 'part.example', path: '/aid' })).toEqual([
      'allow',
      'tunnel',
      'unknown',
      'policy.unknown',
    ]);
    expect(policy.decide({ host: 'part.example', port: 443, path: '/' }).needsPath).toBeUndefined();
    expect(policy.decide({ host: 'a.part.example', port: 443 }).needsPath).toBeUndefined();
    expect(policy.explain({ host: 'part.example', port: 443 }).decision.reason).toContain('not decidable by host');
  });

  test('not where the policy is the same for every path', () => {
    const same = policyOf({ unknown: 'warn', inspect: { ...defaults.inspect, unknown: 'audit' } });
    expect(same.decide({ host: 'part.example', port: 443 }).needsPath).toBeUndefined();
    const bypassed = policyOf({ bypass: ['part.example'] });
    expect(bypassed.decide({ host: 'part.example', port: 443 })).toMatchObject({
      inspect: 'tunnel',
      ruleKind: 'bypass',
    });
    const blocked = policyOf({ rules: [{ when: { hosts: ['part.example'] }, then: { action: 'block' } }] });
    expect(blocked.decide({ host: 'part.example', port: 443 })).toMatchObject({ action: 'block', ruleKind: 'rule' });
    expect(blocked.decide({ host: 'part.example', port: 443 }).needsPath).toBeUndefined();
  });

  test.each<[string, RuleConfig, string, string | undefined]>([
    ['path of a blocked host', { when: { paths: ['/public'] }, then: { action: 'allow' } }, 'bad.example', 'mask'],
    ['method of an approved host', { when: { methods: ['POST'] }, then: { action: 'block' } }, 'good.example', 'mask'],
    ['path of an unknown host', { when: { paths: ['/x'] }, then: { action: 'block' } }, 'x.example', 'audit'],
    ['the same result', { when: { paths: ['/x'] }, then: { action: 'block' } }, 'bad.example', undefined],
    [
      'another host',
      { when: { hosts: ['y.example'], paths: ['/x'] }, then: { action: 'block' } },
      'x.example',
      undefined,
    ],
    ['another user', { when: { users: ['ann'], paths: ['/x'] }, then: { action: 'block' } }, 'x.example', undefined],
  ])('a rule that asks for it: %s', (_name, rule, host, inspect) => {
    const decision = policyOf({ rules: [rule] }).decide({ host, port: 443 });
    expect(decision.needsPath).toBe(inspect === undefined ? undefined : true);
    if (inspect !== undefined) expect(decision).toMatchObject({ action: 'allow', inspect });
  });

  test('an earlier rule that holds for every path decides', () => {
    const rules: RuleConfig[] = [
      { when: { hosts: ['x.example'] }, then: { action: 'warn' } },
      { when: { paths: ['/x'] }, then: { action: 'block' } },
    ];
    expect(policyOf({ rules }).decide({ host: 'x.example', port: 443 })).toMatchObject({
      action: 'warn',
      rule: 'rule 1',
    });
  });

  test('with the shipped registry no host is opened for a part of it', () => {
    const registry = new ServiceRegistry(loadServices());
    const policy = new Policy({ registry, config: defaults });
    expect(policy.decide({ host: 'www.canva.com', port: 443 })).toMatchObject({ inspect: 'tunnel' });
    for (const host of [
      'google.com',
      'github.com',
      'www.canva.com',
      'chatgpt.com',
      'gemini.google.com',
      'example.com',
      'mail.google.com',
    ]) {
      expect(policy.decide({ host, port: 443 }).needsPath).toBeUndefined();
    }
  });
});

test('a change of the registry counts for the next decision', () => {
  const registry = new ServiceRegistry();
  const policy = new Policy({ registry, config: defaults });
  expect(policy.decide({ host: 'new.example', port: 443 }).action).toBe('allow');
  const { id } = registry.add({ service_name: 'New', domain: 'new.example', category: 'blocked' });
  expect(policy.decide({ host: 'new.example', port: 443 }).action).toBe('block');
  registry.remove(id);
  expect(policy.decide({ host: 'new.example', port: 443 }).action).toBe('allow');
});

test('every step that was asked is explained, the winner last', () => {
  const rules: RuleConfig[] = [
    { name: 'legal only', when: { groups: ['legal'], kinds: ['chat'] }, then: { action: 'block' } },
  ];
  expect(policyOf({ rules }).explain({ host: 'good.example', port: 443, path: '/' }).tried).toEqual([
    { rule: 'bypass', matched: false, why: 'no entry names the host' },
    { rule: 'legal only', matched: false, why: 'groups does not hold' },
    { rule: 'service is_blocked', matched: false, why: 'Good (good.example) does not have is_blocked set' },
    { rule: 'category approved', matched: true, why: 'Good (good.example) is in category approved' },
  ]);
});

describe('the whole of a decision', () => {
  const at = { port: 443 } as const;
  const service = (host: string) => policyOf().decide({ host, ...at }).service;
  const exempt = () => ({ rule: 'learned', reason: 'its clients reject our certificate', covers: 'audited' as const });
  const front = (host: string) =>
    host === 'relay.example' ? { host, category: 'relay', reason: 'fetches any page' } : undefined;
  const registry = new ServiceRegistry(services);
  const unknownAudited = { ...defaults, inspect: { ...defaults.inspect, unknown: 'audit' as const } };

  test.each<[string, Policy, string, object]>([
    [
      'bypass',
      policyOf({ bypass: ['bank.example'] }),
      'a.bank.example',
      {
        action: 'allow',
        inspect: 'tunnel',
        rule: 'bank.example',
        ruleKind: 'bypass',
        reason: 'bank.example is bypassed',
      },
    ],
    [
      'a rule',
      policyOf({ rules: [{ name: 'r', when: {}, then: { types: { EMAIL: 'off' } } }] }),
      'x.example',
      {
        action: 'allow',
        inspect: 'tunnel',
        rule: 'r',
        ruleKind: 'rule',
        reason: 'rule "r"',
        types: { EMAIL: 'off' },
      },
    ],
    [
      'is_blocked',
      policyOf(),
      'off.example',
      {
        action: 'block',
        inspect: 'mask',
        service: service('off.example'),
        matchedHost: 'off.example',
        rule: 'service is_blocked',
        ruleKind: 'service',
        reason: 'Off is blocked',
      },
    ],
    [
      'a category',
      policyOf({ coach: true, coach_ttl: 60_000 }),
      'a.seen.example',
      {
        action: 'warn',
        inspect: 'audit',
        service: service('seen.example'),
        matchedHost: 'seen.example',
        rule: 'category monitoring',
        ruleKind: 'category',
        reason: 'Seen is in category monitoring',
        coach: { ttlMs: 60_000 },
      },
    ],
    [
      'an approved one is not asked about',
      policyOf({ coach: true }),
      'good.example',
      {
        action: 'allow',
        inspect: 'mask',
        service: service('good.example'),
        matchedHost: 'good.example',
        rule: 'category approved',
        ruleKind: 'category',
        reason: 'Good is in category approved',
      },
    ],
    [
      'a front',
      new Policy({ registry, config: defaults, front }),
      'relay.example',
      {
        action: 'block',
        inspect: 'tunnel',
        rule: 'front relay',
        ruleKind: 'front',
        reason: 'relay.example is a front (relay): it fetches any page',
      },
    ],
    [
      'a front that a rule allows is a host that no service claims',
      new Policy({
        registry,
        config: {
          ...defaults,
          rules: [{ name: 'ours', when: { hosts: ['relay.example'] }, then: { action: 'allow' } }],
        },
        front,
      }),
      'relay.example',
      { action: 'allow', inspect: 'tunnel', rule: 'ours', ruleKind: 'rule', reason: 'rule "ours"' },
    ],
    [
      'no front where none is wanted',
      new Policy({ registry, config: { ...defaults, fronts: ['cache'] }, front }),
      'relay.example',
      {
        action: 'allow',
        inspect: 'tunnel',
        rule: 'policy.unknown',
        ruleKind: 'unknown',
        reason: 'no service of the registry claims the host',
      },
    ],
    [
      'an exemption takes the question and the types along',
      new Policy({
        registry,
        exempt,
        config: {
          ...defaults,
          rules: [{ when: {}, then: { action: 'warn', inspect: 'audit', coach: true, types: { EMAIL: 'off' } } }],
        },
      }),
      'x.example',
      {
        action: 'warn',
        inspect: 'tunnel',
        rule: 'learned',
        ruleKind: 'bypass',
        reason: 'its clients reject our certificate',
      },
    ],
    [
      'a page of a blocked service, shown by another host',
      new Policy({ registry, config: unknownAudited }),
      'bad-example.translate.goog',
      {
        action: 'block',
        inspect: 'mask',
        service: registry.get('bad'),
        matchedHost: 'bad.example',
        rule: 'service is_blocked',
        ruleKind: 'service',
        reason: 'Bad is blocked, and bad-example.translate.goog shows its pages',
      },
    ],
    [
      'a page of any other',
      new Policy({ registry, config: defaults }),
      'good-example.translate.goog',
      {
        action: 'allow',
        inspect: 'tunnel',
        rule: 'policy.unknown',
        ruleKind: 'unknown',
        reason: 'no service of the registry claims the host',
      },
    ],
    [
      'a page shown by a host that is bypassed',
      new Policy({ registry, config: { ...defaults, bypass: ['translate.goog'] } }),
      'bad-example.translate.goog',
      {
        action: 'allow',
        inspect: 'tunnel',
        rule: 'translate.goog',
        ruleKind: 'bypass',
        reason: 'translate.goog is bypassed',
      },
    ],
  ])('%s', (_name, policy, host, expected) => {
    expect(policy.decide({ host, ...at, path: '/' })).toEqual(expected);
  });

  test.each<[string, RuleConfig['then'], Partial<PolicyConfig>, string, number | undefined]>([
    ['the rule', { coach: true, coach_ttl: 1000 }, { coach: false, coach_ttl: 5000 }, 'seen.example', 1000],
    ['the rule, and the time of the policy', { coach: true }, { coach_ttl: 5000 }, 'seen.example', 5000],
    ['the rule, and no time', { coach: true }, {}, 'seen.example', 8 * 3_600_000],
    ['the rule, of an unknown host', { action: 'warn', coach: true }, {}, 'x.example', 8 * 3_600_000],
    ['the policy', {}, { coach: true, coach_ttl: 5000 }, 'seen.example', 5000],
    ['the policy, of an unknown host', { action: 'warn' }, { coach: true }, 'x.example', undefined],
    ['the rule says no', { coach: false }, { coach: true }, 'seen.example', undefined],
    ['what is allowed', { action: 'allow', coach: true }, { coach: true }, 'seen.example', undefined],
  ])('who asks people: %s', (_name, then, config, host, ttlMs) => {
    const policy = policyOf({ ...config, rules: [{ when: {}, then }] });
    expect(policy.decide({ host, ...at, path: '/' }).coach).toEqual(ttlMs === undefined ? undefined : { ttlMs });
  });

  test('only noted: the first that would have decided', () => {
    const noted = (name: string, when: RuleConfig['when']): RuleConfig => ({
      name,
      when,
      then: { action: 'block' },
      report_only: true,
    });
    const rules = [noted('bob', { users: ['bob'] }), noted('ann', { users: ['ann'] }), noted('all', {})];
    const input = { host: 'seen.example', ...at, path: '/', user: 'ann' };
    const policy = policyOf({ rules });
    expect(policy.decide(input)).toMatchObject({
      action: 'warn',
      rule: 'category monitoring',
      wouldBe: { rule: 'ann', action: 'block', inspect: 'audit' },
    });
    expect(policy.explain(input).tried).toEqual([
      { rule: 'bypass', matched: false, why: 'no entry names the host' },
      { rule: 'bob', matched: false, why: 'users does not hold (ann)' },
      { rule: 'ann', matched: false, why: 'report_only: would decide, users hold' },
      { rule: 'all', matched: false, why: 'report_only: would decide, has no conditions' },
      { rule: 'service is_blocked', matched: false, why: 'Seen (seen.example) does not have is_blocked set' },
      { rule: 'category monitoring', matched: true, why: 'Seen (seen.example) is in category monitoring' },
    ]);
  });

  test('a rule that is only noted opens no tunnel for the path it asks for', () => {
    const rules: RuleConfig[] = [{ when: { paths: ['/x'] }, then: { action: 'block' }, report_only: true }];
    expect(policyOf({ rules }).decide({ host: 'x.example', ...at }).needsPath).toBeUndefined();
    const both = [...rules, { when: { hosts: ['y.example'], methods: ['PUT'] }, then: { action: 'block' } } as const];
    expect(policyOf({ rules: both }).decide({ host: 'x.example', ...at }).needsPath).toBeUndefined();
    expect(policyOf({ rules: both }).decide({ host: 'y.example', ...at }).needsPath).toBe(true);
  });

  test('the size of a body that decides, as long as nobody knows it', () => {
    const over = (bytes: number, action: 'block' | 'allow'): RuleConfig => ({
      when: { upload_over: bytes },
      then: { action },
    });
    const policy = policyOf({ rules: [over(1000, 'block'), over(10, 'block')] });
    const input = { host: 'good.example', ...at, path: '/', method: 'POST' };
    expect(policy.decide(input)).toMatchObject({ action: 'allow', needsSize: 1000 });
    expect(policy.decide({ ...input, size: 10 })).toMatchObject({ action: 'allow', rule: 'category approved' });
    expect(policy.decide({ ...input, size: 11 })).toMatchObject({ action: 'block', rule: 'rule 2' });
    expect(policy.decide({ ...input, size: 1001 })).toMatchObject({ action: 'block', rule: 'rule 1' });
    expect(policyOf({ rules: [over(10, 'allow')] }).decide(input).needsSize).toBeUndefined();
    expect(policy.explain(input).tried[1]).toEqual({
      rule: 'rule 1',
      matched: false,
      why: 'not decidable yet: asks for the size of the body',
    });
  });

  test('the service that was found before stays, whatever the registry says now', () => {
    const policy = policyOf();
    const earlier = policy.decide({ host: 'bad.example', ...at });
    expect(policy.decide({ host: 'x.example', ...at, path: '/', earlier })).toMatchObject({
      action: 'block',
      matchedHost: 'bad.example',
    });
    const none = policy.decide({ host: 'x.example', ...at });
    expect(policy.decide({ host: 'bad.example', ...at, path: '/', earlier: none }).ruleKind).toBe('unknown');
  });

  test('other services or rules, and all else as it was', () => {
    const options = { registry, networks: { '10.0.0.0/8': 'it' }, exempt, config: unknownAudited };
    const rules: RuleConfig[] = [{ name: 'it', when: { groups: ['it'] }, then: { action: 'block' } }];
    const policy = new Policy(options);
    const other = policy.withConfig({ ...unknownAudited, rules });
    expect(other.decide({ host: 'x.example', ...at, from: '10.1.1.1' }).rule).toBe('it');
    expect(other.decide({ host: 'x.example', ...at, from: '11.1.1.1' }).rule).toBe('learned');
    expect(other.decide({ host: 'bad.example', ...at }).rule).toBe('service is_blocked');
    const empty = other.withRegistry(new ServiceRegistry());
    expect(empty.decide({ host: 'bad.example', ...at, from: '10.1.1.1' }).rule).toBe('it');
    expect(empty.decide({ host: 'bad.example', ...at }).rule).toBe('learned');
  });
});

describe('what is explained', () => {
  const noBypass = { rule: 'bypass', matched: false, why: 'no entry names the host' };
  const noService = { rule: 'service', matched: false, why: 'no service of the registry claims the host' };
  const front = (host: string) =>
    host === 'relay.example' ? { host, category: 'relay', reason: 'fetches any page' } : undefined;
  test.each<[string, string, object[]]>([
    ['a bypass', 'bank.example', [{ rule: 'bypass', matched: true, why: '"bank.example" names the host' }]],
    [
      'is_blocked',
      'bad.example',
      [noBypass, { rule: 'service is_blocked', matched: true, why: 'Bad (bad.example) has is_blocked set' }],
    ],
    [
      'an unknown host',
      'x.example',
      [noBypass, noService, { rule: 'policy.unknown', matched: true, why: 'unknown hosts: allow' }],
    ],
    [
      'a front',
      'relay.example',
      [
        noBypass,
        noService,
        { rule: 'front relay', matched: true, why: 'relay.example is a front (relay): it fetches any page' },
      ],
    ],
    [
      'a page of another host',
      'bad-example.translate.goog',
      [
        noBypass,
        noService,
        { rule: 'policy.unknown', matched: true, why: 'unknown hosts: allow' },
        {
          rule: 'service is_blocked',
          matched: true,
          why: 'Bad is blocked, and bad-example.translate.goog shows its pages',
        },
      ],
    ],
  ])('%s', (_name, host, tried) => {
    const registry = new ServiceRegistry(services);
    const policy = new Policy({ registry, config: { ...defaults, bypass: ['bank.example'] }, front });
    expect(policy.explain({ host, port: 443, path: '/' }).tried).toEqual(tried);
  });

  test.each<[RuleConfig['when'], string]>([
    [{ categories: ['blocked'] }, 'categories does not hold (approved)'],
    [{ services: ['seen'] }, 'services does not hold (good)'],
    [{ kinds: ['coding'] }, 'kinds does not hold (chat)'],
    [{ hosts: ['x.example'] }, 'hosts does not hold (a.good.example)'],
    [{ users: ['bob'] }, 'users does not hold (ann)'],
    [{ groups: ['legal'] }, 'groups does not hold (it, hr)'],
    [{ networks: ['11.0.0.0/8'] }, 'networks does not hold (10.1.1.1)'],
    [{ hours: '08:00-09:00' }, 'hours does not hold (2026-11-23T09:00:00.000Z)'],
    [{ methods: ['GET'] }, 'methods does not hold (post)'],
    [{ paths: ['/x'] }, 'paths does not hold (/v1/chat)'],
    [{ upload_over: 10 }, 'upload_over does not hold (10 bytes)'],
    [{ users: ['ann'], methods: ['POST'], kinds: ['chat'] }, 'kinds, users, methods hold'],
    [
      {
        categories: ['approved'],
        services: ['good'],
        hosts: ['good.example'],
        groups: ['hr'],
        networks: ['10.0.0.0/8'],
        hours: '09:00-10:00',
        paths: ['/v1'],
        upload_over: 9,
      },
      'categories, services, hosts, groups, networks, hours, paths, upload_over hold',
    ],
  ])('the condition that decided: %j', (when, why) => {
    const input: DecideInput = {
      host: 'a.good.example',
      port: 443,
      path: '/V1/chat?x',
      method: 'post',
      size: 10,
      user: 'ann',
      groups: ['it', 'hr'],
      from: '10.1.1.1',
      now: new Date('2026-11-23T09:00:00Z'),
    };
    const rules: RuleConfig[] = [{ name: 'r', when, then: { action: 'block' } }];
    expect(policyOf({ rules }).explain(input).tried[1]).toEqual({ rule: 'r', matched: why.endsWith(' hold'), why });
    const ended = policyOf({ rules: [{ ...rules[0], when, then: {}, expires: '2026-11-22' }] }).explain(input).tried[1];
    expect(ended?.why).toBe('expires does not hold (expired 2026-11-23T00:00:00.000Z)');
  });

  test('a path that the host does not tell', () => {
    const rules: RuleConfig[] = [{ name: 'p', when: { paths: ['/x'] }, then: { action: 'block' } }];
    expect(policyOf({ rules }).explain({ host: 'x.example', port: 443 }).tried.slice(1)).toEqual([
      { rule: 'p', matched: false, why: 'not decidable by host: asks for the path or method of the request' },
      noService,
      { rule: 'policy.unknown', matched: true, why: 'unknown hosts: allow' },
      {
        rule: 'path',
        matched: true,
        why: 'not decidable by host: a rule asks for the path; the requests inside are decided with their path',
      },
    ]);
  });

  test('a host of which services claim parts', () => {
    const registry = new ServiceRegistry(services);
    const part = (name: string, path: string, more: object = {}) =>
      registry.add({
        service_name: name,
        domain: 'office.example',
        scope: 'path',
        url_prefixes: [`office.example/${path}`, `office.example/${path}-2`],
        category: 'monitoring',
        ...more,
      });
    part('Writer', 'write');
    const policy = new Policy({ registry, config: defaults });
    const reason = () => policy.decide({ host: 'office.example', port: 443 }).reason;
    expect(reason()).toBe('not decidable by host: Writer claims a part of it');
    part('Painter', 'paint');
    expect(reason()).toBe('not decidable by host: Writer, Painter claim a part of it');
    // A rule that asks for paths opens it, as does a service that claims the rest.
    const rules: RuleConfig[] = [{ when: { hosts: ['y.example'], paths: ['/x'] }, then: { action: 'block' } }];
    expect(policy.withConfig({ ...defaults, rules }).decide({ host: 'office.example', port: 443 })).toMatchObject({
      action: 'allow',
      inspect: 'audit',
      needsPath: true,
      reason: 'not decidable by host: Writer, Painter claim a part of it',
    });
    registry.add({ service_name: 'Office', domain: 'office.example', category: 'approved' });
    expect(policy.decide({ host: 'office.example', port: 443 })).toMatchObject({
      action: 'allow',
      inspect: 'mask',
      needsPath: true,
      reason: 'not decidable by host: Writer, Painter claim a part of it',
    });
  });
});
