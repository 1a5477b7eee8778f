/** The stored findings of a host, merged from several replicas. */
import { describe, expect, test } from 'vitest';
import { countDistinct, evidenceOf, type Finding, hashRange, mergeFindings } from '../../policy/discovery-finding.ts';

describe('findings of two replicas', () => {
  const one = (subjects: readonly number[], more: Partial<Finding> = {}): Finding => ({
    hosts: ['a.example'],
    signals: { 'host-tld-ai': 1 },
    requests: 1,
    subjects,
    days: ['2026-11-21'],
    bytesUp: 10,
    firstSeen: '2026-11-21T00:00:00.000Z',
    lastSeen: '2026-11-21T00:00:00.000Z',
    state: 'open',
    ...more,
  });

  test('add up, and the stored state is kept', () => {
    const merged = mergeFindings(
      one([1, 5], { state: 'dismissed' }),
      one([5, 9], { hosts: ['b.example'], days: ['2026-11-20'], family: 'openai-like' }),
    );
    expect(merged).toMatchObject({
      hosts: ['a.example', 'b.example'],
      signals: { 'host-tld-ai': 2 },
      requests: 2,
      subjects: [1, 5, 9],
      days: ['2026-11-20', '2026-11-21'],
      bytesUp: 20,
      family: 'openai-like',
      state: 'dismissed',
    });
  });

  test('keep what either knows, up to the limit', () => {
    const early = { firstSeen: '2026-11-20T00:00:00.000Z', lastSeen: '2026-11-20T01:00:00.000Z' };
    const hosts = Array.from({ length: 15 }, (_, i) => `h${i}.example`);
    const days = Array.from({ length: 31 }, (_, i) => `2026-10-${String(i + 1).padStart(2, '0')}`);
    const a = one([], { ...early, hosts, days, family: 'image', service: 'a', state: 'registered' });
    const b = one([], {
      hosts: hosts.map((host) => `x.${host}`),
      imitates: 'openai.com',
      family: 'ollama-like',
      service: 'b',
      signals: { 'host-tld-ai': 2, 'body-chat': 1 },
    });
    const both = mergeFindings(a, b);
    expect(both.hosts).toEqual([...hosts, ...b.hosts.slice(0, 5)]);
    expect(both.days).toEqual([...days.slice(1), '2026-11-21']);
    expect(both).toMatchObject({
      signals: { 'host-tld-ai': 3, 'body-chat': 1 },
      firstSeen: early.firstSeen,
      lastSeen: '2026-11-21T00:00:00.000Z',
      family: 'image',
      imitates: 'openai.com',
      service: 'a',
    });
    const turned = mergeFindings(b, a);
    expect([turned.firstSeen, turned.lastSeen]).toEqual([both.firstSeen, both.lastSeen]);
    expect(turned).toMatchObject({ family: 'ollama-like', imitates: 'openai.com', service: 'b', state: 'open' });
    const plain = mergeFindings(one([1]), one([2]));
    expect([plain.family, plain.imitates, plain.service]).toEqual([undefined, undefined, undefined]);
    expect(evidenceOf(both)).toEqual({
      signals: new Map([
        ['host-tld-ai', 3],
        ['body-chat', 1],
      ]),
      subjects: 0,
      days: 31,
      bytesUp: 20,
    });
  });

  test('few are counted, many estimated', () => {
    expect(countDistinct([1, 2, 3])).toBe(3);
    const full = Array.from({ length: 64 }, (_, i) => i);
    expect(countDistinct([...full.slice(0, 63), hashRange / 2])).toBe(126);
  });

  test.each([1, 64, 1_000, 50_000])('%i subjects are counted within a fifth', (count) => {
    // Evenly distributed hashes, as a good hash function produces.
    const step = hashRange / (count + 1);
    let sketch: readonly number[] = [];
    for (let from = 0; from < count; from += 500) {
      const part = Array.from({ length: Math.min(500, count - from) }, (_, i) => Math.floor((from + i + 1) * step));
      sketch = mergeFindings(one(sketch), one(part)).subjects;
    }
    expect(sketch.length).toBeLessThanOrEqual(64);
    expect(Math.abs(countDistinct(sketch) - count) / count).toBeLessThan(0.2);
  });
});
