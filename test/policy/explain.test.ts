/** How a decision is explained: every evaluated step, with the condition or path that decided. */
import { describe, expect, test } from 'vitest';
import { Policy } from '../../policy/decide.ts';
import type { DecideInput } from '../../policy/decision.ts';
import { ServiceRegistry } from '../../policy/registry.ts';
import type { RuleConfig } from '../../policy/rule.ts';
import { defaults, policyOf, services } from './policies-under-test.ts';

const step = (rule: string, matched: boolean, why: string) => ({ rule, matched, why });
const noBypass = step('bypass', false, 'no entry matches the host');
const noService = step('service', false, 'the host is not in the registry');
const unknown = step('policy.unknown', true, 'unregistered hosts are allowed');

test('every evaluated step is explained, the winner last', () => {
  const rules: RuleConfig[] = [
    { name: 'legal only', when: { groups: ['legal'], kinds: ['chat'] }, then: { action: 'block' } },
  ];
  expect(policyOf({ rules }).explain({ host: 'good.example', port: 443, path: '/' }).tried).toEqual([
    noBypass,
    step('legal only', false, 'groups: no match'),
    step('service is_blocked', false, 'Good (good.example) is not marked as blocked'),
    step('category approved', true, 'Good (good.example) is in category approved'),
  ]);
});

describe('what is explained', () => {
  const anonymizer = (host: string) =>
    host === 'relay.example' ? { host, category: 'relay', reason: 'fetches any page' } : undefined;
  test.each<[string, string, object[]]>([
    ['a bypass', 'bank.example', [step('bypass', true, '"bank.example" matches the host')]],
    [
      'is_blocked',
      'bad.example',
      [noBypass, step('service is_blocked', true, 'Bad (bad.example) is marked as blocked')],
    ],
    ['an unregistered host', 'x.example', [noBypass, noService, unknown]],
    [
      'an anonymizer',
      'relay.example',
      [
        noBypass,
        noService,
        step('anonymizer relay', true, 'relay.example is an anonymizer (relay): it fetches any page'),
      ],
    ],
    [
      'a page of another host',
      'bad-example.translate.goog',
      [
        noBypass,
        noService,
        unknown,
        step('service is_blocked', true, 'Bad is blocked, and bad-example.translate.goog shows its pages'),
      ],
    ],
  ])('%s', (_name, host, tried) => {
    const registry = new ServiceRegistry(services);
    const policy = new Policy({ registry, config: { ...defaults, bypass: ['bank.example'] }, anonymizer });
    expect(policy.explain({ host, port: 443, path: '/' }).tried).toEqual(tried);
  });

  test.each<[RuleConfig['when'], string]>([
    [{ categories: ['blocked'] }, 'categories: no match (approved)'],
    [{ services: ['seen'] }, 'services: no match (Good)'],
    [{ kinds: ['coding'] }, 'kinds: no match (chat)'],
    [{ hosts: ['x.example'] }, 'hosts: no match (a.good.example)'],
    [{ users: ['bob'] }, 'users: no match (ann)'],
    [{ groups: ['legal'] }, 'groups: no match (it, hr)'],
    [{ networks: ['11.0.0.0/8'] }, 'networks: no match (10.1.1.1)'],
    [{ hours: '08:00-09:00' }, 'hours: no match (2026-11-23T09:00:00.000Z)'],
    [{ methods: ['GET'] }, 'methods: no match (post)'],
    [{ paths: ['/x'] }, 'paths: no match (/v1/chat)'],
    [{ upload_over: 10 }, 'upload_over: no match (10 bytes)'],
    [{ users: ['ann'], methods: ['POST'], kinds: ['chat'] }, 'kinds, users, methods: match'],
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
      'categories, services, hosts, groups, networks, hours, paths, upload_over: match',
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
    expect(policyOf({ rules }).explain(input).tried[1]).toEqual({ rule: 'r', matched: why.endsWith(': match'), why });
    const ended = policyOf({ rules: [{ ...rules[0], when, then: {}, expires: '2026-11-22' }] }).explain(input).tried[1];
    expect(ended?.why).toBe('expires: no match (expired 2026-11-23T00:00:00.000Z)');
  });

  test('a decision that depends on the path', () => {
    const rules: RuleConfig[] = [{ name: 'p', when: { paths: ['/x'] }, then: { action: 'block' } }];
    expect(policyOf({ rules }).explain({ host: 'x.example', port: 443 }).tried.slice(1)).toEqual([
      step('p', false, 'not decidable by host: depends on the path or method of the request'),
      noService,
      unknown,
      step(
        'path',
        true,
        'not decidable by host: a rule depends on the path; the requests inside are decided with their path',
      ),
    ]);
  });

  test('a host shared by several services', () => {
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
    expect(reason()).toBe('not decidable by host: Writer covers part of it');
    part('Painter', 'paint');
    expect(reason()).toBe('not decidable by host: Writer, Painter cover part of it');
    // A rule that depends on paths there intercepts it, as does a service with the rest of the host.
    const rules: RuleConfig[] = [{ when: { hosts: ['office.example'], paths: ['/x'] }, then: { action: 'block' } }];
    expect(policy.withConfig({ ...defaults, rules }).decide({ host: 'office.example', port: 443 })).toMatchObject({
      action: 'allow',
      inspect: 'audit',
      needsPath: true,
      reason: 'not decidable by host: Writer, Painter cover part of it',
    });
    registry.add({ service_name: 'Office', domain: 'office.example', category: 'approved' });
    expect(policy.decide({ host: 'office.example', port: 443 })).toMatchObject({
      action: 'allow',
      inspect: 'mask',
      needsPath: true,
      reason: 'not decidable by host: Writer, Painter cover part of it',
    });
  });
});
