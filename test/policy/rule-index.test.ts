import { describe, expect, test } from 'vitest';
import { ServiceRegistry } from '../../policy/registry.ts';
import { Rule, type RuleConditions, type RuleSubject } from '../../policy/rule.ts';
import { facetsOf, RuleIndex } from '../../policy/rule-index.ts';
import { serviceId } from '../../policy/service.ts';

const service = new ServiceRegistry().add({
  service_name: 'Chat Box',
  domain: 'chat.example',
  alternate_domains: ['api.chat.test'],
  kind: 'chat',
  category: 'approved',
});
const whens: Record<string, RuleConditions> = {
  always: {},
  paths: { paths: ['/x'] },
  host: { hosts: ['x.example'] },
  below: { hosts: ['*.y.example'] },
  pattern: { hosts: ['n-*.z.example'] },
  wide: { hosts: ['a.*'] },
  two: { hosts: ['x.example', 'w.example'] },
  address: { hosts: ['192.0.2.0/24'] },
  sixAddress: { hosts: ['2001:db8::7'] },
  key: { services: ['chat-box'] },
  id: { services: [String(serviceId('chat-box'))] },
  name: { services: ['CHAT BOX', 'chat-box'] },
  other: { services: ['api.chat.test'] },
  user: { users: ['ann'] },
  network: { networks: ['10.0.0.0/8'] },
  branch: { networks: ['10.1.0.0/16', '10.2.0.0/16'] },
  group: { groups: ['it', 'hr'] },
  kind: { kinds: ['chat'] },
  category: { categories: ['approved'] },
  unknown: { categories: ['unknown'] },
  nobody: { users: [] },
};
const names = Object.keys(whens);
const rules = (order: readonly string[]) =>
  order.map((name, i) => new Rule({ name, when: whens[name] ?? {}, then: {} }, i));

function asked(order: readonly string[], subject: Partial<RuleSubject>, until?: string): string[] {
  const seen: string[] = [];
  new RuleIndex(rules(order)).visit(
    { host: 'nowhere.example', groups: [], now: new Date(0), service: undefined, ...subject },
    (rule) => {
      seen.push(rule.name);
      return rule.name === until;
    },
  );
  return seen;
}

describe('the evaluated rules', () => {
  const always = ['always', 'paths', 'wide'];
  test.each<[string, Partial<RuleSubject>, string[]]>([
    ['nothing known', {}, [...always, 'unknown']],
    ['a host', { host: 'x.example' }, [...always, 'host', 'two', 'unknown']],
    ['below a host', { host: 'a.x.example' }, [...always, 'host', 'two', 'unknown']],
    ['another of two', { host: 'w.example' }, [...always, 'two', 'unknown']],
    ['below', { host: 'a.b.y.example' }, [...always, 'below', 'unknown']],
    ['a pattern', { host: 'n-1.z.example' }, [...always, 'pattern', 'unknown']],
    ['an address', { host: '192.0.2.7' }, [...always, 'address', 'sixAddress', 'unknown']],
    ['another address', { host: '2001:db8::a' }, [...always, 'address', 'sixAddress', 'unknown']],
    ['a host with a digit', { host: 'x9.example' }, [...always, 'unknown']],
    ['a service', { service }, [...always, 'key', 'id', 'name', 'other', 'kind', 'category']],
    ['a user', { user: 'ann' }, [...always, 'user', 'unknown']],
    ['another user', { user: 'eve' }, [...always, 'unknown']],
    ['a network', { from: '10.3.0.1' }, [...always, 'network', 'unknown']],
    ['two networks', { from: '10.2.0.1' }, [...always, 'network', 'branch', 'unknown']],
    ['no network', { from: '11.2.0.1' }, [...always, 'unknown']],
    ['groups', { groups: ['hr', 'it', 'x'] }, [...always, 'group', 'unknown']],
  ])('%s', (_name, subject, expected) => {
    const inOrder = (order: readonly string[]) => order.filter((name) => expected.includes(name));
    expect(asked(names, subject)).toEqual(inOrder(names));
    const turned = names.toReversed();
    expect(asked(turned, subject)).toEqual(inOrder(turned));
  });

  test('until one is enough', () => {
    expect(asked(names, { host: 'x.example' }, 'host')).toEqual(['always', 'paths', 'host']);
    expect(asked(['host', 'two'], { host: 'x.example' }, 'host')).toEqual(['host']);
    expect(asked(['host', 'two'], {})).toEqual([]);
    expect(asked(['address', 'network'], { host: '192.0.2.7' })).toEqual(['address']);
  });

  test('a name longer than any', () => {
    const long = { ...whens, long: { users: ['u'.repeat(2000)] } };
    const index = new RuleIndex(Object.values(long).map((when, i) => new Rule({ when, then: {} }, i)));
    const seen: number[] = [];
    const subject = { host: 'nowhere.example', groups: [], now: new Date(0), service: undefined };
    index.visit({ ...subject, user: 'u'.repeat(2000) }, (rule) => seen.push(rule.position) === 0);
    expect(seen).toContain(names.length);
    seen.length = 0;
    index.visit({ ...subject, user: 'u'.repeat(2001) }, (rule) => seen.push(rule.position) === 0);
    expect(seen).not.toContain(names.length);
  });
});

test.each<[string, RuleConditions[], (string | undefined)[]]>([
  ['nothing to index it by', [{}, { paths: ['/x'] }, { hosts: ['*'] }, { hosts: ['a.*'] }], Array(4).fill(undefined)],
  ['one condition', [{ users: ['a'] }, { groups: ['a'] }, { kinds: ['a'] }], ['users', 'groups', 'kinds']],
  [
    'the one shared with the fewest others',
    [
      { groups: ['all'], users: ['a'] },
      { groups: ['all'], users: ['b'] },
      { groups: ['rare'], users: ['b'] },
      { groups: ['all'], users: ['c'] },
    ],
    ['users', 'users', 'groups', 'users'],
  ],
  [
    'the most crowded value of a list counts',
    [
      { users: ['a', 'b'], kinds: ['x'] },
      { users: ['b'], kinds: ['x'] },
      { users: ['b'], kinds: ['y'] },
    ],
    ['kinds', 'kinds', 'kinds'],
  ],
  ['the same word in two conditions', [{ users: ['a'] }, { groups: ['a'], users: ['b'] }], ['users', 'users']],
])('the condition by which a rule is indexed: %s', (_name, conditions, expected) => {
  expect(facetsOf(conditions.map((when) => ({ when, then: {} })))).toEqual(expected);
});
