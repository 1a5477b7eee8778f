import { expect, test } from 'vitest';
import { FairRoom, type RoomOptions } from '../../../gateway/threads/fair-room.ts';

/** Room for 100 units. */
const roomOf = (options: Partial<RoomOptions> = {}) =>
  new FairRoom({ max: 100, waitingMax: 32, waitMs: 10_000, message: 'no room', ...options });

test('work waits until there is room for it, in the order of arrival', async () => {
  const room = roomOf();
  const order: string[] = [];
  const first = await room.enter(60);
  const second = room.enter(60).then((release) => {
    order.push('second');
    return release;
  });
  const third = room.enter(10).then(() => order.push('third'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual([]);
  first();
  (await second)();
  await third;
  expect(order).toEqual(['second', 'third']);
});

test('work alone may be of any size', async () => {
  await roomOf().enter(1_000);
});

test('room that is given back twice counts once', async () => {
  const room = roomOf({ waitMs: 1 });
  const first = await room.enter(60);
  await room.enter(40);
  first();
  first();
  await room.enter(60);
  await expect(room.enter(40)).rejects.toMatchObject({ code: 'unavailable' });
});

test('nobody waits behind too many others, or for longer than the time that is set', async () => {
  const room = roomOf({ waitingMax: 1, waitMs: 1 });
  await room.enter(100);
  const waiting = room.enter(10);
  await expect(room.enter(10)).rejects.toMatchObject({ code: 'unavailable', status: 503 });
  await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
});

test('when too many wait, the client that has most is refused, and not the one that comes', async () => {
  const room = roomOf({ waitingMax: 2 });
  const inside = await room.enter(100, 'ann');
  const first = room.enter(100, 'ann');
  const last = expect(room.enter(100, 'ann')).rejects.toMatchObject({ code: 'unavailable' });
  const others = room.enter(100, 'bob');
  await last;
  inside();
  (await others)();
  (await first)();
});

test('a client that leaves makes room for the next one', async () => {
  const room = roomOf();
  const first = await room.enter(60);
  const leaving = new AbortController();
  const gone = expect(room.enter(90, 'ann', leaving.signal)).rejects.toMatchObject({ code: 'unavailable' });
  const next = room.enter(40);
  leaving.abort();
  await gone;
  await next;
  first();
});

test('a client with much work waits behind the work of others, which came later', async () => {
  const room = roomOf({ max: 1 });
  const order: string[] = [];
  const work = async (name: string, client: string) => {
    const leave = await room.enter(1, client);
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

test('a client that comes back each time does not pass another whose work waits', async () => {
  const room = roomOf({ max: 1 });
  const order: string[] = [];
  const work = async (name: string, client: string) => {
    const leave = await room.enter(1, client);
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
