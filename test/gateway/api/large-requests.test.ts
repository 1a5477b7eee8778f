import { expect, test } from 'vitest';
import { LargeRequests } from '../../../gateway/api/large-requests.ts';

const stays = new AbortController().signal;

test('bodies wait for space in order of arrival', async () => {
  const large = new LargeRequests({ bytesMax: 100 });
  const order: string[] = [];
  const first = await large.admit(60, stays);
  const second = large.admit(60, stays).then((release) => {
    order.push('second');
    return release;
  });
  const third = large.admit(10, stays).then(() => order.push('third'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual([]);
  first();
  (await second)();
  await third;
  expect(order).toEqual(['second', 'third']);
});

test('one body alone may be of any size', async () => {
  await new LargeRequests({ bytesMax: 100 }).admit(1_000, stays);
});

test('space released twice counts once', async () => {
  const large = new LargeRequests({ bytesMax: 100, waitMs: 1 });
  const first = await large.admit(60, stays);
  await large.admit(40, stays);
  first();
  first();
  await large.admit(60, stays);
  await expect(large.admit(40, stays)).rejects.toMatchObject({ code: 'unavailable' });
});

test('the queue and the waiting time are limited', async () => {
  const large = new LargeRequests({ bytesMax: 100, waitingMax: 1, waitMs: 1 });
  await large.admit(100, stays);
  const waiting = large.admit(10, stays);
  await expect(large.admit(10, stays)).rejects.toMatchObject({ code: 'unavailable', status: 503 });
  await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
});

test('a client that disconnects makes space for the next one', async () => {
  const large = new LargeRequests({ bytesMax: 100 });
  const first = await large.admit(60, stays);
  const leaving = new AbortController();
  const gone = expect(large.admit(90, leaving.signal)).rejects.toMatchObject({ code: 'unavailable' });
  const next = large.admit(40, stays);
  leaving.abort();
  await gone;
  await next;
  first();
});

test('only one of several gets a turn before sockets are polled', async () => {
  const large = new LargeRequests();
  let turns = 0;
  for (let i = 0; i < 3; i++) void large.turn().then(() => turns++);
  await new Promise((resolve) => setImmediate(resolve));
  expect(turns).toBe(1);
  while (turns < 3) await new Promise((resolve) => setTimeout(resolve, 10));
});
