/**
 * Every field of a decision: what it contains, which rule and service it names, whether users are coached, what is
 * still unknown.
 */
import { describe, expect, test } from 'vitest';
import { Policy } from '../../policy/decide.ts';
import type { PolicyConfig, PolicyDecision } from '../../policy/decision.ts';
import { ServiceRegistry } from '../../policy/registry.ts';
import type { RuleConfig } from '../../policy/rule.ts';
import { defaults, policyOf, services } from './policies-under-test.ts';

describe('a complete decision', () => {
  const at = { port: 443 } as const;
  const exempt = () => ({ rule: 'learned', reason: 'its clients reject our certificate', covers: 'audited' as const });
  const anonymizer = (host: string) =>
    host === 'relay.example' ? { host, category: 'relay', reason: 'fetches any page' } : undefined;
  const registry = new ServiceRegistry(services);
  const unknownAudited = { ...defaults, inspect: { ...defaults.inspect, unknown: 'audit' as const } };

  /** The fields that every decision has. */
  const decided = (
    outcome: `${PolicyDecision['action']} ${PolicyDecision['inspect']}`,
    ruleKind: PolicyDecision['ruleKind'],
    rule: string,
    reason: string,
  ) => {
    const [action, inspect] = outcome.split(' ');
    return { action, inspect, ruleKind, rule, reason };
  };
  const of = (key: string) => ({ service: registry.get(key), matchedHost: `${key}.example` });
  const policyWith = (config: Partial<PolicyConfig>, more: object = {}) =>
    new Policy({ registry, config: { ...defaults, ...config }, ...more });
  const unknown = decided('allow tunnel', 'unknown', 'policy.unknown', 'the host is not in the registry');
  const ours: RuleConfig = { name: 'ours', when: { hosts: ['relay.example'] }, then: { action: 'allow' } };
  const off: RuleConfig['then'] = { types: { EMAIL: 'off' } };
  const coached: RuleConfig = { when: {}, then: { action: 'warn', inspect: 'audit', coach: true, ...off } };
  const anonymous = 'relay.example is an anonymizer (relay): it fetches any page';
  const shown = 'Bad is blocked, and bad-example.translate.goog shows its pages';

  test.each<[string, Policy, string, object]>([
    [
      'bypass',
      policyWith({ bypass: ['bank.example'] }),
      'a.bank.example',
      decided('allow tunnel', 'bypass', 'bank.example', 'bank.example is bypassed'),
    ],
    [
      'a rule',
      policyWith({ rules: [{ name: 'r', when: {}, then: off }] }),
      'x.example',
      { ...decided('allow tunnel', 'rule', 'r', 'rule "r"'), ...off },
    ],
    [
      'is_blocked',
      policyWith({}),
      'off.example',
      { ...decided('block mask', 'service', 'service is_blocked', 'Off is blocked'), ...of('off') },
    ],
    [
      'a category',
      policyWith({ coach: true, coach_ttl: 60_000 }),
      'a.seen.example',
      {
        ...decided('warn audit', 'category', 'category monitoring', 'Seen is in category monitoring'),
        ...of('seen'),
        coach: { ttlMs: 60_000 },
      },
    ],
    [
      'an approved one is not coached',
      policyWith({ coach: true }),
      'good.example',
      { ...decided('allow mask', 'category', 'category approved', 'Good is in category approved'), ...of('good') },
    ],
    [
      'an anonymizer',
      policyWith({}, { anonymizer }),
      'relay.example',
      decided('block tunnel', 'anonymizer', 'anonymizer relay', anonymous),
    ],
    [
      'an anonymizer that a rule allows counts as an unregistered host',
      policyWith({ rules: [ours] }, { anonymizer }),
      'relay.example',
      decided('allow tunnel', 'rule', 'ours', 'rule "ours"'),
    ],
    [
      'no anonymizer where none is wanted',
      policyWith({ anonymizers: ['cache'] }, { anonymizer }),
      'relay.example',
      unknown,
    ],
    [
      'an exemption also removes coaching and types',
      policyWith({ rules: [coached] }, { exempt }),
      'x.example',
      decided('warn tunnel', 'bypass', 'learned', 'its clients reject our certificate'),
    ],
    [
      'a page of a blocked service, shown by another host',
      policyWith(unknownAudited),
      'bad-example.translate.goog',
      { ...decided('block mask', 'service', 'service is_blocked', shown), ...of('bad') },
    ],
    ['a page of any other host', policyWith({}), 'good-example.translate.goog', unknown],
    [
      'a page shown by a bypassed host',
      policyWith({ bypass: ['translate.goog'] }),
      'bad-example.translate.goog',
      decided('allow tunnel', 'bypass', 'translate.goog', 'translate.goog is bypassed'),
    ],
  ])('%s', (_name, policy, host, expected) => {
    expect(policy.decide({ host, ...at, path: '/' })).toEqual(expected);
  });

  test.each<[string, RuleConfig['then'], Partial<PolicyConfig>, string, number | undefined]>([
    ['the rule', { coach: true, coach_ttl: 1000 }, { coach: false, coach_ttl: 5000 }, 'seen.example', 1000],
    ['the rule, and the time of the policy', { coach: true }, { coach_ttl: 5000 }, 'seen.example', 5000],
    ['the rule, and no time', { coach: true }, {}, 'seen.example', 8 * 3_600_000],
    ['the rule, for an unregistered host', { action: 'warn', coach: true }, {}, 'x.example', 8 * 3_600_000],
    ['the policy', {}, { coach: true, coach_ttl: 5000 }, 'seen.example', 5000],
    ['the policy, for an unregistered host', { action: 'warn' }, { coach: true }, 'x.example', undefined],
    ['the rule disables it', { coach: false }, { coach: true }, 'seen.example', undefined],
    ['an allowed request', { action: 'allow', coach: true }, { coach: true }, 'seen.example', undefined],
  ])('coaching: %s', (_name, then, config, host, ttlMs) => {
    const policy = policyOf({ ...config, rules: [{ when: {}, then }] });
    expect(policy.decide({ host, ...at, path: '/' }).coach).toEqual(ttlMs === undefined ? undefined : { ttlMs });
  });

  test('report_only: the first rule that would have decided', () => {
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
      { rule: 'bypass', matched: false, why: 'no entry matches the host' },
      { rule: 'bob', matched: false, why: 'users: no match (ann)' },
      { rule: 'ann', matched: false, why: 'report_only: would decide, users: match' },
      { rule: 'all', matched: false, why: 'report_only: would decide, has no conditions' },
      { rule: 'service is_blocked', matched: false, why: 'Seen (seen.example) is not marked as blocked' },
      { rule: 'category monitoring', matched: true, why: 'Seen (seen.example) is in category monitoring' },
    ]);
  });

  test('a report_only rule with a path causes no interception', () => {
    const rules: RuleConfig[] = [{ when: { paths: ['/x'] }, then: { action: 'block' }, report_only: true }];
    expect(policyOf({ rules }).decide({ host: 'x.example', ...at }).needsPath).toBeUndefined();
    const both = [...rules, { when: { hosts: ['y.example'], methods: ['PUT'] }, then: { action: 'block' } } as const];
    expect(policyOf({ rules: both }).decide({ host: 'x.example', ...at }).needsPath).toBeUndefined();
    expect(policyOf({ rules: both }).decide({ host: 'y.example', ...at }).needsPath).toBe(true);
  });

  test('an unknown body size that affects the decision', () => {
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
      why: 'not decidable yet: depends on the size of the body',
    });
  });

  test('the service found earlier is kept, even if the registry changes', () => {
    const policy = policyOf();
    const earlier = policy.decide({ host: 'bad.example', ...at });
    expect(policy.decide({ host: 'x.example', ...at, path: '/', earlier })).toMatchObject({
      action: 'block',
      matchedHost: 'bad.example',
    });
    const none = policy.decide({ host: 'x.example', ...at });
    expect(policy.decide({ host: 'bad.example', ...at, path: '/', earlier: none }).ruleKind).toBe('unknown');
  });

  test('other services or rules, everything else unchanged', () => {
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
