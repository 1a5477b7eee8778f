// biome-ignore-all lint/suspicious/noThenProperty: the word of the file format; a rule is never awaited.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadServices } from '../../config/services.ts';
import type { RuleConfig } from '../../policy/decide.ts';
import { type KnownNames, ruleDoubts } from '../../policy/rule-doubts.ts';

const services = loadServices();
const known: KnownNames = { services, nearest: () => undefined };
const now = new Date('2026-06-01T12:00:00Z');
const block = { action: 'block' } as const;
const allow = { action: 'allow' } as const;

function doubtsOf(rules: readonly RuleConfig[], bypass: readonly string[] = [], names = known): string[] {
  return ruleDoubts({ rules, bypass, known: names, now }).map(({ path, message, other }) => {
    return `${path.join('.')}: ${message.replace('{other}', `#${other}`)}`;
  });
}
const covered = ['1: the rule can never match: #0 comes first and covers it'];

describe('a rule that an earlier one covers', () => {
  test.each<[string, RuleConfig['when'], RuleConfig['when'], boolean]>([
    ['no conditions', {}, { users: ['ann'] }, true],
    ['fewer users', { users: ['ann', 'bob'] }, { users: ['bob'] }, true],
    ['other users', { users: ['ann', 'bob'] }, { users: ['bob', 'eve'] }, false],
    ['one condition more', { users: ['ann'] }, { users: ['ann'], kinds: ['chat'] }, true],
    ['one condition less', { users: ['ann'], kinds: ['chat'] }, { users: ['ann'] }, false],
    ['a host below', { hosts: ['x.example'] }, { hosts: ['a.x.example', '*.x.example'] }, true],
    ['the host itself is not below', { hosts: ['*.x.example'] }, { hosts: ['x.example'] }, false],
    ['and what is below goes on', { hosts: ['*.x.example'] }, { hosts: ['a.x.example'] }, true],
    ['a pattern ends with its labels', { hosts: ['n-*.x.example'] }, { hosts: ['n-1.x.example'] }, false],
    ['a pattern in a pattern', { hosts: ['n-*.x.example'] }, { hosts: ['n-a*.x.example'] }, true],
    ['a pattern below a host', { hosts: ['x.example'] }, { hosts: ['n-*.x.example'] }, true],
    ['a host with the same end', { hosts: ['x.example'] }, { hosts: ['ax.example'] }, false],
    ['a smaller network', { networks: ['10.0.0.0/8'] }, { networks: ['10.1.0.0/16', '10.2.3.4'] }, true],
    ['a larger network', { networks: ['10.1.0.0/16'] }, { networks: ['10.0.0.0/8'] }, false],
    ['a smaller network of IPv6', { networks: ['2001:db8::/32'] }, { networks: ['2001:db8:1::/48'] }, true],
    ['the same word', { networks: ['private'] }, { networks: ['private'], users: ['ann'] }, true],
    ['an address as host', { hosts: ['192.0.2.0/24'] }, { hosts: ['192.0.2.7'] }, true],
    ['a path below', { paths: ['/v1'] }, { paths: ['/v1/chat'] }, true],
    ['a path with the same begin', { paths: ['/v1'] }, { paths: ['/v10'] }, false],
    ['a method in other letters', { methods: ['POST'] }, { methods: ['post'], users: ['ann'] }, true],
    ['a larger upload', { upload_over: 10 }, { upload_over: 20 }, true],
    ['a smaller upload', { upload_over: 20 }, { upload_over: 10 }, false],
    ['a service in other letters', { services: ['ChatGPT', 'claude'] }, { services: ['chatgpt'] }, true],
    ['hours', { hours: ['08:00-18:00', '20:00-21:00'] }, { hours: '08:00-18:00' }, true],
    ['other hours', { hours: '08:00-18:00' }, { hours: '09:00-18:00' }, false],
  ])('%s', (_name, first, second, expected) => {
    expect(
      doubtsOf([
        { when: first, then: block },
        { when: second, then: allow },
      ]),
    ).toEqual(expected ? covered : []);
  });

  test('one that ends, or is only noted, covers nothing that goes on', () => {
    const second: RuleConfig = { when: { users: ['ann'] }, then: allow };
    expect(doubtsOf([{ when: {}, then: block, expires: '2027-01-01' }, second])).toEqual([]);
    expect(
      doubtsOf([
        { when: {}, then: block, expires: '2027-01-01' },
        { ...second, expires: '2026-12-31' },
      ]),
    ).toEqual(covered);
    expect(doubtsOf([{ when: {}, then: block, report_only: true }, second])).toEqual([]);
    expect(
      doubtsOf([
        { when: {}, then: block, report_only: true },
        { ...second, report_only: true },
      ]),
    ).toEqual(covered);
  });

  test('the same conditions are a repetition or a contradiction', () => {
    const when = { users: ['ann', 'bob'], hosts: ['x.example'] };
    const again = { hosts: ['x.example'], users: ['bob', 'ann'] };
    expect(
      doubtsOf([
        { when, then: block },
        { when: again, then: block },
      ]),
    ).toEqual(['1: the rule repeats #0']);
    expect(
      doubtsOf([
        { when, then: { ...allow, inspect: 'mask' } },
        { when: again, then: block },
      ]),
    ).toEqual([
      '1: the rule contradicts #0, which has the same conditions and comes first: there allow, mask, here block',
    ]);
  });
});

