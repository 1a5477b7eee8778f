import { describe, expect, test } from 'vitest';
import { curatedCategories } from '../../config/host-list-categories.ts';
import { curatedBypass } from '../../config/host-lists.ts';
import { loadServices } from '../../config/services.ts';
import { Policy } from '../../policy/decide.ts';
import type { PolicyConfig } from '../../policy/decision.ts';
import { HostSet } from '../../policy/host-set.ts';
import { ServiceRegistry } from '../../policy/registry.ts';
import type { Service } from '../../policy/service.ts';

const services = loadServices() as Service[];
const registry = new ServiceRegistry(services);
const all = curatedBypass('on');
const hosts = new HostSet(all.map(({ host }) => host));

describe('the curated list', () => {
  test('contains no host of a registered AI service', () => {
    const claimed = all.filter(({ host }) => registry.match(host.replace(/^\*\./, 'x.')) !== undefined);
    expect(claimed).toEqual([]);
  });

  test('contains no host shared by an AI service', () => {
    const names = services.flatMap((service) => [
      service.domain,
      ...service.alternate_domains,
      ...(service.api_hosts ?? []),
      ...service.host_patterns.map((pattern) => pattern.replaceAll('*', 'x')),
      ...service.url_prefixes.map((prefix) => prefix.slice(0, prefix.indexOf('/'))),
    ]);
    expect(names.filter((name) => hosts.match(name) !== undefined)).toEqual([]);
  });

  test('lists each host once, normalised, with a reason', () => {
    const names = all.map(({ host }) => host);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name !== name.toLowerCase())).toEqual([]);
    expect(new Set(all.map(({ category }) => category))).toEqual(new Set(curatedCategories));
    expect(all.every(({ reason }) => reason.length > 20)).toBe(true);
  });

  test('contains only the selected categories', () => {
    expect(curatedBypass('off')).toEqual([]);
    expect(new Set(curatedBypass(['banking', 'health']).map(({ category }) => category))).toEqual(
      new Set(['banking', 'health']),
    );
  });
});

describe('an exemption', () => {
  const config: PolicyConfig = {
    unknown: 'allow',
    inspect: { approved: 'mask', monitoring: 'audit', unknown: 'audit' },
    bypass: [],
    rules: [
      { name: 'no games', when: { hosts: ['games.chase.com'] }, then: { action: 'block' } },
      { name: 'paths', when: { hosts: ['paths.chase.com'], paths: ['/x'] }, then: { action: 'block' } },
    ],
  };
  const policy = (covers: 'unknown' | 'audited' | 'all') =>
    new Policy({ registry, config, exempt: () => ({ rule: 'curated', reason: 'because', covers }) });

  test.each<[name: string, host: string, covers: 'unknown' | 'audited' | 'all', expected: object]>([
    [
      'leaves an unknown host alone',
      'chase.com',
      'unknown',
      { inspect: 'tunnel', ruleKind: 'bypass', rule: 'curated' },
    ],
    ['does not allow anything that is blocked', 'games.chase.com', 'all', { action: 'block', ruleKind: 'rule' }],
    ['still inspects the paths of a rule', 'paths.chase.com', 'all', { inspect: 'audit', needsPath: true }],
    ['of the curated list does not apply to services', 'claude.ai', 'unknown', { inspect: 'mask' }],
    ['that was learned does not apply to masked services', 'claude.ai', 'audited', { inspect: 'mask' }],
    ['of an administrator applies to services', 'claude.ai', 'all', { inspect: 'tunnel', action: 'allow' }],
  ])('%s', (_name, host, covers, expected) => {
    expect(policy(covers).decide({ host, port: 443 })).toMatchObject(expected);
  });

  test('is a separate step of the explanation, after bypass', () => {
    const { tried } = policy('unknown').explain({ host: 'chase.com', port: 443 });
    expect(tried.slice(0, 2)).toEqual([
      expect.objectContaining({ rule: 'bypass', matched: false }),
      { rule: 'exemption', matched: true, why: 'because' },
    ]);
  });
});
