/** Every sentence of the gateway about a decision has a Japanese translation; texts written by people stay. */
import { expect, test } from 'vitest';
import { curatedBypass, loadAnonymizers } from '../../../config/host-lists.ts';
import { explained, reasonsOf } from '../../../core/context/reasons.ts';
import type { Model } from '../../../core/context/scorer.ts';
import { errorCodes } from '../../../core/errors.ts';
import catalog from '../../../core/wording/ja.json' with { type: 'json' };
import { inJapanese } from '../../../core/wording/japanese.ts';
import { wordingIn } from '../../../core/wording/names.ts';
import { pinEvent } from '../../../gateway/discovery/learning.ts';
import { knownReasons, reasonText } from '../../../gateway/portal/reasons.ts';
import { Policy } from '../../../policy/decide.ts';
import { assess, type Signal, signalWeights } from '../../../policy/discovery.ts';
import { policyLint } from '../../../policy/policy-lint.ts';
import { ServiceRegistry } from '../../../policy/registry.ts';
import type { RuleConfig } from '../../../policy/rule.ts';
import { defaults, services } from '../../policy/policies-under-test.ts';

/** The texts that still contain English words; hosts, keys in brackets and capitalised names stay. */
function untranslated(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => /(?<![\w.:,/（-])[a-z]{3,}(?![\w.:-])/.test(inJapanese(text)));
}

test('a translation uses only the placeholders of its sentence', () => {
  const names = (text: string) => [...text.matchAll(/\{(=?\w+)\}/g)].map(([, name = '']) => name);
  for (const [english, japanese] of Object.entries(catalog)) {
    expect(names(english)).toEqual(expect.arrayContaining(names(japanese)));
    expect(japanese).toMatch(/[ぁ-んァ-ヶ一-龠]/);
  }
});

test.each([
  ['rule "legal may use it"', 'ルール「legal may use it」'],
  ['services, hours: match', 'すべての条件に一致（サービス、時間帯）'],
  [
    'Bad is blocked, and x.translate.goog shows its pages',
    'x.translate.goog で表示されるページについて：Bad はブロックされています',
  ],
  ['The name ends in .ai; request bodies contain a prompt', '名前が .ai で終わる、本文にプロンプトを含む'],
  ['word before: "topic"', '前にある語「topic」'],
  ['Contract with the provider ended, ask legal', 'Contract with the provider ended, ask legal'],
])('%s', (english, japanese) => {
  expect(inJapanese(english)).toBe(japanese);
});

test('names instead of identifiers', () => {
  const { rule, sentence } = wordingIn('en');
  expect(rule('exception 2ec92000-09aa-4151-bf53-dd9fc116b245')).toBe('Exception');
  expect(rule('exception handling')).toBe('exception handling');
  expect(wordingIn('ja').rule('exception 2ec92000-09aa-4151-bf53-dd9fc116b245')).toBe('許可された例外');
  expect(sentence('upload_over: no match (0 bytes)')).toBe('Upload size: no match (0 bytes)');
  expect(sentence('chatgpt.com is bypassed')).toBe('chatgpt.com is bypassed');
  expect(sentence('contract ended: ask legal')).toBe('contract ended: ask legal');
});

const rules: RuleConfig[] = [
  { name: 'N1', when: { groups: ['GR'], kinds: ['K1'] }, then: { action: 'block' } },
  { name: 'N2', report_only: true, when: { users: ['U1'] }, then: { action: 'block' } },
  { name: 'N3', expires: '2026-11-22', when: {}, then: { action: 'block' } },
  { name: 'N4', when: { hosts: ['good.example'], upload_over: 10 }, then: { action: 'block' } },
  { name: 'N5', when: { hosts: ['seen.example'], paths: ['/X'], methods: ['POST'] }, then: { action: 'block' } },
  { name: 'N6', when: { networks: ['11.0.0.0/8'], agents: ['A1'] }, then: { action: 'block' } },
  { name: 'N7', when: { hours: '08:00-09:00' }, then: { action: 'block' } },
  { name: 'N8', when: { services: ['S1'] }, then: { action: 'block' } },
  { name: 'N9', when: { categories: ['blocked'] }, then: { inspect: 'audit' } },
];

