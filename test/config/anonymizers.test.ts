/** The shipped list of anonymizers, and its effect on the policy. */
import { describe, expect, test } from 'vitest';
import { anonymizerCategories } from '../../config/host-list-categories.ts';
import { curatedBypass, loadAnonymizers } from '../../config/host-lists.ts';
import { loadServices } from '../../config/services.ts';
import { anonymizerFinder } from '../../gateway/anonymizers.ts';
import { Policy } from '../../policy/decide.ts';
import type { PolicyConfig } from '../../policy/decision.ts';
import { normalizeHost } from '../../policy/host.ts';
import { HostSet } from '../../policy/host-set.ts';
import { ServiceRegistry } from '../../policy/registry.ts';

const anonymizers = loadAnonymizers();
const registry = new ServiceRegistry(loadServices());
const anonymizer = anonymizerFinder();
const config: PolicyConfig = {
  unknown: 'allow',
  inspect: { approved: 'mask', monitoring: 'audit', unknown: 'tunnel' },
  bypass: ['12ft.io', 'x-com.translate.goog'],
  rules: [{ name: 'resolver', when: { hosts: ['dns.google'] }, then: { action: 'allow' } }],
};
const policyOf = (changes: Partial<PolicyConfig> = {}) =>
  new Policy({ registry, config: { ...config, ...changes }, anonymizer });

describe('the list', () => {
  test('contains each host once, normalised, and every category', () => {
    const names = anonymizers.map(({ host }) => host);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => normalizeHost(name).host !== name)).toEqual([]);
    expect(new Set(anonymizers.map(({ category }) => category))).toEqual(new Set(anonymizerCategories));
  });

  test('contains no host of a service or a bypass list', () => {
    expect(anonymizers.filter(({ host }) => registry.match(host) !== undefined)).toEqual([]);
    const curated = new HostSet(curatedBypass('on').map(({ host }) => host));
    expect(anonymizers.filter(({ host }) => curated.match(host) !== undefined)).toEqual([]);
  });
});

