/** The text of a policy as the policy form needs it. */

import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parsePolicy, policyForm } from '../../config/policy-document.ts';

const rule = '{ name: a, when: { hosts: [x.example] }, then: { action: block } }';

test.each([
  ['policy: { unknown: warn } # why\n', 'policy:\n  unknown: warn\n  # why\n'],
  ['{ unknown: warn, rules: [] }\n', 'unknown: warn\nrules: []\n'],
  ['# ours\n\n{ unknown: warn }\n', '# ours\n\nunknown: warn\n'],
  [
    'policy: { unknown: warn, rules: [{ name: a, then: { action: block } }] }\n',
    'policy:\n  unknown: warn\n  rules:\n    - { name: a, then: { action: block } }\n',
  ],
  ['{"policy":{"unknown":"warn"}}', 'policy:\n  unknown: "warn"\n'],
])('%j in flow style is converted to block style', (text, expected) => {
  const { block: written } = policyForm(text);
  expect(parse(written ?? '')).toEqual(parse(text));
  expect(written).toBe(expected);
  expect(policyForm(written ?? '').block).toBeNull();
});

test.each([
  'policy: # ours\n  unknown: warn\n',
  '# ours\npolicy:\n  bypass:\n    [a.example]\n',
  'unknown: warn\nrules: []\n',
  `rules:\n  - ${rule}\n`,
  '',
  'policy: {}\n',
  'policy: [',
])('%j stays as it is', (text) => {
  expect(policyForm(text).block).toBeNull();
});

test('users and groups are compared in normalised form', () => {
  const apart = 'ju\u0308rgen';
  const { policy } = parsePolicy(`rules: [{ when: { users: [${apart}], groups: [${apart}] }, then: {} }]`, 'p.yaml');
  expect(policy?.rules[0]?.when).toEqual({ users: ['jürgen'], groups: ['jürgen'] });
});