test('what can never match by itself, and what has no effect', () => {
  expect(
    doubtsOf(
      [
        { name: 'a', when: { users: [], kinds: ['chat'] }, then: block },
        { name: 'a', when: { hosts: ['x.bank.example', '10.1.0.0/16'] }, then: block, expires: '2026-05-31' },
        { when: { hosts: ['x.example'] }, then: { action: 'allow', coach: true } },
      ],
      ['bank.example', '10.0.0.0/8'],
    ),
  ).toEqual([
    '0.when.users: the list is empty, so that the rule can never match',
    '1.expires: the rule has expired (2026-05-31) and can never match',
    '1.name: the name "a" is that of #0, too; logs cannot tell them apart',
    '1.when.hosts: the rule can never match: policy.bypass names all its hosts',
    '2.then.coach: coach counts with action warn only, and this is allow',
  ]);
});

test('names that nobody has, where all are known', () => {
  const when = {
    services: ['ChatGPT', 'nope', 'openai.com'],
    kinds: ['chat', 'nope'],
    users: ['ann', 'eve'],
    groups: ['it', 'hr'],
  };
  const rules: RuleConfig[] = [{ when, then: block }];
  expect(doubtsOf(rules, [], { ...known, users: new Set(['ann']), groups: new Set(['it']) })).toEqual([
    '0.when.services.1: the service "nope" is not known',
    '0.when.kinds.1: the kind "nope" is not known',
    '0.when.users.1: the user "eve" is not known',
    '0.when.groups.1: the group "hr" is not known',
  ]);
  expect(doubtsOf(rules)).toHaveLength(2);
});

test('ten thousand rules, two by two the same', () => {
  const rules = Array.from(
    { length: 10_000 },
    (_, i): RuleConfig => ({
      when: { hosts: [`h${i >> 1}.example`], groups: ['all'] },
      then: block,
    }),
  );
  expect(doubtsOf(rules).length).toBe(500);
});

test('what is said to be covered never decides', () => {
  // The law itself is held against the plain decider in matrix.test.ts; here small lists of nested conditions.
  const value = fc.subarray(['a.example', 'b.a.example', '*.a.example', 'c.example'], { minLength: 1 });
  fc.assert(
    fc.property(fc.array(value, { minLength: 2, maxLength: 5 }), (lists) => {
      const rules = lists.map((hosts): RuleConfig => ({ when: { hosts }, then: block }));
      const dead = new Set(ruleDoubts({ rules, bypass: [], known, now }).map(({ path }) => Number(path[0])));
      const holds = (hosts: readonly string[], host: string) =>
        hosts.some((entry) =>
          entry.startsWith('*.') ? host.endsWith(entry.slice(1)) : host === entry || host.endsWith(`.${entry}`),
        );
      for (const host of ['a.example', 'b.a.example', 'x.b.a.example', 'y.a.example', 'c.example', 'z.c.example']) {
        const first = lists.findIndex((hosts) => holds(hosts, host));
        expect(dead.has(first)).toBe(false);
      }
    }),
  );
});
