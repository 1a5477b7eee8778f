import { expect, test } from 'vitest';
import { LargeTurns } from '../../../gateway/threads/large-turns.ts';

test('only one of several gets a turn before sockets are polled', async () => {
  const large = new LargeTurns();
  let turns = 0;
  const all = [1, 2, 3].map(() => large.turn(() => ++turns));
  await new Promise((resolve) => setImmediate(resolve));
  expect(turns).toBe(1);
  expect(await Promise.all(all)).toEqual([1, 2, 3]);
});

test('work that fails ends only its own turn', async () => {
  const large = new LargeTurns();
  const failing = large.turn(() => {
    throw new Error('no JSON');
  });
  await expect(failing).rejects.toThrow('no JSON');
  expect(await large.turn(() => 1)).toBe(1);
});

test('a client with much work waits behind the first work of another, which came later', async () => {
  const large = new LargeTurns();
  const order: string[] = [];
  const turn = (client: string) => large.turn(() => order.push(client), { client });
  await Promise.all(['one', 'one', 'one', 'other'].map(turn));
  expect(order).toEqual(['one', 'other', 'one', 'one']);
});
