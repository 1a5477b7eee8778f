// biome-ignore-all lint/suspicious/noThenProperty: the word of the file format; a rule is never awaited.
import { describe, expect, test } from 'vitest';
import { loadServices } from '../../config/services.ts';
import { type DecideInput, Policy, type PolicyConfig, type RuleConfig } from '../../policy/decide.ts';
import { ServiceRegistry } from '../../policy/registry.ts';

const defaults: PolicyConfig = {
  unknown: 'allow',
  inspect: { approved: 'mask', monitoring: 'audit', unknown: 'tunnel' },
  bypass: [],
  rules: [],
};

function policyOf(config: Partial<PolicyConfig> = {}, networks: Record<string, string> = {}): Policy {
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
  return new Policy({ registry, config: { ...defaults, ...config }, networks });
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
