/** Which requests a rule applies to: each condition alone and together, and the day on which a rule expires. */
import { describe, expect, test } from 'vitest';
import { Policy } from '../../policy/decide.ts';
import type { DecideInput, PolicyConfig } from '../../policy/decision.ts';
import { normalizeHost } from '../../policy/host.ts';
import { policyLint } from '../../policy/policy-lint.ts';
import { ServiceRegistry } from '../../policy/registry.ts';
import type { RuleConfig } from '../../policy/rule.ts';
import { serviceId } from '../../policy/service.ts';
import { defaults, policyOf } from './policies-under-test.ts';

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
    ['service by key', { services: ['good'] }, {}, true],
    ['service by id', { services: [String(serviceId('good'))] }, {}, true],
    ['service by another id', { services: ['1'] }, {}, false],
    ['service by name', { services: ['GOOD'] }, {}, true],
    ['service by domain', { services: ['good.example'] }, {}, true],
    ['service by domain with a trailing dot', { services: ['Good.example.'] }, {}, true],
    ['other service', { services: ['seen'] }, {}, false],
    ['service of an unregistered host', { services: ['good'] }, { host: 'x.example' }, false],
    ['kind', { kinds: ['chat'] }, {}, true],
    ['other kind', { kinds: ['coding'] }, {}, false],
    ['kind of an unregistered host', { kinds: ['chat'] }, { host: 'x.example' }, false],
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
    ['all must match', { users: ['ann'], kinds: ['chat'] }, { user: 'ann', host: 'seen.example' }, false],
    ['an empty list never matches', { users: [] }, { user: 'ann' }, false],
  ])('%s', (_name, when, input, expected) => {
    const policy = policyOf(rule(when), { '10.7.0.0/16': 'branch' });
    const decision = policy.decide({ port: 443, ...base, ...input });
    expect(decision.rule === 'r').toBe(expected);
    expect(policy.explain({ port: 443, ...base, ...input }).decision).toEqual(decision);
  });
});

describe('rules that expire', () => {
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

  test.each(['2026-02-30', '2026-02-30T10:00:00Z', '2026-12-31T18:00', 'soon'])('%s is neither a date', (expires) => {
    expect(() => policyOf({ rules: [{ when: {}, then: {}, expires }] })).toThrow('is neither a date');
  });
});

describe('a service by a domain in any spelling', () => {
  const registry = new ServiceRegistry();
  registry.add({
    service_name: 'Example',
    domain: '例え.jp',
    alternate_domains: ['one.example'],
    category: 'approved',
  });
  registry.add({ service_name: '例題.1', domain: 'two.example', category: 'approved' });
  const registered: readonly [string, string][] = [
    ['例え.jp', 'xn--r8jz45g.jp'],
    ['例え。JP.', 'xn--r8jz45g.jp'],
    ['xn--r8jz45g.jp', 'a.xn--r8jz45g.jp'],
    ['ONE.example.', 'one.example'],
    ['例題.1', 'two.example'],
  ];
  test.each(registered)('%s', (name, host) => {
    const config: PolicyConfig = { ...defaults, rules: [{ when: { services: [name] }, then: { action: 'block' } }] };
    const policy = new Policy({ registry, config });
    expect(policy.decide({ host, port: 443 }).action).toBe('block');
    expect(policy.explain({ host, port: 443 }).decision.action).toBe('block');
    expect(policy.decide({ host: 'other.example', port: 443 }).action).toBe('allow');
    const known = { services: registry.list(), nearest: () => undefined };
    expect(policyLint({ rules: config.rules, bypass: [], known })).toEqual([]);
  });
});
