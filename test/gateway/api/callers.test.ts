/** Keys not looked up before: a burst of calls with one key is not guessing, many different ones are. */
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Callers } from '../../../gateway/api/auth.ts';

const owner = { id: 'key_1', role: 'app' };

function callersOf(keys: readonly string[]) {
  const asked: string[] = [];
  const accounts = {
    generation: 1,
    authenticate: async (key: string) => {
      asked.push(key);
      await new Promise((resolve) => setImmediate(resolve));
      return keys.includes(key) ? owner : undefined;
    },
    callerOf: async () => undefined,
  };
  type Parts = ConstructorParameters<typeof Callers>;
  const callers = new Callers(accounts as unknown as Parts[0], {} as Parts[1], () => false);
  return { asked, find: (key: string) => callers.byConnection(new Socket(), `Bearer ${key}`) };
}

test('two hundred calls at once with a key not seen before share one look-up, and all are served', async () => {
  const { asked, find } = callersOf(['pvt_live_right']);
  const found = await Promise.all(Array.from({ length: 200 }, () => find('pvt_live_right')));
  expect(new Set(found)).toEqual(new Set([owner]));
  expect(asked).toEqual(['pvt_live_right']);
});

test('two hundred unknown keys at once are limited', async () => {
  const { find } = callersOf([]);
  const found = await Promise.allSettled(Array.from({ length: 200 }, (_, i) => find(`pvt_live_${i}`)));
  const refused = found.filter((one) => one.status === 'rejected').map(({ reason }) => reason.code);
  expect(refused.length).toBeGreaterThan(100);
  expect(new Set(refused)).toEqual(new Set(['too_many_requests']));
});
