/** Rules and requests of every kind, compared with the plain decider in slow-decider.ts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Policy } from '../../policy/decide.ts';
import type { DecideInput, PolicyConfig, PolicyDecision } from '../../policy/decision.ts';
import { ServiceRegistry } from '../../policy/registry.ts';
import type { RuleConfig } from '../../policy/rule.ts';
import { type SlowDecision, slowDecide } from './slow-decider.ts';

const registry = new ServiceRegistry();
for (const service of [
  {
    service_name: 'Good Chat',
    domain: 'good.example',
    alternate_domains: ['good-cdn.test'],
    kind: 'chat',
    category: 'approved',
  },
  {
    service_name: 'Deep',
    domain: 'api.good.example',
    kind: 'model-api',
    category: 'monitoring',
    coach: true,
    coach_ttl: 60_000,
  },
  { service_name: 'Seen', domain: 'seen.example', kind: 'coding', category: 'monitoring' },
  { service_name: 'Quiet', domain: 'quiet.example', kind: 'coding', category: 'monitoring', coach: false },
  { service_name: 'Bad', domain: 'bad.example', kind: 'chat', category: 'blocked' },
  { service_name: 'Half', domain: 'half.example', category: 'blocked', is_blocked: false },
  { service_name: 'Off', domain: 'off.example', kind: 'image', category: 'approved', is_blocked: true },
  {
    service_name: 'Part',
    domain: 'part.example',
    scope: 'path',
    url_prefixes: ['part.example/ai', 'part.example/ai/pro'],
    category: 'monitoring',
  },
]) {
  registry.add(service);
}
const networks = { '10.7.0.0/16': 'branch', '2001:db8:7::/48': 'branch', '10.7.9.0/24': 'lab' };

/** Few values, so that conditions often match. */
const of = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const some = <T>(...values: readonly T[]) => fc.uniqueArray(of(...values), { maxLength: 3 });
const entryHosts = [
  ...'good.example|*.good.example|api.good.example|seen.example|node-*.cdn.test|*-x.other.test'.split('|'),
  ...'n*.*.test|other.test|192.0.2.0/24|192.0.2.7|2001:db8::/32|host.*'.split('|'),
];
const hosts = [
  ...'good.example|www.good.example|api.good.example|v1.api.good.example|notgood.example'.split('|'),
  ...'good-cdn.test|seen.example|quiet.example|bad.example|half.example|off.example|part.example'.split('|'),
  ...'www.part.example|node-1.cdn.test|node-.cdn.test|a-x.other.test|other.test|host.local'.split('|'),
  ...'192.0.2.7|192.0.2.8|198.51.100.1|2001:db8::1'.split('|'),
];
const spans = [
  ...'mon-fri 08:00-18:00 Asia/Tokyo|22:00-06:00 America/New_York|sat,sun 00:00-24:00'.split('|'),
  ...'fri 22:00-06:00 Australia/Lord_Howe|sun 01:30-03:30 Europe/London|09:00-09:00'.split('|'),
  ...'sun-tue 02:15-02:45 America/New_York|daily 05:45-11:30 Asia/Kathmandu'.split('|'),
];

const when = fc.record(
  {
    users: some('ann', 'bob', 'Ann'),
    groups: some('legal', 'it', 'branch', 'lab'),
    networks: some('10.0.0.0/8', '10.7.9.0/24', '10.7.9.9', 'loopback', 'private', '2001:db8::/32', '0.0.0.0/0'),
    services: some('good-chat', 'GOOD CHAT', 'good-cdn.test', 'seen', 'deep', 'part', 'nobody'),
    kinds: some('chat', 'coding', 'image'),
    categories: some('approved' as const, 'monitoring' as const, 'blocked' as const, 'unknown' as const),
    hosts: some(...entryHosts),
    methods: some('GET', 'post', 'PUT'),
    paths: some('/', '/v1', '/V1/chat', '/ai'),
    upload_over: of(1, 1_000, 1_048_576),
    hours: fc.oneof(of(...spans), some(...spans)),
  },
  { requiredKeys: [] },
);
/** Rules with one or two conditions match often, those with many almost never; both kinds are needed. */
const narrow = fc.tuple(when, fc.uniqueArray(fc.nat(10), { minLength: 1, maxLength: 2 })).map(([all, kept]) => {
  const keys = Object.keys(all);
  return Object.fromEntries(Object.entries(all).filter(([key]) => kept.some((k) => keys[k % keys.length] === key)));
});
const rule: fc.Arbitrary<RuleConfig> = fc
  .record({
    when: fc.oneof({ weight: 4, arbitrary: narrow }, { weight: 1, arbitrary: when }) as fc.Arbitrary<
      RuleConfig['when']
    >,
    then: fc.record(
      {
        action: of('allow' as const, 'warn' as const, 'block' as const),
        inspect: of('mask' as const, 'audit' as const, 'tunnel' as const),
        coach: fc.boolean(),
        coach_ttl: of(1_000, 2_000),
      },
      { requiredKeys: [] },
    ),
    expires: fc.option(of('2026-03-28', '2026-03-29', '2026-10-25T00:59:00Z', '2030-01-01'), { nil: undefined }),
    report_only: fc.option(fc.boolean(), { nil: undefined, freq: 3 }),
  })
  .map(({ expires, report_only, ...rest }) => ({
    ...rest,
    ...(expires === undefined ? {} : { expires }),
    ...(report_only === undefined ? {} : { report_only }),
  }));
