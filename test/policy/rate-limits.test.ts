import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RateCount, type RateState, rateLimitFields, takeRate } from '../../policy/rate-limits.ts';

const rule = { limit: 3, windowMs: 60_000 };

/** Takes one at each time, starting without a state. */
function run(times: readonly number[]): RateState[] {
  let count: RateCount | undefined;
  return times.map((now) => {
    const taken = takeRate(rule, count, now);
    count = taken.count;
    return taken.state;
  });
}

describe('takeRate', () => {
  test.each<[name: string, times: number[], allowed: string]>([
    ['up to the limit at once', [0, 0, 0, 0], 'yyyn'],
    ['none more within the window', [0, 20_000, 40_000, 59_999], 'yyyn'],
    ['all again after it', [0, 0, 0, 60_000, 60_000, 60_000, 60_000], 'yyyyyyn'],
    ['the window begins with the first call', [50_000, 50_000, 50_000, 60_000, 109_999, 110_000], 'yyynny'],
    ['spread evenly', [0, 20_000, 40_000, 60_000, 80_000], 'yyyyy'],
  ])('%s', (_, times, allowed) => {
    const states = run(times.map((time) => 1_000_000 + time));
    expect(states.map((state) => (state.allowed ? 'y' : 'n')).join('')).toBe(allowed);
  });
  test('the remaining calls, and when to retry', () => {
    const [first, , third, fourth] = run([0, 0, 0, 25_000]);
    expect(first).toMatchObject({ allowed: true, remaining: 2, retryMs: 0, resetMs: 60_000 });
    expect(third).toMatchObject({ allowed: true, remaining: 0, retryMs: 60_000 });
    expect(fourth).toMatchObject({ allowed: false, remaining: 0, retryMs: 35_000, resetMs: 35_000 });
  });
  test('a refused caller is allowed after retryMs', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 60 }), (gaps) => {
        let now = 0;
        let count: RateCount | undefined;
        for (const gap of gaps) {
          now += gap;
          const taken = takeRate(rule, count, now);
          count = taken.count;
          if (!taken.state.allowed) expect(takeRate(rule, count, now + taken.state.retryMs).state.allowed).toBe(true);
        }
      }),
    );
  });
});

test('the header fields', () => {
  const [first, , , refused] = run([0, 0, 0, 0].map((time) => 1_000_000 + time));
  expect(first && rateLimitFields(first)).toEqual({
    'ratelimit-policy': '"default";q=3;w=60',
    ratelimit: '"default";r=2;t=60',
  });
  expect(refused && rateLimitFields(refused, 'demo')).toEqual({
    'ratelimit-policy': '"demo";q=3;w=60',
    ratelimit: '"demo";r=0;t=60',
    'retry-after': '60',
  });
});