describe('hosts blocked as detours to a service', () => {
  test.each<[host: string, path: string | undefined, by: string | undefined]>([
    ['corsproxy.io', undefined, 'anonymizer relay'],
    ['api.allorigins.win', '/raw', 'anonymizer relay'],
    ['www.croxyproxy.com', undefined, 'anonymizer web-proxy'],
    ['webcache.googleusercontent.com', undefined, 'anonymizer cache'],
    ['papago.naver.net', undefined, 'anonymizer translation'],
    ['mozilla.cloudflare-dns.com', undefined, 'anonymizer dns'],
    ['1.1.1.1', undefined, 'anonymizer dns'],
    ['2606:4700:4700::1111', undefined, 'anonymizer dns'],
    ['dns.google', undefined, undefined],
    ['12ft.io', undefined, undefined],
    ['corsproxy.io.example', undefined, undefined],
    ['notcorsproxy.io', undefined, undefined],
    ['1.1.1.4', undefined, undefined],
    ['web.archive.org', '/web/2026/https://01.ai/', undefined],
    // Google writes "." as "-" and "-" as "--".
    ['01-ai.translate.goog', undefined, 'service is_blocked'],
    ['www-01-ai.translate.goog', '/chat', 'service is_blocked'],
    ['chat-deepseek-com.translate.goog', undefined, 'service is_blocked'],
    ['corsproxy-io.translate.goog', undefined, 'anonymizer relay'],
    ['en-wikipedia-org.translate.goog', undefined, undefined],
    ['my--01-ai.translate.goog', undefined, undefined],
    ['openai-com.translate.goog', undefined, undefined],
    ['x-com.translate.goog', undefined, undefined],
    ['translate.goog', undefined, undefined],
    ['translate.google.com', '/', undefined],
    // A prefix and a marker in the query, as Google documents them.
    ['1-ai.translate.goog', '/?_x_tr_sl=auto&_x_tr_hp=0', 'service is_blocked'],
    ['eepseek-com.translate.goog', '/a?_x_tr_hp=chat-d', 'service is_blocked'],
    ['ai.translate.goog', '/?_x_tr_hp=01-', 'service is_blocked'],
    ['1-01-ai.translate.goog', '/?_x_tr_enc=1', 'service is_blocked'],
    // An invalid parameter does not undo what the name alone says.
    ['0-01-ai.translate.goog', '/?_x_tr_enc=0,1', 'service is_blocked'],
    ['01-ai.translate.goog', '/?_x_tr_hp=x@', 'service is_blocked'],
    ['01-ai.translate.goog', '/?_x_tr_hp=%20', 'service is_blocked'],
    ['01-ai.translate.goog', '/?_x_tr_hp=https://', 'service is_blocked'],
    ['ai-translate-goog.translate.goog', '/?_x_tr_hp=01--', 'service is_blocked'],
    ['ai-translate-goog.translate.goog', '/?a&%5fx_tr_hp=01--&b', 'service is_blocked'],
    ['1-ai.translate.goog', '/', undefined],
    ['01-ai.translate.goog', '/?_x_tr_hp=2', undefined],
    ['a-openai-com.translate.goog', '/?_x_tr_hp=0-%2F&_x_tr_enc=0', undefined],
    ['corsproxy-io.translate.goog', '/?_x_tr_enc=0', 'anonymizer relay'],
    ['---01-ai.translate.goog', '/', undefined],
    ['r.jina.ai', '/https://01.ai/', 'service is_blocked'],
    ['r.jina.ai', '/https%3A%2F%2Fwww.01.AI', 'service is_blocked'],
    ['r.jina.ai', '//http:/user@01.ai.:8443/x', 'service is_blocked'],
    ['r.jina.ai', '/01.ai', 'service is_blocked'],
    ['s.jina.ai', '/01.ai', 'service is_blocked'],
    ['eu.r.jina.ai', '/01.ai', 'service is_blocked'],
    ['eu.s.jina.ai', '/01.ai', 'service is_blocked'],
    ['eu-r-beta.jina.ai', '/01.ai', 'service is_blocked'],
    ['eu-s-beta.jina.ai', '/01.ai', 'service is_blocked'],
    ['r.jina.ai', '/https://01.ai/%', 'service is_blocked'],
    ['r.jina.ai', '/https://r.jina.ai/https://example.com', undefined],
    // Through another anonymizer, whose path contains the next URL.
    ['r.jina.ai', '/https://r.jina.ai/https://01.ai/', 'service is_blocked'],
    ['r.jina.ai', '/https%3A%2F%2Fr.jina.ai%2Fhttps%253A%252F%252F01.ai', 'service is_blocked'],
    ['r.jina.ai', '/https://01-ai.translate.goog/', 'service is_blocked'],
    ['r.jina.ai', '/https://r.jina.ai/?url=https://01.ai/', 'service is_blocked'],
    ['r.jina.ai', `/${'https://r.jina.ai/'.repeat(4)}https://01.ai/`, 'service is_blocked'],
    ['r.jina.ai', `/${'https://r.jina.ai/'.repeat(4)}https://example.com/`, undefined],
    ['r.jina.ai', `/${'https://r.jina.ai/'.repeat(5)}https://example.com/`, 'anonymizers'],
    ['r-jina-ai.translate.goog', '/https://01.ai/?_x_tr_sl=auto', 'service is_blocked'],
    ['r--jina--ai-translate-goog.translate.goog', '/', undefined],
    ['r-jina-ai.translate.goog', '/https://example.com/', undefined],
    // A bypassed anonymizer also shows other hosts.
    ['r.jina.ai', '/https://x-com.translate.goog/', undefined],
    // As URL parsers read it.
    ['r.jina.ai', '/?url=https://01.ai', 'service is_blocked'],
    ['r.jina.ai', '/https://01.ai/%23%E2%80%A8x', 'service is_blocked'],
    ['r.jina.ai', `/?url=https://01.ai/${'+'.repeat(60_000)}b`, 'service is_blocked'],
    ['r.jina.ai', '/%20?url=%20https%3A%2F%2F01.ai', 'service is_blocked'],
    ['r.jina.ai', '/?url=https://example.com', undefined],
    ['r.jina.ai', '/example.com?url=https://01.ai', undefined],
    ['r.jina.ai', '/%20https://01.ai', 'service is_blocked'],
    ['r.jina.ai', '/%E3%80%80https://01.ai%20', 'service is_blocked'],
    ['r.jina.ai', '/ht%09tps://0%0A1.ai', 'service is_blocked'],
    ['r.jina.ai', '/https:%5C%5C01.ai%5Cx', 'service is_blocked'],
    ['r.jina.ai', '/https:01.ai', 'service is_blocked'],
    ['r.jina.ai', '/https://a@b@01.ai/', 'service is_blocked'],
    ['r.jina.ai', '/https%3A%2F%2F01.ai/%', 'service is_blocked'],
    ['r.jina.ai', '/chat.deepseek.com:443/', 'service is_blocked'],
    ['r.jina.ai', '/chat.deepseek.com:/', 'service is_blocked'],
    ['r.jina.ai', '/x/../01.ai', 'service is_blocked'],
    ['r.jina.ai', '/https://https://01.ai/', 'service is_blocked'],
    ['r.jina.ai', '/HTTP:view-source:https:01.ai/', 'service is_blocked'],
    ['r.jina.ai', '/view-source:https://01.ai/', 'service is_blocked'],
    ['r.jina.ai', '/https://01%252Eai/', 'service is_blocked'],
    ['r.jina.ai', '/?url=https://https://01.ai/', 'service is_blocked'],
    ['r.jina.ai', '/?url=https://01%252Eai/', 'service is_blocked'],
    ['r.jina.ai', '/https://example%252F01.ai/', undefined],
    ['r.jina.ai', `/${'https://'.repeat(20_000)}`, undefined],
    ['r.jina.ai', '/how%20to%20cook', undefined],
    ['r.jina.ai', '/https://example.com/?u=https://01.ai/', undefined],
    ['r.jina.ai', '/%', undefined],
    ['r.jina.ai', undefined, undefined],
    ['example.com', '/https://01.ai/', undefined],
  ])('%s%s: %s', (host, path, by) => {
    const decision = policyOf().decide({ host, port: 443, path });
    expect(decision.action === 'block' ? decision.rule : undefined).toBe(by);
    const explained = policyOf().explain({ host, port: 443, path });
    expect(explained.decision).toEqual(decision);
    if (by !== undefined) expect(explained.tried).toContainEqual(expect.objectContaining({ rule: by, matched: true }));
  });

  const monitoringUnread = { ...config.inspect, monitoring: 'tunnel' } as const;
  const unread: PolicyConfig['rules'] = [
    { when: { hosts: ['jina.ai', 'translate.goog'] }, then: { action: 'allow', inspect: 'tunnel' } },
  ];
  test.each<[string, Partial<PolicyConfig>, host: string, action: string, inspect: string, needsPath?: true]>([
    ['an anonymizer', {}, 'r.jina.ai', 'warn', 'audit', true],
    [
      'an anonymizer of a monitored service that is not inspected',
      { inspect: monitoringUnread },
      'eu.s.jina.ai',
      'warn',
      'audit',
      true,
    ],
    ['an anonymizer that a rule exempts from inspection', { rules: unread }, 'r.jina.ai', 'allow', 'audit', true],
    [
      'an anonymizer that is masked',
      { inspect: { ...config.inspect, monitoring: 'mask' } },
      'r.jina.ai',
      'warn',
      'mask',
      true,
    ],
    ['an anonymizer that is bypassed', { bypass: ['jina.ai'] }, 'r.jina.ai', 'allow', 'tunnel'],
    ['its other hosts', { inspect: monitoringUnread }, 'jina.ai', 'warn', 'tunnel'],
    ['a translated anonymizer', {}, 'r-jina-ai.translate.goog', 'allow', 'audit', true],
    ['an anonymizer translated twice', {}, 'r--jina--ai-translate-goog.translate.goog', 'allow', 'audit', true],
    [
      'a translated anonymizer that is bypassed',
      { bypass: ['jina.ai'] },
      'r-jina-ai.translate.goog',
      'allow',
      'tunnel',
    ],
    [
      'a translated page of a bypassed host',
      { bypass: ['example.com'] },
      'a-example-com.translate.goog',
      'allow',
      'tunnel',
    ],
    [
      'a translated page whose name merely ends like a bypassed host',
      { bypass: ['example.com'] },
      'example-com.translate.goog',
      'allow',
      'audit',
      true,
    ],
    ['any other translated page', {}, 'en-wikipedia-org.translate.goog', 'allow', 'audit', true],
    ['the translator', {}, 'translate.goog', 'allow', 'tunnel'],
  ])('a connection to %s', (_name, changes, host, action, inspect, needsPath) => {
    const policy = policyOf(changes);
    const decision = policy.decide({ host, port: 443 });
    expect(decision).toMatchObject({ action, inspect });
    expect(decision.needsPath).toBe(needsPath);
    // A translated page is decided again with its path, because its query may name another host.
    const isTranslated = host.endsWith('.translate.goog');
    expect(policy.asksPath({ host, port: 443, path: '/' })).toBe(needsPath === true || isTranslated);
    const explained = policy.explain({ host, port: 443 });
    expect(explained.decision).toEqual(decision);
    if (needsPath)
      expect(explained.tried.at(-1)).toEqual({ rule: 'path', matched: true, why: expect.stringContaining('shows') });
  });

  test('a translated page is intercepted if a rule depends on its path', () => {
    const rules: PolicyConfig['rules'] = [{ when: { hosts: ['a.example'], paths: ['/x'] }, then: { action: 'block' } }];
    const at = (host: string, path?: string) => policyOf({ rules }).decide({ host, port: 443, path });
    expect(at('a-example.translate.goog')).toMatchObject({ action: 'allow', inspect: 'audit', needsPath: true });
    expect(at('a-example.translate.goog', '/x/y').action).toBe('block');
    expect(at('a-example.translate.goog', '/y').action).toBe('allow');
    expect(at('r.jina.ai', '/https://a.example/X?q').action).toBe('block');
    expect(at('r.jina.ai', '/https://a.example').action).toBe('warn');
  });

  test('does not apply learned exemptions to it', () => {
    const exempt = () => ({ rule: 'learned', reason: 'clients reject our certificate', covers: 'all' as const });
    const policy = new Policy({ registry, config, anonymizer, exempt });
    expect(policy.decide({ host: 'r.jina.ai', port: 443 })).toMatchObject({ inspect: 'audit', needsPath: true });
    expect(policy.decide({ host: 'r.jina.ai', port: 443, path: '/https://01.ai/' }).action).toBe('block');
    expect(policy.decide({ host: 'jina.ai', port: 443 }).inspect).toBe('tunnel');
  });

  test('a path with very many nested pages is blocked', () => {
    const path = `/${'https://r.jina.ai/'.repeat(1000)}https://01.ai/`;
    expect(policyOf().decide({ host: 'r.jina.ai', port: 443, path }).action).toBe('block');
  });

  test('follows policy.anonymizers', () => {
    const rules = (anonymizers: PolicyConfig['anonymizers']) =>
      ['corsproxy.io', 'cloudflare-dns.com'].map(
        (host) => policyOf({ anonymizers }).decide({ host, port: 443 }).action,
      );
    expect(rules('on')).toEqual(['block', 'block']);
    expect(rules(['dns'])).toEqual(['allow', 'block']);
    expect(rules('off')).toEqual(['allow', 'allow']);
    expect(rules([])).toEqual(['allow', 'allow']);
  });
});
