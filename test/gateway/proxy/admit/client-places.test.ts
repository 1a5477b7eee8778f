/** Connection limits per client: the counts of thousands of clients that come and go. */
import { expect, test } from 'vitest';
import { Places } from '../../../../gateway/proxy/admit/connection-limits.ts';

test('a client has its share, gets it back when it disconnects, and others do not affect it', () => {
  const places = new Places('tunnel');
  places.limit(10_000, 2);
  const stays = places.enter('10.0.0.1');
  for (let i = 0; i < 5_000; i++) {
    const leave = places.enter(`10.1.${i >> 8}.${i & 255}`);
    leave();
    leave();
  }
  expect(places.size).toBe(1);
  const second = places.enter('10.0.0.1');
  expect(() => places.enter('10.0.0.1')).toThrow('Too many tunnels of one client');
  stays();
  second();
  expect(places.size).toBe(0);
  for (let i = 0; i < 5; i++) places.enter('10.0.0.1')();
  const again = [places.enter('10.0.0.1'), places.enter('10.0.0.1')];
  expect(() => places.enter('10.0.0.1')).toThrow('Too many tunnels of one client');
  for (const leave of again) leave();
  expect(places.size).toBe(0);
});

test('with a limit of zero no client is counted', () => {
  const places = new Places('connection');
  places.limit(0, 0);
  expect(() => places.enter('10.0.0.1')).toThrow('cannot accept another connection');
  places.limit(5, 0);
  for (let i = 0; i < 3_000; i++) expect(() => places.enter(`c${i}`)).toThrow('Too many connections of one client');
  places.limit(5, 1);
  const leave = places.enter('c0');
  expect(() => places.enter('c0')).toThrow('Too many connections of one client');
  leave();
  expect(places.size).toBe(0);
});

test('a heavier connection counts more, in total and for its client, until released', () => {
  const places = new Places('tunnel');
  places.limit(10, 8);
  const heavy = { places: 4, ofClient: 4 };
  const leave = [places.enter('a', heavy), places.enter('a', heavy)];
  expect([places.size, places.taken]).toEqual([2, 8]);
  expect(() => places.enter('a')).toThrow('Too many tunnels of one client');
  expect(() => places.enter('b', heavy)).toThrow('cannot accept another tunnel');
  places.enter('b');
  expect([places.size, places.taken]).toEqual([3, 9]);
  for (const one of leave) one();
  expect([places.size, places.taken]).toEqual([1, 1]);
  places.enter('a', { places: 1, ofClient: 8 });
  expect(places.taken).toBe(2);
});
