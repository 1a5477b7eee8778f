/** The portal's list of services: what it says is what the user gets when opening the page. */
import { expect, test } from 'vitest';
import { plainBrand } from '../../../gateway/portal/brand.ts';
import { servicesPage } from '../../../gateway/portal/services.ts';
import { wordsOf } from '../../../gateway/portal/words.ts';
import { Policy } from '../../../policy/decide.ts';
import { ServiceRegistry } from '../../../policy/registry.ts';
import type { RuleConfig } from '../../../policy/rule.ts';

const registry = new ServiceRegistry();
registry.add({ service_name: 'Good', domain: 'good.example', category: 'approved' });
registry.add({ service_name: 'Watched', domain: 'watched.example', category: 'monitoring' });
registry.add({ service_name: 'Bad', domain: 'bad.example', category: 'blocked' });

/** The state of each service on the page. */
function statesUnder(rules: readonly RuleConfig[], query = ''): Record<string, string | undefined> {
  const config = {
    unknown: 'allow',
    inspect: { approved: 'mask', monitoring: 'audit', unknown: 'tunnel' },
    bypass: [],
    rules,
  } as const;
  const page = servicesPage({
    words: wordsOf('en'),
    brand: plainBrand,
    client: { address: '10.0.0.1', subject: '10.0.0.1' },
    registry,
    policy: new Policy({ registry, config }),
    query: new URLSearchParams(query),
  });
  const rows = String(page.body).matchAll(/<div>(\w+)<br>.*?class="badge \w+">([^<]+)</gs);
  return Object.fromEntries([...rows].map(([, name, state]) => [name, state]));
}

const expected = {
  Good: 'Allowed, personal data is masked',
  Watched: 'Allowed, use with care (monitored)',
  Bad: 'Blocked',
};

test('the state of each service', () => expect(statesUnder([])).toEqual(expected));

test.each<[string, RuleConfig]>([
  ['sizes', { name: 'no large uploads', when: { upload_over: 5_000_000 }, then: { action: 'block' } }],
  ['paths', { name: 'no uploads', when: { paths: ['/upload'] }, then: { action: 'block' } }],
  ['methods', { name: 'reading only', when: { methods: ['POST'] }, then: { action: 'block' } }],
])('a rule about %s leaves no service undecided', (_what, rule) => expect(statesUnder([rule])).toEqual(expected));

test('the choice of what to show goes by what the user may do, not by the category', () => {
  const rules: RuleConfig[] = [
    { name: 'a trial', when: { services: ['bad'] }, then: { action: 'warn' } },
    { name: 'not here', when: { services: ['good'] }, then: { action: 'block' } },
  ];
  expect(statesUnder(rules, 'show=bad')).toEqual({ Good: 'Blocked' });
  expect(Object.keys(statesUnder(rules, 'show=care'))).toEqual(['Watched', 'Bad']);
  expect(statesUnder(rules, 'show=good')).toEqual({});
  expect(Object.keys(statesUnder(rules))).toEqual(['Good', 'Watched', 'Bad']);
});
