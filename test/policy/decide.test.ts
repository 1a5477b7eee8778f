/**
 * Decisions for a host: by its service, its category, the bypass and the rules, and cases that the host alone cannot
 * decide.
 */
import { describe, expect, test } from 'vitest';
import { loadServices } from '../../config/services.ts';
import { Policy } from '../../policy/decide.ts';
import type { DecideInput } from '../../policy/decision.ts';
import { ServiceRegistry } from '../../policy/registry.ts';
import type { RuleConfig } from '../../policy/rule.ts';
import { defaults, policyOf } from './policies-under-test.ts';

const summary = (policy: Policy, input: Partial<DecideInput> & { host: string }) => {
  const decision = policy.decide({ port: 443, ...input });
  return `${decision.action} ${decision.inspect} ${decision.ruleKind} ${decision.rule}`;
};

describe('without rules', () => {
  test.each([
    ['good.example', 'allow mask category category approved'],
    ['api.good.example', 'allow mask category category approved'],
    ['seen.example', 'warn audit category category monitoring'],
    ['bad.example', 'block mask service service is_blocked'],
    ['off.example', 'block mask service service is_blocked'],
    ['notgood.example', 'allow tunnel unknown policy.unknown'],
    ['127.0.0.1', 'allow tunnel unknown policy.unknown'],
  ])('%s', (host, expected) => {
    expect(summary(policyOf(), { host })).toBe(expected);
    expect(summary(policyOf(), { host, path: '/x', method: 'POST' })).toBe(expected);
  });

  test('a blocked category blocks even if is_blocked is false', () => {
    const registry = new ServiceRegistry();
    registry.add({ service_name: 'Bad', domain: 'bad.example', category: 'blocked', is_blocked: false });
    const policy = new Policy({ registry, config: defaults });
    expect(summary(policy, { host: 'bad.example' })).toBe('block mask category category blocked');
  });

  test('unregistered hosts follow policy.unknown', () => {
    const policy = policyOf({ unknown: 'warn', inspect: { ...defaults.inspect, unknown: 'audit' } });
    expect(summary(policy, { host: 'x.example' })).toBe('warn audit unknown policy.unknown');
  });
});

