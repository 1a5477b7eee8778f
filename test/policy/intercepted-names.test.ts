import { expect, test } from 'vitest';
import { Policy } from '../../policy/decide.ts';
import type { PolicyConfig } from '../../policy/decision.ts';
import { interceptedNames } from '../../policy/intercepted-names.ts';
import { ServiceRegistry } from '../../policy/registry.ts';
import type { RuleConfig } from '../../policy/rule.ts';

const registry = new ServiceRegistry();
registry.add({ service_name: 'One', domain: 'one.example', host_patterns: ['a.*.cdn.example'], category: 'approved' });
registry.add({
  service_name: 'Part',
  domain: 'part.example',
  scope: 'path',
  url_prefixes: ['app.part.example/ai'],
  category: 'blocked',
});
const own = ['one.example', 'a.*.cdn.example'];
/** Anonymizers: they are intercepted to see which page they show. */
const showing = [
  ...'translate.goog|r.jina.ai|s.jina.ai|eu.r.jina.ai|eu.s.jina.ai|eu-r-beta.jina.ai'.split('|'),
  'eu-s-beta.jina.ai',
];

const inspect = { approved: 'mask', monitoring: 'audit', unknown: 'tunnel' } as const;
const rule = (when: RuleConfig['when'], then: RuleConfig['then']): Partial<PolicyConfig> => ({
  rules: [{ when, then }],
});
const audited: Partial<PolicyConfig> = { inspect: { ...inspect, unknown: 'audit' } };
const reporting: Partial<PolicyConfig> = {
  rules: [{ when: { paths: ['/x'] }, then: { action: 'block' }, report_only: true }],
};
const allowed = rule({ hosts: ['z.example'] }, { action: 'allow' });
/** Unregistered hosts are blocked, and those that a rule allows are masked. */
const closed = { unknown: 'block', inspect: { ...inspect, unknown: 'mask' } } as const;

test.each<[string, Partial<PolicyConfig>, string[] | null]>([
  ['no rules: the registry', {}, own],
  ['unregistered hosts are inspected', audited, null],
  ['unregistered hosts are inspected but blocked', { ...audited, unknown: 'block' }, own],
  [
    'a rule inspects some hosts',
    rule({ hosts: ['*.x.example', 'Y.example.'] }, { inspect: 'mask' }),
    [...own, 'x.example', 'y.example'],
  ],
  ['and by a pattern', rule({ hosts: ['a-*.例え.JP.'] }, { inspect: 'mask' }), [...own, 'a-*.xn--r8jz45g.jp']],
  ['a rule inspects a network', rule({ hosts: ['10.0.0.0/8'] }, { inspect: 'mask' }), null],
  ['a rule inspects all requests of a user', rule({ users: ['ann'] }, { inspect: 'audit' }), null],
  ['a rule inspects a service', rule({ services: ['one'] }, { inspect: 'audit' }), own],
  ['a rule inspects a kind', rule({ kinds: ['chat'] }, { inspect: 'audit' }), own],
  ['a rule inspects a category', rule({ categories: ['monitoring'] }, { inspect: 'mask' }), own],
  ['a rule inspects unregistered hosts', rule({ categories: ['unknown'] }, { inspect: 'mask' }), null],
  ['a rule tunnels', rule({ users: ['ann'] }, { inspect: 'tunnel' }), own],
  ['a rule blocks', rule({ users: ['ann'] }, { action: 'block' }), own],
  ['a rule blocks and names an inspection', rule({ users: ['ann'] }, { action: 'block', inspect: 'mask' }), own],
  ['a rule depends on the path of any host', rule({ paths: ['/x'] }, { action: 'block' }), null],
  [
    'a rule depends on the path of one host',
    rule({ paths: ['/x'], hosts: ['z.example'] }, { action: 'block' }),
    [...own, 'app.part.example', 'z.example'],
  ],
  ['a rule depends on the size of uploads', rule({ upload_over: 1000 }, { action: 'block' }), null],
  ['a rule shows a page', rule({ hosts: ['z.example'] }, { action: 'warn', coach: true }), [...own, 'z.example']],
  ['a rule warns only', rule({ hosts: ['z.example'] }, { action: 'warn' }), own],
  ['a rule allows a host that would be inspected', { ...closed, ...allowed }, [...own, 'z.example']],
  ['and with a warning', { ...closed, ...rule({ hosts: ['z.example'] }, { action: 'warn' }) }, [...own, 'z.example']],
  ['and all requests of a group', { ...closed, ...rule({ groups: ['it'] }, { action: 'allow' }) }, null],
  ['and without inspection', { ...closed, ...rule({ users: ['ann'] }, { action: 'allow', inspect: 'tunnel' }) }, own],
  ['a rule keeps the host blocked', { ...closed, ...rule({ users: ['ann'] }, { types: { EMAIL: 'off' } }) }, own],
  [
    'a rule allows a host that would not be inspected',
    { unknown: 'block', ...rule({ users: ['ann'] }, { action: 'allow' }) },
    own,
  ],
  ['a report_only rule', reporting, own],
])('%s', (_name, config, expected) => {
  const policy: PolicyConfig = { unknown: 'allow', inspect, bypass: [], rules: [], ...config };
  expect(interceptedNames({ registry, config: policy })).toEqual(expected && [...expected, ...showing]);
});

test('a host that shows other pages is listed once, and not below a service', () => {
  const jina = new ServiceRegistry();
  jina.add({ service_name: 'Jina', domain: 'jina.ai', category: 'approved' });
  const rules: RuleConfig[] = [{ when: { hosts: ['translate.goog'] }, then: { inspect: 'mask' } }];
  const config: PolicyConfig = { unknown: 'allow', inspect, bypass: [], rules };
  expect(interceptedNames({ registry: jina, config })).toEqual(['jina.ai', 'translate.goog']);
});

test('every intercepted host can get a certificate', () => {
  const config: PolicyConfig = {
    ...closed,
    bypass: [],
    rules: [{ when: { hosts: ['z.example', 'relay.example'] }, then: { action: 'allow' } }],
  };
  const anonymizer = (host: string) =>
    host === 'relay.example' ? { host, category: 'relay', reason: 'fetches any page' } : undefined;
  const policy = new Policy({ registry, config, anonymizer });
  const names = interceptedNames({ registry, config });
  for (const host of ['z.example', 'relay.example']) {
    expect(policy.decide({ host, port: 443 })).toMatchObject({ action: 'allow', inspect: 'mask' });
    expect(names).toContain(host);
  }
});