test.each([
  ['without rules', []],
  ['with rules', rules],
  ['with a rule without conditions', [{ name: 'N0', when: {}, then: { action: 'block' as const } }]],
])('the steps of a decision, %s', (_name, own) => {
  const anonymizers = loadAnonymizers();
  const policy = new Policy({
    registry: new ServiceRegistry(services),
    config: { ...defaults, rules: own, bypass: ['bank.example'] },
    anonymizer: (host) => anonymizers.find((one) => one.host === host),
  });
  const base = { port: 443, user: 'U1', groups: ['G1'], from: '10.1.1.1', now: new Date('2026-11-23T09:00:00Z') };
  const hosts = ['good.example', 'seen.example', 'bad.example', 'bank.example', 'x.example', 'part.example'];
  const more = [...hosts, 'bad-example.translate.goog', 'translate.google.com', ...anonymizers.map(({ host }) => host)];
  const texts = more
    .flatMap((host) => [
      { ...base, host },
      { ...base, host, path: '/Y', method: 'GET', size: 5, agent: 'A2' },
      { ...base, host, path: '/X', method: 'POST' },
    ])
    .flatMap((input) => {
      const { decision, tried } = policy.explain(input);
      return [decision.reason, ...tried.flatMap(({ rule, why }) => [why, wordingIn('en').rule(rule)])];
    });
  expect(new Set(texts).size).toBeGreaterThan(6);
  expect(untranslated(texts)).toEqual([]);
});

test('policy lint warnings', () => {
  const block = { action: 'block' } as const;
  const known = {
    services,
    users: new Set(['U1']),
    groups: new Set(['G1']),
    nearest: (name: string) => (name === 'U2' ? 'U1' : undefined),
  };
  const rules: RuleConfig[] = [
    { name: 'N1', when: { users: [] }, then: block },
    {
      name: 'N1',
      expires: '2026-11-22',
      when: { users: ['U2'], groups: ['G2'], services: ['S2'], kinds: ['K2'] },
      then: block,
    },
    { name: 'N2', when: { hosts: ['bank.example'] }, then: { action: 'allow', coach: true } },
    { name: 'N3', when: { hosts: ['x.example'] }, then: block },
    { name: 'N4', when: { hosts: ['x.example'] }, then: block },
    { name: 'N5', when: { hosts: ['x.example'] }, then: { action: 'allow' } },
    { name: 'N6', when: { hosts: ['a.x.example'] }, then: block },
  ];
  const found = policyLint({ rules, bypass: ['bank.example'], known, now: new Date('2026-12-01T00:00:00Z') });
  const messages = found.map(({ message }) => message.replace('{other}', 'rule "N1" (line 5)'));
  expect(new Set(messages).size).toBeGreaterThan(8);
  expect(untranslated(messages)).toEqual([]);
});

test('decisions about tools', () => {
  const policy = new Policy({
    registry: new ServiceRegistry(services),
    config: {
      ...defaults,
      rules: ['allow', 'report', 'strip', 'block'].map((tools) => ({
        when: { tools: [`T-${tools}`] },
        then: { tools },
      })) as never,
    },
  });
  const tools = ['T-allow', 'T-report', 'T-strip', 'T-block', 'T5'];
  const tried = tools.flatMap(
    (name) => policy.explainTool({ host: 'good.example', port: 443 }, undefined, { name }).tried,
  );
  expect(untranslated(tried.map(({ why }) => why))).toEqual([]);
});

test('why a host is bypassed, or proposed', () => {
  const signals = Object.keys(signalWeights) as Signal[];
  const use = { subjects: 1, days: 1, bytesUp: 0 };
  const states = ['seen', 'proposed', 'bypassed', 'dismissed'] as const;
  expect(
    untranslated([
      ...curatedBypass('on').map(({ host, reason }) => `${host} is on the curated list: ${reason}`),
      ...signals.map((signal) => assess({ signals: new Set([signal]), ...use }).reason),
      assess({ signals: new Set(signals), ...use }).reason,
      ...states.flatMap((state) => {
        const change = { host: 'x.example', state, by: 'auto' as const };
        return [
          pinEvent(change as never).reason ?? '',
          pinEvent({ ...change, expiresAt: '2026-12-01' } as never).reason ?? '',
        ];
      }),
    ]),
  ).toEqual([]);
});

test('why a value was found', () => {
  const own = ['l:A', 'h:A', 'b2:A', 'b1:A', 'p:A', 'a1:A', 'n:A', 't:A'];
  const features = [...own, 'g:check', 'o0', 'o1', 'O1', 'g:hown', 'g:q1', 'T', 'j', 'k', 'f1'];
  const model = { shared: new Map(), own: new Map([['X', new Map(features.map((name) => [name, 1]))]]) };
  const reasons = reasonsOf(model as unknown as Model, 'X', features, features.length);
  expect(reasons).toHaveLength(features.length);
  const found = { type: 'X', value: 'v', start: 0, end: 1, score: 1, recognizer: 'r', context: 'C' };
  const plain = [found, { ...found, checksum: true }].flatMap((one) => explained(one as never).why ?? []);
  expect(untranslated([...reasons, ...plain].map(({ text }) => text))).toEqual([]);
});

test('error codes and reasons of the registry', () => {
  expect(untranslated(Object.keys(errorCodes).map(wordingIn('en').code))).toEqual([]);
  for (const code of knownReasons) expect(reasonText(code, 'ja')).not.toMatch(/[a-z]{4,}/);
});
