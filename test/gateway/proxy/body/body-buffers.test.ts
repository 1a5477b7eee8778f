import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BodyBuffers } from '../../../../gateway/proxy/body/body-buffers.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** The number of seconds after which a body counts as too slow; undefined if it does not within four hours. */
function refusedAfter(receivedAt: (second: number) => number, graceSeconds = 30): number | undefined {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  let refused: number | undefined;
  const stop = new BodyBuffers({ graceMs: graceSeconds * 1_000, bytesMax: Number.MAX_SAFE_INTEGER }).watch(
    () => receivedAt(seconds()),
    ({ code }) => {
      expect(code).toBe('request_timeout');
      refused = Math.round(seconds());
    },
  );
  vi.advanceTimersByTime(4 * 3_600_000);
  stop();
  return refused;
}

describe('a body that', () => {
  const megabytes = 30 * 1024 * 1024;
  test.each<[what: string, receivedAt: (second: number) => number, seconds: number | undefined]>([
    ['never arrives', () => 0, 31],
    ['arrives byte by byte', (second) => second, 31],
    ['arrives at 490 bytes a second', (second) => second * 490, 1_501],
    ['arrives at 500 bytes a second', (second) => second * 500, undefined],
    ['arrives fast', (second) => second * 100_000, undefined],
    ['begins fast and then stops', () => megabytes, 91],
    ['begins fast and then trickles', (second) => megabytes + second, 91],
    ['pauses for a minute repeatedly', (second) => Math.ceil((second + 1) / 60) * 60_000, undefined],
    ['begins late, but then fast', (second) => (second < 29 ? 0 : second * 10_000), undefined],
  ])('%s', (_what, receivedAt, seconds) => expect(refusedAfter(receivedAt)).toBe(seconds));
});

test('over the total limit the largest are dropped, and the others complete', () => {
  const bodies = new BodyBuffers({ graceMs: 60_000, bytesMax: 100 });
  const sizes = [10, 60, 20, 50, 5];
  const given: [index: number, code: string][] = [];
  const stops = sizes.map((_, i) =>
    bodies.watch(
      () => sizes[i] as number,
      ({ code }) => given.push([i, code]),
    ),
  );
  vi.advanceTimersByTime(1_000);
  expect(given).toEqual([[1, 'unavailable']]);
  sizes[4] = 60;
  vi.advanceTimersByTime(1_000);
  expect(given).toEqual([
    [1, 'unavailable'],
    [4, 'unavailable'],
  ]);
  // Dropped and complete bodies no longer count.
  stops[3]?.();
  sizes[2] = 85;
  vi.advanceTimersByTime(1_000);
  expect(given.length).toBe(2);
  for (const stop of stops) stop();
  vi.advanceTimersByTime(1_000);
  expect(vi.getTimerCount()).toBe(0);
});
