/** The shipped list of hosts that show or resolve others, and what the policy makes of it. */
import { describe, expect, test } from 'vitest';
import { curatedBypass } from '../../config/bypass.ts';
import { frontCategories } from '../../config/front-categories.ts';
import { loadFronts } from '../../config/fronts.ts';
import { loadServices } from '../../config/services.ts';
import { frontFinder } from '../../gateway/fronts.ts';
import { Policy } from '../../policy/decide.ts';
import type { PolicyConfig } from '../../policy/decision.ts';
import { normalizeHost } from '../../policy/host.ts';
import { HostSet } from '../../policy/host-set.ts';
import { ServiceRegistry } from '../../policy/registry.ts';

const fronts = loadFronts();
const registry = new ServiceRegistry(loadServices());
const front = frontFinder();
const config: PolicyConfig = {
  unknown: 'allow',
  inspect: { approved: 'mask', monitoring: 'audit', unknown: 'tunnel' },
  bypass: ['12ft.io', 'x-com.translate.goog'],
  // biome-ignore lint/suspicious/noThenProperty: the word of the file format; a rule is never awaited.
  rules: [{ name: 'resolver', when: { hosts: ['dns.google'] }, then: { action: 'allow' } }],
};
const policyOf = (changes: Partial<PolicyConfig> = {}) =>
  new Policy({ registry, config: { ...config, ...changes }, front });

describe('the list', () => {
  test('holds each host once, in its one spelling, and every category', () => {
    const names = fronts.map(({ host }) => host);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => normalizeHost(name).host !== name)).toEqual([]);
    expect(new Set(fronts.map(({ category }) => category))).toEqual(new Set(frontCategories));
  });

  test('holds nothing that a service claims or that is left alone', () => {
    expect(fronts.filter(({ host }) => registry.match(host) !== undefined)).toEqual([]);
    const curated = new HostSet(curatedBypass('on').map(({ host }) => host));
    expect(fronts.filter(({ host }) => curated.match(host) !== undefined)).toEqual([]);
  });
});

describe('what is blocked as another way to a service', () => {
  test.each<[host: string, path: string | undefined, by: string | undefined]>([
    ['corsproxy.io', undefined, 'front relay'],
    ['api.allorigins.win', '/raw', 'front relay'],
    ['www.croxyproxy.com', undefined, 'front anonymiser'],
    ['webcache.googleusercontent.com', undefined, 'front cache'],
    ['papago.naver.net', undefined, 'front translation'],
    ['mozilla.cloudflare-dns.com', undefined, 'front dns'],
    ['1.1.1.1', undefined, 'front dns'],
    ['2606:4700:4700::1111', undefined, 'front dns'],
    ['dns.google', undefined, undefined],
    ['12ft.io', undefined, undefined],
    ['corsproxy.io.example', undefined, undefined],
    ['notcorsproxy.io', undefined, undefined],
    ['1.1.1.2', undefined, undefined],
    ['web.archive.org', '/web/2026/https://01.ai/', undefined],
    // Google writes "." as "-" and "-" as "--".
    ['01-ai.translate.goog', undefined, 'service is_blocked'],
    ['www-01-ai.translate.goog', '/chat', 'service is_blocked'],
    ['chat-deepseek-com.translate.goog', undefined, 'service is_blocked'],
    ['corsproxy-io.translate.goog', undefined, 'front relay'],
    ['en-wikipedia-org.translate.goog', undefined, undefined],
    ['my--01-ai.translate.goog', undefined, undefined],
    ['openai-com.translate.goog', undefined, undefined],
    ['x-com.translate.goog', undefined, undefined],
    ['translate.goog', undefined, undefined],
    ['translate.google.com', '/', undefined],
    ['r.jina.ai', '/https://01.ai/', 'service is_blocked'],
    ['r.jina.ai', '/https%3A%2F%2Fwww.01.AI', 'service is_blocked'],
    ['r.jina.ai', '//http:/user@01.ai.:8443/x', 'service is_blocked'],
    ['r.jina.ai', '/01.ai', 'service is_blocked'],
    ['s.jina.ai', '/01.ai', 'service is_blocked'],
    ['eu.r.jina.ai', '/01.ai', 'service is_blocked'],
    ['eu.s.jina.ai', '/01.ai', 'service is_blocked'],
    ['r.jina.ai', '/https://01.ai/%', 'service is_blocked'],
    ['r.jina.ai', '/https://r.jina.ai/https://example.com', undefined],
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

  test('is what policy.fronts says', () => {
    const rules = (fronts: PolicyConfig['fronts']) =>
      ['corsproxy.io', 'cloudflare-dns.com'].map((host) => policyOf({ fronts }).decide({ host, port: 443 }).action);
    expect(rules('on')).toEqual(['block', 'block']);
    expect(rules(['dns'])).toEqual(['allow', 'block']);
    expect(rules('off')).toEqual(['allow', 'allow']);
    expect(rules([])).toEqual(['allow', 'allow']);
  });
});
