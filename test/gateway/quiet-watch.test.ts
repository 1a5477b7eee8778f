import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { QuietWatch, type Watched } from '../../gateway/proxy/listen/quiet-watch.ts';

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

type Line = Watched & { progress: number; destroyed: number };

function line(): Line {
  return {
    progress: 0,
    destroyed: 0,
    destroy() {
      this.destroyed++;
    },
  };
}

describe('a connection', () => {
  test.each([
    [80_000, 80_000, 90_000],
    [3_600_000, 3_600_000, 3_620_000],
    [400, 400, 500],
  ])('quiet for %i ms is kept until then and destroyed soon after', (limitMs, keptMs, goneMs) => {
    const watch = new QuietWatch<Line>(limitMs);
    const quiet = line();
    watch.add(quiet);
    vi.advanceTimersByTime(keptMs - 1);
    expect(quiet.destroyed).toBe(0);
    vi.advanceTimersByTime(goneMs - keptMs + 1);
    expect(quiet.destroyed).toBeGreaterThan(0);
  });

  test('with activity is kept, and its timeout restarts', () => {
    const watch = new QuietWatch<Line>(1_000);
    const busy = line();
    watch.add(busy);
    for (let i = 0; i < 40; i++) {
      vi.advanceTimersByTime(900);
      busy.progress++;
    }
    expect(busy.destroyed).toBe(0);
    vi.advanceTimersByTime(1_400);
    expect(busy.destroyed).toBeGreaterThan(0);
  });

  test('that was removed is left alone, and without any there are no checks', () => {
    const watch = new QuietWatch<Line>(1_000);
    const gone = line();
    watch.delete(watch.add(gone));
    vi.advanceTimersByTime(5_000);
    expect(gone.destroyed).toBe(0);
    expect([watch.size, vi.getTimerCount()]).toEqual([0, 0]);
  });

  test('added while the watch is idle is watched too', () => {
    const watch = new QuietWatch<Line>(1_000);
    const [first, second] = [line(), line()];
    watch.delete(watch.add(first));
    vi.advanceTimersByTime(5_000);
    watch.add(second);
    vi.advanceTimersByTime(1_300);
    expect([first.destroyed, second.destroyed > 0]).toEqual([0, true]);
  });

  test('without a limit is never checked', () => {
    const watch = new QuietWatch<Line>(0);
    const quiet = line();
    watch.add(quiet);
    vi.advanceTimersByTime(100_000);
    expect([quiet.destroyed, watch.size]).toEqual([0, 1]);
  });

  test('is destroyed with all others', () => {
    const watch = new QuietWatch<Line>(1_000);
    const all = [line(), line(), line()];
    for (const one of all) watch.add(one);
    watch.destroyAll();
    expect(all.map(({ destroyed }) => destroyed)).toEqual([1, 1, 1]);
  });
});
