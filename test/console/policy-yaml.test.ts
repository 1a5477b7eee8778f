/** Edits rules inside a text: only their lines change, whatever the text looks like. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { moved, moveRule, putRule, type Rule, removeRule } from '../../console/admin/policy-yaml.ts';

const rulesOf = (yaml: string): Rule[] => {
  const whole = parse(yaml) ?? {};
  return (whole.policy ?? whole).rules ?? [];
};

const a: Rule = { name: 'a', when: {}, then: { action: 'allow' } };
const b: Rule = { name: 'b', when: { groups: ['x'] }, then: { action: 'block' } };

const shapes: [name: string, yaml: string][] = [
  ['nothing', ''],
  ['no rules', 'unknown: allow\n'],
  ['no rules below policy', 'policy:\n  unknown: allow\n'],
  ['an empty list', 'rules: []\nunknown: allow\n'],
  ['rules on one line', 'rules: [{ name: r0, then: { action: allow } }, { name: r1, then: { action: block } }]\n'],
  [
    'rules over lines in brackets',
    'rules: [\n  { name: r0, then: { action: allow } },\n  { name: r1, then: {} }\n]\nunknown: warn\n',
  ],
  [
    'a list at the indentation of its key',
    'rules:\n- name: r0\n  then: { action: allow }\n- then:\n    action: block\n  name: r1\nunknown: allow\n',
  ],
  [
    'comments and blank lines',
    '# top\npolicy:\n  rules:\n    # first\n\n    - name: r0 # here\n      then: { action: allow }\n\n    # second\n    - name: r1\n      # inside\n      then: { action: block }\n  # of unknown\n  unknown: allow\n# end\n',
  ],
  ['Windows line ends', 'rules:\r\n  - name: r0\r\n    then: {}\r\n  - name: r1\r\n    then: {}\r\n'],
  ['a long text', 'rules:\n  - name: >-\n      r0\n      - not a rule\n    then: {}\n  - name: r1\n    then: {}\n'],
];

describe.each(shapes)('%s', (_name, yaml) => {
  const rules = rulesOf(yaml);
  const rest = ({ rules: _rules, ...others }: { rules?: unknown }) => others;
  const others = (text: string) => {
    const whole = parse(text) ?? {};
    return rest(whole.policy ?? whole);
  };

  test('a rule is added, changed, moved and removed', () => {
    const added = putRule(yaml, rules, { at: rules.length, rule: b });
    expect(rulesOf(added)).toEqual([...rules, b]);
    expect(others(added)).toEqual(others(yaml));
    const two = putRule(added, [...rules, b], { at: 0, rule: a });
    expect(rulesOf(two)).toEqual([a, ...rules.slice(1), ...(rules.length === 0 ? [] : [b])]);
    const last = rules.length;
    const order = moveRule(added, [...rules, b], { from: last, to: 0 });
    expect(rulesOf(order)).toEqual([b, ...rules]);
    expect(rulesOf(removeRule(order, [b, ...rules], 0))).toEqual(rules);
    expect(others(order)).toEqual(others(yaml));
  });
});

test('comments move with their rule; others stay', () => {
  const [, yaml = ''] = shapes.find(([name]) => name.startsWith('comments')) ?? [];
  const text = moveRule(yaml, rulesOf(yaml), { from: 1, to: 0 });
  expect(text).toBe(
    '# top\npolicy:\n  rules:\n\n    # second\n    - name: r1\n      # inside\n      then: { action: block }\n    # first\n\n    - name: r0 # here\n      then: { action: allow }\n  # of unknown\n  unknown: allow\n# end\n',
  );
});

test('any rule survives writing and reading', () => {
  const value = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.array(fc.string(), { maxLength: 3 }),
    fc.dictionary(fc.string(), fc.string(), { maxKeys: 2 }),
  );
  const rule = fc.record({
    name: fc.oneof(
      fc.string(),
      fc.constantFrom('on', 'no', '1', '- x', '# x', 'a: b', '*', '&x', '2026-12-31', '~', 'null', '日本', ' x '),
    ),
    when: fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), value, { maxKeys: 3 }),
    then: fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), value, { maxKeys: 3 }),
  });
  fc.assert(
    fc.property(fc.array(rule, { minLength: 1, maxLength: 3 }), (rules) => {
      let text = 'unknown: allow\n';
      rules.forEach((one, i) => {
        text = putRule(text, rules.slice(0, i) as Rule[], { at: i, rule: one as Rule });
      });
      // The parser creates objects with a prototype; those of fast-check have none.
      expect(JSON.parse(JSON.stringify(rulesOf(text)))).toEqual(JSON.parse(JSON.stringify(rules)));
    }),
  );
});

test('moved', () => {
  expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
  expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
});
