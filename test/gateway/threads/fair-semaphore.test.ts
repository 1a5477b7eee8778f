import { expect, test } from 'vitest';
import { FairSemaphore, type SemaphoreOptions } from '../../../gateway/threads/fair-semaphore.ts';

/** At most 100 units. */
const semaphoreOf = (options: Partial<SemaphoreOptions> = {}) =>
  new FairSemaphore({ max: 100, waitingMax: 32, waitMs: 10_000, message: 'too many', ...options });

test('callers wait for units in order of arrival', async () => {
  const semaphore = semaphoreOf();
  const order: string[] = [];
  const first = await semaphore.acquire(60);
  const second = semaphore.acquire(60).then((release) => {
    order.push('second');
    return release;
  });
  const third = semaphore.acquire(10).then(() => order.push('third'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual([]);
  first();
  (await second)();
  await third;
  expect(order).toEqual(['second', 'third']);
});

test('single work may be of any size', async () => {
  await semaphoreOf().acquire(1_000);
});

test('units released twice count once', async () => {
  const semaphore = semaphoreOf({ waitMs: 1 });
  const first = await semaphore.acquire(60);
  await semaphore.acquire(40);
  first();
  first();
  await semaphore.acquire(60);
  await expect(semaphore.acquire(40)).rejects.toMatchObject({ code: 'unavailable' });
});

test('nobody waits behind too many others, or longer than the limit', async () => {
  const semaphore = semaphoreOf({ waitingMax: 1, waitMs: 1 });
  await semaphore.acquire(100);
  const waiting = semaphore.acquire(10);
  await expect(semaphore.acquire(10)).rejects.toMatchObject({ code: 'unavailable', status: 503 });
  await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
});

test('when too many wait, the client with the most is refused, not the newest', async () => {
  const semaphore = semaphoreOf({ waitingMax: 2 });
  const inside = await semaphore.acquire(100, 'ann');
  const first = semaphore.acquire(100, 'ann');
  const last = expect(semaphore.acquire(100, 'ann')).rejects.toMatchObject({ code: 'unavailable' });
  const others = semaphore.acquire(100, 'bob');
  await last;
  inside();
  (await others)();
  (await first)();
});

test('a client that disconnects frees its turn for the next one', async () => {
  const semaphore = semaphoreOf();
  const first = await semaphore.acquire(60);
  const leaving = new AbortController();
  const gone = expect(semaphore.acquire(90, 'ann', leaving.signal)).rejects.toMatchObject({ code: 'bad_request' });
  const next = semaphore.acquire(40);
  leaving.abort();
  await gone;
  await next;
  first();
});

test('a client with much work waits behind later work of others', async () => {
  const semaphore = semaphoreOf({ max: 1 });
  const order: string[] = [];
  const work = async (name: string, client: string) => {
    const leave = await semaphore.acquire(1, client);
    order.push(name);
    setImmediate(leave);
  };
  await Promise.all([
    work('ann 1', 'ann'),
    work('ann 2', 'ann'),
    work('ann 3', 'ann'),
    work('bob 1', 'bob'),
    work('bob 2', 'bob'),
    work('eve 1', 'eve'),
  ]);
  expect(order).toEqual(['ann 1', 'bob 1', 'eve 1', 'ann 2', 'bob 2', 'ann 3']);
});

test('a client that returns each time does not overtake another whose work waits', async () => {
  const semaphore = semaphoreOf({ max: 1 });
  const order: string[] = [];
  const work = async (name: string, client: string) => {
    const leave = await semaphore.acquire(1, client);
    order.push(name);
    await new Promise((resolve) => setImmediate(resolve));
    leave();
  };
  const coming = async () => {
    for (const name of ['ann 1', 'ann 2', 'ann 3', 'ann 4']) await work(name, 'ann');
  };
  await Promise.all([coming(), work('bob 1', 'bob'), work('bob 2', 'bob'), work('bob 3', 'bob')]);
  expect(order).toEqual(['ann 1', 'bob 1', 'bob 2', 'ann 2', 'bob 3', 'ann 3', 'ann 4']);
});

test('a client that has left before gets nothing', async () => {
  const semaphore = semaphoreOf();
  await expect(semaphore.acquire(60, 'ann', AbortSignal.abort())).rejects.toMatchObject({ code: 'bad_request' });
  const release = await semaphore.acquire(100);
  release();
});
