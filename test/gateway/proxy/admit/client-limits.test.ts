/** Connection limits per client: the counts of thousands of clients that come and go. */
import { expect, test } from 'vitest';
import { ConnectionLimit } from '../../../../gateway/proxy/admit/connection-limits.ts';

test('a client has its share, gets it back when it disconnects, and others do not affect it', () => {
  const tunnels = new ConnectionLimit('tunnel');
  tunnels.limit(10_000, 2);
  const stays = tunnels.enter('10.0.0.1');
  for (let i = 0; i < 5_000; i++) {
    const leave = tunnels.enter(`10.1.${i >> 8}.${i & 255}`);
    leave();
    leave();
  }
  expect(tunnels.size).toBe(1);
  const second = tunnels.enter('10.0.0.1');
  expect(() => tunnels.enter('10.0.0.1')).toThrow('Too many tunnels of one client');
  stays();
  second();
  expect(tunnels.size).toBe(0);
  for (let i = 0; i < 5; i++) tunnels.enter('10.0.0.1')();
  const again = [tunnels.enter('10.0.0.1'), tunnels.enter('10.0.0.1')];
  expect(() => tunnels.enter('10.0.0.1')).toThrow('Too many tunnels of one client');
  for (const leave of again) leave();
  expect(tunnels.size).toBe(0);
});

test('with a limit of zero no client is counted', () => {
  const tunnels = new ConnectionLimit('connection');
  tunnels.limit(0, 0);
  expect(() => tunnels.enter('10.0.0.1')).toThrow('cannot accept another connection');
  tunnels.limit(5, 0);
  for (let i = 0; i < 3_000; i++) expect(() => tunnels.enter(`c${i}`)).toThrow('Too many connections of one client');
  tunnels.limit(5, 1);
  const leave = tunnels.enter('c0');
  expect(() => tunnels.enter('c0')).toThrow('Too many connections of one client');
  leave();
  expect(tunnels.size).toBe(0);
});

test('a heavier connection counts more, in total and for its client, until released', () => {
  const tunnels = new ConnectionLimit('tunnel');
  tunnels.limit(10, 8);
  const heavy = { total: 4, ofClient: 4 };
  const leave = [tunnels.enter('a', heavy), tunnels.enter('a', heavy)];
  expect([tunnels.size, tunnels.taken]).toEqual([2, 8]);
  expect(() => tunnels.enter('a')).toThrow('Too many tunnels of one client');
  expect(() => tunnels.enter('b', heavy)).toThrow('cannot accept another tunnel');
  tunnels.enter('b');
  expect([tunnels.size, tunnels.taken]).toEqual([3, 9]);
  for (const one of leave) one();
  expect([tunnels.size, tunnels.taken]).toEqual([1, 1]);
  tunnels.enter('a', { total: 1, ofClient: 8 });
  expect(tunnels.taken).toBe(2);
});
