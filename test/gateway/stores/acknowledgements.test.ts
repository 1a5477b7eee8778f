import { afterEach, expect, test, vi } from 'vitest';
import { Acknowledgements } from '../../../gateway/stores/acknowledgements.ts';
import { openMemoryStores } from '../../../gateway/stores/memory.ts';
import { silentLog } from './silent-log.ts';

afterEach(() => void vi.useRealTimers());

test('a confirmation is remembered as long as its page could be resubmitted', async () => {
  vi.useFakeTimers();
  const stores = openMemoryStores({ ttlMs: 0 });
  const acknowledgements = new Acknowledgements({ stores, log: silentLog });
  // Expired ones are removed every hour.
  await vi.advanceTimersByTimeAsync(3_600_000 - 60_000);
  await acknowledgements.confirm('ann', 'chat', 1_000);
  const { at } = await acknowledgements.of('ann', 'chat');
  const later = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    const fresh = new Acknowledgements({ stores, log: silentLog });
    const confirmed = await fresh.of('ann', 'chat');
    fresh.close();
    return confirmed;
  };
  expect(await later(120_000)).toEqual({ at, until: at + 1_000 });
  expect((await later(24 * 3_600_000)).at).toBeLessThan(at);
  acknowledgements.close();
  await stores.close();
});