describe('whether a path affects the decision', () => {
  const block = { action: 'block' } as const;
  const paths = ['/v1/files'];
  const hosts = ['x.example'];
  test.each<[what: string, rules: RuleConfig[], host: string, expected: boolean]>([
    ['a part of the host is a service', [], 'part.example', true],
    ['no rule depends on it', [], 'good.example', false],
    ['a rule depends on it', [{ when: { paths }, then: block }], 'good.example', true],
    ['a rule for this host depends on it', [{ when: { paths, hosts }, then: block }], 'x.example', true],
    ['a rule for another host depends on it', [{ when: { paths, hosts }, then: block }], 'good.example', false],
    ['a rule for this method', [{ when: { paths, methods: ['GET'] }, then: block }], 'good.example', true],
    ['a rule for another method', [{ when: { paths, methods: ['PUT'] }, then: block }], 'good.example', false],
    ['a rule for uploads over a size', [{ when: { paths, upload_over: 10 }, then: block }], 'good.example', true],
    ['a rule that depends on the size', [{ when: { upload_over: 10 }, then: block }], 'good.example', false],
    ['a rule only reports', [{ when: { paths }, then: block, report_only: true }], 'good.example', false],
    [
      'another rule decides before',
      [
        { when: {}, then: block },
        { when: { paths }, then: block },
      ],
      'good.example',
      false,
    ],
    ['the host is bypassed', [{ when: { paths }, then: block }], 'bank.example', false],
  ])('%s', (_what, rules, host, expected) => {
    const policy = policyOf({ rules, bypass: ['bank.example'] });
    expect(policy.asksPath({ host, port: 443, path: '/v1/..;/x', method: 'GET', size: 0 })).toBe(expected);
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

describe('outcomes of a rule', () => {
  test('the first match wins', () => {
    const rules: RuleConfig[] = [
      { name: 'ann', when: { users: ['ann'] }, then: { action: 'allow' } },
      { name: 'all', when: {}, then: { action: 'block' } },
    ];
    expect(summary(policyOf({ rules }), { host: 'seen.example', user: 'ann' })).toBe('allow audit rule ann');
    expect(summary(policyOf({ rules }), { host: 'seen.example', user: 'bob' })).toMatch(/^block /);
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

  test('a rule without a name is identified by its position', () => {
    expect(
      policyOf({ rules: [{ when: {}, then: { action: 'block' } }] }).decide({ host: 'x.example', port: 443 }).rule,
    ).toBe('rule 1');
  });
});

describe('what the host of a CONNECT cannot decide', () => {
  test('a service on part of a shared host: the host is not intercepted for it', () => {
    const policy = policyOf();
    const connect = policy.decide({ host: 'part.example', port: 443 });
    expect(connect).toMatchObject({ action: 'allow', inspect: 'tunnel' });
    expect(connect.needsPath).toBeUndefined();
    expect(connect.reason).toContain('not decidable by host');
    expect(connect.service).toBeUndefined();
    const path = (said: string) => summary(policy, { host: 'part.example', path: said });
    expect(path('/AI/x')).toBe('warn audit category category monitoring');
    expect(path('/aid')).toBe('allow tunnel unknown policy.unknown');
    expect(policy.decide({ host: 'part.example', port: 443, path: '/' }).needsPath).toBeUndefined();
    expect(policy.decide({ host: 'a.part.example', port: 443 }).needsPath).toBeUndefined();
    expect(policy.explain({ host: 'part.example', port: 443 }).decision.reason).toContain('not decidable by host');
  });

  test('not if the policy is the same for every path', () => {
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
    ['path of an unregistered host', { when: { paths: ['/x'] }, then: { action: 'block' } }, 'x.example', 'audit'],
    ['the same result', { when: { paths: ['/x'] }, then: { action: 'block' } }, 'bad.example', undefined],
    [
      'another host',
      { when: { hosts: ['y.example'], paths: ['/x'] }, then: { action: 'block' } },
      'x.example',
      undefined,
    ],
    ['another user', { when: { users: ['ann'], paths: ['/x'] }, then: { action: 'block' } }, 'x.example', undefined],
  ])('a rule that depends on it: %s', (_name, rule, host, inspect) => {
    const decision = policyOf({ rules: [rule] }).decide({ host, port: 443 });
    expect(decision.needsPath).toBe(inspect === undefined ? undefined : true);
    if (inspect !== undefined) expect(decision).toMatchObject({ action: 'allow', inspect });
  });

  test('an earlier rule for every path decides', () => {
    const rules: RuleConfig[] = [
      { when: { hosts: ['x.example'] }, then: { action: 'warn' } },
      { when: { paths: ['/x'] }, then: { action: 'block' } },
    ];
    expect(policyOf({ rules }).decide({ host: 'x.example', port: 443 })).toMatchObject({
      action: 'warn',
      rule: 'rule 1',
    });
  });

  test('a shared host is intercepted only for rules with a path on it', () => {
    const there = (when: object) =>
      policyOf({ rules: [{ when, then: { action: 'block' } }] }).decide({ host: 'part.example', port: 443 });
    const path = { paths: ['/ai/files'] };
    for (const when of [{ hosts: ['part.example'], ...path }, { services: ['part'], ...path }, path])
      expect([when, there(when)]).toMatchObject([when, { needsPath: true, inspect: 'audit' }]);
    for (const when of [
      { hosts: ['intranet.example'], upload_over: 5_000_000 },
      { services: ['good'], ...path },
      { hosts: ['part.example'], ...path, users: ['eve'] },
      { hosts: ['part.example'] },
    ])
      expect([when, there(when).needsPath]).toEqual([when, undefined]);
  });

  test('with the shipped registry no shared host is intercepted', () => {
    const registry = new ServiceRegistry(loadServices());
    const policy = new Policy({ registry, config: defaults });
    expect(policy.decide({ host: 'www.canva.com', port: 443 })).toMatchObject({ inspect: 'tunnel' });
    const hosts = 'google.com github.com www.canva.com chatgpt.com gemini.google.com example.com mail.google.com';
    for (const host of hosts.split(' ')) expect(policy.decide({ host, port: 443 }).needsPath).toBeUndefined();
  });
});

test('a registry change applies to the next decision', () => {
  const registry = new ServiceRegistry();
  const policy = new Policy({ registry, config: defaults });
  expect(policy.decide({ host: 'new.example', port: 443 }).action).toBe('allow');
  const { id } = registry.add({ service_name: 'New', domain: 'new.example', category: 'blocked' });
  expect(policy.decide({ host: 'new.example', port: 443 }).action).toBe('block');
  registry.remove(id);
  expect(policy.decide({ host: 'new.example', port: 443 }).action).toBe('allow');
});