const config: fc.Arbitrary<PolicyConfig> = fc.record({
  unknown: of('allow' as const, 'warn' as const, 'block' as const),
  inspect: fc.constant({ approved: 'mask', monitoring: 'audit', unknown: 'tunnel' } as const),
  coach: fc.boolean(),
  coach_ttl: of(1_800_000, 28_800_000),
  bypass: some('bank.example', 'half.example', '198.51.100.0/24'),
  rules: fc.array(rule, { maxLength: 25 }),
});
/** Around both changes to and from summer time, and at the edges of the spans. */
const moment = fc.oneof(
  fc.integer({ min: Date.parse('2026-03-07'), max: Date.parse('2026-04-06') }),
  fc.integer({ min: Date.parse('2026-10-24'), max: Date.parse('2026-11-03') }),
  of(
    ...[
      '2026-03-29T00:00:00Z',
      '2026-03-29T01:30:00Z',
      '2026-03-28T23:59:59.999Z',
      '2026-11-01T06:30:00Z',
      '2026-10-25T00:59:00Z',
    ].map((text) => Date.parse(text)),
  ),
);
const input = fc.record({
  host: of(...hosts),
  port: fc.constant(443),
  path: of('/', '/v1', '/v1/chat?x=1', '//V1//chat', '/v10', '/ai', '/ai/pro/x', '/aide'),
  method: of('GET', 'POST', 'put'),
  size: of(0, 1, 2, 1_000, 1_001, 5_000_000),
  user: of(undefined, 'ann', 'bob'),
  groups: some('legal', 'it'),
  from: of(
    undefined,
    '10.7.9.9',
    '10.7.1.1',
    '10.9.9.9',
    '127.0.0.1',
    '192.0.2.1',
    '2001:db8:7::5',
    '::1',
    '100.64.0.1',
  ),
  now: moment.map((ms) => new Date(ms)),
}) as fc.Arbitrary<DecideInput & { now: Date; path: string; size: number }>;

function seen(decision: PolicyDecision): SlowDecision {
  const { action, inspect, rule, coach, wouldBe } = decision;
  return {
    action,
    inspect,
    rule,
    coachMs: coach?.ttlMs,
    wouldBe: wouldBe === undefined ? undefined : `${wouldBe.rule} ${wouldBe.action} ${wouldBe.inspect}`,
  };
}

/** How the bytes are handled. */
const outcome = ({ action, inspect }: PolicyDecision) => [action, action === 'block' || inspect];

const scenarios = fc.tuple(config, fc.array(input, { minLength: 1, maxLength: 12 }));
const runs = { numRuns: 600 };

describe('any rules, any request', () => {
  test('the decision equals that of the plain decider, as does the explanation', () => {
    fc.assert(
      fc.property(scenarios, ([policyConfig, inputs]) => {
        const policy = new Policy({ registry, config: policyConfig, networks });
        for (const one of inputs) {
          const decision = policy.decide(one);
          expect(seen(decision)).toEqual(
            slowDecide({ services: registry.list(), config: policyConfig, networks }, one),
          );
          const { decision: explained, tried } = policy.explain(one);
          expect(explained).toEqual(decision);
          expect(tried.filter(({ matched }) => matched)).toHaveLength(1);
          expect(tried.at(-1)?.matched).toBe(true);
        }
      }),
      runs,
    );
  });

  test('a body of unknown length is decided again exactly where its length matters', () => {
    fc.assert(
      fc.property(scenarios, ([policyConfig, inputs]) => {
        const policy = new Policy({ registry, config: policyConfig, networks });
        for (const { size, ...rest } of inputs) {
          const open = policy.decide(rest);
          const known = policy.decide({ ...rest, size });
          if (open.needsSize === undefined) {
            expect(outcome(known)).toEqual(outcome(open));
          } else if (size > open.needsSize) {
            // Above the largest relevant limit, every size gives the same result.
            expect(outcome(policy.decide({ ...rest, size: open.needsSize + 1 }))).toEqual(outcome(known));
          }
        }
      }),
      runs,
    );
  });

  test('a CONNECT decided by its host alone equals the decision of every request inside', () => {
    fc.assert(
      fc.property(scenarios, ([policyConfig, inputs]) => {
        const policy = new Policy({ registry, config: policyConfig, networks });
        for (const one of inputs) {
          const { path: _path, method: _method, size: _size, ...connect } = one;
          const decision = policy.decide(connect);
          expect(policy.explain(connect).decision).toEqual(decision);
          // A host that a service only shares is not intercepted for it (policy/decide.ts).
          const isOnlyShared = registry.prefixMatches(one.host).length > 0 && registry.match(one.host) === undefined;
          if (decision.needsPath || isOnlyShared) continue;
          expect(outcome(policy.decide(one))).toEqual(outcome(decision));
        }
      }),
      runs,
    );
  });
});
